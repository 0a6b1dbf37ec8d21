"""What an assistant may ask for."""

import json
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from consort_midi_store.transforms.apply import files_needed
from consort_midi_store.transforms.models import Operations
from tests.midi_tracks import (
    OPERATION,
)

OTHER = "midi_" + "0" * 26


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
        {"type": "merge", "midi_file_ids": ["../etc/passwd"]},
        {"type": "reverse"},
    ],
)
def test_what_makes_no_sense_is_refused(operation: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        OPERATION.validate_python(operation)


def test_a_grid_that_is_none_is_told_in_words() -> None:
    with pytest.raises(ValidationError, match=r"'1/5' is not a grid; write 1/4") as refused:
        OPERATION.validate_python({"type": "quantize", "grid": "1/5"})
    assert "1/8t" in refused.value.errors()[0]["ctx"]["suggestions"]


def test_a_misspelt_field_is_told() -> None:
    with pytest.raises(ValidationError, match="did you mean 'semitones'"):
        OPERATION.validate_python({"type": "transpose", "semitone": 1})


def test_the_files_needed_are_named_once_with_their_field() -> None:
    merge = OPERATION.validate_python({"type": "merge", "midi_file_ids": [OTHER, OTHER]})
    needed = files_needed([OPERATION.validate_python({"type": "split"}), merge, merge])
    assert needed == {OTHER: "operations.1.midi_file_ids.0"}


def test_the_operations_schema_stays_small() -> None:
    """It is in every listing of the tools; the gateway leaves out titles and null alternatives besides."""
    schema = json.dumps(TypeAdapter(Operations).json_schema(), separators=(",", ":"))
    assert len(schema) < 8_000
