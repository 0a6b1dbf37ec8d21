"""Escape text for XML and SVG, as `xml.sax.saxutils` does.

`xml.sax.saxutils` is not used, because it imports `urllib.request`, which is slow.
"""

_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_ATTRIBUTE = _TEXT | str.maketrans({"\n": "&#10;", "\r": "&#13;", "\t": "&#9;", '"': "&quot;"})


def escape_text(text: str) -> str:
    """Return text as it is written between two tags."""
    return text.translate(_TEXT)


def quote_attribute(text: str) -> str:
    """Return text as the value of an attribute, in double quotes."""
    return f'"{text.translate(_ATTRIBUTE)}"'
