"""Track the beats of a recording: `track_beats`, which other analyses use too.

The most probable reading (see `readings`) gives the beats. Each is moved to the nearest peak of the onset strength
within 40 ms, less `PEAK_LATENCY_S`. Beats before the first beat with an onset, and after the last one (a held chord),
continue the tempo there. Beats before the first sound and after the last one are left out.
"""

from bisect import bisect_left, bisect_right
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.tempo.bars import downbeat_evidence, find_bars
from consort_audio.analysis.tempo.beat_activation import beat_activation
from consort_audio.analysis.tempo.beat_path import FRAMES_PER_SECOND
from consort_audio.analysis.tempo.confidence import metre_confidence, tempo_confidence
from consort_audio.analysis.tempo.reading_features import sound_of
from consort_audio.analysis.tempo.readings import find_readings, rank_readings
from consort_audio.analysis.tempo.tempo_segments import tempo_parts
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.onset_strength import FRAMES_PER_SECOND as STRENGTH_RATE
from consort_audio.signals.onset_strength import OnsetStrength, onset_strength
from consort_audio.signals.recording import Recording

LEAST_BEATS = 4
SHORTEST_S = 2.0
"""A shorter recording has no tempo."""
SILENCE = 1e-3
"""A recording whose loudest window has a lower root mean square (-60 dBFS) has no tempo."""
PEAK_LATENCY_S = 0.01
REFINE_S = 0.04
LEAST_ONSET = 0.2
"""A beat has an onset if its peak is at least this share of the usual one."""
CONTINUED_FROM = 8
"""The tempo of beats without an onset at the start or the end is that of so many beats beside them."""
LEAST_ALTERNATIVE = 0.05
"""Readings less probable than this are not mentioned."""
AT_BEAT = 0.1
"""In beats: about how exactly notes are heard and played."""
_AUDIBLE = 0.03
"""The level, relative to the loudest, from which on there is sound (-30 dB)."""
WITH_NETWORK = "BeatNet and onset strength, hidden Markov model"
PLAIN = "onset strength, hidden Markov model"


class BeatTrack(NamedTuple):
    beats: list[float]
    """Times in seconds; empty if no beat can be heard."""
    downbeats: list[float]
    """The beats that begin a bar."""
    beats_per_bar: int | None
    bpm: float | None
    """In beats per minute: of the steady tempo, or the median."""
    confidence: float
    """The probability that `bpm` is right within 4%."""
    metre_confidence: float
    """The probability that a downbeat is right."""
    alternatives: list[float]
    """Other tempos that the same music may have, the likeliest first."""
    method: str

    def position(self, seconds: float) -> tuple[int, float] | None:
        """Return the bar and the beat in it, both counted from 1, of a time. See `place`.

        A time at most `AT_BEAT` from a beat is at the beat: a note heard just before a bar line begins the new bar.
        """
        if len(self.beats) < 2:
            return None
        number = self.beat_number(seconds)
        nearest = round(number)
        return self.place(float(nearest) if abs(number - nearest) <= AT_BEAT else number)

    def beat_number(self, seconds: float) -> float:
        """Return how many beats after the first beat a time is; between beats, and outside, by their distance."""
        index = int(np.clip(bisect_right(self.beats, seconds) - 1, 0, len(self.beats) - 2))
        length = self.beats[index + 1] - self.beats[index]
        return index + (seconds - self.beats[index]) / length

    def place(self, beat_number: float) -> tuple[int, float] | None:
        """Return the bar and the beat in it of a place in beats after the first one. The first downbeat begins bar 1,
        beats before it are in bar 0 (a pick-up). None if no bars are known."""
        if not self.downbeats:
            return None
        before = int(np.clip(np.floor(beat_number + 1e-6), 0, len(self.beats) - 1))
        bar = bisect_right(self.downbeats, self.beats[before]) if beat_number > -1e-6 else 0
        if bar == 0:
            first = bisect_left(self.beats, self.downbeats[0])
            return 0, (self.beats_per_bar or 4) - (first - beat_number) + 1
        return bar, beat_number - bisect_left(self.beats, self.downbeats[bar - 1]) + 1


