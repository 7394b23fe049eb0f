from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from sops.models import ProcedureVersion, Run, RunStep
from sops.queries import run_view
from sops.states import Action, CloseReason, RunState, StepState, VersionState, actions_from


class OutputField(serializers.CharField):
    """What a terminal printed: any bytes, blanks at the ends too; PostgreSQL keeps no NUL."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, allow_blank=True, trim_whitespace=False, **options)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return super().run_validation(data.replace("\x00", "") if isinstance(data, str) else data)


class TextSerializer(serializers.Serializer[Any]):
    en = serializers.CharField()
    zh = serializers.CharField()


class CommandSerializer(serializers.Serializer[Any]):
    run = serializers.CharField()
    label = TextSerializer(allow_null=True)  # type: ignore[assignment]


class DecisionSerializer(serializers.Serializer[Any]):
    """`to`: a step number, a failure class (`NCR:3` from its step 3), `tier:2`, or nothing."""

    when = TextSerializer()
    then = TextSerializer(allow_null=True)
    to = serializers.SerializerMethodField()

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_to(self, decision: Any) -> str | None:
        return str(decision.to) if decision.to else None


class StepTextSerializer(serializers.Serializer[Any]):
    """A step as written; `start` and `end` in minutes from the opening of the incident."""

    number = serializers.IntegerField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    group = serializers.CharField()
    domains = serializers.ListField(child=serializers.CharField())
    title = TextSerializer()
    do = TextSerializer()
    place = TextSerializer()
    commands = CommandSerializer(many=True)
    expected = TextSerializer()
    decisions = DecisionSerializer(many=True)
    stops = TextSerializer(many=True)
    rollback = TextSerializer(allow_null=True)
    authority = TextSerializer(allow_null=True)
    sources = serializers.ListField(child=serializers.CharField())


class ProcedureSerializer(serializers.ModelSerializer[ProcedureVersion]):
    failure_class = serializers.CharField(source="procedure_id")
    name = TextSerializer(source="text.name")
    version = serializers.IntegerField(source="number")
    state = serializers.ChoiceField(choices=VersionState.choices)
    default_tier = serializers.IntegerField(source="text.default_tier")
    tier2_when = TextSerializer(source="text.tier2_when")
    ends_by = serializers.IntegerField(source="text.ends_by")
    reserve = serializers.IntegerField(source="text.reserve")
    step_count = serializers.SerializerMethodField()
    proposal = serializers.BooleanField(source="text.proposal")
    sources = serializers.ListField(source="text.sources", child=serializers.CharField())
    allowed_actions = serializers.SerializerMethodField()

    class Meta:
        model = ProcedureVersion
        fields = [
            "failure_class", "name", "version", "state", "default_tier", "tier2_when", "ends_by",
            "reserve", "step_count", "proposal", "sources", "checksum", "published_at",
            "allowed_actions",
        ]  # fmt: skip

    def get_step_count(self, version: ProcedureVersion) -> int:
        return len(version.text.steps)

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_allowed_actions(self, version: ProcedureVersion) -> list[str]:
        """A published version never changes."""
        return []


class ProcedureDetailSerializer(ProcedureSerializer):
    steps = StepTextSerializer(many=True, source="text.steps")
    no_spare = serializers.JSONField(source="content.no_spare")
    groups = serializers.JSONField(source="content.groups")
    common = serializers.JSONField(source="content.common")

    class Meta(ProcedureSerializer.Meta):
        fields = [*ProcedureSerializer.Meta.fields, "steps", "no_spare", "groups", "common"]


class RunStepSerializer(serializers.ModelSerializer[RunStep]):
    step = serializers.IntegerField(source="number")
    title = serializers.SerializerMethodField()
    state = serializers.ChoiceField(choices=StepState.choices)
    start = serializers.IntegerField(source="start_minute")
    end = serializers.IntegerField(source="end_minute")
    used_minutes = serializers.SerializerMethodField()
    over_budget = serializers.SerializerMethodField()
    by = serializers.CharField(source="by.username", allow_null=True, default=None)
    allowed_actions = serializers.SerializerMethodField()

    class Meta:
        model = RunStep
        fields = [
            "step", "title", "state", "bypassed", "start", "end", "budget", "used_minutes",
            "over_budget", "started_at", "ended_at", "decide_at", "by", "note", "output",
            "output_cut", "went_to", "attempts", "earlier", "allowed_actions",
        ]  # fmt: skip

    def _view(self, row: RunStep) -> Any:
        return self.context["steps"][row.number]

    @extend_schema_field(TextSerializer)
    def get_title(self, row: RunStep) -> dict[str, str]:
        title = self._view(row).text.title
        return {"en": title.en, "zh": title.zh}

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_used_minutes(self, row: RunStep) -> int | None:
        used: int | None = self._view(row).used
        return used

    @extend_schema_field(serializers.ChoiceField(choices=["", "amber", "red", "decide"]))
    def get_over_budget(self, row: RunStep) -> str:
        level = str(self._view(row).level)
        return "" if level == "calm" else level

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(Action.choices)))
    def get_allowed_actions(self, row: RunStep) -> list[str]:
        acting: bool = self.context["acting"]
        return [str(a) for a in actions_from(StepState(row.state))] if acting else []


class RunSerializer(serializers.ModelSerializer[Run]):
    """`incident` is its number; `opened_at` is T0, from which budgets count."""

    incident = serializers.IntegerField(source="incident_number")
    failure_class = serializers.CharField(source="version.procedure_id")
    version = serializers.IntegerField(source="version.number")
    state = serializers.ChoiceField(choices=RunState.choices)
    closed_reason = serializers.ChoiceField(choices=["", *CloseReason.values])
    closed_by = serializers.CharField(source="closed_by.username", allow_null=True, default=None)
    used_minutes = serializers.SerializerMethodField()
    ends_by = serializers.IntegerField(source="version.text.ends_by")
    steps_done = serializers.SerializerMethodField()
    step_count = serializers.SerializerMethodField()
    allowed_actions = serializers.SerializerMethodField()

    class Meta:
        model = Run
        fields = [
            "id", "incident", "failure_class", "version", "state", "opened_at", "started_at",
            "closed_at", "closed_reason", "closed_note", "closed_by", "branched_from",
            "used_minutes", "ends_by", "steps_done", "step_count", "is_drill", "region",
            "audience", "allowed_actions",
        ]  # fmt: skip

    def to_representation(self, instance: Run) -> Any:
        self._view = run_view(instance, self.context["request"].user, self.context["at"])
        return super().to_representation(instance)

    def get_used_minutes(self, run: Run) -> int:
        return int(self._view.used)

    def get_steps_done(self, run: Run) -> int:
        return int(self._view.done)

    def get_step_count(self, run: Run) -> int:
        return len(self._view.steps)

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(Action.choices)))
    def get_allowed_actions(self, run: Run) -> list[str]:
        return [str(action) for action in self._view.allowed_actions]


class RunDetailSerializer(RunSerializer):
    steps = serializers.SerializerMethodField()

    class Meta(RunSerializer.Meta):
        fields = [*RunSerializer.Meta.fields, "steps"]

    @extend_schema_field(RunStepSerializer(many=True))
    def get_steps(self, run: Run) -> list[dict[str, Any]]:
        view = self._view
        by_number = {step.text.number: step for step in view.steps}
        context = {"steps": by_number, "acting": bool(view.allowed_actions)}
        rows = [step.row for step in view.steps]
        return list(RunStepSerializer(rows, many=True, context=context).data)


class RunStartSerializer(serializers.Serializer[Any]):
    """Without `failure_class` the incident's own procedure."""

    incident = serializers.IntegerField(min_value=1)
    failure_class = serializers.CharField(required=False, max_length=8, default="")
