"""Base classes of the input and output of tools."""

import difflib
import re
from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic_core import PydanticCustomError

from consort_kit.tools.visible_fields import visible_value


class ToolInput(BaseModel):
    """The body of a tool's call, or an object inside it.

    Field names are snake_case. The camelCase spelling of a field and the names in `aliases` are accepted too, but not
    listed in the schema. An unknown field is an error that suggests the most similar known name. Invisible characters
    are removed from texts, except from those in `UNCHANGED_FIELDS`.
    """

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)
    aliases: ClassVar[dict[str, str]] = {}
    """`aliases[other_name]` is the field's name."""
    units: ClassVar[dict[str, str]] = {}
    """Units of fields whose names do not contain the unit: `{"start_time": "beats"}`. The units are listed in UNITS."""
    hints: ClassVar[dict[str, str]] = {}
    """`hints[wrong_name]` says what to give instead of an unknown field, if that is not only another name."""

    @model_validator(mode="before")
    @classmethod
    def _known_fields(cls, raw: Any) -> Any:
        if not isinstance(raw, dict):
            return raw
        known: dict[str, Any] = {}
        written: dict[str, str] = {}
        for given, value in raw.items():
            name = str(given)[:80]  # comparing long names takes long
            field = cls._field_for(name)
            if field is None:
                raise cls._unknown_field(name)
            if field in known and known[field] != visible_value(cls, field, value):
                raise PydanticCustomError(
                    "field_given_twice",
                    "'{field}' is given twice with different values, as '{first}' and as '{name}'. Give it once.",
                    {"field": field, "first": written[field], "name": name, "suggestions": [field]},
                )
            known[field], written[field] = visible_value(cls, field, value), name
        return known

    @classmethod
    def _unknown_field(cls, name: str) -> PydanticCustomError:
        hint = cls.hints.get(_snake(name))
        near = [field for field in cls.model_fields if f"'{field}'" in hint] if hint else None
        if near is None:
            near = _similar_fields(_snake(name), cls)
            hint = f"Did you mean '{near[0]}'?" if near else f"Known fields: {', '.join(cls.model_fields) or 'none'}."
        return PydanticCustomError(
            "unknown_field",
            "There is no field '{name}'. {hint}",
            {"name": name, "hint": hint, "suggestions": near or list(cls.model_fields)},
        )

    @classmethod
    def _field_for(cls, name: str) -> str | None:
        for candidate in (name, cls.aliases.get(name), _snake(name), cls.aliases.get(_snake(name))):
            if candidate in cls.model_fields:
                return candidate
        return None


def one_or_more(value: Any) -> Any:
    """Return `[value]` for a single text or integer, and any other value unchanged, for a `BeforeValidator`."""
    return [value] if isinstance(value, str | int) and not isinstance(value, bool) else value


def lower_case(value: Any) -> Any:
    """Return a text in lower case, and any other value unchanged, for a `BeforeValidator`."""
    return value.lower() if isinstance(value, str) else value


def check_one_given(body: ToolInput, fields: Sequence[str], example: str) -> None:
    """Raise unless the body has exactly one of these fields. A field that is None or False counts as missing."""
    given = [name for name in fields if getattr(body, name) not in (None, False)]
    if len(given) == 1:
        return
    raise PydanticCustomError(
        "source",
        "Give exactly one of {names}; you gave {given}. Example: {example}.",
        {
            "names": f"{', '.join(fields[:-1])} or {fields[-1]}",
            "given": " and ".join(given) or "none",
            "example": example,
            "suggestions": [example],
        },
    )


class SourceInput(ToolInput):
    """A body with several fields for its source, of which one is given. They may also be inside an object `source`."""

    @model_validator(mode="before")
    @classmethod
    def _nested_source(cls, raw: Any) -> Any:
        if isinstance(raw, dict) and isinstance(raw.get("source"), dict):
            raw = {**raw["source"], **{name: value for name, value in raw.items() if name != "source"}}
        return raw


class ToolOutput(BaseModel):
    """The result of a tool. Fields that are None are not sent."""


UNITS = {
    "a factor": ("scale", "factor", "ratio"),
    "bars": ("bar", "bars", "measure", "measures"),
    "beats": ("beat", "beats", "quarters"),
    "ticks": ("tick", "ticks"),
    "milliseconds": ("ms", "millis", "milliseconds"),
    "seconds": ("s", "sec", "secs", "second", "seconds"),
    "semitones": ("semitone", "semitones"),
    "beats per minute": ("bpm", "tempo"),
}
"""`UNITS[unit]` are the words in a field's name that mean this unit."""

_MUSIC_IDS = frozenset(("midi_file_id", "score_id"))
_MUSIC = frozenset(
    ("music", "notes", "note_list", "melody", "stream", "input_stream", "input", "phrase", "existing_voice", "score")
)
"""Names of fields for music: those of our tools, and those that callers guess."""


def _similar_fields(name: str, model: type[ToolInput]) -> list[str]:
    """Return up to 3 fields of the model with similar names, the most similar first.

    A name that contains a unit is compared only with fields of that unit, and a name for music only with such fields.
    """
    music = (_MUSIC | _MUSIC_IDS).intersection(model.model_fields)
    if name in _MUSIC and music:
        return difflib.get_close_matches(name, sorted(music), n=3, cutoff=0)
    unit = _unit_of(name)
    if unit is None:
        return difflib.get_close_matches(name, model.model_fields, n=3, cutoff=0.5)
    same = [field for field in model.model_fields if (model.units.get(field) or _unit_of(field)) == unit]
    return difflib.get_close_matches(name, same, n=3, cutoff=0.5) or same[:3]


def _unit_of(name: str) -> str | None:
    words = name.split("_")
    return next((unit for unit, words_of_unit in UNITS.items() if any(word in words_of_unit for word in words)), None)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
