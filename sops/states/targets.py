"""Where a decision leads: `4`, `PSD`, `NCR:3` or `tier:2`."""

import re
from dataclasses import dataclass
from typing import Self

FORM = re.compile(
    r"(?:step:)?(?P<step>\d{1,3})|tier:(?P<tier>[123])"
    r"|(?P<procedure>[A-Z][A-Z0-9]{1,7})(?::(?P<from_step>\d{1,3}))?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A step of this run, another procedure (from its step `step`, else its first), or a tier."""

    step: int | None = None
    procedure: str = ""
    tier: int | None = None

    @classmethod
    def parse(cls, text: object) -> Self:
        """:raises ValueError: if it names no target."""
        found = FORM.fullmatch(str(text).strip())
        if found is None:
            raise ValueError(f"no target: {text!r}")
        number = found["step"] or found["from_step"]
        return cls(
            step=int(number) if number else None,
            procedure=found["procedure"] or "",
            tier=int(found["tier"]) if found["tier"] else None,
        )

    def __str__(self) -> str:
        if self.tier:
            return f"tier:{self.tier}"
        if self.procedure:
            return f"{self.procedure}:{self.step}" if self.step else self.procedure
        return str(self.step)
