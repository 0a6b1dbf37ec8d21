"""Random ids with a prefix that says what they name: `midi_…`, `song_…`."""

import re
import secrets

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # 32 letters and digits that are hard to confuse
_LENGTH = 26  # 130 bits


def new_id(prefix: str) -> str:
    return f"{prefix}_{''.join(_ALPHABET[byte % 32] for byte in secrets.token_bytes(_LENGTH))}"


def id_pattern(prefix: str) -> str:
    """For a field's `pattern`: what an id of this kind looks like."""
    return rf"^{re.escape(prefix)}_[0-9a-z]{{{_LENGTH}}}$"


def id_prefix(pattern: str) -> str | None:
    """The prefix in a pattern that `id_pattern` made; None for any other pattern."""
    prefix = pattern.removeprefix("^").partition("_")[0]
    return prefix if pattern == id_pattern(prefix) else None


def prefix_of(any_id: str) -> str:
    return any_id.partition("_")[0]
