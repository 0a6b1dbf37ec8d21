"""Convert a range of times in a file to its frames."""

from consort_audio.files.store import AudioRow
from consort_kit.errors import InvalidInput

_ROUNDING_S = 0.001
"""How far `end_time` may be beyond the end: a duration that was rounded is accepted."""


def frame_range(start_time: float, end_time: float | None, row: AudioRow) -> tuple[int, int]:
    """Return the first frame of a range, and the one after its last. Raise INVALID_TIME_RANGE if it is outside."""
    end_time = row.duration if end_time is None else end_time
    if end_time > row.duration + _ROUNDING_S:
        raise _outside(row, f"'end_time' is {end_time:g}, beyond the end of the file", "end_time")
    if start_time >= row.duration:
        raise _outside(row, f"'start_time' is {start_time:g}, not before the end of the file", "start_time")
    if start_time >= end_time:
        raise _outside(row, f"'start_time' is {start_time:g}, not before 'end_time', {end_time:g}", "start_time")
    start, end = round(start_time * row.sample_rate), min(round(end_time * row.sample_rate), row.frames)
    if start >= end:
        problem = f"'start_time' and 'end_time' are less than one sample apart ({row.sample_rate} Hz)"
        raise _outside(row, problem, "end_time")
    return start, end


def shown_seconds(seconds: float) -> float:
    """Return a time for an answer, rounded to a microsecond."""
    return round(seconds, 6)


def _outside(row: AudioRow, problem: str, field: str) -> InvalidInput:
    return InvalidInput(
        f"{problem}. The file lasts {shown_seconds(row.duration):g} s. Example: start_time 0, end_time "
        f"{min(row.duration, 1):.3g}.",
        code="INVALID_TIME_RANGE",
        field=field,
        details={"duration": shown_seconds(row.duration)},
    )
