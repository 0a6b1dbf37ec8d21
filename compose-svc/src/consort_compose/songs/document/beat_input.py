"""Read beats that a request gives."""

import re
from fractions import Fraction

from consort_compose.songs.document.song import MAX_BEAT
from consort_music.beats import format_beats, parse_beats
from consort_music.errors import MusicError, in_field, quoted

_BARS = re.compile(r"\b(?:bar|measure)s?\b[ \t]*([0-9]{1,6})?", re.IGNORECASE)


def parse_beat_position(value: int | float | str, field: str) -> Fraction:
    """Return a position in beats.

    Raise INVALID_EXPRESSION if `value` is not a number or expression, names bars, or is outside a song.
    """
    reject_bars(value, field, "Name bars by first_bar and last_bar (included).", "first_bar: {bar}, last_bar: {bar}")
    with in_field(field):
        beats = parse_beats(value)
    if not 0 <= beats <= MAX_BEAT:
        message = f"'{field}' is {format_beats(beats)}. Write a beat from 0 to {MAX_BEAT:,}."
        raise MusicError("INVALID_EXPRESSION", message, [f"{field}: 0"], field)
    return beats


def reject_bars(value: int | float | str, field: str, instead: str, example: str) -> None:
    """Raise INVALID_EXPRESSION if the value names bars instead of beats.

    `instead` says what to write; `{bar}` in `example` stands for the bar.
    """
    found = _BARS.search(value[:60]) if isinstance(value, str) else None
    if found:
        message = f"'{field}' is {quoted(str(value))}, but beats are quarter notes, such as 16 or 9 + 1/3. {instead}"
        raise MusicError("INVALID_EXPRESSION", message, [example.format(bar=found[1] or 5)], field)


def parse_beat_range(
    start: int | float | str | None, end: int | float | str | None
) -> tuple[Fraction | None, Fraction | None]:
    """Return the start and end of a range of beats, without its end; None is no limit.

    Raise END_BEFORE_START if the end is not after the start.
    """
    first = parse_beat_position(start, "start_time") if start is not None else None
    last = parse_beat_position(end, "end_time") if end is not None else None
    if last is not None and last <= (first or 0):
        raise MusicError(
            "END_BEFORE_START",
            f"'end_time' is {last}, which is not after the start of the range, beat {first or 0}. The end is not"
            " part of the range.",
            [f"end_time: {(first or 0) + 4}"],
            "end_time",
        )
    return first, last
