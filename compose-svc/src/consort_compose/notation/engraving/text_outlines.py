"""Replace the text in verovio's pages by outlines, so that they look the same on a machine without fonts.

Each character becomes a `<use>` of its outline. Characters that the fonts lack, such as Japanese letters, stay text.
Verovio cannot draw the equation of swing eighths, so it is added here.
"""

from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree as ET

from consort_compose.notation.engraving.fonts import MUSIC, OutlineFont
from consort_compose.notation.engraving.svg_names import LINK, SVG
from consort_music.notation.musicxml.direction_elements import SWING

_BOLD = frozenset({"ending", "fing", "reh", "tempo"})
_ITALIC = frozenset({"dir", "dynam", "mNum"})
_EIGHTH_SIGN, _QUARTER_SIGN, _THREE_SIGN = "\ueca7", "\ueca5", "\ue883"
_MUSIC_SIGNS = {"♭": "\ue260", "♮": "\ue261", "♯": "\ue262"}
"""Signs that the letters' font lacks, in the font of music."""
_SIGN_RISE = 0.25
"""How far such a sign stands above the line, in sizes of the letters."""
_TITLE_SIZE = 1.8
"""Verovio writes a title as large as other text."""
_SIGN_SIZE = 1.5
"""The size of a note in words, in sizes of the letters."""


class _Style(NamedTuple):
    size: float = 0
    is_bold: bool = False
    is_italic: bool = False
    is_music: bool = False
    is_heading: bool = False
    """Text above the first line of music."""

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
    advance: float | None = None
    """How far it moves the next run; None: by its width."""


class _Chunk(NamedTuple):
    """Runs that are placed together at a point."""

    x: float
    y: float
    anchor: str
    runs: list[_Run]


class TextOutliner:
    """Replaces the text of one page. Outlines are added to the page's `<defs>`."""

    def __init__(self, page: ET.Element, fonts: dict[str, OutlineFont]) -> None:
        self._page = page
        self._fonts = fonts
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

    def _font(self, run: _Run, letter: str) -> tuple[str, str]:
        """Return the font that has a letter, and the letter in that font."""
        font = run.style.font
        if letter in _MUSIC_SIGNS and self._fonts[font].outline(letter) is None:
            return MUSIC, _MUSIC_SIGNS[letter]
        return font, letter

    def _outlined(self, text: ET.Element, style: _Style) -> ET.Element:
        group = ET.Element(f"{SVG}g", {"class": "text"})
        for chunk in _chunks(text, style):
            runs = _with_swing(chunk.runs)
            if style.is_heading and chunk.anchor == "middle":
                runs = [run._replace(style=run.style._replace(size=run.style.size * _TITLE_SIZE)) for run in runs]
            widths = [self._width(run) for run in runs]
            total = sum(width if run.advance is None else run.advance for run, width in zip(runs, widths, strict=True))
            x = chunk.x - {"middle": total / 2, "end": total}.get(chunk.anchor, 0)
            for run, width in zip(runs, widths, strict=True):
                self._draw(group, run, x, chunk.y - run.rise)
                x += width if run.advance is None else run.advance
        return group

    def _width(self, run: _Run) -> float:
        total = 0.0
        for given in run.text:
            font, letter = self._font(run, given)
            outline = self._fonts[font].outline(letter)
            total += run.style.size * (outline.width if outline else 1)
        return total

    def _draw(self, group: ET.Element, run: _Run, x: float, y: float) -> None:
        size = run.style.size
        for given in run.text:
            name, letter = self._font(run, given)
            font = self._fonts[name]
            outline = font.outline(letter)
            if outline is None:
                place = {"x": f"{x:.0f}", "y": f"{y:.0f}", "font-size": f"{size}px"}
                ET.SubElement(group, f"{SVG}text", place).text = letter
            elif outline.path:
                scale = size / font.units
                rise = size * _SIGN_RISE if letter != given else 0
                at = f"translate({x:.1f},{y - rise:.1f}) scale({scale:.5f},{-scale:.5f})"
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


def _with_swing(runs: list[_Run]) -> list[_Run]:
    """Add the equation of swing eighths to a tempo that begins with Swing, and space before a note after a word."""
    result: list[_Run] = []
    for run in runs:
        before = result[-1] if result else None
        if before and run.style.is_music and before.text[-1:].isalnum():
            result.append(_Run(" ", before.style))
        result.append(run)
    if len(runs) > 1 and runs[0].text.strip().casefold() == SWING:
        plain = runs[0].style._replace(is_bold=False)
        result = [run for run in result if run.text not in ("(", ")")]
        result += [_Run("  (", plain), *_swing_equation(plain), _Run(")", plain)]
    return result


def _swing_equation(style: _Style) -> list[_Run]:
    letters = style._replace(is_bold=False)
    note = letters._replace(size=style.size * _SIGN_SIZE, is_music=True)
    three = note._replace(size=style.size * 1.3)
    gap = style.size * 0.55
    return [
        _Run(_EIGHTH_SIGN, note, 0, gap),
        _Run(_EIGHTH_SIGN, note),
        _Run(" = ", letters),
        _Run("", three, 0, gap * 0.7),
        _Run(_THREE_SIGN, three, style.size * 1.05, 0),
        _Run("", three, 0, -gap * 0.7),
        _Run(_QUARTER_SIGN, note, 0, gap),
        _Run(_EIGHTH_SIGN, note),
    ]


def _number(element: ET.Element, name: str, default: float = 0) -> float:
    text = element.get(name)
    return float(text.removesuffix("px")) if text else default
