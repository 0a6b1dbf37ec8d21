"""Random ids with a prefix that says what they name: `midi_…`, `song_…`."""

import re
import secrets

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # 32 letters and digits, without i, l, o and u
_LENGTH = 26  # 130 bits


def new_id(prefix: str) -> str:
    return f"{prefix}_{''.join(_ALPHABET[byte % 32] for byte in secrets.token_bytes(_LENGTH))}"


def id_pattern(*prefixes: str) -> str:
    """Return a regular expression for ids with one of these prefixes."""
    kinds = "|".join(map(re.escape, prefixes))
    return rf"^{f'({kinds})' if len(prefixes) > 1 else kinds}_[0-9a-z]{{{_LENGTH}}}$"


def id_prefixes(pattern: str) -> list[str]:
    """Return the prefixes in a pattern that `id_pattern` made, or an empty list for any other pattern."""
    prefixes = pattern.removeprefix("^").partition("_")[0].strip("()").split("|")
    return prefixes if pattern == id_pattern(*prefixes) else []


def prefix_of(any_id: str) -> str:
    return any_id.partition("_")[0]
