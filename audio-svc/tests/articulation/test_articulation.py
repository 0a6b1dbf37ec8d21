"""detect_articulation: held shares and accents of notes with known length and level."""

import json
from typing import Any

import numpy as np
import pytest

from consort_audio.analysis.articulation.answer import answer
from consort_audio.analysis.articulation.models import ArticulationAnswer
from consort_audio.signals.recording import RATE, Recording
from tests.support.played_tones import melody, recording_of

PITCHES = [60, 62, 64, 65, 67, 69, 71, 72, 71, 69, 67, 65]


def ask(recording: Recording, **options: Any) -> dict[str, Any]:
    found = answer(recording, options)
    ArticulationAnswer(**found)
    json.dumps(found, allow_nan=False)
    return found


@pytest.mark.parametrize("step_s", [0.25, 0.4, 0.8])
def test_legato_and_staccato(step_s: float) -> None:
    seconds = 0.5 + 12 * step_s
    legato = ask(recording_of(melody(PITCHES, step_s, held=1.0), seconds))
    staccato = ask(recording_of(melody(PITCHES, step_s, held=0.35), seconds))
    assert legato["legato_percentage"] >= 0.9
    assert legato["articulation_types"] == ["legato"]
    assert staccato["staccato_percentage"] >= 0.9
    assert staccato["articulation_types"] == ["staccato"]


def test_shares_of_a_mixture() -> None:
    tones = [
        tone._replace(seconds=0.4 * (0.35 if place >= 6 else 1.0)) for place, tone in enumerate(melody(PITCHES, 0.4))
    ]
    found = ask(recording_of(tones, 5.4), include_notes=True)
    assert found["staccato_percentage"] == pytest.approx(0.5, abs=0.1)
    assert found["legato_percentage"] == pytest.approx(0.5, abs=0.1)
    assert sum(found[f"{kind}_percentage"] for kind in ("legato", "detached", "staccato")) == pytest.approx(1, abs=0.02)
    assert [note["articulation"] for note in found["notes"][:5]] == ["legato"] * 5


def test_an_accent_has_the_intensity_of_its_excess() -> None:
    """A note that is 6 dB louder than those around it has an intensity of 6 / 12."""
    tones = [tone._replace(amplitude=0.2 if place == 5 else 0.1) for place, tone in enumerate(melody(PITCHES, 0.4))]
    found = ask(recording_of(tones, 5.4))
    assert found["accent_count"] == 1
    assert found["accents"][0]["time"] == pytest.approx(0.2 + 5 * 0.4, abs=0.05)
    assert found["accents"][0]["intensity"] == pytest.approx(0.5, abs=0.1)


def test_silence_has_no_articulation() -> None:
    found = ask(Recording(np.zeros(2 * RATE, np.float32)))
    assert (found["articulation_types"], found["confidence"], found["note_count"]) == ([], 0, 0)
    assert found["warnings"]
