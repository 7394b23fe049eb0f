"""Filters of the list, the five fields of a declaration, and forms of actions as plain data."""

from datetime import datetime
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from fleet.models import FailureClass
from warroom.states import IncidentState


def _select(**attributes: str) -> forms.Select:
    return forms.Select(attrs={"class": "form-select", **attributes})


def _input(**attributes: Any) -> forms.TextInput:
    return forms.TextInput(attrs={"class": "form-control", "autocomplete": "off", **attributes})


def _classes() -> list[tuple[str, str]]:
    rows = FailureClass.objects.order_by("order")
    return [(row.code, f"{row.code} {row.name}") for row in rows]


class FilterForm(forms.Form):
    search = forms.CharField(
        label=_("Search"), required=False, widget=_input(**{"data-key": "/", "type": "search"})
    )
    open = forms.ChoiceField(
        label=_("Shown"),
        required=False,
        choices=[("", _("all")), ("1", _("open")), ("0", _("closed"))],
        widget=_select(),
    )
    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[("", _("any state")), *IncidentState.choices],
        widget=_select(),
    )
    tier = forms.TypedChoiceField(
        label=_("Tier"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", _("any tier")), ("2", _("Tier 2")), ("3", _("Tier 3"))],
        widget=_select(),
    )
    failure_class = forms.ChoiceField(label=_("Failure class"), required=False, widget=_select())
    mine = forms.BooleanField(
        label=_("Mine"), required=False, widget=forms.CheckboxInput({"class": "form-check-input"})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["failure_class"]
        field.choices = [("", _("any class")), *_classes()]  # type: ignore[attr-defined]

    def filters(self) -> dict[str, Any]:
        """What was chosen; an unknown choice in the address filters nothing."""
        self.is_valid()
        chosen = dict(self.cleaned_data)
        shown = chosen.pop("open", "")
        return {**chosen, **({"open": shown == "1"} if shown else {})}


class DeclareForm(forms.Form):
    title = forms.CharField(
        label=_("What is wrong?"),
        max_length=300,
        widget=_input(autofocus="autofocus", placeholder=_("Loss is NaN on job …")),
    )
    failure_class = forms.ChoiceField(label=_("Failure class"), required=False, widget=_select())
    component = forms.CharField(
        label=_("Where? (path of a component)"),
        required=False,
        widget=_input(placeholder="ulanqab/sn05/sn05-n17"),
    )
    job_id = forms.CharField(label=_("Which job?"), required=False, widget=_input())
    tier = forms.ChoiceField(
        label=_("Tier"), choices=[("3", _("Tier 3")), ("2", _("Tier 2"))], widget=_select()
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["failure_class"]
        field.choices = [("", _("not known yet")), *_classes()]  # type: ignore[attr-defined]


def action_data(posted: QueryDict) -> dict[str, Any]:
    """A posted form as the data of an action: local instants get their zone, rows become jobs."""
    data: dict[str, Any] = {name: posted.get(name) for name in posted if name != "job_ids"}
    if data.get("occurred_at"):
        data["occurred_at"] = _aware(str(data["occurred_at"]))
    if "job_ids" in posted:
        data["jobs"] = [_job(posted, job_id) for job_id in posted.getlist("job_ids")]
    return data


def _job(posted: QueryDict, job_id: str) -> dict[str, str]:
    names = ("checkpoint_step", "lost_steps", "waiver")
    return {"job_id": job_id, **{name: posted.get(f"{name}:{job_id}", "") for name in names}}


def _aware(text: str) -> datetime | str:
    """The field says local time of the reader; what cannot be read is refused by the action."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return text
    return timezone.make_aware(at) if timezone.is_naive(at) else at
