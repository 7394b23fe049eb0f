from core.models.changes import Change
from core.models.events import Event
from core.models.idempotency import IdempotencyKey
from core.models.site import Heartbeat, SiteSetting

__all__ = ["Change", "Event", "Heartbeat", "IdempotencyKey", "SiteSetting"]
