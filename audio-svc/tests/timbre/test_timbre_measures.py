"""The measures of timbre follow their formulas on tones and noise with known spectra and attacks."""

import numpy as np
import pytest

from consort_audio.analysis.timbre.answer import answer
from consort_audio.analysis.timbre.measure import attack_times, measure_timbre
from consort_audio.analysis.timbre.models import TimbreAnswer
from consort_audio.signals.recording import RATE
from tests.support.synthetic_music import recorded, tone, white_noise


def pitch_of(hz: float) -> float:
    return float(69 + 12 * np.log2(hz / 440))


@pytest.mark.parametrize(("hz", "brightness", "warmth"), [(220, 0.028, 1), (440, 0.228, 1), (3200, 0.8, 0)])
def test_a_sine(hz: float, brightness: float, warmth: float) -> None:
    found = measure_timbre(recorded(tone(pitch_of(hz), 3.0, partials=1)))
    assert found is not None
    assert found.spectral_centroid == pytest.approx(hz, rel=0.02)
    assert found.brightness == pytest.approx(brightness, abs=0.01)
    assert found.warmth == pytest.approx(warmth, abs=0.02)
    assert found.harmonic_ratio > 0.98


def test_the_centroid_of_a_saw() -> None:
    found = measure_timbre(recorded(tone(pitch_of(220), 3.0, partials=40)))
    assert found is not None
    amplitudes = 1 / np.arange(1, 41)
    assert found.spectral_centroid == pytest.approx(220 * 40 / amplitudes.sum(), rel=0.03)
    assert found.warmth == pytest.approx(amplitudes[:4].sum() / amplitudes.sum(), abs=0.03)
    assert found.harmonic_ratio > 0.95


def test_noise_is_bright_and_not_harmonic() -> None:
    found = measure_timbre(recorded(white_noise(3.0)))
    assert found is not None
    assert found.spectral_centroid == pytest.approx(RATE / 4, rel=0.02)
    assert found.harmonic_ratio < 0.06


def test_noise_lowers_the_harmonic_ratio_by_its_share() -> None:
    sound = tone(60, 3.0, partials=1, level=0.2)
    found = measure_timbre(recorded(sound + white_noise(3.0, level=0.2 / np.sqrt(2))))  # the same power as the tone
    assert found is not None
    assert found.harmonic_ratio == pytest.approx(0.5, abs=0.06)


@pytest.mark.parametrize("attack", [0.02, 0.05, 0.1, 0.2, 0.3])
def test_the_attack_is_the_rise_from_10_to_90_percent(attack: float) -> None:
    notes = [np.append(tone(64, 0.7, attack=attack), np.zeros(RATE // 4)) for _ in range(5)]
    found = attack_times(recorded(np.concatenate([np.zeros(RATE // 4), *notes])))
    assert len(found) >= 4
    assert np.median(found) == pytest.approx(0.8 * attack, abs=0.012)


def test_the_answer_in_words() -> None:
    found = answer(recorded(np.concatenate([tone(84, 0.5, attack=0.15) for _ in range(8)])), {})
    TimbreAnswer(**found)
    assert "soft attack" in found["description"]
    assert found["confidence"] == 1


def test_silence_has_no_timbre() -> None:
    found = answer(recorded(np.zeros(RATE)), {})
    TimbreAnswer(**found)
    assert found["confidence"] == 0
    assert {found[name] for name in ("brightness", "warmth", "attack_time", "spectral_centroid", "harmonic_ratio")} == {
        None
    }
