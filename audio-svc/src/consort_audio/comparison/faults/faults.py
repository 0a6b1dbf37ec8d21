"""`Fault`: something that was played otherwise than expected."""

from typing import Literal, NamedTuple, TypeAlias

from consort_audio.comparison.faults.limits import Severity

FaultKind: TypeAlias = Literal[
    "wrong_note",
    "missing_note",
    "extra_note",
    "early",
    "late",
    "too_short",
    "too_long",
    "sharp",
    "flat",
    "wrong_octave",
]
WEIGHTS: dict[Severity, float] = {"minor": 1.0, "moderate": 2.0, "major": 4.0}
"""How much a fault counts when the worst spots are chosen."""


class Fault(NamedTuple):
    kind: FaultKind
    time: float
    """In seconds of the take. A missing note has the time at which it was due."""
    bar: int
    beat: float
    severity: Severity
    expected: str | None = None
    """The name of the expected note."""
    played: str | None = None
    """The name of the played note."""
    amount: float | None = None
    """Milliseconds late (early is negative), cents sharp (flat is negative), or played over expected length."""
    expected_index: int | None = None
    played_index: int | None = None

    @property
    def text(self) -> str:
        """A few words, such as `E4 played as F4` or `G4 120 ms late`."""
        amount = self.amount or 0.0
        match self.kind:
            case "wrong_note" | "wrong_octave":
                return f"{self.expected} played as {self.played}"
            case "missing_note":
                return f"{self.expected} missing"
            case "extra_note":
                return f"extra {self.played}"
            case "early" | "late":
                return f"{self.expected} {abs(amount):.0f} ms {self.kind}"
            case "sharp" | "flat":
                return f"{self.expected} {abs(amount):.0f} cents {self.kind}"
            case _:
                return f"{self.expected} {'too short' if self.kind == 'too_short' else 'too long'} ({amount:.0%})"
