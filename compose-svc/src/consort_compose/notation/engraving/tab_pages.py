"""Draw tablature as it is printed: text above it is not larger, and a bracket, not a brace, joins it with its staff."""

import re
from xml.etree import ElementTree as ET

from consort_compose.notation.engraving.svg_names import SVG

_SIGNS = re.compile(r"<sign>(\w+)</sign>")
_TAB = "TAB"
TAB_TEXT_SCALE = 0.5714
"""Verovio draws text above tablature as much larger as the lines are farther apart."""
_PATH_NUMBERS = re.compile(r"-?\d+")
_BRACKET_X, _BRACKET_WIDTH, _HOOK = -110, 60, 130


def is_tab_only(musicxml: str) -> bool:
    return set(_SIGNS.findall(musicxml)) == {_TAB}


def has_tabs_below_staves(musicxml: str) -> bool:
    """Return whether every part is one staff with tablature below it."""
    signs = _SIGNS.findall(musicxml)
    return set(signs[1::2]) == {_TAB} and _TAB not in signs[::2] and len(signs) % 2 == 0


def brackets_for_braces(page: ET.Element) -> None:
    """Draw a bracket where verovio draws a brace, which is for keyboards and harps."""
    for group in page.iter(f"{SVG}g"):
        paths = group.findall(f"{SVG}path")
        if group.get("class") != "grpSym" or len(paths) != 2:
            continue
        points = [int(number) for path in paths for number in _PATH_NUMBERS.findall(path.get("d") or "")]
        right, top, bottom = points[0], min(points[1::2]), max(points[1::2])
        for path in paths:
            group.remove(path)
        x = right + _BRACKET_X + 72
        outline = f"M{x + _HOOK} {top - 60} L{x} {top - 60} L{x} {bottom + 60} L{x + _HOOK} {bottom + 60}"
        ET.SubElement(
            group,
            f"{SVG}path",
            {"d": outline, "fill": "none", "style": "fill:none", "stroke-width": f"{_BRACKET_WIDTH}"},
        )
