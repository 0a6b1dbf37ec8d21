"""Takes that are heard: tones with known faults, noise and silence."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from consort_audio.analysis.listening_task import ListeningTask
from consort_audio.comparison.answer import answer
from consort_audio.comparison.faults.judging import JudgedTake, judge
from consort_audio.comparison.outcome import outcome
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.comparison.take.audio_take import listen_and_align
from consort_audio.comparison.two_takes import compare_takes
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import RATE, Recording, recording_from_samples
from tests.support.listening_models import hide_models
from tests.support.played_takes import kinds, play, scale, tones, tune

MELODY = "C4:q D4:q E4:q E4:q F4:q A4:q G4:h E4:q E4:q D4:q G4:q C4:h"


def recorded(notes: Sequence[PlayedNote]) -> Recording:
    return recording_from_samples(tones(notes), RATE)


def heard(music: ExpectedMusic, recording: Recording) -> JudgedTake:
    take = listen_and_align(recording, music)
    return judge(music, take.alignment, take.judgement)


def test_a_right_take_has_no_faults_and_repeated_notes_are_found() -> None:
    music = tune(MELODY)
    take = heard(music, recorded(play(music, stretch=0.9)))
    assert kinds(take) == []
    assert [note.expected for note in take.notes] == list(range(len(music.notes)))


def test_faults_are_heard_at_their_time() -> None:
    music = tune(MELODY)
    notes = play(music, stretch=1.2)
    notes[1] = notes[1]._replace(pitch=notes[1].pitch + 1)
    notes[6] = notes[6]._replace(pitch=notes[6].pitch - 0.4)
    notes[9] = notes[9]._replace(start=notes[9].start + 0.2)
    gone = notes.pop(4)
    take = heard(music, recorded(notes))
    assert [(fault.kind, fault.expected) for fault in take.faults] == [
        ("wrong_note", "D4"),
        ("missing_note", "F4"),
        ("flat", "G4"),
        ("late", "D4"),
    ]
    assert take.faults[1].time == pytest.approx(gone.start, abs=0.1)
    assert take.faults[2].amount == pytest.approx(-40, abs=6)


def test_a_scale_in_another_octave_and_tuning_is_right() -> None:
    music = scale("G major", pattern="up_down")
    notes = [note._replace(pitch=note.pitch - 12 + 0.25) for note in play(music)]
    take = heard(music, recorded(notes))
    assert kinds(take) == []
    assert take.tuning_cents == pytest.approx(25, abs=4)


@pytest.mark.parametrize("sound", ["silence", "noise", "click"])
def test_sound_without_music_is_not_judged(sound: str) -> None:
    samples = np.zeros(3 * RATE, np.float32)
    if sound == "noise":
        samples = 0.1 * np.random.default_rng(1).standard_normal(3 * RATE).astype(np.float32)
    if sound == "click":
        samples[RATE] = 0.9
    found = outcome(heard(scale("C major"), recording_from_samples(samples, RATE)), "test", is_audio=True)
    assert found["errors"] == []
    assert found["remarks"]
    assert found["confidence"] <= 0.3
    assert found["comparison"]["pitch_accuracy"] <= 0.3


def test_two_takes_are_judged_by_one_reference() -> None:
    music = tune(MELODY)
    first, second = play(music), play(music, stretch=1.1)
    first[1] = first[1]._replace(pitch=first[1].pitch + 1)
    first[9] = first[9]._replace(start=first[9].start + 0.2)
    second[9] = second[9]._replace(start=second[9].start + 0.2)
    second[10] = second[10]._replace(pitch=second[10].pitch - 0.4)
    answer = compare_takes(recorded(first), recorded(second), "overall", music, lambda _: None)
    assert [error["type"] for error in answer["fixed_errors"]] == ["wrong_note"]
    assert [error["type"] for error in answer["remaining_errors"]] == ["late"]
    assert [error["type"] for error in answer["new_errors"]] == ["flat"]
    assert answer["improvements"] == ["pitch_accuracy"]
    tempo = answer["differences"]["tempo"]
    assert tempo["audio1"] == pytest.approx(100, rel=0.02)
    assert tempo["audio2"] == pytest.approx(100 / 1.1, rel=0.02)
    assert 0.7 < answer["similarity_score"] < 1


def test_another_tempo_does_not_change_the_rhythm() -> None:
    music = tune(MELODY)
    answer = compare_takes(recorded(play(music)), recorded(play(music, stretch=1.5)), "rhythm", music, lambda _: None)
    assert answer["similarity_score"] == pytest.approx(1, abs=0.01)
    assert answer["differences"].keys() == {"rhythm_accuracy"}


def test_a_note_that_is_flat_in_both_takes_is_no_difference() -> None:
    music = tune(MELODY)
    takes = [play(music), play(music, stretch=1.1)]
    for take in takes:
        take[6] = take[6]._replace(pitch=take[6].pitch - 0.4)
    takes[1][10] = takes[1][10]._replace(pitch=takes[1][10].pitch - 0.4)
    answer = compare_takes(recorded(takes[0]), recorded(takes[1]), "overall", None, lambda _: None)
    assert [(each["type"], each["expected"]) for each in answer["note_differences"]] == [("flat", "G4")]
    assert answer["note_differences"][0]["time"] == pytest.approx(takes[1][10].start, abs=0.1)


def test_a_fragment_is_not_the_whole_take() -> None:
    notes = play(tune(MELODY))
    answer = compare_takes(recorded(notes), recorded(notes[:2]), "overall", None, lambda _: None)
    assert answer["similarity_score"] < 0.3
    assert answer["confidence"] < 0.5


def test_chords_without_the_network_are_not_judged_with_confidence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hide_models(monkeypatch, tmp_path)
    chords = "C4+E4+G4:h F4+A4+C5:h G4+B4+D5:h C4+E4+G4:h"
    recording = recorded(play(tune(chords)))
    options = {"reference_type": "exercise", "reference_params": {"kind": "notes", "notes": chords}}
    task = ListeningTask("compare_to_reference", options, [Path("take.wav")], lambda _: recording, lambda _: None)
    found = answer(task)
    assert "basic-pitch" in found["warnings"][0] and found["confidence"] <= 0.1
