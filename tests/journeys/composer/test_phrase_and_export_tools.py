"""Test transform_phrase and compose_export_midi through the gateway: ids, files that other programs read, errors."""

import base64
import io
from typing import Any

import mido
import music21
import pytest

from consort_kit.ids import new_id
from tests.support.servers.studio import Studio

MOTIF = "C4:q D4:q E4:q G4:q"
ABC = "X:1\nT:Rising\nM:4/4\nL:1/4\nK:C\nC D E G|]\n"


def pitches(midi: bytes) -> list[int]:
    file = mido.MidiFile(file=io.BytesIO(midi))
    return [
        message.note for track in file.tracks for message in track if message.type == "note_on" and message.velocity
    ]


def test_a_motif_is_transformed_by_its_id(studio: Studio) -> None:
    asked = {"input_stream": MOTIF, "transformation": "sequence", "repetitions": 1}
    made = studio.call("transform_phrase", **asked, include_notes=True)
    assert made["success"] is True and made["warnings"] == []
    assert made["data"]["transformation_applied"] == "sequence"
    assert [note["pitch"] for note in made["data"]["transformed"]["notes"]] == ["D4", "E4", "F#4", "A4"]
    assert made["data"]["combined"]["notes"][4] == {"pitch": "D4", "duration": "quarter", "measure": 2, "beat": 1.0}
    again = studio.call("transform_phrase", score_id=made["score_id"], transformation="retrograde", append=False)
    assert again["note_list"] == "A4:q F#4:q E4:q D4:q G4:q E4:q D4:q C4:q"
    exported = studio.call("compose_export_midi", stream=again["score_id"], tempo=90, include_base64=True)
    file = mido.MidiFile(file=io.BytesIO(base64.b64decode(exported["data"]["midi"]["base64"])))
    assert [message.tempo for message in file.tracks[0] if message.type == "set_tempo"] == [mido.bpm2tempo(90)]
    assert exported["data"]["midi"]["duration_seconds"] == pytest.approx(8 * 60 / 90, abs=0.001)
    described = studio.call("get_midi", midi_file_id=exported["data"]["midi"]["midi_file_id"])
    _, taken = studio.try_call("compose_export_midi", stream=again["score_id"], name=described["name"])
    assert taken["error"]["code"] == "ALREADY_EXISTS" and "overwrite" not in str(taken), "the tool has no overwrite"
    assert sum(track["note_count"] for track in described["metadata"]["tracks"]) == 8
    from_file = studio.call(
        "transform_phrase", input_stream=described["midi_file_id"], transformation="retrograde", append=False
    )
    assert from_file["note_list"].startswith("C4:q D4:q E4:q G4:q")


def test_the_full_answer_is_optional(studio: Studio) -> None:
    asked = {"input_stream": MOTIF, "transformation": "sequence", "repetitions": 1}
    short = studio.call("transform_phrase", **asked)
    assert short["data"]["transformed"] == {"note_list": "D4:q E4:q F#4:q A4:q"}
    assert short["note_list"] == f"{MOTIF} D4:q E4:q F#4:q A4:q"
    assert {"original", "combined"} & set(short["data"]) == set()
    full = studio.call("transform_phrase", **asked, include_musicxml=True, include_notes=True)["data"]
    assert all(
        {"musicxml", "notes"} <= set(full[name]) and full[name]["musicxml"].startswith("<?xml")
        for name in ("original", "transformed", "combined")
    )
    exported = studio.call("compose_export_midi", stream=MOTIF)
    assert "base64" not in exported["data"]["midi"] and "note_list" not in exported and exported["score_id"]


