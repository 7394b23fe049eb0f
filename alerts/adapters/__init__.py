"""Pure translation from a sender's JSON to signals. A new kind: one module, one line here."""

from alerts.adapters import alertmanager, free_json
from alerts.adapters.base import Adapter
from alerts.states import SourceKind

ADAPTERS: dict[str, Adapter] = {
    SourceKind.ALERTMANAGER: alertmanager.parse,
    SourceKind.JSON: free_json.parse,
}
