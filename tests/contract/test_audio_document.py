"""Every parameter, default and output field that the specification of the audio tools names is in our specification.

The table holds the names of that document: a tool's parameters, and the fields of its answer, where `a.b` is the field
`b` of the object, or of each item of the list, `a`.
"""

from typing import Any

import pytest

from consort_cli.commands.specs import openapi_of
from tests.support.documented_tools import DocumentedTool, fields_at

FILE = ["audio_file_id"]
TOOLS = {
    "analyze_tempo": DocumentedTool(
        FILE, ["bpm", "confidence", "is_steady", "tempo_changes.time", "tempo_changes.bpm"]
    ),
    "detect_pitch": DocumentedTool(
        FILE,
        [
            *(f"notes.{name}" for name in ("time", "duration", "pitch", "frequency", "confidence")),
            *("intonation_accuracy", "pitch_stability", "detected_key"),
        ],
    ),
    "analyze_rhythm": DocumentedTool(
        FILE,
        [
            *("onsets.time", "onsets.confidence", "timing_accuracy", "rhythmic_pattern", "is_on_beat"),
            *("beat_deviations.time", "beat_deviations.deviation_ms"),
        ],
    ),
    "detect_key": DocumentedTool(FILE, ["key", "confidence", "mode", "tonic"]),
    "detect_chords": DocumentedTool(
        FILE, [*(f"chords.{name}" for name in ("time", "duration", "chord", "confidence")), "progression"]
    ),
    "analyze_timbre": DocumentedTool(
        FILE, ["brightness", "warmth", "attack_time", "spectral_centroid", "harmonic_ratio"]
    ),
    "segment_phrases": DocumentedTool(FILE, ["phrases.start", "phrases.end", "phrases.type", "phrase_count"]),
    "analyze_dynamics": DocumentedTool(
        FILE, ["average_loudness", "dynamic_range", "peaks.time", "peaks.amplitude", "is_consistent"]
    ),
    "detect_articulation": DocumentedTool(
        FILE,
        [
            *("articulation_types", "legato_percentage", "staccato_percentage"),
            *("accents.time", "accents.intensity"),
        ],
    ),
    "compare_audio": DocumentedTool(
        ["audio_file_id_1", "audio_file_id_2", "comparison_type"],
        [
            *("comparison_type", "similarity_score", "improvements", "regressions"),
            *(f"differences.tempo.{name}" for name in ("audio1", "audio2", "difference")),
            *(f"differences.pitch_accuracy.{name}" for name in ("audio1", "audio2", "improvement")),
            *(f"differences.rhythm_accuracy.{name}" for name in ("audio1", "audio2", "improvement")),
        ],
        choices={"comparison_type": {"rhythm", "pitch", "tempo", "overall"}},
    ),
    "compare_to_reference": DocumentedTool(
        ["audio_file_id", "reference_type", "reference_params"],
        [
            *("reference_type", "scale"),
            *(f"comparison.{name}" for name in ("pitch_accuracy", "rhythm_accuracy", "tempo_match")),
            *(f"errors.{name}" for name in ("time", "type", "expected", "played")),
        ],
        choices={"reference_type": {"scale", "exercise", "midi_file", "song", "score"}},
    ),
    "request_audio_recording": DocumentedTool(
        ["prompt", "max_duration"], ["status", "prompt", "max_duration", "recording_id"], {"max_duration": 60.0}
    ),
    "get_recording": DocumentedTool(["recording_id"], ["status", "audio_file_id", "recording_id", "duration"]),
    "midi_to_audio": DocumentedTool(
        ["midi_file_id", "instrument"],
        ["audio_file_id", "midi_file_id", "instrument", "duration", "synthesis_method"],
    ),
    "get_audio_info": DocumentedTool(FILE, ["duration", "sample_rate", "channels", "format", "file_size_bytes"]),
    "segment_audio": DocumentedTool(
        ["audio_file_id", "start_time", "end_time"],
        ["new_audio_file_id", "original_audio_file_id", "start_time", "end_time", "duration"],
    ),
    "validate_midi": DocumentedTool(
        ["midi_text"],
        [
            *("valid", "midi_file_id", "errors", "warnings"),
            *(f"metadata.{name}" for name in ("duration", "tempo", "tracks", "note_count")),
        ],
        service="midi-store",
    ),
}

each_tool = pytest.mark.parametrize("name", TOOLS)


def answer_of(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the schema of a tool's answer, and the specification that it belongs to."""
    spec = openapi_of("audio")
    return spec["paths"][f"/tools/{name}"]["post"]["responses"]["200"]["content"]["application/json"]["schema"], spec


@each_tool
def test_every_parameter_and_default_of_the_document(name: str) -> None:
    assert TOOLS[name].missing_parameters(name) == []


@each_tool
def test_every_output_field_of_the_document(name: str) -> None:
    assert TOOLS[name].missing_fields(name) == []


LISTENING_TOOLS = [
    name for name in TOOLS if name.startswith(("analyze_", "detect_", "compare_")) or name == "segment_phrases"
]


@pytest.mark.parametrize("name", [*LISTENING_TOOLS, "analyze_audio", "transcribe_audio"])
def test_every_answer_says_how_sure_it_is_what_good_is_and_which_method_was_used(name: str) -> None:
    schema, spec = answer_of(name)
    assert [each for each in ("confidence", "reference", "method") if not fields_at(schema, each, spec)] == []


@pytest.mark.parametrize(
    ("name", "problems"),
    [
        ("detect_pitch", "problems"),
        ("analyze_rhythm", "beat_deviations"),
        ("analyze_dynamics", "problems"),
        ("compare_to_reference", "errors"),
        ("compare_audio", "new_errors"),
    ],
)
def test_every_problem_has_a_severity(name: str, problems: str) -> None:
    schema, spec = answer_of(name)
    assert fields_at(schema, f"{problems}.severity", spec)


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("analyze_tempo", "tempo_changes"),
        ("detect_pitch", "notes"),
        ("analyze_rhythm", "onsets"),
        ("analyze_rhythm", "beat_deviations"),
        ("detect_key", "key_changes"),
        ("detect_chords", "chords"),
        ("segment_phrases", "phrases"),
        ("analyze_dynamics", "peaks"),
        ("detect_articulation", "accents"),
        ("compare_to_reference", "errors"),
    ],
)
def test_places_have_a_bar_beside_the_seconds(name: str, places: str) -> None:
    schema, spec = answer_of(name)
    assert fields_at(schema, f"{places}.bar", spec)
