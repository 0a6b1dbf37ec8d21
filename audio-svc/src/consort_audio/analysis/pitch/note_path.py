"""Choose the most likely sequence of notes by the Viterbi algorithm.

A state is silence or a semitone (shifted by the tuning). A frame speaks for the semitones near the model's and YIN's
pitch, each by its weight, with a wide bell, so that vibrato costs little. A change of state costs the same for all.
"""

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.pitch.pitch_track import PitchTrack
from consort_audio.signals.arrays import Floats

LOWEST_NOTE, HIGHEST_NOTE = 21, 110
"""A0 is 21, and D8 is 110."""
SILENCE = -1

CHANGE_COST = 6.0
"""In nats. A note of two frames with clear pitch costs less than silence."""
_WIDTH = 0.4
"""Standard deviation of the pitch within a note, in semitones."""
_YIN_SHARE = 0.35
_SILENCE_SHARE = 0.2
"""How much a frame without a clear pitch speaks for silence."""
_FLOOR = 0.004
"""The least probability of a frame, so that single wrong frames do not end a note."""


def note_path(track: PitchTrack, tuning: float) -> NDArray[np.intp]:
    """Return the semitone of each frame (its MIDI number), or SILENCE. `tuning` is in semitones."""
    notes = np.arange(LOWEST_NOTE, HIGHEST_NOTE + 1, dtype=np.float32) + tuning
    model, yin = track.model_weight, track.yin_weight
    share = np.where(model > 0, _YIN_SHARE, 1.0)
    voiced = np.clip((1 - share) * model + share * yin, 0, 1)
    chances = ((1 - share) * model)[:, None] * _bell(track.model, notes)
    chances += (share * yin)[:, None] * _bell(track.yin, notes)
    cost = np.empty((len(voiced), len(notes) + 1), np.float32)
    cost[:, 0] = -np.log(np.maximum(1 - voiced, _FLOOR) * _SILENCE_SHARE)
    cost[:, 1:] = -np.log(chances + _FLOOR)
    best = _cheapest_path(cost, CHANGE_COST)
    return np.where(best == 0, SILENCE, best - 1 + LOWEST_NOTE)


def _bell(pitch: Floats, notes: Floats) -> Floats:
    chance: Floats = np.exp(-0.5 * np.square((pitch[:, None] - notes) / _WIDTH), dtype=np.float32)
    return chance


def _cheapest_path(cost: Floats, change: float) -> NDArray[np.intp]:
    """Return the cheapest sequence of states when staying is free and every change costs the same."""
    count, states = cost.shape
    if count == 0:
        return np.zeros(0, np.intp)
    stayed = np.zeros((count, states), np.bool_)
    source = np.zeros(count, np.intp)
    total = cost[0].copy()
    for frame in range(1, count):
        cheapest = total.argmin()
        switched = total[cheapest] + change
        stays = total <= switched
        stayed[frame], source[frame] = stays, cheapest
        total = np.where(stays, total, switched) + cost[frame]
        if frame % 1024 == 0:
            total -= total.min()  # keeps float32 exact
    path = np.zeros(count, np.intp)
    state = int(total.argmin())
    for frame in range(count - 1, -1, -1):
        path[frame] = state
        if not stayed[frame, state] and frame:
            state = int(source[frame])
    return path
