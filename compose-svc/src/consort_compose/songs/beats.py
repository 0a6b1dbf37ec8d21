"""Beats as requests give them and answers tell them."""

from fractions import Fraction

from consort_compose.songs.song import MAX_BEAT
from consort_music.beats import parse_beats
from consort_music.errors import MusicError, in_field


def beats_given(value: int | float | str, field: str) -> Fraction:
    with in_field(field):
        beats = parse_beats(value)
    if not 0 <= beats <= MAX_BEAT:
        raise MusicError("INVALID_EXPRESSION", f"'{field}' is not from beat 0 to {MAX_BEAT:,}.", ["0"], field)
    return beats


def range_given(
    start: int | float | str | None, end: int | float | str | None
) -> tuple[Fraction | None, Fraction | None]:
    """A half-open range; None is open."""
    first = beats_given(start, "start_time") if start is not None else None
    last = beats_given(end, "end_time") if end is not None else None
    if last is not None and last <= (first or 0):
        raise MusicError(
            "END_BEFORE_START",
            f"The range ends at beat {last}, which is not after its start, beat {first or 0}.",
            [f"end_time: {(first or 0) + 4}"],
            "end_time",
        )
    return first, last


def told(beats: Fraction) -> int | float | str:
    """A short decimal where that is exact, else the fraction."""
    if beats.denominator == 1:
        return beats.numerator
    return round(float(beats), 4) if 10_000 % beats.denominator == 0 else str(beats)
