"""Read a picture of audio: what is drawn where, and the levels of its spectrogram."""

import base64
import struct
import zlib
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

SVG = "{http://www.w3.org/2000/svg}"


class AudioPicture:
    """The contents of an SVG picture of audio."""

    def __init__(self, svg: str | bytes) -> None:
        self.root = ElementTree.fromstring(svg)
        self.texts = ["".join(text.itertext()) for text in self.root.iter(f"{SVG}text")]
        self.image = self.root.find(f"{SVG}image")

    @property
    def size(self) -> tuple[int, int]:
        return int(self.root.get("width", "0")), int(self.root.get("height", "0"))

    def groups(self, name: str) -> list[ElementTree.Element]:
        """Return the groups of elements with this class."""
        return [group for group in self.root.iter(f"{SVG}g") if group.get("class") == name]

    def notes(self) -> list[tuple[float, float, float, float]]:
        """Return left, top, right and bottom of each note, by time. Each is drawn twice, with its white edge."""
        rects = [rect for group in self.groups("voice") for rect in group.findall(f"{SVG}g/{SVG}rect")]
        boxes = [tuple(float(rect.get(name, "0")) for name in ("x", "y", "width", "height")) for rect in rects]
        return sorted({(x, y, x + width, y + height) for x, y, width, height in boxes})

    def image_area(self) -> tuple[int, int, int, int]:
        """Return left, top, width and height of the spectrogram."""
        assert self.image is not None
        left, top, width, height = (int(self.image.get(name, "0")) for name in ("x", "y", "width", "height"))
        return left, top, width, height

    def levels(self) -> NDArray[np.int64]:
        """Return the spectrogram as (rows, columns): 0 is silent."""
        assert self.image is not None
        width, height, rows = png_rows(base64.b64decode(self.image.get("href", "").partition("base64,")[2]))
        return np.frombuffer(rows, np.uint8).reshape(height, width + 1)[:, 1:].astype(np.int64)


def png_rows(png: bytes) -> tuple[int, int, bytes]:
    """Return width, height and the decompressed rows of a PNG, each with its filter byte. Checksums are checked."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, rows = 8, b""
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        data = png[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", png, at + 8 + length)[0] == zlib.crc32(kind + data)
        rows += data if kind == b"IDAT" else b""
        at += 12 + length
    assert kind == b"IEND"
    return *struct.unpack_from(">II", png, 16), zlib.decompress(rows)
