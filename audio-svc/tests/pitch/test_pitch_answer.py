"""detect_pitch: scores with known truth, names, problems, tuning, selection of a range, honest warnings."""

import json
from typing import Any

import numpy as np
import pytest

from consort_audio.analysis.pitch.answer import MOST_NOTES, answer
from consort_audio.analysis.pitch.models import PitchAnswer
from consort_audio.analysis.pitch.polyphony import polyphony
from consort_audio.signals.recording import RATE, Recording
from tests.support.listening_models import require_models
from tests.support.played_tones import Tone, melody, recording_of

SCALE = [60, 62, 64, 65, 67, 69, 71, 72]


def ask(recording: Recording, **options: Any) -> dict[str, Any]:
    found = answer(recording, options)
    PitchAnswer(**found)
    json.dumps(found, allow_nan=False)
    return found


def test_a_scale_in_tune() -> None:
    found = ask(recording_of(melody(SCALE, 0.5), 4.6))
    assert [note["pitch"] for note in found["notes"]] == ["C4", "D4", "E4", "F4", "G4", "A4", "B4", "C5"]
    assert found["detected_key"] == "C major"
    assert (found["lowest"], found["highest"]) == ("C4", "C5")
    assert found["intonation_accuracy"] > 0.97
    assert found["pitch_stability"] > 0.95
    assert found["problems"] == []
    assert found["notes"][0]["frequency"] == pytest.approx(261.63, abs=0.5)


def test_a_recording_that_is_sharp_as_a_whole_is_in_tune_with_itself() -> None:
    found = ask(recording_of(melody([pitch + 0.3 for pitch in SCALE], 0.5), 4.6))
    assert found["tuning_cents"] == pytest.approx(30, abs=3)
    assert found["a4_frequency"] == pytest.approx(440 * 2 ** (0.3 / 12), abs=1)
    assert found["intonation_accuracy"] > 0.97
    assert found["problem_count"] == 0


def test_flat_and_sharp_notes_are_problems_with_their_size() -> None:
    pitches = [60, 62, 64 - 0.35, 65, 67 + 0.25, 69, 71, 72, 71, 69, 67, 65]
    found = ask(recording_of(melody(pitches, 0.5), 6.6))
    worst, second = found["problems"]
    assert (worst["pitch"], worst["kind"], worst["severity"]) == ("E4", "flat", "moderate")
    assert worst["cents"] == pytest.approx(-35, abs=5)
    assert worst["time"] == pytest.approx(1.2, abs=0.05)
    assert (second["pitch"], second["kind"], second["severity"]) == ("G4", "sharp", "minor")


def test_intonation_falls_by_a_known_amount() -> None:
    """Half of the notes are 23 cents sharp, half flat: each is worth 1 - (23 - 5) / 45 = 0.6."""
    pitches = [pitch + 0.23 * (-1) ** place for place, pitch in enumerate(SCALE)]
    assert ask(recording_of(melody(pitches, 0.5), 4.6))["intonation_accuracy"] == pytest.approx(0.6, abs=0.07)


def test_stability_hears_a_sinking_note_but_not_vibrato() -> None:
    steady = ask(recording_of([Tone(0.2, 1.5, 60, vibrato_cents=25), Tone(1.9, 1.5, 64, vibrato_cents=25)], 3.8))
    sinking = ask(recording_of([Tone(0.2, 1.5, 60, glide=-0.8), Tone(1.9, 1.5, 64, glide=-0.8)], 3.8))
    assert steady["pitch_stability"] > 0.9
    assert sinking["pitch_stability"] < steady["pitch_stability"] - 0.15


def test_long_lists_are_counted_and_a_range_selects() -> None:
    tones = melody([60 + place % 7 for place in range(50)], 0.2)
    recording = recording_of(tones, 10.6)
    found = ask(recording)
    assert len(found["notes"]) == MOST_NOTES
    assert found["note_count"] == pytest.approx(50, abs=2)
    assert len(ask(recording, include_notes=True)["notes"]) == found["note_count"]
    part = ask(recording, start_time=4, end_time=6)["notes"]
    assert 9 <= len(part) <= 11
    assert all(4 <= note["time"] < 6 for note in part)


def test_the_contour_has_the_pitch_of_every_frame() -> None:
    contour = ask(recording_of([Tone(0.5, 1, 69)], 2), include_contour=True)["contour"]
    assert {point["frequency"] for point in contour if point["time"] < 0.4} == {0.0}
    assert np.median([point["frequency"] for point in contour if 0.6 < point["time"] < 1.4]) == pytest.approx(
        440, abs=1
    )


@pytest.mark.parametrize("level", [0.0, 0.1])
def test_silence_and_noise_have_no_notes(level: float) -> None:
    samples = level * np.random.default_rng(2).standard_normal(2 * RATE)
    found = ask(Recording(samples.astype(np.float32)))
    assert found["notes"] == []
    assert found["confidence"] == 0
    assert found["intonation_accuracy"] is None
    assert "No notes" in found["warnings"][0]


def test_chords_are_reported_as_several_notes_at_once() -> None:
    require_models()
    chord = [Tone(0.2 + 0.8 * step, 0.75, pitch + step, 0.1) for step in range(4) for pitch in (60, 64, 67)]
    recording = recording_of(chord, 3.8)
    assert "Several notes" in ask(recording)["warnings"][0]
    assert polyphony(recording_of(melody(SCALE), 4)) == pytest.approx(0, abs=0.1)


def test_wide_vibrato_is_one_note() -> None:
    require_models()
    voice = [tone._replace(vibrato_cents=80) for tone in melody(SCALE, 0.8)]
    assert polyphony(recording_of(voice, 7)) == pytest.approx(0, abs=0.1)
