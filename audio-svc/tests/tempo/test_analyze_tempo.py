"""The engine of analyze_tempo on sounds whose beats are known."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from consort_audio.analysis.tempo.answer import answer
from consort_audio.analysis.tempo.models import TempoAnswer
from consort_audio.analysis.tempo.track import PLAIN, BeatTrack, track_beats
from consort_audio.signals.recording import RATE, Recording
from tests.support.synthetic_music import recorded, tone
from tests.support.timed_tones import timed_tones


@pytest.fixture(params=["installed models", "no models"])
def models(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    if request.param == "no models":
        monkeypatch.setenv("CONSORT_AUDIO_MODELS", str(tmp_path))
    return str(request.param)


@pytest.mark.parametrize("bpm", [66, 84, 118])
def test_a_steady_bass_and_melody_has_its_tempo_and_bars(bpm: float, models: str) -> None:
    beats = 0.4 + 60 / bpm * np.arange(28)
    recording = timed_tones(beats, strong_every=4)
    found = answer(recording, {"include_beats": True, "bpm_hint": bpm})
    TempoAnswer(**found)
    assert abs(found["bpm"] / bpm - 1) < 0.01
    assert found["is_steady"]
    assert found["steadiness"] > 0.95
    assert [change["time"] for change in found["tempo_changes"]] == [0]
    assert found["beats_per_bar"] == 4
    near = np.abs(beats[:, None] - np.array(found["beats"])).min(axis=1)
    assert near[1:-1].max() < 0.04
    assert abs(found["first_downbeat"] - 0.4) < 0.05
    assert (found["method"] == PLAIN) == (models == "no models")


def test_without_a_hint_the_tempo_or_one_of_the_alternatives_is_right() -> None:
    found = answer(timed_tones(0.4 + 0.6 * np.arange(28), strong_every=4), {})
    assert min(abs(bpm / 100 - 1) for bpm in (found["bpm"], *found["bpm_alternatives"])) < 0.02
    assert "beats" not in found


def test_the_hint_chooses_between_half_and_double() -> None:
    recording = timed_tones(0.4 + 0.35 * np.arange(40))
    for hint in (60 / 0.35, 30 / 0.35):
        assert abs(answer(recording, {"bpm_hint": hint})["bpm"] / hint - 1) < 0.03


def test_a_change_of_10_percent_is_found_within_a_bar() -> None:
    intervals = np.r_[np.full(16, 0.5), np.full(18, 0.5 / 1.1)]
    beats = 0.5 + np.r_[0, np.cumsum(intervals)]
    found = answer(timed_tones(beats, strong_every=4), {"bpm_hint": 120})
    first, second = found["tempo_changes"]
    assert abs(second["time"] - beats[16]) < 4 * 0.5
    assert abs(first["bpm"] - 120) < 2 and abs(second["bpm"] - 132) < 2
    assert abs(second["bar"] - 5) <= 1
    assert not found["is_steady"]


def test_position_counts_bars_and_beats_from_1() -> None:
    beats = 0.4 + 0.5 * np.arange(28)
    track = track_beats(timed_tones(beats, strong_every=4), 120)
    bar, beat = track.position(beats[9]) or (0, 0.0)
    assert (bar, round(beat)) == (3, 2)
    bar, beat = track.position(beats[9] + 0.25) or (0, 0.0)
    assert bar == 3 and abs(beat - 2.5) < 0.1


@pytest.mark.parametrize("beats_per_bar", [2, 3, 4])
@pytest.mark.parametrize("early_s", [0.0, 0.01, 0.04])
def test_a_note_heard_just_before_the_bar_line_begins_the_new_bar(beats_per_bar: int, early_s: float) -> None:
    beats = (0.5 + 0.5 * np.arange(16)).tolist()
    track = BeatTrack(beats, beats[1::beats_per_bar], beats_per_bar, 120, 0.9, 0.9, [], "test")
    for bar, downbeat in enumerate(track.downbeats, start=1):
        assert track.position(downbeat - early_s) == (bar, 1)
    assert track.position(beats[0] - early_s) == (0, beats_per_bar)
    bar, beat = track.position(beats[2] + 0.25 - early_s) or (0, 0.0)
    assert bar == 1 and beat == pytest.approx(2.5 - early_s / 0.5)


@pytest.mark.parametrize(
    ("name", "samples"),
    [
        ("silence", np.zeros(5 * RATE)),
        ("nearly silent noise", 1e-5 * np.random.default_rng(0).standard_normal(5 * RATE)),
        ("one click", np.eye(1, 4 * RATE, 2 * RATE)[0]),
        ("half a second", 0.1 * np.random.default_rng(0).standard_normal(RATE // 2)),
        ("one sample", np.ones(1)),
        ("nothing", np.zeros(0)),
    ],
)
def test_what_has_no_beat_has_no_tempo(name: str, samples: NDArray[np.float64]) -> None:
    found = answer(Recording(samples.astype(np.float32)), {})
    TempoAnswer(**found)
    assert "bpm" not in found and found["confidence"] == 0 and found["tempo_changes"] == []


@pytest.mark.parametrize("kind", ["noise", "held tone", "clipped tone"])
def test_confidence_is_low_where_no_beat_can_be_heard(kind: str) -> None:
    times = np.arange(8 * RATE) / RATE
    tone = np.sin(2 * np.pi * 220 * times)
    sounds = {
        "noise": 0.1 * np.random.default_rng(0).standard_normal(len(times)),
        "held tone": 0.3 * tone,
        "clipped tone": np.clip(5 * tone, -1, 1),
    }
    assert answer(Recording(sounds[kind].astype(np.float32)), {})["confidence"] < 0.4


def test_the_tempo_goes_on_through_a_held_last_note() -> None:
    period = 0.7
    moving = timed_tones(0.3 + period * np.arange(20), strong_every=4).samples[: round((0.3 + 20 * period) * RATE)]
    recording = recorded(np.concatenate([moving, tone(57, 5.0, level=0.2)]))
    found = answer(recording, {"bpm_hint": 60 / period, "include_beats": True})
    assert found["is_steady"]
    late = np.array([beat for beat in found["beats"] if beat > 0.3 + 21.5 * period])
    steps = (late - 0.3) / period
    assert len(late) >= 4
    assert np.abs(steps - np.round(steps)).max() < 0.06
