"""Chords change where bars begin; which beat that is, and how fast the beats are, is chosen with the chords."""

import numpy as np
import pytest

from consort_audio.analysis.chords.change_scores import BAR, BEAT, MIDDLE, NO_BEAT, OFF_BEAT, change_scores
from consort_audio.analysis.chords.chord_path import best_path, path_score
from consort_audio.analysis.tempo.track import BeatTrack
from consort_audio.signals.constant_q import FRAME_RATE

SECONDS = 16.0
FRAMES = round(SECONDS * FRAME_RATE)


def track(beat_s: float, first_downbeat: int = 0, beats_per_bar: int = 4, confidence: float = 0.9) -> BeatTrack:
    beats = np.arange(0.0, SECONDS, beat_s).tolist()
    downbeats = beats[first_downbeat::beats_per_bar]
    return BeatTrack(beats, downbeats, beats_per_bar, 60 / beat_s, confidence, 0.8, [], "test")


def at(curve: np.ndarray, seconds: float) -> float:
    return float(curve[round(seconds * FRAME_RATE)])


def test_changes_are_likeliest_where_bars_begin() -> None:
    curve = change_scores(FRAMES, track(0.5, first_downbeat=1))[0]
    assert [at(curve, 2.5 + beat) for beat in (0, 0.5, 1, 1.5)] == [BAR, BEAT, MIDDLE, BEAT]
    assert at(curve, 0.0) == BEAT  # the last beat of the bar before the first downbeat
    assert at(curve, 2.75) == OFF_BEAT


def test_slow_beats_are_also_divided() -> None:
    slow, fast = (change_scores(FRAMES, track(beat_s)) for beat_s in (0.8, 0.5))
    assert any(at(curve, 3.6) > OFF_BEAT for curve in slow[:-1])
    assert all(at(curve, 3.75) == OFF_BEAT for curve in fast[:-1])


@pytest.mark.parametrize("known", [track(0.5, confidence=0.2), track(6.0)], ids=["uncertain beat", "few beats"])
def test_without_a_beat_changes_cost_the_same_everywhere(known: BeatTrack) -> None:
    (curve,) = change_scores(FRAMES, known)
    assert set(curve.tolist()) == {NO_BEAT}


@pytest.mark.parametrize("heard_downbeat", [0, 1, 2, 3])
def test_the_bars_are_placed_by_the_chords(heard_downbeat: int) -> None:
    """The chords change every two seconds, from 1.0 s on, and hardly differ in the half second around the change."""
    times = np.arange(FRAMES) / FRAME_RATE
    own = np.floor((times - 1.0) / 2.0).astype(int) % 2
    sure = np.abs((times - 1.0 + 1.0) % 2.0 - 1.0) > 0.25
    scores = np.zeros((FRAMES, 2), np.float32)
    scores[np.arange(FRAMES), own] = np.where(sure, 1.0, 0.0)
    entering = np.zeros(2, np.float32)
    curves = change_scores(FRAMES, track(0.5, first_downbeat=heard_downbeat))
    paths = [best_path(scores, curve, entering) for curve in curves]
    totals = [path_score(scores, curve, entering, path) for curve, path in zip(curves, paths, strict=True)]
    changes = np.flatnonzero(np.diff(paths[int(np.argmax(totals))])) + 1
    assert changes / FRAME_RATE == pytest.approx(np.arange(1.0, SECONDS, 2.0), abs=0.05)