@pytest.mark.parametrize("how", ["musicxml", "abc", "notes"])
def test_every_notation_is_detected_and_read(studio: Studio, how: str) -> None:
    texts = {"abc": ABC, "notes": MOTIF}
    if how == "musicxml":
        texts[how] = studio.call(
            "transform_phrase", input_stream=MOTIF, transformation="repeat", include_musicxml=True
        )["data"]["original"]["musicxml"]
        parsed = music21.converter.parseData(texts[how], format="musicxml")
        assert [note.pitches[0].nameWithOctave for note in parsed.flatten().notes] == ["C4", "D4", "E4", "G4"]
    for asked in (None, how):
        arguments: dict[str, Any] = {"input_format": asked} if asked else {}
        made = studio.call("compose_export_midi", stream=texts[how], include_abc=True, include_base64=True, **arguments)
        assert pitches(base64.b64decode(made["data"]["midi"]["base64"])) == [60, 62, 64, 67]
        metadata = made["data"]["metadata"]
        assert (metadata["measures"], metadata["time_signature"], metadata["note_count"]) == (1, "4/4", 4)
        assert metadata["key_signature"] == "C major"
        assert made["data"]["abc"].startswith("X:")


def test_humanizing_is_the_same_for_the_same_seed(studio: Studio) -> None:
    arguments = {
        "stream": MOTIF * 1 + " C5:h G4:h",
        "humanize": True,
        "humanize_amount": 1.0,
        "seed": 7,
        "include_base64": True,
    }
    first, second = (studio.call("compose_export_midi", **arguments)["data"] for _ in range(2))
    assert first["midi"]["base64"] == second["midi"]["base64"]
    assert first["metadata"]["seed_used"] == 7
    other = studio.call("compose_export_midi", **arguments | {"seed": 8})["data"]
    assert other["midi"]["base64"] != first["midi"]["base64"]


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "field"),
    [
        ("transform_phrase", {"input_stream": "", "transformation": "repeat"}, "EMPTY_INPUT", "input_stream"),
        ("transform_phrase", {"input_stream": "R:q", "transformation": "repeat"}, "EMPTY_INPUT", "input_stream"),
        ("transform_phrase", {"input_stream": "hello you", "transformation": "repeat"}, "PARSE_ERROR", "input_stream"),
        ("transform_phrase", {"input_stream": "C4 X4", "transformation": "repeat"}, "INVALID_NOTE", "input_stream"),
        (
            "transform_phrase",
            {"input_stream": "<score-partwise", "transformation": "repeat"},
            "PARSE_ERROR",
            "input_stream",
        ),
        (
            "transform_phrase",
            {"input_stream": "C4", "transformation": "sequence", "interval": "X5"},
            "INVALID_INTERVAL",
            "interval",
        ),
        (
            "transform_phrase",
            {"input_stream": "C4", "transformation": "inversion", "key": "H major"},
            "INVALID_KEY",
            "key",
        ),
        (
            "transform_phrase",
            {"input_stream": "C9", "transformation": "sequence", "interval": "P8"},
            "INVALID_RANGE",
            "repetitions",
        ),
        ("transform_phrase", {"input_stream": "C4", "transformation": "twist"}, "INVALID_INPUT", "transformation"),
        ("compose_export_midi", {"stream": "C4", "tempo": 5}, "INVALID_INPUT", "tempo"),
        ("compose_export_midi", {"stream": ""}, "EMPTY_INPUT", "stream"),
        ("compose_export_midi", {"stream": "la la la"}, "PARSE_ERROR", "stream"),
        ("compose_export_midi", {"stream": "C4 X4"}, "INVALID_NOTE", "stream"),
    ],
)
def test_errors_have_code_and_field(
    studio: Studio, tool: str, arguments: dict[str, Any], code: str, field: str
) -> None:
    error = studio.failed_call(tool, **arguments)
    assert (error["code"], error["field"]) == (code, field), error


def test_an_unknown_score(studio: Studio) -> None:
    ok, error = studio.try_call("transform_phrase", input_stream=new_id("score"), transformation="repeat")
    assert not ok and error["error"]["code"] == "NOT_FOUND"
