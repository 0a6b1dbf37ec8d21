"""Draw chord diagrams in rows above the music of the first page."""

import re
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as ET

from consort_compose.notation.engraving.chord_signs import signs_in_symbol
from consort_compose.notation.engraving.svg_names import SVG
from consort_music.frets.chord_diagrams import ChordDiagram

NamedDiagram = tuple[str, ChordDiagram]
_CELL_W, _CELL_H = 66, 92
"""Pixels that a diagram takes."""
_LEFT, _GAP = 45, 22
_NUMBERS = re.compile(r"-?\d+")
_STRING_GAP, _FRET_GAP = 8, 11
_GRID_Y = 26
_DOT = 3.2
_BLACK = {"fill": "black", "style": "stroke:none"}


def add_chord_row(page: ET.Element, diagrams: Sequence[NamedDiagram]) -> None:
    """Move the music of a page down, and draw the diagrams between the title and the music."""
    music, margin = page.find(f"{SVG}svg"), page.find(f"{SVG}svg/{SVG}g[@class='page-margin']")
    if music is None or margin is None:
        return
    width, height = (float((page.get(name) or "0").removesuffix("px")) for name in ("width", "height"))
    _, _, units_wide, units_high = map(float, (music.get("viewBox") or "0 0 1 1").split())
    units = units_wide / width
    in_row = max(int((width - 2 * _LEFT) // _CELL_W), 1)
    space = _CELL_H * -(-len(diagrams) // in_row)
    for system in margin.findall(f"{SVG}g[@class='system']"):
        system.set("transform", f"translate(0, {space * units:.0f})")
    music.set("viewBox", f"0 0 {units_wide:g} {units_high + space * units:.0f}")
    page.set("height", f"{height + space:g}px")
    top = _title_bottom(margin) / units + _GAP
    row = ET.SubElement(page, f"{SVG}g", {"class": "chordDiagrams"})
    for index, (name, diagram) in enumerate(diagrams):
        x, y = _LEFT + _CELL_W * (index % in_row), top + _CELL_H * (index // in_row)
        row.extend(_diagram(name, diagram, x, y))


def _title_bottom(margin: ET.Element) -> float:
    """Return where the title ends, or the music begins, in verovio's units."""
    moved = _NUMBERS.findall(margin.get("transform") or "")
    titles = [
        float(text.get("y") or 0)
        for head in margin.findall(f"{SVG}g")
        if "pgHead" in (head.get("class") or "")
        for text in (*head.iter(f"{SVG}text"), *head.iter(f"{SVG}tspan"))
        if text.get("y")
    ]
    return float(moved[1]) + max(titles, default=0) if len(moved) > 1 else 0


def _diagram(name: str, diagram: ChordDiagram, x: float, y: float) -> Iterator[ET.Element]:
    strings, frets = len(diagram.frets), diagram.frets_shown
    left, top = x + 12, y + _GRID_Y
    right, bottom = left + (strings - 1) * _STRING_GAP, top + frets * _FRET_GAP
    yield _text(signs_in_symbol(name), (left + right) / 2, y + 8, 14)
    for string in range(strings):
        at = left + string * _STRING_GAP
        yield _line(at, top, at, bottom, 0.8)
    for fret in range(frets + 1):
        is_nut = fret == 0 and diagram.first_fret == 1
        yield _line(left, top + fret * _FRET_GAP, right, top + fret * _FRET_GAP, 2.4 if is_nut else 0.8)
    if diagram.first_fret > 1:
        yield _text(str(diagram.first_fret), left - 9, top + _FRET_GAP * 0.8, 9)
    if diagram.barre:
        height = top + (diagram.barre.fret - diagram.first_fret + 0.5) * _FRET_GAP
        ends = (
            left + (strings - number) * _STRING_GAP
            for number in (diagram.barre.first_string, diagram.barre.last_string)
        )
        yield _line(next(ends), height, next(ends), height, 2 * _DOT)
    for string, place in enumerate(diagram.frets):
        at = left + string * _STRING_GAP
        if place:
            height = top + (place - diagram.first_fret + 0.5) * _FRET_GAP
            yield ET.Element(
                f"{SVG}ellipse", {"cx": f"{at}", "cy": f"{height}", "rx": f"{_DOT}", "ry": f"{_DOT}", **_BLACK}
            )
        else:
            yield _text("x" if place is None else "o", at, top - 3, 9)


def _line(x: float, y: float, to_x: float, to_y: float, width: float) -> ET.Element:
    return ET.Element(
        f"{SVG}path", {"d": f"M{x:g} {y:g} L{to_x:g} {to_y:g}", "stroke-width": f"{width:g}", "stroke": "black"}
    )


def _text(text: str, x: float, y: float, size: int) -> ET.Element:
    element = ET.Element(f"{SVG}text", {"x": f"{x:g}", "y": f"{y:g}", "text-anchor": "middle"})
    ET.SubElement(element, f"{SVG}tspan", {"font-size": f"{size}px"}).text = text
    return element
