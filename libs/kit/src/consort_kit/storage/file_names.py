"""Check and make file names that are safe on Linux, macOS and Windows."""

import json
import re
import unicodedata

from consort_kit.errors import InvalidInput
from consort_music.texts.visible_text import is_visible_line, visible_line

MAX_NAME_BYTES = 200  # file systems allow 255; this leaves room for what we add
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?")
_FORBIDDEN = set('<>:"|?*\\/')
_NO_FORBIDDEN = 'must not have any of < > : " | ? * \\ /'


def check_name(name: str, field: str, example: str = "song.mid") -> str:
    """Return a file name in Unicode's composed form (NFC). Raise INVALID_NAME if it is not safe on every system.

    `example` is a valid name for the message.
    """
    name = unicodedata.normalize("NFC", name)
    problem = _problem(name)
    if problem:
        raise InvalidInput(
            f"'{field}' {problem}. It is {json.dumps(name[:40])}. Example: {example}.",
            code="INVALID_NAME",
            field=field,
            suggestions=[example],
        )
    return name


def _problem(name: str) -> str | None:
    if not name or name.strip() != name or name.startswith(".") or name.endswith("."):
        problem = "must not be empty, nor begin or end with a dot or a space"
        return f"{problem}, and {_NO_FORBIDDEN}" if _FORBIDDEN & set(name) else problem
    if len(name.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES:
        return f"must not be longer than {MAX_NAME_BYTES} bytes"
    if not is_visible_line(name):
        return "must not have control, invisible or direction-changing characters"
    if _FORBIDDEN & set(name):
        return _NO_FORBIDDEN
    if _RESERVED.fullmatch(name):
        return "is a name that Windows keeps for devices"
    return None


def name_from_title(title: str, suffix: str) -> str:
    """Return a safe file name for a title: each forbidden character becomes a hyphen, and long titles are cut."""
    kept = "".join("-" if letter in _FORBIDDEN else letter for letter in visible_line(title))
    max_stem_bytes = MAX_NAME_BYTES - len(suffix.encode()) - 8  # 8 bytes for the number of a copy
    stem = kept.encode(errors="replace")[:max_stem_bytes].decode(errors="ignore").strip(" .")
    return f"{'-' if _RESERVED.fullmatch(stem) else ''}{stem or 'untitled'}{suffix}"
