"""analyze_audio: what the summary says, and what it leaves out because it is not known."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from consort_audio.analysis.listening_task import ListeningTask
from consort_audio.analysis.summary.answer import answer
from consort_audio.analysis.summary.models import AudioSummary
from consort_audio.analysis.summary.sentences import summarize
from consort_audio.signals.recording import RATE, Recording
from tests.support.listening_models import require_models
from tests.support.played_tones import melody, recording_of
from tests.support.synthetic_music import chord_row, recorded

CADENCE = [(48, 60, 64, 67), (53, 60, 65, 69), (55, 59, 62, 67), (48, 60, 64, 67)]


def summary_of(recording: Recording) -> dict[str, Any]:
    found = answer(ListeningTask("analyze_audio", {}, [Path("take.wav")], lambda _: recording, lambda _: None))
    AudioSummary(**{name: value for name, value in found.items() if name != "heard"})
    return found


def test_a_melody_is_summed_up_with_notes_range_and_key() -> None:
    scale = [60, 62, 64, 65, 67, 69, 71, 72]
    found = summary_of(recording_of(melody([*scale, *scale[::-1]], 0.5), 8.5))
    assert (found["note_count"], found["key"]) == (16, "C major")
    assert "16 notes from C4 to C5, probably in C major." in found["summary"]
    assert found["scores"].keys() == {"timing_accuracy", "intonation_accuracy", "pitch_stability"}


def test_chords_are_not_summed_up_as_a_melody() -> None:
    require_models()
    found = summary_of(recorded(chord_row(CADENCE * 3, 1.0), silence=0.5))
    assert "several notes at once" in found["summary"] and "detect_key" in found["summary"]
    assert found["note_count"] is None and found["key"] is None
    assert "intonation_accuracy" not in found["scores"]
    assert all("cents" not in problem for problem in found["problems"] or [])


def test_a_clear_melody_keeps_its_scores_where_strings_or_the_room_ring() -> None:
    analyses = summary_of(recording_of(melody([60, 64, 67, 72, 71, 67, 64, 60], 0.5), 4.5))["analyses"]
    found = summarize(analyses, 4.5, is_several=True)
    assert "several notes at once; the clearest voice has 8 notes from C4 to C5." in found["summary"]
    assert (found["note_count"], found["key"]) == (8, None)
    assert found["scores"]["intonation_accuracy"] >= 0.9


@pytest.mark.parametrize("pitch", [43, 67])
def test_one_note_has_no_key_and_no_beat(pitch: int) -> None:
    found = summary_of(recording_of(melody([pitch], 2.0), 3.0))
    assert found["note_count"] == 1
    assert found["key"] is None and " in " not in found["summary"]
    assert "No clear beat." in found["summary"]
    assert found["bpm"] is None and found["is_steady"] is None


def test_silence_has_nothing_but_its_duration() -> None:
    found = summary_of(Recording(np.zeros(4 * RATE, np.float32)))
    assert found["summary"] == "4.0 s without a note that can be heard."
    assert (found["bpm"], found["key"], found["scores"]) == (None, None, {})
