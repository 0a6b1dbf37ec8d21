"""Map times to pixels, and choose and draw the marks of a time axis.

If marks are close together, only every 2nd, 4th, 8th … is drawn, so the number of elements depends on the width of the
picture, not on the length of the music.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from consort_music.pictures import colours
from consort_music.pictures.svg import Svg, text_width, vertical

NUMBERS_HEIGHT = 17.0
"""Height of a line of numbers above or below a pane, in pixels."""
NUMBER_SIZE = 11.0
_CLEARANCE = 12.0
# Possible distances between marks, in seconds.
_SECONDS = (
    *(Fraction(1, each) for each in (10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2)),
    *map(Fraction, (1, 2, 5, 10, 15, 30, 60, 120, 300, 600)),
)


class TimeAxis(NamedTuple):
    """Maps the times from `start` to `end`, in any unit such as ticks, to the pixels from `left` to `right`."""

    start: Fraction
    end: Fraction
    left: float
    right: float

    @property
    def pixels_per_unit(self) -> float:
        return (self.right - self.left) / float(self.end - self.start)

    def x(self, time: Fraction | float) -> float:
        return self.left + float(time - self.start) * self.pixels_per_unit


class TimeMark(NamedTuple):
    """A place on a time axis, in pixels, and its label."""

    x: float
    label: str


def second_marks(axis: TimeAxis, units_per_second: Fraction | int, most: int = 20) -> list[TimeMark]:
    """Return marks at round times, at most `most` of them (one more if both ends are round)."""
    begin, end = axis.start / units_per_second, axis.end / units_per_second
    length = end - begin
    step = next((each for each in _SECONDS if length / each <= most), Fraction(0))
    step = step or Fraction(600 * power_of_two(float(length) / (most * 600)))
    first, last = -(-begin // step), end // step
    return [TimeMark(axis.x(at * step * units_per_second), clock(at * step, 4)) for at in range(first, last + 1)]


def clock(seconds: Fraction | int, decimals: int = 2) -> str:
    """Return a time as 1:05, 1:02:05 or 0:00.25, with at most this many decimals."""
    whole, rest = divmod(Fraction(seconds), 1)
    minutes, whole = divmod(int(whole), 60)
    tail = f"{float(rest):.{decimals}f}"[1:].rstrip("0").rstrip(".") if rest else ""
    if minutes < 60:
        return f"{minutes}:{whole:02d}{tail}"
    return f"{minutes // 60}:{minutes % 60:02d}:{whole:02d}{tail}"


def power_of_two(at_least: float) -> int:
    """Return the smallest power of two that is at least this number, and at least 1."""
    step = 1
    while step < at_least:
        step *= 2
    return step


def step_between_numbers(widest: str, pixels_per_mark: float) -> int:
    """Return the number of marks, a power of two, from one label to the next, so that the labels do not touch."""
    return power_of_two((text_width(widest, NUMBER_SIZE) + _CLEARANCE) / pixels_per_mark)


def draw_numbers(svg: Svg, marks: Iterable[TimeMark], top: float, right: float) -> None:
    """Write the labels into a line with its upper edge at `top`, each with a small line at its left.

    A label that would touch the previous one or pass `right` is left out.
    """
    free_from = 0.0
    lines: list[str] = []
    for x, label in marks:
        width = text_width(label, NUMBER_SIZE)
        if x < free_from or x + 4 + width > right:
            continue
        svg.text(x + 4, top + 12, label, NUMBER_SIZE, colours.GREY_INK)
        lines.append(vertical(x, top + 3, top + NUMBERS_HEIGHT))
        free_from = x + 4 + width + 5
    svg.path(lines, colours.BAR_LINE)
