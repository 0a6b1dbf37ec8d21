"""Shorten a JSON value: keep its structure and cut long lists and texts, until it is small."""

import json
from typing import Any

MOST_CHARACTERS = 6000
_STEPS = ((20, 400), (8, 200), (4, 120), (2, 80), (1, 40), (0, 20))
"""How many items of a list and characters of a text to keep; the first step whose result is short enough is taken."""
_MOST_FIELDS = 60
_DEEPEST = 12


def summary_of(value: Any) -> Any:
    for items, characters in _STEPS:
        short = _shortened(value, items, characters, _DEEPEST)
        if len(json.dumps(short, ensure_ascii=False)) <= MOST_CHARACTERS:
            return short
    return _kind(value)


def _shortened(value: Any, items: int, characters: int, depth: int) -> Any:
    match value:
        case str() if len(value) > characters:
            return f"{value[:characters]}… ({len(value):,} characters)"
        case list() | dict() if depth == 0:
            return _kind(value)
        case list() if len(value) > items:
            kept = [_shortened(each, items, characters, depth - 1) for each in value[:items]]
            return [*kept, f"… {len(value) - items:,} more"]
        case list():
            return [_shortened(each, items, characters, depth - 1) for each in value]
        case dict():
            fields = list(value.items())
            kept_fields = {
                name[:100]: _shortened(each, items, characters, depth - 1) for name, each in fields[:_MOST_FIELDS]
            }
            more = len(fields) - _MOST_FIELDS
            return kept_fields | ({"…": f"{more:,} more fields"} if more > 0 else {})
        case _:
            return value


def _kind(value: Any) -> Any:
    match value:
        case list():
            return f"a list of {len(value):,}"
        case dict():
            return f"an object of {len(value):,} fields"
        case _:
            return value
