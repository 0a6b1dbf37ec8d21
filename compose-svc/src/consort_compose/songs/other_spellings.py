"""Other ways in which callers write what the song tools take. They are accepted, and schemas show one way only."""

import re
from typing import Any, ClassVar

from pydantic import BaseModel, model_validator
from pydantic_core import PydanticCustomError

from consort_kit.errors import refuse
from consort_kit.models import ToolInput

_FIRST = ("first_bar", "start_bar", "from_bar", "first_measure", "start_measure", "from_measure")
_LAST = ("last_bar", "end_bar", "to_bar", "last_measure", "end_measure", "to_measure")
_RANGE = re.compile(r"\s*([0-9]{1,9})\s*(?:(?:-|\u2013|to|\.\.)\s*([0-9]{1,9})\s*)?")
_PARTS = '{"melody": "Flute", "bass": "Cello"}'
_SECTION = '{"name": "Verse", "start_measure": 1, "end_measure": 8}'
_TRACKS = '{"Lead": "Flute", "Kit": "drums"}'


def bar_aliases(first: str, last: str | None = None) -> dict[str, str]:
    """Return the names that mean the field for the first bar, and those that mean the one for the last."""
    names = {name: first for name in _FIRST if name != first}
    return names | ({name: last for name in _LAST if name != last} if last else {})


class BarsInOneField(ToolInput):
    """A body with a first and a last bar; `bars: "17-24"` and `bar: 17` mean both at once."""

    first_and_last: ClassVar[tuple[str, str]] = ("first_bar", "last_bar")
    takes_one_bar: ClassVar[bool] = True
    """Tell whether `bars: 8` means bar 8; otherwise reject it, since it may also mean a length."""

    @model_validator(mode="before")
    @classmethod
    def _split_bars(cls, raw: Any) -> Any:
        names = {"bars", "measures", "bar", "measure"} - cls.aliases.keys()
        given = names & raw.keys() if isinstance(raw, dict) else set()
        if len(given) != 1:
            return raw
        name = given.pop()
        value = raw[name]
        numbers = _first_and_last(value)
        may_be_a_length = not cls.takes_one_bar and name in ("bars", "measures") and str(value).strip().isdigit()
        if numbers is None or may_be_a_length:
            raise _no_bars(name, value, cls.first_and_last)
        others = {field: value for field, value in raw.items() if field != name}
        return {**dict(zip(cls.first_and_last, numbers, strict=True)), **others}


def _first_and_last(value: Any) -> tuple[int, int] | None:
    numbers = value if isinstance(value, list) else [value]
    match = _RANGE.fullmatch("-".join(str(each)[:40] for each in numbers)) if 1 <= len(numbers) <= 2 else None
    return (int(match[1]), int(match[2] or match[1])) if match else None


def _no_bars(name: str, value: Any, fields: tuple[str, str]) -> PydanticCustomError:
    return refuse(
        "INVALID_INPUT",
        f"'{name}' is {str(value)[:40]!r}. Name bars by {fields[0]} and {fields[1]} (included), for example 17 and 24.",
        [f"{fields[0]}: 17, {fields[1]}: 24"],
    )


def tracks_by_name(value: Any) -> Any:
    """Read tracks that are given as a list of instruments, or of objects with name and instrument."""
    if isinstance(value, list):
        named = [_name_and_instrument(each) for each in value]
        if len({name for name, _ in named}) < len(named):
            raise refuse("INVALID_INPUT", "'tracks' has two tracks of one name; give each its own.", [_TRACKS])
        return dict(named)
    if not isinstance(value, dict):
        raise _no_tracks(value)
    return {name: _instrument(each) for name, each in value.items()}


def sections_in_a_list(value: Any) -> Any:
    """Read sections that are given by name: `{"Verse": "1-8"}`, or with an object each."""
    if isinstance(value, dict):
        numbers_are_bars = not all(isinstance(each, int) for each in value.values())  # else they may be lengths
        fields = (
            {"bar" if isinstance(each, int) and numbers_are_bars else "bars": each}
            if isinstance(each, str | int)
            else each
            for each in value.values()
        )
        value = [
            {"name": name, **each} if isinstance(each, dict) else each for name, each in zip(value, fields, strict=True)
        ]
    if not isinstance(value, list) or not all(isinstance(each, dict | BaseModel) for each in value):
        raise refuse(
            "INVALID_INPUT",
            f"'sections' is {str(value)[:60]!r}. Write a list of objects, such as [{_SECTION}].",
            [f"[{_SECTION}]"],
        )
    return value


def parts_by_name(value: Any) -> Any:
    """Check that parts of a score are given with their tracks."""
    if not isinstance(value, dict):
        raise refuse(
            "INVALID_INPUT",
            f"'parts' is {str(value)[:60]!r}. Say which track each part of the score goes to, such as {_PARTS}; to put"
            " all parts into one track, give track.",
            [_PARTS],
        )
    return value


def _name_and_instrument(given: Any) -> tuple[str, str]:
    if isinstance(given, str):
        return given, given
    if isinstance(given, dict) and isinstance(given.get("name"), str) and given.keys() == {"name", "instrument"}:
        return given["name"], _instrument(given["instrument"])
    raise _no_tracks(given)


def _instrument(given: Any) -> str:
    if isinstance(given, dict) and given.keys() == {"instrument"}:
        given = given["instrument"]
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise _no_tracks(given)
    return str(given)


def _no_tracks(given: Any) -> Exception:
    return refuse(
        "INVALID_INPUT",
        f"'tracks' must be an object of names and instruments, such as {_TRACKS}, not {str(given)[:60]!r}."
        " edit_track sets volume and pan.",
        [_TRACKS],
    )
