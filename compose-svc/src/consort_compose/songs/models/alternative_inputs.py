"""Other forms of input that the song tools accept. The schemas show only one form of each."""

from typing import Any, ClassVar

from pydantic import BaseModel, model_validator
from pydantic_core import PydanticCustomError

from consort_kit.errors import field_error
from consort_kit.tools.models import ToolInput
from consort_music.measure_ranges import parse_measure_range

_FIRST = ("first_bar", "start_bar", "from_bar", "first_measure", "start_measure", "from_measure")
_LAST = ("last_bar", "end_bar", "to_bar", "last_measure", "end_measure", "to_measure")
_PARTS = '{"melody": "Flute", "bass": "Cello"}'
_SECTION = '{"name": "Verse", "start_measure": 1, "end_measure": 8}'
_TRACKS = '{"Lead": "Flute", "Kit": "drums"}'


def bar_aliases(first: str, last: str | None = None) -> dict[str, str]:
    """Return other names for the field `first` (the first bar) and, if given, the field `last` (the last bar)."""
    names = {name: first for name in _FIRST if name != first}
    return names | ({name: last for name in _LAST if name != last} if last else {})


class BarsInOneField(ToolInput):
    """An input with a first and a last bar. `bars: "17-24"` or `bar: 17` sets both."""

    first_and_last: ClassVar[tuple[str, str]] = ("first_bar", "last_bar")
    takes_one_bar: ClassVar[bool] = True
    """Whether `bars: 8` means bar 8. Otherwise it is rejected, because it may also mean a length of 8 bars."""

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
    return parse_measure_range("-".join(str(each)[:40] for each in numbers)) if 1 <= len(numbers) <= 2 else None


def _no_bars(name: str, value: Any, fields: tuple[str, str]) -> PydanticCustomError:
    return field_error(
        "INVALID_INPUT",
        f"'{name}' is {str(value)[:40]!r}. Give {fields[0]} and {fields[1]} (included), for example 17 and 24.",
        [f"{fields[0]}: 17, {fields[1]}: 24"],
    )


def tracks_by_name(value: Any) -> Any:
    """Return {name: instrument}; accept also a list of instruments, or of objects with name and instrument."""
    if isinstance(value, list):
        named = [_name_and_instrument(each) for each in value]
        if len({name for name, _ in named}) < len(named):
            raise field_error(
                "INVALID_INPUT", "'tracks' has two tracks with the same name. Give each a different name.", [_TRACKS]
            )
        return dict(named)
    if not isinstance(value, dict):
        raise _no_tracks(value)
    return {name: _instrument(each) for name, each in value.items()}


def sections_in_a_list(value: Any) -> Any:
    """Return a list of section objects; accept also `{"Verse": "1-8"}`, or an object for each name."""
    if isinstance(value, dict):
        numbers_are_bars = not all(isinstance(each, int) for each in value.values())  # only numbers could be lengths
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
        raise field_error(
            "INVALID_INPUT",
            f"'sections' is {str(value)[:60]!r}. Write a list of objects such as [{_SECTION}].",
            [f"[{_SECTION}]"],
        )
    return value


def parts_by_name(value: Any) -> Any:
    """Raise INVALID_INPUT unless the value maps parts of a score to tracks."""
    if not isinstance(value, dict):
        raise field_error(
            "INVALID_INPUT",
            f"'parts' is {str(value)[:60]!r}. Name a track for each part of the score, such as {_PARTS}. To put all"
            " parts into one track, use 'track'.",
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
    return field_error(
        "INVALID_INPUT",
        f"'tracks' has {str(given)[:60]!r}. Write an object of names and instruments such as {_TRACKS}."
        " edit_track sets volume and pan.",
        [_TRACKS],
    )
