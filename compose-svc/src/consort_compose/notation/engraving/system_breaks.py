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
_LINE = re.compile(r"M(-?\d+) -?\d+ L(-?\d+) ")
_MEASURE = re.compile(r"<measure [^>]*>\n")
_BREAK = '<print new-system="yes"/>\n'


def balanced_lines(page: ET.Element) -> list[int]:
    """Return the indexes of the bars at which lines should begin, without the first; empty if all is well."""
    lines = [
        [_width(bar) for bar in system.findall(f"{SVG}g[@class='measure']")]
        for system in page.iter(f"{SVG}g")
        if system.get("class") == "system"
    ]
    if len(lines) < 2 or not lines[-1] or sum(lines[-1]) >= _SHORT * sum(lines[0]):
        return []
    return _divide([width for line in lines for width in line], len(lines))


def with_line_breaks(musicxml: str, bars: Sequence[int]) -> str:
    """Return MusicXML with lines that begin at these bars, by index, in the first part."""
    starts = [match.end() for match in _MEASURE.finditer(musicxml)]
    for bar in sorted(bars, reverse=True):
        musicxml = musicxml[: starts[bar]] + _BREAK + musicxml[starts[bar] :]
    return musicxml


def _width(bar: ET.Element) -> int:
    """Return the width of a bar: that of its first staff line."""
    line = bar.find(f"{SVG}g/{SVG}path")
    found = _LINE.match((line.get("d") if line is not None else None) or "")
    return int(found[2]) - int(found[1]) if found else 1


def _divide(widths: Sequence[int], lines: int) -> list[int]:
    sums = [0, *accumulate(widths)]
    count = len(widths)
    costs = [[float("inf")] * (count + 1) for _ in range(lines + 1)]
    begins = [[0] * (count + 1) for _ in range(lines + 1)]
    costs[0][0] = 0
    for line in range(1, lines + 1):
        for end in range(line, count + 1):
            for begin in range(line - 1, end):
                cost = costs[line - 1][begin] + (sums[end] - sums[begin]) ** 2
                if cost < costs[line][end]:
                    costs[line][end], begins[line][end] = cost, begin
    found: list[int] = []
    end = count
    for line in range(lines, 1, -1):
        end = begins[line][end]
        found.insert(0, end)
    return found
