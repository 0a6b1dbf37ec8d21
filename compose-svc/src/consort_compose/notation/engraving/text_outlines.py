"""Replace the text in verovio's pages by outlines, so that they look the same on a machine without fonts.

Each character becomes a `<use>` of its outline. Characters that the fonts lack, such as Japanese letters, stay text.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree as ET

from consort_compose.notation.engraving.fonts import MUSIC, OutlineFont
from consort_compose.notation.engraving.svg_names import LINK, SVG
from consort_compose.notation.engraving.tempo_marks import BOX, BOX_END, SPACE

_BOLD = frozenset({"ending", "fing", "reh", "tempo"})
_ITALIC = frozenset({"dir", "dynam", "mNum"})
_ABOVE = frozenset({"dir", "harm", "reh", "tempo"})
"""Text above a staff."""
_ACCIDENTALS = {"♭": "\ue260", "♮": "\ue261", "♯": "\ue262"}
"""Signs that the letters' font lacks, in the font of music."""
_ACCIDENTAL_SIZE, _ACCIDENTAL_RISE = 1.35, 0.25
"""The size of an accidental in words, and how far it stands above the line, in sizes of the letters."""
_TITLE_SIZE = 1.8
"""Verovio writes a title as large as other text."""
_SIGN_SIZE = 1.6
"""The size of a note in words, in sizes of the letters."""
_TEMPO_RISE = 0.2
"""How far a tempo stands above the place that verovio chose, in sizes of the letters."""
_SIGNS = re.compile("([\ue000-\uf8ff]+)")


class _Style(NamedTuple):
    size: float = 0
    is_bold: bool = False
    is_italic: bool = False
    is_music: bool = False
    is_heading: bool = False
    """Text above the first line of music."""
    is_above: bool = False

    @property
    def font(self) -> str:
        if self.is_music:
            return MUSIC
        return {(False, False): "regular", (True, False): "bold", (False, True): "italic"}.get(
            (self.is_bold, self.is_italic), "bold-italic"
        )


class _Run(NamedTuple):
    text: str
    style: _Style
    rise: float = 0
    """How far above the line the run stands."""
    is_boxed: bool = False

    def scaled(self, factor: float) -> "_Run":
        return self._replace(style=self.style._replace(size=self.style.size * factor), rise=self.rise * factor)


class _Chunk(NamedTuple):
    """Runs that are placed together at a point."""

    x: float
    y: float
    anchor: str
    runs: list[_Run]


