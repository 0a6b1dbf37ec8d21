"""Bytes as assistants write them into a call: base64, also wrapped into lines, or as the data URL of a browser."""

import base64
import re

from consort_kit.errors import InvalidInput

_DATA_URL = re.compile(r"\s*data:[^,]{0,100};base64,")


def decode_base64(text: str, instead: str) -> bytes:
    """The bytes of a field `base64`. Raises INVALID_BASE64, which also suggests what to use instead."""
    prefix = _DATA_URL.match(text)
    try:
        return base64.b64decode("".join((text[prefix.end() :] if prefix else text).split()), validate=True)
    except ValueError as error:
        raise InvalidInput(
            f"'base64' is not valid base64 ({error}). It may be cut off: send the whole text again.",
            code="INVALID_BASE64",
            field="base64",
            suggestions=["send the whole file in standard base64", instead],
        ) from error
