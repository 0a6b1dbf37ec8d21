"""Bytes as assistants write them into a call: base64, also wrapped into lines, or as the data URL of a browser."""

import base64
import re

_DATA_URL = re.compile(r"\s*data:[^,]{0,100};base64,")


def decode_base64(text: str) -> bytes:
    """Raises ValueError if it is none."""
    prefix = _DATA_URL.match(text)
    return base64.b64decode("".join((text[prefix.end() :] if prefix else text).split()), validate=True)
