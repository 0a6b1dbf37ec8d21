"""Ids with a prefix that says what they name: random ones such as `midi_…`, and references such as `corpus:bach/bwv1`.

The prefix of a reference ends with a colon. What follows is a name without spaces.
"""

import re
import secrets

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # 32 letters and digits, without i, l, o and u
_LENGTH = 26  # 130 bits
_LONGEST_NAME = 120
_REFERENCE_START = re.compile(r"[a-z]+:")
_REFERENCE = re.compile(r"\|([a-z]+:)\\S")


def new_id(prefix: str) -> str:
    return f"{prefix}_{''.join(_ALPHABET[byte % 32] for byte in secrets.token_bytes(_LENGTH))}"


def id_pattern(*prefixes: str) -> str:
    """Return a regular expression for ids with one of these prefixes. Those of references come last."""
    kinds = "|".join(re.escape(prefix) for prefix in prefixes if not is_of_reference(prefix))
    random_id = rf"{f'({kinds})' if '|' in kinds else kinds}_[0-9a-z]{{{_LENGTH}}}"
    references = [rf"{re.escape(prefix)}\S{{1,{_LONGEST_NAME}}}" for prefix in prefixes if is_of_reference(prefix)]
    return f"^({'|'.join([random_id, *references])})$" if references else f"^{random_id}$"


def id_prefixes(pattern: str) -> list[str]:
    """Return the prefixes in a pattern that `id_pattern` made, or an empty list for any other pattern."""
    prefixes = pattern.removeprefix("^").partition("_")[0].strip("()").split("|")
    prefixes += _REFERENCE.findall(pattern)
    return prefixes if pattern == id_pattern(*prefixes) else []


def prefix_of(any_id: str) -> str:
    found = _REFERENCE_START.match(any_id)
    return found[0] if found else any_id.partition("_")[0]


def is_of_reference(prefix: str) -> bool:
    """Return whether ids with this prefix are references, not random ids."""
    return prefix.endswith(":")


def beginning_of(prefix: str) -> str:
    """Return how ids with this prefix begin: `midi_` or `corpus:`."""
    return prefix if is_of_reference(prefix) else f"{prefix}_"
