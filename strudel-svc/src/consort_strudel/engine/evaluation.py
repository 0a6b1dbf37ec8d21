"""What a script plays, read from the engine's answer.

The answer comes from the realm in which the script ran, so a script can make it say anything.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

BROKEN = "The script changes a part of JavaScript that the engine needs, such as a prototype. Leave that out."
_TIME = re.compile(r"-?\d{1,300}(/\d{1,300})?")
_STYLE = " background-color: black;color:white;border-radius:15px"
"""The end of Strudel's messages: their style in a browser."""


@dataclass(frozen=True)
class PlayedEvent:
    begin: Fraction
    """In cycles."""
    end: Fraction
    duration: Fraction
    """In cycles, with `clip` and the like respected."""
    value: Any
    """A dict of controls, as a rule."""
    locations: tuple[tuple[int, int], ...]
    """The words of the script that made the event."""


@dataclass(frozen=True)
class Evaluation:
    events: tuple[PlayedEvent, ...] = ()
    event_count: int = 0
    """May be more than the events listed."""
    cps: float = 0.5
    """Cycles a second."""
    loaded: tuple[dict[str, Any], ...] = ()
    """The calls of `samples` and its like: `kind` and `values`."""
    messages: tuple[str, ...] = ()
    """What the engine logged: errors while it was asked for events are only found here."""
    error: str | None = None
    """Why the script cannot be evaluated."""
    is_late: bool = False
    """Whether the script takes too much time or memory, or plays too many events."""


def evaluation_of(result: Mapping[str, Any]) -> Evaluation:
    """Return the evaluation in a result of the engine. A result that no honest script has is an error."""
    try:
        if "too_many" in result:
            return Evaluation(
                error=f"The script plays about {int(result['too_many']):,} events in a cycle, which is too many.",
                is_late=True,
            )
        if result["cps"] is None:  # not a number, or endless
            return Evaluation(error="setcpm needs a number.")
        return Evaluation(
            tuple(_event(row) for row in result["events"]),
            _checked(result["count"], int),
            _checked(result["cps"], int, float),
            tuple(_loaded(row) for row in result["loaded"]),
            tuple(_checked(line["text"], str).removesuffix(_STYLE) for line in result["lines"]),
        )
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return Evaluation(error=BROKEN)


def _checked(value: Any, *kinds: type) -> Any:
    if type(value) not in kinds:
        raise TypeError
    return value


def _event(row: Mapping[str, Any]) -> PlayedEvent:
    return PlayedEvent(
        _fraction(row["begin"]),
        _fraction(row["end"]),
        _fraction(row["duration"]),
        row["value"],
        tuple(_location(place) for place in row["locations"]),
    )


@lru_cache(4096)  # times repeat, and reading one takes longer than finding it again
def _fraction(text: str) -> Fraction:
    if not _TIME.fullmatch(text):  # also 1e999999999, which would take minutes
        raise ValueError
    return Fraction(text)


def _location(place: Iterable[int]) -> tuple[int, int]:
    start, end = place
    if type(start) is not int or type(end) is not int:
        raise TypeError
    return start, end


def _loaded(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"kind": _checked(row["kind"], str), "values": _checked(row["values"], list)}
