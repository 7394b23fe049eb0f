"""What this app puts into the registries."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from core import registry
from core.registry import MenuEntry, Panel
from people.operations import demo, responsibilities, teams
from people.queries import access, matrix

registry.menu.add(
    "duty", MenuEntry(label=_("Duty"), url_name="people:duty", icon="users", order=80)
)
registry.settings_pages.add(
    "profile", MenuEntry(label=_("Profile"), url_name="people:me", icon="user", order=10)
)
registry.settings_pages.add(
    "tokens", MenuEntry(label=_("API tokens"), url_name="people:tokens", icon="key", order=60)
)
registry.board_panels.add(
    "duty",
    Panel(
        url_name="people:duty-panel",
        order=10,
        title=_("On duty now"),
        column="side",
        topic="duty",
    ),
)
registry.integrity.add("people", matrix.broken)
registry.live_guards.add("people", access.may_hear)


def load_teams(at: datetime) -> str:
    teams.ensure_all(at=at)
    return f"people: {responsibilities.load_shipped(at=at)} cells added to the matrix"


registry.site_loaders.add("20-teams", load_teams)
registry.demo_loaders.add("20-people", demo.load)
