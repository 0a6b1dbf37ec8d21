"""Where in a bar chords change: scores of a change at each frame, one curve for each way to place the bars.

Harmony changes most often where a bar begins, then in its middle, seldom on other beats or between beats. The bars that
were heard may begin on the wrong beat, and the beats may be half as fast as those of the harmony. So there is one curve
for each beat that may begin the bars, the same with twice as many beats, and one without any beat. The curve with which
the best sequence of chords scores highest is right (see `find`).
"""

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.chords.chord_path import Scores
from consort_audio.analysis.tempo.track import BeatTrack
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.constant_q import FRAME_RATE

BAR, MIDDLE, BEAT, OFF_BEAT = -12.0, -24.0, -40.0, -50.0
"""The score of a change at the start of a bar, in its middle (of four beats), on other beats, and between beats."""
NO_BEAT = -24.0
"""The score of a change anywhere, if no beat is known."""
SURE_BEAT = 0.3
"""The confidence from which a beat is known."""
FEWEST_BEATS = 4
SHORTEST_BEAT_S = 0.3
"""Beats are not divided into shorter ones."""
_PLACES = {2: (BAR, BEAT), 3: (BAR, BEAT, BEAT), 4: (BAR, BEAT, MIDDLE, BEAT)}
_REACH = 1
"""In frames: a change so near to a beat is on it."""


def change_scores(frames: int, track: BeatTrack) -> list[Scores]:
    """Return the possible curves; the first has the bars that were heard, the last has no beat."""
    anywhere = np.full(frames, NO_BEAT, np.float32)
    if not knows_beat(track):
        return [anywhere]
    length = track.beats_per_bar or 4
    beats = np.array(track.beats)
    places = _places_in_bars(track, length)
    found = [_curve(frames, beats, (places - shift) % length, length) for shift in range(length)]
    if float(np.median(np.diff(beats))) >= 2 * SHORTEST_BEAT_S:
        halves = np.interp(np.arange(2 * len(beats) - 1) / 2, np.arange(len(beats)), beats)
        found += [_curve(frames, halves, (np.arange(len(halves)) - shift) % 4, 4) for shift in range(4)]
    return [*found, anywhere]


def knows_beat(track: BeatTrack) -> bool:
    """Return whether the beat is certain enough to say where chords change. A wrong level is no harm here."""
    return track.confidence >= SURE_BEAT and len(track.beats) >= FEWEST_BEATS


def _places_in_bars(track: BeatTrack, length: int) -> NDArray[np.int64]:
    """Return for each beat how many beats after the start of a bar it is."""
    downbeats = np.searchsorted(track.beats, np.array(track.downbeats) - 1e-3) if track.downbeats else np.zeros(1, int)
    numbers = np.arange(len(track.beats))
    last = downbeats[np.maximum(np.searchsorted(downbeats, numbers, side="right") - 1, 0)]
    return np.asarray((numbers - last) % length)


def _curve(frames: int, beats: Numbers, places: NDArray[np.int64], length: int) -> Scores:
    """Return the score of a change at each frame, for beats at these times and at these places of their bars."""
    scores = np.array(_PLACES[length], np.float32)[places]
    centres = np.round(beats * FRAME_RATE).astype(int)
    curve = np.full(frames, OFF_BEAT, np.float32)
    for shift in range(-_REACH, _REACH + 1):
        np.maximum.at(curve, np.clip(centres + shift, 0, frames - 1), scores)
    return curve
