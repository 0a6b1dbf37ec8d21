"""Loudness, range, peaks, swells and clipping of sounds whose level is known."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from consort_audio.analysis.dynamics.answer import answer
from consort_audio.analysis.dynamics.models import DynamicsAnswer
from consort_audio.signals.recording import RATE, read_recording
from tests.support.audio_files import melody, write_audio
from tests.support.bs1770 import integrated_loudness
from tests.support.pitch_tracking import MonoSound
from tests.support.synthetic_music import melody_row, recorded


def notes(count: int) -> MonoSound:
    """Return even notes of half a second."""
    return melody_row([(60 + step % 5, 0.5) for step in range(count)])


def at_levels(sound: MonoSound, points: Sequence[tuple[float, float]]) -> MonoSound:
    """Return a sound whose level follows a curve: pairs of seconds and dB, joined by lines."""
    times, levels = zip(*points, strict=True)
    return np.asarray(sound * 10 ** (np.interp(np.arange(len(sound)) / RATE, times, levels) / 20))


def test_average_loudness_is_that_of_bs1770(tmp_path: Path) -> None:
    signal = melody(4.0, 44_100)
    found = answer(read_recording(write_audio(tmp_path / "a.flac", signal, 44_100)), {})
    DynamicsAnswer(**found)
    assert found["average_loudness"] == pytest.approx(integrated_loudness(signal.astype(np.float64), 44_100), abs=0.15)


def test_an_even_sound_is_consistent() -> None:
    found = answer(recorded(notes(16)), {})
    assert found["is_consistent"]
    assert found["dynamic_range"] < 2
    assert (found["peaks"], found["changes"], found["problems"]) == ([], [], [])
    assert found["confidence"] == 1


@pytest.mark.parametrize("difference", [10, 16])
def test_the_range_is_the_distance_of_loud_and_soft_passages(difference: int) -> None:
    levels = [(0, 0), (5.99, 0), (6, -difference), (12, -difference)]
    found = answer(recorded(at_levels(notes(24), levels)), {})
    assert found["dynamic_range"] == pytest.approx(difference, abs=1.5)
    assert not found["is_consistent"]
    assert found["changes"] == []  # a sudden change is no crescendo


def test_a_loud_note_is_a_peak() -> None:
    sound = at_levels(notes(16), [(0, -12), (3.99, -12), (4, 0), (4.49, 0), (4.5, -12), (8, -12)])
    (peak,) = answer(recorded(sound), {})["peaks"]
    assert peak["time"] == pytest.approx(4.25, abs=0.3)
    assert peak["amplitude"] == pytest.approx(20 * np.log10(np.abs(sound).max()), abs=0.2)


def test_a_crescendo_and_a_diminuendo() -> None:
    sound = at_levels(notes(24), [(0, -18), (2, -18), (6, 0), (7, 0), (11, -18), (12, -18)])
    rising, falling = answer(recorded(sound), {})["changes"]
    assert (rising["kind"], falling["kind"]) == ("crescendo", "diminuendo")
    assert (rising["start"], rising["end"]) == pytest.approx((2, 6), abs=1.2)
    assert (falling["start"], falling["end"]) == pytest.approx((7, 11), abs=1.2)
    assert rising["change_db"] == pytest.approx(18, abs=2)
    assert falling["change_db"] == pytest.approx(-18, abs=2)


def test_a_note_that_dies_away_is_no_diminuendo() -> None:
    sound = at_levels(melody_row([(60, 6.0)]), [(0, 0), (6, -28)])
    assert answer(recorded(sound), {})["changes"] == []


def test_clipping_is_a_problem_with_its_place() -> None:
    sound = notes(16)
    sound[2 * RATE : 3 * RATE] *= 10
    (problem,) = answer(recorded(np.clip(sound, -1, 1)), {})["problems"]
    assert (problem["kind"], problem["severity"]) == ("clipping", "major")
    assert (problem["start"], problem["end"]) == pytest.approx((2, 3), abs=0.1)


def test_silence_has_no_loudness() -> None:
    found = answer(recorded(np.zeros(2 * RATE)), {})
    DynamicsAnswer(**found)
    assert (found["average_loudness"], found["confidence"], found["peaks"]) == (None, 0, [])
