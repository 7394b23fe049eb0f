"""Filter bars. The filters are the address; what they do is in alerts.queries."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from alerts.models import Source
from alerts.states import AlertState, GroupState, ReceiptState, SourceKind
from fleet.models import FailureClass
from people.models import User
from people.queries import visible

ANY = [("", _("All"))]
YES_NO = [("", _("All")), ("false", _("Real")), ("true", _("Drills"))]


def _text(label: Any, **attrs: Any) -> forms.CharField:
    given = {"class": "form-control form-control-sm", **attrs}
    return forms.CharField(label=label, required=False, widget=forms.TextInput(attrs=given))


def _choice(label: Any, choices: list[Any]) -> forms.ChoiceField:
    widget = forms.Select(attrs={"class": "form-select form-select-sm"})
    return forms.ChoiceField(label=label, required=False, choices=choices, widget=widget)


class AlertFilterForm(forms.Form):
    search = _text(
        _("Search"), type="search", placeholder=_("name, host, label, code"), **{"data-key": "/"}
    )
    state = _choice(_("State"), [*ANY, *AlertState.choices])
    source = _choice(_("Source"), ANY)
    failure_class = _choice(_("Failure class"), ANY)
    component = _text(_("Component"), placeholder="ulanqab/sn05")
    job = _text(_("Job"))
    incident = _text(_("Incident"), inputmode="numeric")
    group = _text(_("Alert group"), inputmode="numeric")
    since = _text(_("Since"), placeholder="2026-03-18T02:00Z")
    until = _text(_("Until"), placeholder="2026-03-18T03:00Z")
    is_drill = _choice(_("Drill"), YES_NO)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = visible(Source.objects.by_name(), user).values_list("name", flat=True)
        _set_choices(self, "source", [(name, name) for name in names])
        classes = FailureClass.objects.order_by("order")
        _set_choices(self, "failure_class", [(c.code, f"{c.code} {c.name}") for c in classes])


class GroupFilterForm(forms.Form):
    state = _choice(_("State"), [*ANY, *GroupState.choices])
    failure_class = _choice(_("Failure class"), ANY)
    component = _text(_("Suspected root"), placeholder="ulanqab/sn05")
    job = _text(_("Job"))
    incident = _text(_("Incident"), inputmode="numeric")
    is_drill = _choice(_("Drill"), YES_NO)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        classes = FailureClass.objects.order_by("order")
        _set_choices(self, "failure_class", [(c.code, f"{c.code} {c.name}") for c in classes])


class ReceiptFilterForm(forms.Form):
    state = _choice(_("State"), [*ANY, *ReceiptState.choices])
    kind = _choice(_("Kind"), [*ANY, *SourceKind.choices])
    source = _choice(_("Source"), ANY)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = visible(Source.objects.by_name(), user).values_list("name", flat=True)
        _set_choices(self, "source", [(name, name) for name in names])


class NewSourceForm(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        max_length=100,
        widget=forms.TextInput(attrs={"class": "form-control", "placeholder": "am-fabric"}),
    )
    kind = forms.ChoiceField(
        label=_("Kind"),
        choices=SourceKind.choices,
        widget=forms.Select(attrs={"class": "form-select"}),
    )
    is_drill = forms.BooleanField(
        label=_("Everything it sends is a drill"),
        required=False,
        widget=forms.CheckboxInput(attrs={"class": "form-check-input"}),
    )


def _set_choices(form: forms.Form, name: str, choices: list[tuple[str, str]]) -> None:
    field = form.fields[name]
    if isinstance(field, forms.ChoiceField):
        field.choices = [*ANY, *choices]
