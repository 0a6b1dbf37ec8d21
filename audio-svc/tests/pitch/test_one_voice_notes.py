"""The notes of one voice are found with time, pitch and tuning, with the model and by YIN alone."""

from collections.abc import Callable
from pathlib import Path

import mir_eval
import numpy as np
import pytest

from consort_audio.analysis.pitch.notes.find import OneVoice, find_notes
from consort_audio.signals.recording import RATE, Recording
from tests.support.listening_models import hide_models, require_models
from tests.support.played_tones import Tone, melody, recording_of

SCALE = [60, 62, 64, 65, 67, 69, 71, 72]


@pytest.fixture(params=["model", "plain"], autouse=True)
def _method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if request.param == "plain":
        hide_models(monkeypatch, tmp_path)
    else:
        require_models()


def score(tones: list[Tone], heard: OneVoice) -> float:
    """Return the F-measure of mir_eval: onsets within 50 ms, pitches within 50 cents."""
    found: float = mir_eval.transcription.precision_recall_f1_overlap(
        np.array([[tone.start, tone.start + tone.seconds] for tone in tones]),
        hertz([tone.pitch for tone in tones]),
        np.array([[note.start, note.end] for note in heard.notes]),
        hertz([note.pitch for note in heard.notes]),
        offset_ratio=None,
    )[2]
    return found


def hertz(pitches: list[float]) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    return np.asarray(440 * 2 ** ((np.array(pitches) - 69) / 12))


@pytest.mark.parametrize("shift", [-24, -12, 0, 12])
def test_a_scale_is_heard_in_every_register(shift: int) -> None:
    tones = melody([pitch + shift for pitch in SCALE])
    assert score(tones, find_notes(recording_of(tones, 4))) == 1


def test_tones_outside_the_range_of_the_model_are_heard() -> None:
    tones = [Tone(0.2, 0.7, 27), Tone(1.0, 0.7, 29), Tone(1.8, 0.7, 100), Tone(2.6, 0.7, 104)]
    heard = find_notes(recording_of(tones, 3.6))
    longest = sorted(heard.notes, key=lambda note: note.start - note.end)[:4]
    assert sorted(round(note.pitch) for note in longest) == [27, 29, 100, 104]


def test_repeated_notes_are_separate() -> None:
    tones = [Tone(0.2 + 0.3 * index, 0.25, 67, decay=4, attack_s=0.005) for index in range(6)]
    assert score(tones, find_notes(recording_of(tones, 2.4))) == 1


def test_a_soft_attack_is_not_heard_late() -> None:
    tones = [tone._replace(attack_s=0.08) for tone in melody(SCALE, 0.5)]
    heard = find_notes(recording_of(tones, 4.6))
    assert [abs(note.start - tone.start) < 0.03 for note, tone in zip(heard.notes, tones, strict=True)] == [True] * 8


@pytest.mark.parametrize("cents", [-35, -20, 0, 20, 35])
def test_the_tuning_is_exact_to_three_cents(cents: int) -> None:
    tones = [tone._replace(pitch=tone.pitch + cents / 100, vibrato_cents=25) for tone in melody(SCALE, 0.5)]
    assert 100 * find_notes(recording_of(tones, 4.6)).tuning == pytest.approx(cents, abs=3)


def test_vibrato_is_one_note() -> None:
    heard = find_notes(recording_of([Tone(0.2, 1.5, 64, vibrato_cents=45)], 2))
    assert len(heard.notes) == 1
    assert heard.notes[0].pitch == pytest.approx(64, abs=0.1)


def test_every_frame_of_a_note_has_its_pitch() -> None:
    tones = melody(SCALE)
    heard = find_notes(recording_of(tones, 4))
    times = heard.track.times
    for tone in tones:
        inside = heard.pitch[(times > tone.start + 0.03) & (times < tone.start + tone.seconds - 0.03)]
        assert np.mean(np.abs(inside - tone.pitch) < 0.5) > 0.9


def noise() -> Recording:
    return Recording((0.1 * np.random.default_rng(3).standard_normal(4 * RATE)).astype(np.float32))


def click() -> Recording:
    samples = np.zeros(2 * RATE, np.float32)
    samples[RATE] = 1
    return Recording(samples)


def gliding_speech() -> Recording:
    """Syllables whose pitch never rests, as in speech."""
    return recording_of([Tone(0.1 + 0.3 * i, 0.22, 45 + 3 * (i % 3), glide=3 * (-1) ** i) for i in range(12)], 4)


@pytest.mark.parametrize("make", [noise, click, gliding_speech, lambda: Recording(np.zeros(RATE, np.float32))])
def test_no_notes_are_invented(make: Callable[[], Recording]) -> None:
    assert find_notes(make()).notes == []


def test_a_constant_offset_and_clipping_do_not_matter() -> None:
    tones = melody(SCALE)
    clean = recording_of([tone._replace(amplitude=1.5) for tone in tones], 4)
    clipped = Recording(np.clip(clean.samples, -0.9, 0.9) * 0.5 + np.float32(0.3))
    assert score(tones, find_notes(clipped)) > 0.9
