"""The frames that the service and a worker exchange over pipes: a JSON object, and bytes that belong to it.

To the worker: a request. From it: `{"progress": 0.4}` any number of times, then `{"outcome": …}`, `{"error": …}`
(a MusicError), `{"failure": "…"}` (something on this machine does not work, with a text for the user) or
`{"not_written": "…", "errno": 28}` (the disk).
"""

import json
import struct
from typing import Any, NamedTuple

SIZES = struct.Struct(">II")
"""Every frame begins with the sizes of the JSON text and of the bytes."""


class Frame(NamedTuple):
    head: dict[str, Any]
    payload: bytes


def encode_frame(head: dict[str, Any], payload: bytes = b"") -> bytes:
    text = json.dumps(head).encode()
    return SIZES.pack(len(text), len(payload)) + text + payload


def decode_frame(body: bytes, head_size: int) -> Frame:
    """Decode what follows the sizes."""
    return Frame(json.loads(body[:head_size]), body[head_size:])
