"""Find the place in the music of each group of played notes, by the Viterbi algorithm.

The score of a path is the sum of these, in units of one note played right:

    MATCH     a played note has an expected pitch at this place
    WRONG     it has another pitch; OCTAVE if it is the right note in another octave
    MISSING   an expected note is left out
    EXTRA     a played group has no place; SPLIT if it repeats the pitch of the place
    JUMP      the place changes otherwise; less after a pause, least if the player then goes back a few notes
    timing    up to TIMING, if the time since the last place differs from the tempo so far

The tempo is that of the best path to each state: it follows the intervals slowly. This is a greedy approximation, since
a Viterbi state should not remember more than the place; it works because paths that differ in tempo differ in place.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.comparison.align.onset_groups import OnsetGroup
from consort_audio.signals.arrays import Numbers
from consort_music.errors import MusicError

MATCH, OCTAVE, WRONG = 1.0, -0.1, -0.55
MISSING, EXTRA, SPLIT = 0.75, 0.75, 0.35
JUMP, JUMP_AFTER_PAUSE, RESTART_AFTER_PAUSE, END = 3.5, 2.5, 1.2, 2.5
TIMING, _TIMING_WIDTH = 0.9, 0.5
_PAUSE_S, _PAUSE = 0.3, 1.35
"""A pause is an interval that is longer than expected by so many seconds and by this factor."""
_SHORT_WAY = 8
"""Players usually go back at most so many groups."""
_NEAR = 4
"""Up to this many places ahead are compared by time."""
_FOLLOW, _MOST_FOLLOW = 0.25, 0.3
_ROLL_S = 0.16
"""A group that follows so soon may belong to the same chord."""
_HEAVIEST_GROUP = 3.0
MOST_CELLS = 24_000_000
_ADVANCE, _SKIP, _JUMP, _EXTRA, _STAY, _BEGIN = range(6)


class PathStep(NamedTuple):
    """Where a played group is in the music."""

    place: int | None
    """The index of the expected group, or None if the played group has no place."""
    is_jump: bool
    is_same: bool
    """Whether the group before has the same place: a chord that is not played together."""


class Path(NamedTuple):
    steps: list[PathStep]
    score: float


def find_path(
    expected: Sequence[OnsetGroup], played: Sequence[OnsetGroup], tempo: float | None, is_polyphonic: bool
) -> Path:
    """Return the best path. `tempo` is in played seconds per written second; None leaves times out.

    Raise MusicError (TOO_LARGE) if there is too much music.
    """
    if len(expected) * len(played) > MOST_CELLS:
        raise MusicError(
            "TOO_LARGE",
            "The take and the reference are too long to compare at once. Give first_bar and last_bar, and a segment of "
            "the take (segment_audio).",
            ["first_bar: 1, last_bar: 32"],
        )
    if not expected or not played:
        return Path([PathStep(None, False, False)] * len(played), 0.0)
    return _Viterbi(expected, played, tempo, is_polyphonic).run()


class _Viterbi:
    def __init__(
        self, expected: Sequence[OnsetGroup], played: Sequence[OnsetGroup], tempo: float | None, is_polyphonic: bool
    ) -> None:
        self.played = played
        self.times = np.array([group.time for group in expected])
        self.written = np.zeros((len(expected), 128), np.float32)
        for index, group in enumerate(expected):
            self.written[index, list(group.pitches)] = 1
        self.classes = np.minimum(_fold(self.written), 1)
        counts = np.array([len(group.pitches) for group in expected])
        self.before = np.concatenate(([0], np.cumsum(counts))).astype(np.float64)
        """The number of notes before each group."""
        self.tempo = tempo
        self.is_polyphonic = is_polyphonic

    def run(self) -> Path:
        size, count = len(self.times), len(self.played)
        kinds = np.zeros((count, size), np.uint8)
        sources = np.zeros((count, size), np.int32)
        begin = -np.minimum(MISSING * self.before[:-1], END)
        places = np.arange(size)
        value = np.full(size, -1e9)
        since = np.zeros(size)
        tempo = np.full(size, self.tempo or 1.0)
        last = 0.0
        for row, group in enumerate(self.played):
            gain = self._emission(group)
            best = gain + begin - EXTRA * row
            kind = np.full(size, _BEGIN, np.uint8)
            source = np.full(size, -1, np.int32)
            new_since = np.full(size, group.time)
            new_tempo = np.full(size, self.tempo or 1.0)
            if row:
                has_paused = self._has_paused(group.time - last, value, tempo)
                candidates = [*self._advances(value, since, tempo, group.time), *self._far(value, has_paused)]
                for code, origin, score in candidates:
                    total = gain + score
                    better = total > best
                    best = np.where(better, total, best)
                    kind[better], source[better] = code, origin[better]
                    moved = origin[better]
                    new_tempo[better] = tempo[moved]
                    if code == _ADVANCE and self.tempo is not None:
                        change = self._change(since[moved], group.time, moved, places[better], tempo[moved])
                        new_tempo[better] *= np.exp(_FOLLOW * np.clip(change, -_MOST_FOLLOW, _MOST_FOLLOW))
                same_pitch = self.written[:, _inside(group.pitches)].max(axis=1) > 0
                for code, score in self._stays(value, since, gain, same_pitch, group.time):
                    better = score > best
                    best = np.where(better, score, best)
                    kind[better], source[better] = code, places[better]
                    new_since[better], new_tempo[better] = since[better], tempo[better]
            kinds[row], sources[row] = kind, source
            value, since, tempo, last = best, new_since, new_tempo, group.time
        ending = value - np.minimum(MISSING * (self.before[-1] - self.before[1:]), END)
        place = int(np.argmax(ending))
        return Path(_trace(kinds, sources, place), float(ending[place]))

    def _has_paused(self, gap: float, value: Numbers, tempo: Numbers) -> bool:
        """Return whether an interval is longer than the one that is expected after the most likely place."""
        if self.tempo is None:
            return False
        place = int(np.argmax(value))
        following = self.times[min(place + 1, len(self.times) - 1)] - self.times[place]
        expected = float(following * tempo[place])
        return gap > max(_PAUSE * expected, expected + _PAUSE_S)

    def _emission(self, group: OnsetGroup) -> Numbers:
        """Return the gain of this group at each place."""
        inside = sorted(set(_inside(group.pitches)))
        right = self.written[:, inside].sum(axis=1)
        names = sorted({pitch % 12 for pitch in inside})
        near = np.minimum(self.classes[:, names].sum(axis=1), len(group.pitches)) - right
        wrong = len(group.pitches) - right - np.maximum(near, 0)
        gain = MATCH * right + OCTAVE * np.maximum(near, 0) + WRONG * wrong
        return np.asarray(gain * min(1.0, _HEAVIEST_GROUP / len(group.pitches)), np.float64)

    def _change(
        self, since: Numbers, now: float, origin: NDArray[np.int32], place: NDArray[np.int64], tempo: Numbers
    ) -> Numbers:
        """Return the logarithm of the played interval over the one at the tempo so far."""
        written = np.maximum(self.times[place] - self.times[origin], 1e-3)
        return np.asarray(np.log(np.maximum(now - since, 0.01) / (written * tempo)))

    def _advances(
        self, value: Numbers, since: Numbers, tempo: Numbers, now: float
    ) -> list[tuple[int, NDArray[np.int32], Numbers]]:
        size = len(value)
        found = []
        places = np.arange(size)
        for ahead in range(1, min(_NEAR, size - 1) + 1):
            origin = np.maximum(places - ahead, 0).astype(np.int32)
            score = value[origin] - MISSING * (self.before[places] - self.before[origin + 1])
            if self.tempo is not None:
                change = self._change(since[origin], now, origin, places, tempo[origin])
                score = score - TIMING * np.minimum(1, (change / _TIMING_WIDTH) ** 2)
            score[:ahead] = -np.inf
            found.append((_ADVANCE, origin, score))
        return found

    def _far(self, value: Numbers, has_paused: bool) -> list[tuple[int, NDArray[np.int32], Numbers]]:
        """Return skips over more places, and jumps from the best place."""
        size = len(value)
        found = []
        if size > _NEAR + 1:
            held = value + MISSING * self.before[1:]
            highest = np.maximum.accumulate(held)
            origin = np.maximum.accumulate(np.where(held >= highest, np.arange(size), 0)).astype(np.int32)
            score = np.full(size, -np.inf)
            begin = _NEAR + 1
            score[begin:] = highest[:-begin] - MISSING * self.before[begin:-1] - (TIMING / 2 if self.tempo else 0)
            moved = np.zeros(size, np.int32)
            moved[begin:] = origin[:-begin]
            found.append((_SKIP, moved, score))
        top = int(np.argmax(value))
        jump = np.full(size, value[top] - (JUMP_AFTER_PAUSE if has_paused else JUMP))
        if has_paused:
            jump[max(top - _SHORT_WAY, 0) : top + 1] = value[top] - RESTART_AFTER_PAUSE
        found.append((_JUMP, np.full(size, top, np.int32), jump))
        return found

    def _stays(
        self, value: Numbers, since: Numbers, gain: Numbers, same_pitch: NDArray[np.bool_], now: float
    ) -> list[tuple[int, Numbers]]:
        extra = (_EXTRA, value - np.where(same_pitch, SPLIT, EXTRA))
        if not self.is_polyphonic:
            return [extra]
        soon = np.where(now - since <= _ROLL_S, 0.9 * gain, -np.inf)
        return [extra, (_STAY, value + soon)]


def _fold(pitches: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the pitch classes of rows of 128 pitches."""
    return np.asarray(np.pad(pitches, ((0, 0), (0, 4))).reshape(len(pitches), 11, 12).sum(axis=1), np.float32)


def _trace(kinds: NDArray[np.uint8], sources: NDArray[np.int32], place: int) -> list[PathStep]:
    steps: list[PathStep] = []
    row = len(kinds) - 1
    while row >= 0:
        kind = int(kinds[row, place])
        is_extra = kind == _EXTRA
        steps.append(PathStep(None if is_extra else place, kind == _JUMP, kind == _STAY))
        if kind == _BEGIN:
            steps += [PathStep(None, False, False)] * row
            break
        place = int(sources[row, place])
        row -= 1
    return steps[::-1]


def _inside(pitches: Sequence[int]) -> list[int]:
    """Return the pitches within the range of MIDI; others, after a transposition, are moved to its edges."""
    return [min(max(pitch, 0), 127) for pitch in pitches]
