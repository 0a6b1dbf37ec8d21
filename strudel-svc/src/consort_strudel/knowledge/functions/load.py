"""Read the descriptions, once.

An entry with `variants` stands for several functions that differ in a few words: `{word}` in its texts is replaced by
the word of each variant.
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from consort_strudel.knowledge.functions.entry import FunctionEntry, parameter_of


@cache
def described_functions() -> tuple[FunctionEntry, ...]:
    """Return all descriptions, in the order of the names of their files."""
    return tuple(
        _entry({**row, "category": category})
        for category, content in _files().items()
        for template in content["function"]
        for row in _variants(template)
    )


@cache
def categories() -> dict[str, str]:
    """Return the categories, with what each is about."""
    return {category: content["about"] for category, content in _files().items()}


@cache
def _files() -> dict[str, dict[str, Any]]:
    folder = files(__package__) / "descriptions"
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return {file.name.removesuffix(".toml"): tomllib.loads(file.read_text("utf-8")) for file in found}


def _variants(template: dict[str, Any]) -> Iterator[dict[str, Any]]:
    variants = template.pop("variants", [{}])
    for words in variants:
        yield {key: _filled(value, words) for key, value in template.items()}


def _filled(value: str | list[str], words: Mapping[str, str]) -> str | list[str]:
    if isinstance(value, list):
        return [str(_filled(item, words)) for item in value]
    for word, text in words.items():
        value = value.replace(f"{{{word}}}", text)
    return value


def _entry(row: dict[str, Any]) -> FunctionEntry:
    lists: dict[str, Any] = {key: tuple(row[key]) for key in ("examples", "related", "aliases") if key in row}
    return FunctionEntry(**{**row, **lists, "parameters": tuple(map(parameter_of, row.get("parameters", ())))})
