"""Write values that belong to moments, such as velocities and tempos, as mini-notation.

The pattern only has to have the right value at each moment, so equal neighbours are one step, and a bar without
moments is like the bar before it.
"""

from collections.abc import Sequence
from fractions import Fraction

from consort_strudel.transcribing.mini_text import REST, MiniWriter, Step

TimedValue = tuple[Fraction, str]
"""The time in a bar, and the value from then on."""


def bar_values(moments: Sequence[TimedValue], length: Fraction, writer: MiniWriter) -> str:
    """Return the values of one bar, sorted by time. The first one is the value from the start of the bar on."""
    if not moments:
        return REST
    if len({value for _, value in moments}) == 1:
        return moments[0][1]
    merged: list[TimedValue] = []
    for at, value in moments:
        if not merged or merged[-1][1] != value:
            merged.append((at if merged else Fraction(0), value))
    shortest = writer.steps(_steps(merged, length))
    every = writer.steps(
        _steps([(at if place else Fraction(0), value) for place, (at, value) in enumerate(moments)], length)
    )
    return every if len(every) < len(shortest) else shortest


def _steps(moments: Sequence[TimedValue], length: Fraction) -> list[Step]:
    ends = [*(at for at, _ in moments[1:]), length]
    return [(value, end - at) for (at, value), end in zip(moments, ends, strict=True)]


def filled(texts: Sequence[str]) -> list[str]:
    """Return the texts of bars, those without a value replaced by the one before, or by the first."""
    found: list[str] = []
    last = next((text for text in texts if text != REST), REST)
    for text in texts:
        last = text if text != REST else last
        found.append(last)
    return found
