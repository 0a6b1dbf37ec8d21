"""Beats as requests give them."""

import re
from fractions import Fraction

from consort_compose.songs.song import MAX_BEAT
from consort_music.beats import parse_beats
from consort_music.errors import MusicError, in_field, quoted

_BARS = re.compile(r"\b(?:bar|measure)s?\b[ \t]*([0-9]{1,6})?", re.IGNORECASE)


def beats_given(value: int | float | str, field: str) -> Fraction:
    """Read a place in beats, from 0 to the end of a song."""
    refuse_bars(value, field, "Name bars by first_bar and last_bar (included).", "first_bar: {bar}, last_bar: {bar}")
    with in_field(field):
        beats = parse_beats(value)
    if not 0 <= beats <= MAX_BEAT:
        told = f"'{field}' is {float(beats):g}; a song goes from beat 0 to {MAX_BEAT:,}."
        raise MusicError("INVALID_EXPRESSION", told, [f"{field}: 0"], field)
    return beats


def refuse_bars(value: int | float | str, field: str, instead: str, example: str) -> None:
    """Raise INVALID_EXPRESSION for beats that are given as bars."""
    found = _BARS.search(value[:60]) if isinstance(value, str) else None
    if found:
        told = f"'{field}' is {quoted(str(value))}, but beats are quarter notes, such as 16 or 9 + 1/3. {instead}"
        raise MusicError("INVALID_EXPRESSION", told, [example.format(bar=found[1] or 5)], field)


def range_given(
    start: int | float | str | None, end: int | float | str | None
) -> tuple[Fraction | None, Fraction | None]:
    """A half-open range; None is open."""
    first = beats_given(start, "start_time") if start is not None else None
    last = beats_given(end, "end_time") if end is not None else None
    if last is not None and last <= (first or 0):
        raise MusicError(
            "END_BEFORE_START",
            f"'end_time' is {last}, which is not after the start of the range, beat {first or 0}. A range goes up to"
            " its end, which is not included.",
            [f"end_time: {(first or 0) + 4}"],
            "end_time",
        )
    return first, last
