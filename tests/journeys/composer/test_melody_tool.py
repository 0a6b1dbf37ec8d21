"""Test generate_melody through the gateway: its answer, other tools that use it, and every error."""

from typing import Any

import music21
import pytest

from tests.support.servers.studio import Studio


def test_other_tools_take_a_melody(studio: Studio) -> None:
    asked = {"key": "D dorian", "length_measures": 8, "contour": "arch", "end_note": "D4", "seed": 7}
    made = studio.call("generate_melody", **asked, include_musicxml=True, include_notes=True)
    assert made["success"] is True
    data = made["data"]
    assert data["metadata"]["key"] == "D dorian" and data["metadata"]["seed_used"] == 7
    assert data["melody"]["notes"][-1]["pitch"] == "D4"
    read = music21.converter.parseData(data["melody"]["musicxml"], format="musicxml")
    assert len(read.recurse().getElementsByClass("Measure")) == 8
    again = studio.call("generate_melody", **asked)
    assert again["note_list"] == made["note_list"]
    assert "melody" not in again["data"]
    exported = studio.call("compose_export_midi", stream=made["score_id"])
    assert exported["data"]["metadata"]["note_count"] == data["metadata"]["note_count"]
    answered = studio.call("transform_phrase", input_stream=made["note_list"], transformation="inversion")
    assert len(answered["data"]["transformed"]["note_list"].split()) == data["metadata"]["note_count"]


def test_a_relaxed_constraint_is_reported_with_its_measure(studio: Studio) -> None:
    made = studio.call(
        "generate_melody",
        key="C major",
        length_measures=2,
        start_note="C4",
        end_note="C6",
        contour="descending",
        seed=1,
    )
    relaxed = [warning for warning in made["warnings"] if warning["code"] == "CONSTRAINT_RELAXED"]
    assert any("descending" in warning["message"] for warning in relaxed)
    assert all(1 <= warning["measure"] <= 2 for warning in relaxed)


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ({"key": "H major"}, "INVALID_KEY", "key"),
        ({"start_note": "X4"}, "INVALID_NOTE", "start_note"),
        ({"range_low": "C6", "range_high": "C4"}, "INVALID_RANGE", "range_low"),
        ({"avoid_leaps_greater_than": "X5"}, "INVALID_INTERVAL", "avoid_leaps_greater_than"),
        ({"time_signature": "4/5"}, "INVALID_TIME_SIGNATURE", "time_signature"),
        ({"chords": "C | H"}, "INVALID_CHORD_SYMBOL", "chords"),
        ({"length_measures": 65}, "INVALID_INPUT", "length_measures"),
    ],
)
def test_errors_have_code_and_field(studio: Studio, arguments: dict[str, Any], code: str, field: str) -> None:
    error = studio.failed_call("generate_melody", **({"key": "C major", "length_measures": 4} | arguments))
    assert (error["code"], error["field"]) == (code, field), error


def test_constraints_that_cannot_be_met_come_with_a_partial_result(studio: Studio) -> None:
    arguments = {"start_note": "C4", "end_note": "G4", "avoid_leaps_greater_than": "m2"}
    ok, rejected = studio.try_call("generate_melody", key="C major", length_measures=4, **arguments)
    assert not ok and rejected["error"]["code"] == "UNSATISFIABLE_CONSTRAINTS", rejected
    assert rejected["error"]["field"] == "avoid_leaps_greater_than"
    assert rejected["partial_result"]["note_list"].startswith("C4:")
