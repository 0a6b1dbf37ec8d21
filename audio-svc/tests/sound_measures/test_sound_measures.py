"""The nine measures of a rendered loop follow their formulas on sounds whose values are known."""

from pathlib import Path

import numpy as np
import pytest

from consort_audio.analysis.listening_task import ListeningTask
from consort_audio.analysis.sound_measures.answer import answer
from consort_audio.analysis.sound_measures.stereo import balances, hit_range, read_stereo, width_of
from consort_audio.analysis.sound_measures.swing import swing_of
from consort_audio.signals.recording import RATE, read_recording
from tests.support.audio_files import wav_bytes
from tests.support.pitch_tracking import MonoSound
from tests.support.synthetic_music import tone, white_noise

BEAT_S = 0.5


def sine(hz: float, seconds: float = 2.0, level: float = 0.2) -> MonoSound:
    return np.asarray(level * np.sin(2 * np.pi * hz * np.arange(round(seconds * RATE)) / RATE))


def clicks(times: list[float], seconds: float = 8.0) -> MonoSound:
    """Return short tones at these times."""
    sound = np.zeros(round(seconds * RATE))
    for time in times:
        hit = tone(76, 0.08, level=0.3, attack=0.002) * np.exp(-np.arange(round(0.08 * RATE)) / RATE * 30)
        sound[round(time * RATE) :][: len(hit)] += hit[: len(sound) - round(time * RATE)]
    return sound


def measured(folder: Path, left: MonoSound, right: MonoSound | None = None) -> dict[str, float]:
    """Return what the worker answers for a file."""
    path = folder / "sound.wav"
    channels = np.stack([left, left if right is None else right], axis=1)
    path.write_bytes(wav_bytes(channels.astype(np.float32), RATE))
    options = {"music_s": len(left) / RATE, "beat_s": BEAT_S}
    task = ListeningTask("measure_sound", options, [path], lambda _: read_recording(path), lambda _: None)
    return dict(answer(task)["measures"])


def test_a_band_is_compared_with_the_rest() -> None:
    mixed = sine(100, level=0.2) + sine(1000, level=0.2) + sine(5000, level=0.2)
    low, middle, high = balances(np.stack([mixed, mixed]))
    assert [low, middle, high] == pytest.approx([10 * np.log10(1 / 2)] * 3, abs=0.1)
    more_low = sine(100, level=0.4) + sine(1000, level=0.2) + sine(5000, level=0.2)
    low, middle, high = balances(np.stack([more_low, more_low]))
    assert [low, middle, high] == pytest.approx(
        [10 * np.log10(4 / 2), 10 * np.log10(1 / 5), 10 * np.log10(1 / 5)], abs=0.1
    )


def test_the_balance_of_one_band_alone_is_limited() -> None:
    assert balances(np.stack([sine(100), sine(100)])) == (40, -40, -40)


def test_width_is_the_share_of_the_difference_of_both_channels() -> None:
    one, other = white_noise(1), np.roll(white_noise(1), 5000)
    assert width_of(np.stack([one, one])) == 0
    assert width_of(np.stack([one, np.zeros(len(one))])) == pytest.approx(0.5)
    assert width_of(np.stack([one, other])) == pytest.approx(0.5, abs=0.02)
    assert width_of(np.stack([one, -one])) == pytest.approx(1)
    assert width_of(np.stack([one + 0.5 * other, one - 0.5 * other])) == pytest.approx(0.2, abs=0.02)


def test_the_dynamic_range_of_hits_is_their_share_of_the_time() -> None:
    steady = white_noise(4)
    assert hit_range(np.stack([steady, steady])) == pytest.approx(0, abs=0.7)  # noise has louder moments
    gated = steady * (np.arange(len(steady)) / RATE % 0.5 < 0.125)
    assert hit_range(np.stack([gated, gated])) == pytest.approx(10 * np.log10(4), abs=0.8)
    quiet = 0.01 * gated
    assert hit_range(np.stack([quiet, quiet])) == pytest.approx(hit_range(np.stack([gated, gated])), abs=0.01)


@pytest.mark.parametrize("amount", [0, 0.1, 0.2, 1 / 3])
@pytest.mark.parametrize("pairs", [1, 2])
def test_swing_is_the_amount_of_swing_by_for_eighths_and_sixteenths(amount: float, pairs: int) -> None:
    pair_s = BEAT_S / pairs
    starts = np.arange(16) * pair_s
    late = starts + pair_s * (0.5 + amount / 2)
    onsets = sorted([*(starts + 0.008), *(late + 0.008)])  # a constant delay does not matter
    assert swing_of(onsets, BEAT_S) == pytest.approx(amount, abs=0.001)


def test_triplets_and_lone_beats_do_not_swing() -> None:
    thirds = [beat * BEAT_S + third * BEAT_S / 3 for beat in range(16) for third in range(3)]
    assert swing_of(thirds, BEAT_S) == 0
    assert swing_of([beat * BEAT_S for beat in range(16)], BEAT_S) == 0
    assert swing_of([], BEAT_S) == 0


@pytest.mark.parametrize("amount", [0, 1 / 3])
def test_swing_and_density_are_heard_in_sound(tmp_path: Path, amount: float) -> None:
    times = [beat * BEAT_S + part for beat in range(15) for part in (0.02, 0.02 + BEAT_S * (0.5 + amount / 2))]
    found = measured(tmp_path, clicks(times))
    assert found["swing"] == pytest.approx(amount, abs=0.03)
    assert found["onset_density"] == pytest.approx(30 / 8, rel=0.04)


def test_loudness_and_brightness_of_a_sine(tmp_path: Path) -> None:
    found = measured(tmp_path, sine(997, level=0.1))
    assert found["loudness"] == pytest.approx(-20, abs=0.1)  # -3.01 LUFS for full scale in each of two channels
    assert found["brightness"] == pytest.approx(997, rel=0.02)
    assert found["mid_balance"] == 40


def test_silence_has_no_measures(tmp_path: Path) -> None:
    assert measured(tmp_path, np.zeros(2 * RATE)) == {}


def test_one_channel_is_read_as_two_equal_ones(tmp_path: Path) -> None:
    path = tmp_path / "mono.wav"
    path.write_bytes(wav_bytes(sine(440).astype(np.float32), RATE))
    assert width_of(read_stereo(path)) == 0
