"""Pydantic fields: text in, parsed values inside, string schemas outside."""

import pytest
from pydantic import BaseModel, Field, ValidationError

from consort_music.chords.grammar import parse_chord
from consort_music.fields import ChordField, IntervalField, KeyField, MetreField, PitchField
from consort_music.intervals import Interval
from consort_music.keys import Key
from consort_music.metre import Metre
from consort_music.pitch import Pitch


class FieldExample(BaseModel):
    key: KeyField
    metre: MetreField = Field("4/4", validate_default=True)
    low: PitchField | None = None
    leap: IntervalField | None = None
    chords: list[ChordField] = []


GIVEN = {"key": "dm", "metre": "6/8", "low": "Bb2", "leap": "P5", "chords": ["Am7", "Bb/D"]}


def test_fields_hold_parsed_values() -> None:
    example = FieldExample.model_validate(GIVEN)

    assert example.key == Key("D", 0, "minor")
    assert example.metre == Metre(6, 8)
    assert example.low == Pitch("B", -1, 2)
    assert example.leap == Interval(4, 7)
    assert example.chords == [parse_chord("Am7"), parse_chord("Bb/D")]


def test_a_default_given_as_text_is_parsed() -> None:
    assert FieldExample.model_validate({"key": "C"}).metre == Metre(4, 4)


def test_a_dump_has_canonical_names_and_validates_again() -> None:
    example = FieldExample.model_validate(GIVEN)
    dumped = example.model_dump(mode="json")

    assert dumped == {"key": "D minor", "metre": "6/8", "low": "Bb2", "leap": "P5", "chords": ["Am7", "Bb/D"]}
    assert FieldExample.model_validate(dumped) == example


def test_parsed_values_are_accepted() -> None:
    assert FieldExample(key=Key("D", 0, "minor"), metre=Metre(3, 4)).metre == Metre(3, 4)


@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_schemas_are_those_of_strings(mode: str) -> None:
    class Plain(BaseModel):
        key: str
        metre: str = Field("4/4")
        low: str | None = None
        leap: str | None = None
        chords: list[str] = []

    mine, plain = (
        each.model_json_schema(mode="validation" if mode == "validation" else "serialization")
        for each in (FieldExample, Plain)
    )
    assert mine["properties"] == plain["properties"]
    assert mine.get("required") == plain.get("required")


@pytest.mark.parametrize(
    ("field", "value", "code", "suggestion"),
    [
        ("key", "H dur", "INVALID_KEY", "B major"),
        ("metre", "4/5", "INVALID_TIME_SIGNATURE", "4/4"),
        ("low", "H4", "INVALID_NOTE", "C4"),
        ("low", "60", "INVALID_NOTE", "C4"),
        ("low", "G#9", "INVALID_NOTE", "C4"),
        ("leap", "M5", "INVALID_INTERVAL", "P5"),
        ("chords", ["Xm"], "INVALID_CHORD_SYMBOL", "C"),
    ],
)
def test_errors_have_the_parsers_code_message_and_suggestions(
    field: str, value: object, code: str, suggestion: str
) -> None:
    with pytest.raises(ValidationError) as raised:
        FieldExample.model_validate({"key": "C", field: value})

    (error,) = raised.value.errors()
    assert error["type"] == code
    assert error["loc"][0] == field
    assert suggestion in error["ctx"]["suggestions"]
    assert error["msg"] == error["ctx"]["message"]


def test_input_that_is_not_text_is_rejected() -> None:
    with pytest.raises(ValidationError) as raised:
        FieldExample.model_validate({"key": 5})

    assert raised.value.errors()[0]["type"] == "string_type"
