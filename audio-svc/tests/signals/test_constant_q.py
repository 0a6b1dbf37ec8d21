"""The constant-Q transform equals its definition, and follows the tuning of the recording."""

import numpy as np
import pytest

from consort_audio.signals.chroma import bass_chroma_of, chroma_of
from consort_audio.signals.constant_q import BINS, HOP, LOWEST_MIDI, constant_q, constant_q_of
from consort_audio.signals.recording import RATE, Recording
from consort_audio.signals.tuning import tuning_of
from tests.support.synthetic_music import chord_row, recorded, tone, white_noise


def definition(samples: np.ndarray, frame: int, bin_number: int) -> float:
    """Return the inner product with a windowed sinusoid, times the square root of its length."""
    hz = 440 * 2 ** ((LOWEST_MIDI + bin_number / 3 - 69) / 12)
    ratio = 2 ** (2 / 36)
    length = (ratio + 1) / (ratio - 1) * RATE / hz
    times = np.arange(-int(length / 2), int(length / 2) + 1)
    window = np.cos(np.pi * times / length) ** 2
    places = frame * HOP + times
    inside = (places >= 0) & (places < len(samples))
    part = np.where(inside, samples[np.clip(places, 0, len(samples) - 1)], 0.0)
    return float(np.sqrt(length) * abs((part * window * np.exp(-2j * np.pi * hz * times / RATE)).sum()) / window.sum())


@pytest.mark.parametrize("pitch", [30, 45, 60, 76, 88])
def test_a_tone_has_the_value_of_the_definition_in_its_bin(pitch: int) -> None:
    samples = tone(pitch, 4.0, partials=1)
    found = constant_q(samples.astype(np.float32))
    frame, place = len(found) // 2, 3 * (pitch - LOWEST_MIDI)
    assert found[frame].argmax() == place
    assert found[frame, place] == pytest.approx(definition(samples, frame, place), rel=0.02)


def test_noise_has_the_values_of_the_definition() -> None:
    samples = white_noise(4.0)
    found = constant_q(samples.astype(np.float32))
    for place in (36, 90, 150, 200):  # bins with long windows, which are filtered one octave at a time
        frames = range(60, 110, 7)
        true = [definition(samples, frame, place) for frame in frames]
        assert found[list(frames), place] == pytest.approx(true, rel=0.1, abs=0.02)


def test_frames_cover_the_recording() -> None:
    assert constant_q(np.zeros(10 * HOP, np.float32)).shape == (11, BINS)
    assert constant_q(np.zeros(0, np.float32)).shape == (1, BINS)


@pytest.mark.parametrize("cents", [-40, -12, 0, 25, 40])
def test_the_tuning_of_chords(cents: int) -> None:
    recording = recorded(chord_row([(48, 55, 64), (50, 57, 65)], 1.5, cents))
    assert 100 * tuning_of(recording) == pytest.approx(cents, abs=3)
    strongest = constant_q_of(recording).mean(axis=0).argmax()
    assert strongest % 3 == 0  # the middle of three bins


def test_the_tuning_of_silence_is_zero() -> None:
    assert tuning_of(Recording(np.zeros(RATE, np.float32))) == 0


def test_chroma_has_the_tones_of_a_chord() -> None:
    recording = recorded(chord_row([(41, 60, 64, 67)], 2.0, cents=30))
    mean = chroma_of(recording).mean(axis=0)
    assert set(np.argsort(-mean)[:4]) == {0, 4, 5, 7}
    assert bass_chroma_of(recording).mean(axis=0).argmax() == 5


def test_silent_frames_have_no_chroma() -> None:
    recording = recorded(tone(60, 1.0), silence=2.0)
    assert not chroma_of(recording)[-40:].any()
    assert not chroma_of(Recording(np.zeros(RATE, np.float32))).any()
