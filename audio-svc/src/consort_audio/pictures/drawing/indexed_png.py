"""Write an image of numbered colours as PNG (ISO/IEC 15948, colour type 3)."""

import struct
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def indexed_png(pixels: NDArray[np.uint8], palette: Sequence[tuple[int, int, int]]) -> bytes:
    """Return a PNG of an image of shape (height, width). Each pixel is the number of a colour in the palette."""
    height, width = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    rows = np.zeros((height, width + 1), dtype=np.uint8)  # each row begins with the number of its filter, 0: none
    rows[:, 1:] = pixels
    chunks = (
        (b"IHDR", header),
        (b"PLTE", bytes(part for colour in palette for part in colour)),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    )
    return _SIGNATURE + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
