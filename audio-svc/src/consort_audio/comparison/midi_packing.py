"""MIDI files as text, for the options of a worker's task."""

import base64
import zlib


def pack_midi(content: bytes) -> str:
    """Return the bytes of a MIDI file as text."""
    return base64.b64encode(zlib.compress(content)).decode()


def unpack_midi(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))
