"""The one door for what people do to an incident: pages and API come through here."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from people.models import User
from warroom.models import Incident


def take(*, number: int, action: str, data: Mapping[str, Any], by: User, at: datetime) -> Incident:
    """
    Take one of `allowed_actions` with its fields (warroom.states.fields).

    :raises NotFound: if `by` may not see the incident; NotAllowed: who may is in the sentence;
        Invalid: with a sentence for each field; Refused: the incident has moved on.
    """
    raise NotImplementedError
