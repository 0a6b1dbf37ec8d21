"""Decode bytes in a JSON field: base64, with or without line breaks, or a data URL."""

import base64
import re

from consort_kit.errors import InvalidInput

_DATA_URL = re.compile(r"\s*data:[^,]{0,100};base64,")


def decode_base64(text: str, instead: str) -> bytes:
    """Return the bytes of the field `base64`.

    Raise INVALID_BASE64 if the text is not base64; `instead` is the error's second suggestion.
    """
    prefix = _DATA_URL.match(text)
    try:
        return base64.b64decode("".join((text[prefix.end() :] if prefix else text).split()), validate=True)
    except ValueError as error:
        raise InvalidInput(
            "'base64' has characters that base64 does not use, or it is cut off. Send the whole text again.",
            code="INVALID_BASE64",
            field="base64",
            suggestions=["send the whole file in standard base64", instead],
        ) from error
