"""Conversion of pictures to PNG."""

import struct
import zlib

import pytest

from consort_kit.png import render_png

CHOIR = "\u0425\u043e\u0440"


def drawing(content: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40">{content}</svg>'


def pixels(png: bytes) -> tuple[int, int, bytes]:
    """Return width, height and the decompressed rows, each with its filter byte."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, rows = 8, b""
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        rows += png[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    return *struct.unpack_from(">II", png, 16), zlib.decompress(rows)


@pytest.mark.parametrize("weight", [400, 600])
def test_letters_are_drawn(weight: int) -> None:
    text = f'<text x="5" y="30" font-family="sans-serif" font-size="24" font-weight="{weight}">C4 Flöte {CHOIR}</text>'
    *_, blank = pixels(render_png(drawing("")))
    *_, written = pixels(render_png(drawing(text)))
    assert sum(map(bool, blank)) <= 40  # only the filter byte of each row
    assert sum(map(bool, written)) > 500


def test_the_font_weight_changes_the_picture() -> None:
    regular, bold = (
        render_png(drawing(f'<text y="30" font-size="24" font-weight="{weight}">Violin</text>'))
        for weight in (400, 600)
    )
    assert regular != bold


def test_letters_missing_in_the_font_do_not_fail() -> None:
    assert pixels(render_png(drawing('<text y="30" font-size="24">日本 🎵</text>')))[:2] == (200, 40)


@pytest.mark.parametrize(("scale", "size"), [(1, (200, 40)), (2, (400, 80)), (0.5, (100, 20))])
def test_the_scale_changes_the_size(scale: float, size: tuple[int, int]) -> None:
    assert pixels(render_png(drawing(""), scale))[:2] == size
