"""The chunks of a MIDI file as bytes, also with wrong lengths."""

import struct

END = b"\x00\xff\x2f\x00"
NOTE = b"\x00\x90\x3c\x40"


def header(format_: int = 1, tracks: int = 1, division: int = 480, length: int = 6) -> bytes:
    return b"MThd" + struct.pack(">IHHH", length, format_, tracks, division)


def track(body: bytes, length: int | None = None) -> bytes:
    return b"MTrk" + struct.pack(">I", len(body) if length is None else length) + body
