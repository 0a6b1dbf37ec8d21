"""The JSON input of operations, and its errors."""

import json
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from consort_midi_store.transforms.apply_operations import files_needed
from consort_midi_store.transforms.schema.operation_inputs import OPERATION_INPUTS, Operations
from tests.support.transform_inputs import OPERATION

OTHER = "midi_" + "0" * 26
EXAMPLES: list[dict[str, Any]] = [
    {"type": "transpose", "semitones": 12},
    {"type": "quantize", "grid": "1/16"},
    {"type": "swing"},
    {"type": "humanize"},
    {"type": "velocity", "scale": 0.5},
    {"type": "tempo", "bpm": 90},
    {"type": "trim", "first_bar": 2},
    {"type": "cut", "first_bar": 2, "last_bar": 3},
    {"type": "merge"},
    {"type": "split"},
    {"type": "extract_tracks", "tracks": [0]},
]


@pytest.mark.parametrize(
    "operation",
    [
        {"type": "transpose", "semitones": 128},
        {"type": "transpose", "semitones": 1, "channels": [0]},
        {"type": "quantize", "grid": "1/5"},
        {"type": "quantize", "grid": "1/8", "strength": 1.1},
        {"type": "swing", "amount": 80},
        {"type": "tempo"},
        {"type": "tempo", "bpm": 100, "scale": 2},
        {"type": "velocity", "min": 100, "max": 50},
        {"type": "velocity"},
        {"type": "velocity", "tracks": [0]},
        {"type": "trim", "start": 4, "end": 4},
        {"type": "trim", "first_bar": 4, "last_bar": 3},
        {"type": "trim", "first_bar": 0},
        {"type": "trim", "first_bar": 2, "end": 8},
        {"type": "cut"},
        {"type": "cut", "unit": "beats"},
        {"type": "transpose"},
        {"type": "transpose", "semitones": 1, "to_key": "D major"},
        {"type": "transpose", "to_key": "H major"},
        {"type": "merge", "midi_file_ids": ["../etc/passwd"]},
        {"type": "reverse"},
    ],
)
def test_invalid_operations_are_rejected(operation: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        OPERATION.validate_python(operation)


def test_an_unknown_grid_is_rejected_with_examples() -> None:
    with pytest.raises(ValidationError, match=r"'1/5' is not a grid. Write one such as 1/4") as error:
        OPERATION.validate_python({"type": "quantize", "grid": "1/5"})
    assert "1/8t" in error.value.errors()[0]["ctx"]["suggestions"]


@pytest.mark.parametrize(
    ("operation", "place", "message"),
    [
        ({"type": "transpose", "semitones": "two"}, ("semitones",), "not 'two'. transpose takes semitones, to_key, "),
        ({"type": "transpose", "semitones": 2.5}, ("semitones",), "not 2.5. transpose takes"),
        ({"type": "quantize"}, ("grid",), "quantize needs 'grid'. quantize takes grid, strength, end, swing, tracks, "),
        ({"type": "quantize", "grid": "1/16", "semitones": 2}, ("semitones",), "quantize takes grid, "),
        ({"type": "swing", "strength": 1}, ("strength",), 'Example: {"type": "swing", "amount": 60, "grid": "1/8"}'),
        ({"type": "humanize", "amount": 5}, ("amount",), "humanize takes timing_ms, timing_ticks, velocity, seed, "),
        ({"type": "velocity", "set": 500}, ("set",), "not 500. velocity takes set, curve, "),
        ({"type": "tempo", "bpm": "fast"}, ("bpm",), "tempo takes scale, bpm. Example: "),
        ({"type": "trim", "bars": [1, 4]}, ("bars",), "trim takes first_bar, last_bar, start, end, unit. Example: "),
        ({"type": "cut", "first_bar": "B"}, ("first_bar",), 'Example: {"type": "cut", "first_bar": 9, "last_bar": 12}'),
        ({"type": "merge", "order": "after"}, ("order",), "'parallel' or 'sequence', not 'after'. merge takes "),
        ({"type": "split", "by": "bar"}, ("by",), "'channel' or 'track', not 'bar'. split takes by. Example: "),
        ({"type": "extract_tracks"}, ("tracks",), "extract_tracks needs 'tracks'. extract_tracks takes tracks. "),
        ({"type": "revers"}, ("type",), "'revers' is not an operation. The operations are transpose, quantize, "),
        ({"semitones": 2}, ("type",), "'type' must be one of transpose, quantize, "),
        ("transpose", (), "'transpose' is not an object. Example: "),
    ],
)
def test_errors_say_what_the_operation_takes_and_give_an_example(
    operation: Any, place: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ValidationError) as error:
        OPERATION.validate_python(operation)
    (problem,) = error.value.errors()
    assert problem["loc"] == place
    assert message in problem["msg"]


def test_the_type_may_be_called_op_or_operation() -> None:
    plain = OPERATION.validate_python({"type": "split", "by": "channel"})
    assert plain == OPERATION.validate_python({"op": "split", "by": "channel"})
    assert (
        plain == OPERATION.validate_python({"operation": "split", "by": "channel"}) == OPERATION.validate_python(plain)
    )


def test_a_misspelt_field_gets_a_suggestion() -> None:
    with pytest.raises(ValidationError, match="Did you mean 'semitones'"):
        OPERATION.validate_python({"type": "transpose", "semitone": 1})


def test_bars_may_have_the_names_of_the_song_tools() -> None:
    plain = OPERATION.validate_python({"type": "cut", "first_bar": 2, "last_bar": 3})
    assert plain == OPERATION.validate_python({"type": "cut", "start_bar": 2, "end_bar": 3})


def test_limits_are_worded_as_in_other_tools() -> None:
    with pytest.raises(ValidationError, match=r"It must be 50 or more, not 0\.66\. swing takes amount"):
        OPERATION.validate_python({"type": "swing", "amount": 0.66})


def test_an_invalid_id_is_rejected_with_its_format() -> None:
    with pytest.raises(
        ValidationError, match=r"It must be an id that a tool returned \('midi_' or 'song_' or 'score_' and 26 letters"
    ):
        OPERATION.validate_python({"type": "merge", "midi_file_ids": ["nope"]})


def test_files_needed_has_each_id_once_with_its_first_field() -> None:
    merge = OPERATION.validate_python({"type": "merge", "midi_file_ids": [OTHER, OTHER]})
    needed = files_needed([OPERATION.validate_python({"type": "split"}), merge, merge])
    assert needed == {OTHER: "operations.1.midi_file_ids.0"}


def test_the_operations_schema_stays_small() -> None:
    """The schema is sent with every tool listing. Each field is shown once, even if several operations have it."""
    schema = json.dumps(TypeAdapter(Operations).json_schema(), separators=(",", ":"))
    assert len(schema) < 3_000
    shown = TypeAdapter(Operations).json_schema()["items"]["properties"]
    assert [example["type"] for example in EXAMPLES] == shown["type"]["enum"]
    assert shown.keys() == {name for model in OPERATION_INPUTS.values() for name in model.model_fields}
