"""The pitch of a note is measured by its partials too, so that the beats of a choir are no wrong tuning."""

import numpy as np
import pytest

from consort_audio.comparison.take.one_voice.pitches.partial_centres import pitch_by_partials
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import RATE, Recording, recording_from_samples

PITCH = 60.0


def voices(cents: list[float], seconds: float, pitch: float = PITCH) -> Recording:
    """Return a note that several voices sing, each with its own tuning, after a short rest."""
    times = np.arange(round(seconds * RATE)) / RATE
    sound = np.zeros(len(times))
    for place, each in enumerate(cents):
        hertz = 440 * 2 ** ((pitch + each / 100 - 69) / 12)
        sound += sum(np.sin(2 * np.pi * hertz * number * times + place) / number for number in range(1, 7))
    rest = np.zeros(round(0.1 * RATE))
    return recording_from_samples(np.concatenate([rest, 0.1 * sound, rest]).astype(np.float32), RATE)


def measured(cents: list[float], seconds: float, pitch: float = PITCH) -> float | None:
    note = PlayedNote(0.1, 0.1 + seconds, pitch, 1.0)
    found = pitch_by_partials(voices(cents, seconds, pitch), note, pitch)
    return None if found is None else 100 * (found - pitch)


@pytest.mark.parametrize("cents", [-45.0, -20.0, 0.0, 20.0, 45.0])
def test_the_tuning_of_one_voice_is_measured(cents: float) -> None:
    assert measured([cents], 0.5) == pytest.approx(cents, abs=3)


def test_the_tuning_of_a_choir_is_the_mean_of_its_voices() -> None:
    assert measured([-25.0, -5.0, 10.0, 20.0], 0.5) == pytest.approx(0.0, abs=6)


def test_a_choir_that_is_flat_is_heard_to_be_flat() -> None:
    assert measured([-60.0, -45.0, -30.0], 0.5) == pytest.approx(-45.0, abs=6)


def test_the_higher_partials_of_a_short_low_note_are_measured() -> None:
    assert measured([40.0], 0.2, pitch=43.0) == pytest.approx(40.0, abs=6)


def test_a_note_that_is_too_short_has_no_such_pitch() -> None:
    assert measured([0.0], 0.004) is None
