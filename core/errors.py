"""The answers that are no. `str(refusal)` is a translated sentence fit for the person who asked."""

from collections.abc import Mapping


class Refused(Exception):
    """The operation will not be done; the sentence says why and what would work."""

    code = "refused"
    status = 409


class NotAllowed(Refused):
    """Who asked may not; the sentence says who may."""

    code = "not_allowed"
    status = 403


class NotFound(Refused):
    """There is no such thing, or it may not be seen."""

    code = "not_found"
    status = 404


class Stale(Refused):
    """Somebody else changed it since; `current` is what stands there now."""

    code = "stale"
    status = 412

    def __init__(self, sentence: str, *, current: object = None) -> None:
        super().__init__(sentence)
        self.current = current


class Invalid(Refused):
    """The input cannot be used; `fields` maps each field to its sentences."""

    code = "invalid"
    status = 400

    def __init__(
        self, sentence: str = "", *, fields: Mapping[str, list[str]] | None = None
    ) -> None:
        self.fields = {
            name: [str(text) for text in texts] for name, texts in (fields or {}).items()
        }
        first = next((texts[0] for texts in self.fields.values() if texts), "")
        super().__init__(str(sentence) or first)
