"""The installed networks hear what synthetic sounds contain, at the right time; without models there is no answer."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from consort_audio.neural.beat_network import beat_activations
from consort_audio.neural.chord_network import chord_log_probabilities
from consort_audio.neural.note_posteriors import LOWEST_PITCH, note_posteriors
from consort_audio.neural.piano_notes import transcribe_piano
from consort_audio.neural.sessions import session, weights
from consort_audio.neural.voice_pitch import voice_pitch
from consort_audio.signals.recording import RATE, Recording

pytestmark = pytest.mark.usefixtures("_models")


@pytest.fixture
def _models() -> None:
    if session("swift-f0") is None:
        pytest.skip("the listening models are not installed: ./consort up installs them")


def plucked(pitch: float, seconds: float) -> NDArray[np.float64]:
    """Return a tone with six harmonics that decays like a string."""
    time = np.arange(round(seconds * RATE)) / RATE
    hz = 440 * 2 ** ((pitch - 69) / 12)
    tone: NDArray[np.float64] = sum(0.3 / n * np.sin(2 * np.pi * n * hz * time) for n in range(1, 7)) * np.exp(
        -3 * time
    )
    return tone


def notes_at(starts_and_pitches: list[tuple[float, float]], seconds: float) -> Recording:
    samples = np.zeros(round((seconds + 2) * RATE))
    for start, pitch in starts_and_pitches:
        first = round(start * RATE)
        tone = plucked(pitch, 1.0)
        samples[first : first + len(tone)] += tone
    return Recording(samples[: round(seconds * RATE)].astype(np.float32))


def test_the_pitch_of_a_voice() -> None:
    time = np.arange(32 * RATE) / RATE
    hz = 330 * 2 ** (0.5 / 12 * np.sin(2 * np.pi * time / 20))  # a slow glide; 32 s are more than one part
    samples = 0.3 * np.sin(2 * np.pi * np.cumsum(hz) / RATE) + 0.1 * np.sin(4 * np.pi * np.cumsum(hz) / RATE)
    found = voice_pitch(Recording(samples.astype(np.float32)))
    assert found is not None
    inside = (found.times > 0.2) & (found.times < 31.8)
    true = np.interp(found.times, time, hz)
    cents = 1200 * np.log2(found.hz / true)[inside]
    assert np.abs(cents).max() < 15
    assert found.confidence[inside].min() > 0.5


def test_silence_has_no_pitch() -> None:
    found = voice_pitch(Recording(np.zeros(RATE, np.float32)))
    assert found is not None
    assert not found.confidence.any()


def test_notes_have_the_right_time_also_after_many_windows() -> None:
    notes = [(0.5, 48), (5.13, 64), (11.9, 55)]
    found = note_posteriors(notes_at([(start, pitch) for start, pitch in notes], 13))
    assert found is not None
    for start, pitch in notes:
        column = pitch - LOWEST_PITCH
        near = np.abs(found.times - start) < 0.3
        peak = found.times[near][found.onset[near, column].argmax()]
        assert abs(peak - start) < 0.025
        sounding = (found.times > start + 0.1) & (found.times < start + 0.3)
        assert found.note[sounding].mean(axis=0).argmax() == column
        assert found.contour[sounding].mean(axis=0).argmax() == 1 + 3 * column


def test_clicks_are_beats() -> None:
    starts = np.arange(0.4, 40, 0.5)
    found = beat_activations(notes_at([(start, 60 if n % 4 else 48) for n, start in enumerate(starts)], 40))
    assert found is not None
    assert found.shape == (2000, 2)
    either = found.sum(axis=1)
    late = either[750:1950]  # the network needs some bars; 750 frames are one boundary of its parts before
    phase = (np.arange(750, 1950) / 50 - 0.4) % 0.5
    on_beat = np.minimum(phase, 0.5 - phase) < 0.045
    assert late[on_beat].max(initial=0) > 0.5
    assert late[on_beat].mean() > 3 * late[~on_beat].mean()


def test_the_mean_of_several_beat_networks() -> None:
    recording = notes_at([(0.5 * n, 60) for n in range(8)], 4)
    each = [beat_activations(recording, [number]) for number in (1, 2, 3)]
    together = beat_activations(recording, [1, 2, 3])
    assert together is not None
    np.testing.assert_allclose(together, np.mean([one for one in each if one is not None], axis=0), atol=1e-6)


def chord_spectrum(pitches: list[int], frames: int) -> NDArray[np.float32]:
    """Return a constant-Q spectrum with 36 bins per octave from F#0 in which these notes and their harmonics sound."""
    spectrum = np.full((frames, 288), 1e-3)
    for pitch in pitches:
        for number in range(1, 7):
            position = 3 * (pitch - 18 + 12 * np.log2(number))
            spectrum += 0.5 / number * np.exp(-0.5 * ((np.arange(288) - position) / 0.8) ** 2)
    return spectrum.astype(np.float32)


@pytest.mark.parametrize(("root", "third", "kind"), [(7, 4, 0), (2, 3, 1)])
def test_major_and_minor_chords(root: int, third: int, kind: int) -> None:
    spectrum = chord_spectrum([36 + root, 48 + root, 48 + root + third, 55 + root, 60 + root], 200)
    spectrum[100:] = chord_spectrum([36, 60, 64, 67], 100)  # something else, because the network needs contrast
    found = chord_log_probabilities(spectrum, range(5))
    assert found is not None
    for part in found:
        np.testing.assert_allclose(np.exp(part).sum(axis=1), 1, atol=1e-4)
    assert np.exp(found.triad[20:80]).mean(axis=0).argmax() == 1 + 12 * kind + root
    assert np.exp(found.bass[20:80]).mean(axis=0).argmax() == 1 + root


def test_a_long_recording_is_read_in_windows() -> None:
    period = np.concatenate([chord_spectrum([48, 52, 55], 100), chord_spectrum([43, 47, 50], 100)])
    spectrum = np.tile(period, (20, 1))  # 93 s
    found = chord_log_probabilities(spectrum)
    assert found is not None
    assert len(found.triad) == len(spectrum)
    best = found.triad.argmax(axis=1).reshape(20, 200)
    middle = best[2:-2, [30, 50, 70, 130, 150, 170]]
    assert (middle == [1, 1, 1, 8, 8, 8]).mean() > 0.95


def test_a_spectrum_with_other_bins_is_refused() -> None:
    with pytest.raises(ValueError, match="288"):
        chord_log_probabilities(np.zeros((10, 252), np.float32))


def test_without_models_there_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONSORT_AUDIO_MODELS", str(tmp_path))
    recording = Recording(np.zeros(RATE, np.float32))
    assert session("swift-f0") is None
    assert weights("transkun") is None
    assert voice_pitch(recording) is None
    assert note_posteriors(recording) is None
    assert beat_activations(recording) is None
    assert chord_log_probabilities(np.zeros((10, 288), np.float32)) is None
    assert transcribe_piano(np.zeros(44_100, np.float32)) is None


@pytest.mark.parametrize("count", [0, 1, 255, 300])
def test_almost_nothing_is_no_error(count: int) -> None:
    recording = Recording(np.full(count, 0.1, np.float32))
    for found in (voice_pitch(recording), note_posteriors(recording)):
        assert found is not None
        assert len(found.times) <= 1
    activations = beat_activations(recording)
    assert activations is not None and np.isfinite(activations).all()
    chords = chord_log_probabilities(np.zeros((min(count, 1), 288), np.float32))
    assert chords is not None and np.isfinite(chords.triad).all()
