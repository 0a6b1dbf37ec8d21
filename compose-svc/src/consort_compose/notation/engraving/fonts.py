"""The fonts inside verovio, converted once to TrueType: Liberation Serif (as wide as Times) and Leipzig (music signs).

NOTICE has their licences. They are converted with fontTools (0.7 s of CPU) and stored in a cache folder.
"""

import base64
import io
import os
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

MUSIC = "music"
_STYLES = ("regular", "bold", "italic", "bold-italic")
"""The order of the fonts in Liberation.css."""
_DATA = re.compile(r"base64,([A-Za-z0-9+/=]+)")


class GlyphOutline(NamedTuple):
    """The outline of a character as SVG path data, y upwards, and its width, both in units of the font size."""

    path: str
    width: float


class SignPiece(NamedTuple):
    """A character at a place, in units of the font."""

    letter: str
    x: float
    y: float


class ComposedSign(NamedTuple):
    """A sign made of characters and of boxes (left, bottom, right, top), in units of the font."""

    pieces: tuple[SignPiece, ...]
    boxes: tuple[tuple[float, float, float, float], ...]
    width: float


class OutlineFont:
    """A font that returns the outlines of characters."""

    def __init__(self, file: Path) -> None:
        self._font = TTFont(io.BytesIO(file.read_bytes()), lazy=True)
        self._glyphs = self._font.getGlyphSet()
        self._names: dict[int, str] = self._font.getBestCmap()
        self.units: int = self._font["head"].unitsPerEm
        self._known: dict[str, GlyphOutline | None] = {}

    def outline(self, letter: str) -> GlyphOutline | None:
        """Return the outline of a character, or None if the font does not have it."""
        if letter not in self._known:
            name = self._names.get(ord(letter))
            self._known[letter] = None if name is None else self._draw(name)
        return self._known[letter]

    def add(self, letter: str, sign: ComposedSign) -> None:
        """Add a sign as a separate character."""
        pen = SVGPathPen(self._glyphs, ntos=lambda number: f"{number:g}")
        for piece in sign.pieces:
            placed = TransformPen(pen, (1, 0, 0, 1, piece.x, piece.y))
            self._glyphs[self._names[ord(piece.letter)]].draw(placed)
        for left, bottom, right, top in sign.boxes:
            pen.moveTo((left, bottom))
            for corner in ((left, top), (right, top), (right, bottom)):
                pen.lineTo(corner)
            pen.closePath()
        self._known[letter] = GlyphOutline(pen.getCommands(), sign.width / self.units)

    def _draw(self, name: str) -> GlyphOutline:
        pen = SVGPathPen(self._glyphs, ntos=lambda number: f"{number:g}")
        glyph = self._glyphs[name]
        glyph.draw(pen)
        return GlyphOutline(pen.getCommands(), glyph.width / self.units)


@cache
def load_fonts(cache_folder: Path) -> dict[str, OutlineFont]:
    """Return the fonts by style: `regular`, `bold`, `italic`, `bold-italic` and `music`."""
    names = {style: ("Liberation", index) for index, style in enumerate(_STYLES)} | {MUSIC: ("Leipzig", 0)}
    return {style: OutlineFont(_font_file(cache_folder, *source)) for style, source in names.items()}


def _font_file(cache_folder: Path, family: str, index: int) -> Path:
    """Return the file of a font, which is converted first if it is not in the cache."""
    style_sheet = (files("verovio") / "data" / f"{family}.css").read_text("utf-8")
    file = cache_folder / f"{family}-{index}-{len(style_sheet)}.ttf"
    if file.exists():
        return file
    font = TTFont(io.BytesIO(base64.b64decode(_DATA.findall(style_sheet)[index])))
    font.flavor = None
    cache_folder.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    font.save(temporary)
    temporary.replace(file)
    return file
