"""Balance the lines of music on a single page, so that the last one is not a lone bar.

Verovio fills each line as far as possible. Here the bars are divided again into as many lines, so that the lines have
about the same width (least squares, by dynamic programming).
"""

import re
from collections.abc import Sequence
from itertools import accumulate
from xml.etree import ElementTree as ET

from consort_compose.notation.engraving.svg_names import SVG

_SHORT = 0.75
"""Lines are balanced if the last one has less than this share of the width of the first."""
_FULLEST = 0.95
"""How full a line may be: a bar that moves to the beginning of a line gets a clef."""
_INFINITE = float("inf")
_LINE = re.compile(r"M(-?\d+) -?\d+ L(-?\d+) ")
_MEASURE = re.compile(r"<measure [^>]*>\n")
_BREAK = '<print new-system="yes"/>\n'


def has_short_last_line(page: ET.Element) -> bool:
    lines = [sum(line) for line in _lines(page)]
    return len(lines) > 1 and lines[-1] < _SHORT * lines[0]


def balanced_lines(natural: ET.Element, full: int) -> list[int]:
    """Return the indexes of the bars at which lines should begin, without the first; empty if they do not fit.

    `natural` is the page with bars that are not stretched, `full` the width of a line (see `full_width`).
    """
    lines = _lines(natural)
    return _divide([width for line in lines for width in line], len(lines), _FULLEST * full)


def full_width(page: ET.Element) -> int:
    return max(sum(line) for line in _lines(page))


def _lines(page: ET.Element) -> list[list[int]]:
    """Return the widths of the bars of each line."""
    systems = [group for group in page.iter(f"{SVG}g") if group.get("class") == "system"]
    return [[_width(bar) for bar in system.findall(f"{SVG}g[@class='measure']")] for system in systems]


def with_line_breaks(musicxml: str, bars: Sequence[int]) -> str:
    """Return MusicXML with lines that begin at these bars, by index, in the first part."""
    starts = [match.end() for match in _MEASURE.finditer(musicxml)]
    for bar in sorted(bars, reverse=True):
        musicxml = musicxml[: starts[bar]] + _BREAK + musicxml[starts[bar] :]
    return musicxml


def _width(bar: ET.Element) -> int:
    """Return the width of a bar: that of the lines of its first staff, which have gaps in tablature."""
    staff = bar.find(f"{SVG}g[@class='staff']")
    lines = [] if staff is None else [_LINE.match(line.get("d") or "") for line in staff.findall(f"{SVG}path")]
    ends = [int(end) for line in lines if line for end in line.groups()]
    return max(ends) - min(ends) if ends else 1


def _divide(widths: Sequence[int], lines: int, most: float) -> list[int]:
    sums = [0, *accumulate(widths)]
    count = len(widths)
    costs = [[_INFINITE] * (count + 1) for _ in range(lines + 1)]
    begins = [[0] * (count + 1) for _ in range(lines + 1)]
    costs[0][0] = 0
    for line in range(1, lines + 1):
        for end in range(line, count + 1):
            for begin in range(line - 1, end):
                width = sums[end] - sums[begin]
                cost = costs[line - 1][begin] + (width**2 if width <= most else _INFINITE)
                if cost < costs[line][end]:
                    costs[line][end], begins[line][end] = cost, begin
    if costs[lines][count] == _INFINITE:
        return []
    found: list[int] = []
    end = count
    for line in range(lines, 1, -1):
        end = begins[line][end]
        found.insert(0, end)
    return found