class TextOutliner:
    """Replaces the text of one page. Outlines are added to the page's `<defs>`.

    `scale_above` changes the size of text above the staves: verovio draws it larger above tablature.
    """

    def __init__(self, page: ET.Element, fonts: dict[str, OutlineFont], scale_above: float = 1) -> None:
        self._page = page
        self._fonts = fonts
        self._scale_above = scale_above
        found = page.find(f"{SVG}defs")
        self._outlines = found if found is not None else ET.SubElement(page, f"{SVG}defs")
        self._ids: dict[tuple[str, str], str] = {}

    def replace_all(self) -> None:
        self._replace(self._page, _Style())

    def _replace(self, element: ET.Element, style: _Style) -> None:
        style = _styled(element, style)
        for index, child in enumerate(element):
            if child.tag == f"{SVG}text":
                element[index] = self._outlined(child, _styled(child, style))
            elif len(child):
                self._replace(child, style)

    def _outlined(self, text: ET.Element, style: _Style) -> ET.Element:
        group = ET.Element(f"{SVG}g", {"class": "text"})
        for chunk in _chunks(text, style):
            runs = [part for run in chunk.runs for part in self._divided(run)]
            if style.is_heading and chunk.anchor == "middle":
                runs = [run.scaled(_TITLE_SIZE) for run in runs]
            if style.is_above:
                runs = [run.scaled(self._scale_above) for run in runs]
            widths = [self._width(run) for run in runs]
            is_tempo = runs[-1].text.endswith(SPACE)
            anchor = "start" if is_tempo else chunk.anchor
            x = chunk.x - {"middle": sum(widths) / 2, "end": sum(widths)}.get(anchor, 0)
            y = chunk.y - (runs[-1].style.size * _TEMPO_RISE if is_tempo else 0)
            for run, width in zip(runs, widths, strict=True):
                self._draw(group, run, x, y - run.rise)
                if run.is_boxed:
                    _draw_box(group, run.style.size, x, y, width)
                x += width
        return group

    def _divided(self, run: _Run) -> Iterator[_Run]:
        """Divide a run into text in a box, letters, and signs of the music font."""
        head, is_boxed, tail = run.text.partition(BOX_END)
        if is_boxed:
            yield run._replace(text=head.removeprefix(BOX), is_boxed=True)
            run = run._replace(text=tail)
        music = run.style._replace(is_music=True)
        for part in _SIGNS.split(run.text) if not run.style.is_music else [run.text]:
            if _SIGNS.fullmatch(part) and not run.style.is_music:
                yield run._replace(text=part, style=music._replace(size=run.style.size * _SIGN_SIZE))
            elif any(letter in _ACCIDENTALS for letter in part):
                yield from self._with_accidentals(run._replace(text=part))
            elif part:
                yield run._replace(text=part)

    def _with_accidentals(self, run: _Run) -> Iterator[_Run]:
        size = run.style.size
        sign = run.style._replace(is_music=True, size=size * _ACCIDENTAL_SIZE)
        for letter in run.text:
            if letter in _ACCIDENTALS and self._fonts[run.style.font].outline(letter) is None:
                yield _Run(_ACCIDENTALS[letter], sign, run.rise + size * _ACCIDENTAL_RISE)
            else:
                yield run._replace(text=letter)

    def _width(self, run: _Run) -> float:
        outlines = (self._fonts[run.style.font].outline(letter) for letter in run.text)
        return sum(run.style.size * (outline.width if outline else 1) for outline in outlines)

    def _draw(self, group: ET.Element, run: _Run, x: float, y: float) -> None:
        name, size = run.style.font, run.style.size
        font = self._fonts[name]
        for letter in run.text:
            outline = font.outline(letter)
            if outline is None:
                place = {"x": f"{x:.0f}", "y": f"{y:.0f}", "font-size": f"{size}px"}
                ET.SubElement(group, f"{SVG}text", place).text = letter
            elif outline.path:
                scale = size / font.units
                at = f"translate({x:.1f},{y:.1f}) scale({scale:.5f},{-scale:.5f})"
                of = f"#{self._id(name, letter, outline.path)}"
                ET.SubElement(group, f"{SVG}use", {LINK: of, "transform": at})
            x += size * (outline.width if outline else 1)

    def _id(self, font: str, letter: str, path: str) -> str:
        name = self._ids.get((font, letter))
        if name is None:
            name = self._ids[font, letter] = f"{font}-{ord(letter):x}"
            holder = ET.SubElement(self._outlines, f"{SVG}g", {"id": name})
            ET.SubElement(holder, f"{SVG}path", {"d": path, "stroke": "none", "style": "stroke:none"})
        return name


def _draw_box(group: ET.Element, size: float, x: float, y: float, width: float) -> None:
    box = {
        "x": f"{x - 0.2 * size:.0f}",
        "y": f"{y - 0.9 * size:.0f}",
        "width": f"{width + 0.4 * size:.0f}",
        "height": f"{1.2 * size:.0f}",
    }
    ET.SubElement(group, f"{SVG}rect", {**box, "stroke-width": "20", "fill-opacity": "0"})


def _chunks(text: ET.Element, style: _Style) -> Iterator[_Chunk]:
    start = _Chunk(_number(text, "x"), _number(text, "y"), text.get("text-anchor", "start"), [])
    chunks = [start]
    _collect(text, style, chunks)
    return (chunk for chunk in chunks if chunk.runs)


def _collect(element: ET.Element, style: _Style, chunks: list[_Chunk]) -> None:
    for child in element:
        if child.tag != f"{SVG}tspan":
            continue
        inner = _styled(child, style)
        if child.get("x") is not None or child.get("y") is not None:
            last = chunks[-1]
            anchor = child.get("text-anchor", last.anchor)
            chunks.append(_Chunk(_number(child, "x", last.x), _number(child, "y", last.y), anchor, []))
        if not len(child) and child.text:
            chunks[-1].runs.append(_Run(child.text.replace("\n", ""), inner, -_number(child, "dy")))
        _collect(child, inner, chunks)


def _styled(element: ET.Element, style: _Style) -> _Style:
    classes = set((element.get("class") or "").split())
    if classes & _BOLD:
        style = style._replace(is_bold=True)
    if classes & _ITALIC:
        style = style._replace(is_italic=True)
    if classes & _ABOVE:
        style = style._replace(is_above=True)
    if "pgHead" in classes:
        style = style._replace(is_heading=True)
    if weight := element.get("font-weight"):
        style = style._replace(is_bold=weight == "bold")
    if slant := element.get("font-style"):
        style = style._replace(is_italic=slant == "italic")
    if family := element.get("font-family"):
        style = style._replace(is_music=family == "Leipzig")
    if size := element.get("font-size"):
        style = style._replace(size=float(size.removesuffix("px")))
    return style


def _number(element: ET.Element, name: str, default: float = 0) -> float:
    text = element.get(name)
    return float(text.removesuffix("px")) if text else default
