from datetime import datetime
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from people.models import Roster, User
from people.models.users import LANGUAGES
from people.states import Scope, Slot

SELECT = {"class": "form-select"}
CONTROL = {"class": "form-control"}


class ProfileForm(forms.ModelForm[User]):
    time_zone = forms.ChoiceField(label=_("Time zone"), widget=forms.Select(SELECT))

    class Meta:
        model = User
        fields = ("name", "language", "time_zone", "email", "phone")
        labels = {
            "name": _("Name"),
            "language": _("Language"),
            "email": _("Mail address"),
            "phone": _("Phone"),
        }
        widgets = {
            "name": forms.TextInput(CONTROL),
            "language": forms.Select(SELECT, choices=LANGUAGES),
            "email": forms.EmailInput(CONTROL),
            "phone": forms.TextInput({**CONTROL, "inputmode": "tel"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zones = [(name, name) for name in sorted(available_timezones())]
        self.fields["time_zone"].choices = zones  # type: ignore[attr-defined]


class TokenForm(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        max_length=100,
        help_text=_("What will use it, such as “job controller”."),
        widget=forms.TextInput(CONTROL),
    )
    scopes = forms.MultipleChoiceField(
        label=_("Scopes"),
        required=False,
        help_text=_("A token without scopes may only say that it is valid."),
        widget=forms.CheckboxSelectMultiple({"class": "form-check-input"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = [(s.value, s.label) for s in Scope if s in user.scopes and s != Scope.ALL]
        self.fields["scopes"].choices = own  # type: ignore[attr-defined]


class OverrideForm(forms.Form):
    roster = forms.ModelChoiceField(
        label=_("Roster"), queryset=Roster.objects.none(), widget=forms.Select(SELECT)
    )
    slot = forms.ChoiceField(label=_("Place"), choices=Slot, widget=forms.Select(SELECT))
    user = forms.ModelChoiceField(
        label=_("Who comes instead"), queryset=User.objects.none(), widget=forms.Select(SELECT)
    )
    starts_at = forms.DateTimeField(label=_("From"), widget=forms.DateTimeInput(CONTROL))
    ends_at = forms.DateTimeField(label=_("To"), widget=forms.DateTimeInput(CONTROL))
    reason = forms.CharField(
        label=_("Reason"), required=False, max_length=200, widget=forms.TextInput(CONTROL)
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rosters = Roster.objects.select_related("team").order_by("team__domain", "region")
        self.fields["roster"].queryset = rosters  # type: ignore[attr-defined]
        self.fields["user"].queryset = User.objects.active().by_name()  # type: ignore[attr-defined]
        for name in ("starts_at", "ends_at"):
            self.fields[name].widget.input_type = "datetime-local"

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        starts, ends = data.get("starts_at"), data.get("ends_at")
        if isinstance(starts, datetime) and isinstance(ends, datetime) and ends <= starts:
            self.add_error("ends_at", gettext("An override ends after it begins."))
        return data
