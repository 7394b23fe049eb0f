"""What the fleet needs to know of who asks. `people` stands above, so its types are not known here."""

from typing import Any


def regions_of(user: Any) -> list[str]:
    """The regions that the person may see; empty for the whole site."""
    return list(getattr(user, "regions", None) or [])
