"""Speech and drums have no notes; a singer who drifts, two players, clipped and very short sounds are honest."""

import json
from typing import Any

import numpy as np
import pytest

from consort_audio.analysis.articulation.answer import answer as articulation_answer
from consort_audio.analysis.pitch.answer import answer
from consort_audio.analysis.pitch.models import PitchAnswer
from consort_audio.signals.recording import RATE, Mono, Recording
from evaluation.sounds.voices import SingingStyle, SungNote, spoken, sung
from tests.support.listening_models import require_models
from tests.support.played_tones import Tone, melody, recording_of

TUNE = [60, 62, 64, 65, 67, 65, 64, 62, 60, 64, 67, 72, 71, 67, 64, 60, 62, 67, 65, 62, 60]
NAMES = ["C4", "D4", "E4", "F4", "G4", "F4", "E4", "D4", "C4", "E4", "G4", "C5", "B4", "G4", "E4", "C4", "D4", "G4",
         "F4", "D4", "C4"]  # fmt: skip


@pytest.fixture(autouse=True)
def _models() -> None:
    require_models()


def heard(samples: Mono, **options: Any) -> dict[str, Any]:
    found = answer(Recording(samples), options)
    json.dumps(PitchAnswer.model_validate(found).model_dump(), allow_nan=False)
    return found


def singer(drift: float, step: float = 0.5) -> Mono:
    notes = [SungNote(0.3 + step * place, 0.3 + step * (place + 0.9), pitch) for place, pitch in enumerate(TUNE)]
    return sung(notes, np.random.default_rng(4), SingingStyle(drift=drift, wander=0.03))


@pytest.mark.parametrize("seed", range(4))
def test_speech_has_no_notes(seed: int) -> None:
    found = heard(spoken(6, np.random.default_rng(seed), pitch=46.0 + 4 * seed))
    assert found["note_count"] == 0
    assert found["confidence"] == 0
    assert "speech" in found["warnings"][0]


def test_drums_have_no_notes() -> None:
    numbers = np.random.default_rng(2)
    sound = 1e-4 * numbers.standard_normal(6 * RATE)
    times = np.arange(RATE // 4) / RATE
    for beat in range(11):
        first = round((0.3 + 0.5 * beat) * RATE)
        skin = np.sin(2 * np.pi * np.cumsum(60 + 90 * np.exp(-times / 0.03)) / RATE) * np.exp(-times / 0.06)
        snare = numbers.standard_normal(len(times)) * np.exp(-times / 0.05)
        sound[first : first + len(times)] += 0.5 * (skin if beat % 2 == 0 else 0.4 * snare + 0.3 * skin)
    assert heard(sound.astype(np.float32))["note_count"] == 0


def test_a_singer_keeps_the_notes_while_the_tuning_sinks() -> None:
    found = heard(singer(-0.6), include_notes=True)
    names = [note["pitch"] for note in found["notes"] if note["duration"] > 0.2]
    assert names == NAMES
    assert found["tuning_drift_cents"] == pytest.approx(-60, abs=20)
    assert "sinks" in found["warnings"][0]
    assert found["problem_count"] <= 2


def test_a_singer_who_stays_has_no_drift() -> None:
    found = heard(singer(0.0), include_notes=True)
    assert [note["pitch"] for note in found["notes"] if note["duration"] > 0.2] == NAMES
    assert found.get("tuning_drift_cents") is None


def test_two_players_are_said_to_be_several() -> None:
    low = [Tone(tone.start, tone.seconds, tone.pitch - 15) for tone in melody(TUNE[::-1])]
    found = answer(recording_of([*melody(TUNE), *low], 10), {})
    assert found["several_notes_at_once"] > 0.3
    assert "Several notes" in found["warnings"][0]


def test_clipped_and_very_short_sounds_are_answered() -> None:
    loud = np.clip(8 * singer(0.0), -1, 1).astype(np.float32)
    names = [note["pitch"] for note in heard(loud, include_notes=True)["notes"] if note["duration"] > 0.2]
    assert len(names) >= len(NAMES) - 2
    short = heard(singer(0.0)[round(0.3 * RATE) : round(0.6 * RATE)])
    assert short["note_count"] <= 1


@pytest.mark.parametrize("samples", [np.zeros(RATE * 2, np.float32), np.zeros(200, np.float32)])
def test_silence_has_no_articulation(samples: Mono) -> None:
    assert heard(samples)["note_count"] == 0
    assert articulation_answer(Recording(samples), {})["note_count"] == 0
