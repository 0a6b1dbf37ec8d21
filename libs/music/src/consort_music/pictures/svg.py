"""Write SVG elements: format numbers, measure text, and escape untrusted text.

Text is measured with the widths of Open Sans, which the PNG renderer uses. Other viewers use fonts of about the same
width.
"""

import unicodedata

from consort_music.beats import format_decimal
from consort_music.pictures.colours import INK
from consort_music.texts.visible_text import visible_line
from consort_music.texts.xml_escapes import escape_text, quote_attribute

FONTS = "'Open Sans', 'Segoe UI', Helvetica, Arial, sans-serif"
_BOLD_WIDENING = 1.05
_MAX_TEXT = 200
# Advance widths in hundredths of the font size, from the space (32) to the tilde (126).
_ADVANCES = (
    *(26, 27, 40, 65, 57, 82, 73, 22, 30, 30, 55, 57, 25, 32, 27, 37, 57, 57, 57, 57, 57, 57, 57, 57, 57, 57, 27, 27),
    *(57, 57, 57, 43, 90, 63, 65, 63, 73, 56, 52, 73, 74, 28, 27, 61, 52, 90, 75, 78, 60, 78, 62, 55, 55, 73, 60, 93),
    *(58, 56, 57, 33, 37, 33, 54, 45, 58, 56, 61, 48, 61, 56, 34, 55, 61, 25, 25, 52, 25, 93, 61, 60, 61, 61, 41, 48),
    *(35, 61, 50, 78, 52, 50, 47, 38, 55, 38, 57),
)


def number(value: float) -> str:
    """Return a coordinate as text, rounded to a hundredth of a pixel."""
    return format_decimal(value, 2)


def clean_line(text: str) -> str:
    """Return a text as one line of at most 200 visible characters. XML forbids some of the others."""
    return visible_line(text[: 4 * _MAX_TEXT])[:_MAX_TEXT].strip()


def text_width(text: str, size: float, bold: bool = False) -> float:
    hundredths = sum(map(_advance, text))
    return hundredths * size / 100 * (_BOLD_WIDENING if bold else 1)


def _advance(char: str) -> int:
    code = ord(char)
    if 32 <= code < 127:
        return _ADVANCES[code - 32]
    if unicodedata.combining(char):
        return 0
    return 105 if unicodedata.east_asian_width(char) in "WF" else 65


def fit_text(text: str, size: float, room: float, bold: bool = False) -> str:
    """Return the text, cut with an ellipsis if it is wider than `room`, or an empty text if not one letter fits."""
    if text_width(text, size, bold) <= room:
        return text
    for end in range(len(text) - 1, 0, -1):
        short = text[:end].rstrip() + "…"
        if text_width(short, size, bold) <= room:
            return short
    return ""


class Svg:
    """Collects SVG elements in the order in which they are painted."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def add(self, raw: str) -> None:
        self._parts.append(raw)

    def rect(self, x: float, y: float, width: float, height: float, fill: str, radius: float = 0) -> None:
        rounded = f' rx="{number(radius)}"' if radius else ""
        self.add(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
            f'{rounded} fill="{fill}"/>'
        )

    def path(self, commands: list[str], stroke: str, width: float = 1) -> None:
        if commands:
            self.add(f'<path d="{"".join(commands)}" fill="none" stroke="{stroke}" stroke-width="{number(width)}"/>')

    def filled_path(self, commands: list[str], fill: str) -> None:
        if commands:
            self.add(f'<path d="{"".join(commands)}" fill="{fill}"/>')

    def text(
        self,
        x: float,
        y: float,
        content: str,
        size: float,
        fill: str = INK,
        bold: bool = False,
        anchor: str = "start",
    ) -> None:
        """Add text with its baseline at `y`. `anchor` is start, middle or end."""
        if not content:
            return
        weight = ' font-weight="600"' if bold else ""
        placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
        self.add(
            f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{fill}"{weight}{placed}>'
            f"{escape_text(content)}</text>"
        )

    def document(self, width: int, height: int, description: str) -> str:
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
            f' role="img" aria-label={quote_attribute(description)} font-family={quote_attribute(FONTS)}>\n'
            + "\n".join(self._parts)
            + "\n</svg>\n"
        )


def vertical(x: float, top: float, bottom: float) -> str:
    """Return a path command for a vertical line. It is aligned to whole pixels, so that it looks sharp."""
    return f"M{int(x) + 0.5:g} {number(top)}V{number(bottom)}"


def horizontal(y: float, left: float, right: float) -> str:
    return f"M{number(left)} {int(y) + 0.5:g}H{number(right)}"