def track_beats(recording: Recording, bpm_hint: float | None = None) -> BeatTrack:
    """Return the beats of a recording, computed once per hint."""
    return recording.feature(f"beats at {bpm_hint}", lambda it: _track(it, bpm_hint))


def _track(recording: Recording, bpm_hint: float | None) -> BeatTrack:
    strength = onset_strength(recording)
    if recording.duration < SHORTEST_S or strength.level.max() < SILENCE or strength.rise.max() < 1e-3:
        return _nothing(PLAIN)
    activation = beat_activation(recording)
    has_network = activation.network_beats is not None
    method = WITH_NETWORK if has_network else PLAIN
    readings = find_readings(sound_of(recording, activation), bpm_hint)
    if not readings:
        return _nothing(method)
    (best, chance), *others = rank_readings(readings, has_network)
    beats = _refined(best.frames / FRAMES_PER_SECOND, strength)
    if len(beats) < LEAST_BEATS:
        return _nothing(method)
    bars = find_bars(downbeat_evidence(recording, beats, activation.network_downbeats))
    return BeatTrack(
        beats=beats.tolist(),
        downbeats=beats[bars.downbeats].tolist(),
        beats_per_bar=bars.beats_per_bar,
        bpm=_tempo(beats),
        confidence=tempo_confidence(chance, activation, best.frames, bpm_hint is not None),
        metre_confidence=metre_confidence(bars),
        alternatives=[other.bpm for other, likely in others if likely >= LEAST_ALTERNATIVE],
        method=method,
    )


def _nothing(method: str) -> BeatTrack:
    return BeatTrack([], [], None, None, 0.0, 0.0, [], method)


def _tempo(beats: Numbers) -> float:
    parts = tempo_parts(beats)
    return parts[0].bpm if len(parts) == 1 else float(60 / np.median(np.diff(beats)))


def _refined(times: Numbers, strength: OnsetStrength) -> Numbers:
    """Return the beats at their onsets, without those in silence."""
    audible = np.flatnonzero(strength.level > _AUDIBLE * strength.level.max())
    first, last = audible[0] / STRENGTH_RATE, audible[-1] / STRENGTH_RATE
    reach = round(REFINE_S * STRENGTH_RATE)
    offsets = np.arange(-reach, reach + 1)
    index = np.clip(np.round(times * STRENGTH_RATE).astype(int)[:, None] + offsets, 0, len(strength.rise) - 1)
    nearness = 1 - 0.5 * np.abs(offsets) / (reach + 1)
    heights = strength.rise[index] * nearness
    moved = times + offsets[heights.argmax(axis=1)] / STRENGTH_RATE
    highest = heights.max(axis=1)
    is_clear = highest > 3 * float(np.median(strength.rise)) + 1e-3
    has_onset = is_clear & (highest > LEAST_ONSET * float(np.median(highest)))
    found = _continued(np.where(is_clear, moved, times) - PEAK_LATENCY_S, has_onset)
    found = np.maximum.accumulate(np.maximum(found[found > -REFINE_S], 0))
    length = float(np.median(np.diff(times))) if len(times) > 1 else 0.5
    inside = (found > first - 0.5 * length) & (found < last + 0.25 * length) & (np.diff(found, prepend=-1) > 0.1)
    return np.asarray(found[inside])


def _continued(beats: Numbers, has_onset: NDArray[np.bool_]) -> Numbers:
    """Return the beats with those before the first onset and after the last one at the tempo beside them."""
    sounding = np.flatnonzero(has_onset)
    if len(sounding) < LEAST_BEATS:
        return beats
    first, last = int(sounding[0]), int(sounding[-1])
    span = min(CONTINUED_FROM, last - first)
    before = (beats[first + span] - beats[first]) / span
    after = (beats[last] - beats[last - span]) / span
    return np.concatenate(
        [
            beats[first] - before * np.arange(first, 0, -1),
            beats[first : last + 1],
            beats[last] + after * np.arange(1, len(beats) - last),
        ]
    )
