"""Test add_voice through the gateway: its fields, its warnings, and the codes of its errors."""

import re
from typing import Any

import music21
import pytest

from tests.support.servers.studio import Studio

CANTUS = "D4:w F4:w E4:w D4:w G4:w F4:w A4:w G4:w F4:w E4:w D4:w"
TUNE = "C5:q D5:e E5:e F5:q E5:q D5:h G4:h C5:qd D5:e E5:q C5:q D5:h C5:h"


def test_counterpoint_to_a_cantus(studio: Studio) -> None:
    asked = {"existing_voice": CANTUS, "new_voice_type": "soprano", "species": 1, "key": "D dorian", "seed": 3}
    made = studio.call("add_voice", **asked, include_musicxml=True, include_notes=True)
    data = made["data"]
    assert made["success"] is True and made["warnings"] == []
    assert data["combined_score"]["parts"] == ["soprano", "alto"]
    assert data["metadata"] | {"range": ""} == {"key": "D dorian", "position": "above", "range": "", "seed_used": 3}
    assert [note["measure"] for note in data["new_voice"]["notes"]] == list(range(1, 12))
    assert data["new_voice"]["notes"][-2]["pitch"] == "C#5"
    assert set(data["voice_leading_analysis"]) == {
        "score",
        "parallel_fifths",
        "parallel_octaves",
        "voice_crossings",
        "direct_intervals",
        "spacing_issues",
        "leaps",
    }
    assert data["voice_leading_analysis"]["parallel_fifths"] == []
    read: Any = music21.converter.parseData(data["combined_score"]["musicxml"], format="musicxml")
    assert [len(part.flatten().notes) for part in read.parts] == [11, 11]
    again = studio.call("add_voice", **asked)
    assert again["note_list"] == made["note_list"]
    assert "new_voice" not in again["data"] and "musicxml" not in again["data"]["combined_score"]


def test_other_tools_take_the_id_of_the_result(studio: Studio) -> None:
    made = studio.call("add_voice", existing_voice=TUNE, new_voice_type="bass", include_notes=True, seed=1)
    exported = studio.call("compose_export_midi", stream=made["score_id"])
    assert exported["data"]["midi"]["track_count"] >= 2
    assert exported["data"]["metadata"]["note_count"] == 13 + len(made["data"]["new_voice"]["notes"])
    third = studio.call("add_voice", score_id=made["score_id"], new_voice_type="alto", seed=1)
    assert len(third["data"]["combined_score"]["parts"]) == 3
    assert "several parts" in third["warnings"][0]["message"]


def test_faults_have_measure_and_beat(studio: Studio) -> None:
    made = studio.call("add_voice", existing_voice="C4:q C5:q G4:q E5:q C5:w", new_voice_type="bass", seed=1)
    leaps = made["data"]["voice_leading_analysis"]["leaps"]
    assert {"measure": 1, "beat": 2.0, "interval": "P8", "kind": "no_recovery"}.items() <= leaps[0].items()
    assert made["data"]["voice_leading_analysis"]["score"] < 1


def test_chords_are_followed(studio: Studio) -> None:
    made = studio.call(
        "add_voice",
        existing_voice=TUNE,
        new_voice_type="tenor",
        relationship="free",
        harmonic_context="C F | G7 | Am C | G C",
        include_notes=True,
        seed=2,
    )
    downbeats = {
        note["measure"]: note["pitch"][:-1] for note in made["data"]["new_voice"]["notes"] if note["beat"] == 1
    }
    assert downbeats[1] in ("C", "E", "G") and downbeats[2] in ("G", "B", "D", "F") and downbeats[3] in ("A", "C", "E")


def test_a_relaxed_rule_is_reported_with_its_measure(studio: Studio) -> None:
    made = studio.call(
        "add_voice",
        existing_voice=CANTUS,
        new_voice_type="tenor",
        species=2,
        range_low="B3",
        range_high="F4",
    )
    relaxed = [warning for warning in made["warnings"] if warning["code"] == "CONSTRAINT_RELAXED"]
    assert relaxed and all(1 <= warning["measure"] <= 11 for warning in relaxed)
    assert re.search(rf"measures? {relaxed[0]['measure']}\b", relaxed[0]["message"])


def test_uneven_tunes_are_taken_bar_by_bar_with_a_warning(studio: Studio) -> None:
    made = studio.call("add_voice", existing_voice=TUNE, new_voice_type="alto", species=2)
    assert any("each bar was taken" in warning["message"] for warning in made["warnings"])


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ({"existing_voice": ""}, "EMPTY_INPUT", "existing_voice"),
        ({"existing_voice": "la la la"}, "PARSE_ERROR", "existing_voice"),
        ({"existing_voice": "C4 X4"}, "INVALID_NOTE", "existing_voice"),
        ({"range_low": "X4"}, "INVALID_NOTE", "range_low"),
        ({"range_low": "A4", "range_high": "C4"}, "INVALID_RANGE", "range_low"),
        ({"range_low": "C2", "range_high": "C3", "position": "above"}, "UNSATISFIABLE_CONSTRAINTS", "range_low"),
        ({"range_low": "C#4", "range_high": "D4", "key": "C major"}, "UNSATISFIABLE_CONSTRAINTS", "range_low"),
        ({"harmonic_context": "C | Hm"}, "INVALID_CHORD_SYMBOL", "harmonic_context"),
        ({"key": "H major"}, "INVALID_KEY", "key"),
        ({"species": 6}, "INVALID_INPUT", "species"),
        ({"new_voice_type": "piccolo"}, "INVALID_INPUT", "new_voice_type"),
    ],
)
def test_errors_of_a_voice_have_code_and_field(
    studio: Studio, arguments: dict[str, Any], code: str, field: str
) -> None:
    error = studio.failed_call("add_voice", **{"existing_voice": TUNE, "new_voice_type": "alto"} | arguments)
    assert (error["code"], error["field"]) == (code, field), error
