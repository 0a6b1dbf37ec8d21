"""Choose the most likely sequence of notes by the Viterbi algorithm.

A state is silence or a semitone (shifted by the tuning). A frame speaks for the semitones near the model's and YIN's
pitch, each by its weight, with a wide bell, so that vibrato costs little. It also speaks a little for the tones of
which that pitch may be a wrong octave or twelfth, so that the notes around decide. To begin a note costs the same for
all semitones within an octave of the recording's usual pitch, and more outside.
"""

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.pitch.track.pitch_track import PitchTrack
from consort_audio.analysis.pitch.track.tuning_drift import TuningLine
from consort_audio.signals.arrays import Floats

LOWEST_NOTE, HIGHEST_NOTE = 21, 110
"""A0 is 21, and D8 is 110."""
SILENCE = -1

CHANGE_COST = 6.0
"""In nats. A note of two frames with clear pitch costs less than silence."""
_WIDTH = 0.4
"""Standard deviation of the pitch within a note, in semitones."""
_YIN_SHARE = 0.3
_YIN_TOO_LOW = ((12, 0.5), (19, 0.3), (24, 0.3))
_MODEL_TOO_LOW = ((12, 0.1),)
"""By how many semitones a method may be too low, and how much it speaks for the tone so far above."""
_SILENCE_SHARE = 0.07
"""How much a frame without a clear pitch speaks for silence."""
_FLOOR = 0.006
"""The least probability of a frame, so that single wrong frames do not end a note."""
_USUAL = 12.0
"""In semitones from the usual pitch."""
_UNUSUAL_COST = 0.5
"""For each semitone beyond."""
_FRAMES_AT_ONCE = 1024


def note_path(track: PitchTrack, tuning: TuningLine) -> NDArray[np.intp]:
    """Return the semitone of each frame (its MIDI number), or SILENCE."""
    notes = np.arange(LOWEST_NOTE, HIGHEST_NOTE + 1, dtype=np.float32)
    shift = tuning.of_frames().astype(np.float32)
    share = np.where(track.model_weight > 0, _YIN_SHARE, 1.0).astype(np.float32)
    model, yin = (1 - share) * track.model_weight, share * track.yin_weight
    cost = np.empty((len(share), len(notes) + 1), np.float32)
    cost[:, 0] = -np.log(np.maximum(1 - np.clip(model + yin, 0, 1), _FLOOR) * _SILENCE_SHARE)
    for first in range(0, len(share), _FRAMES_AT_ONCE):
        part = slice(first, first + _FRAMES_AT_ONCE)
        chances = model[part, None] * _with_higher(_bell((track.model - shift)[part], notes), _MODEL_TOO_LOW)
        chances += yin[part, None] * _with_higher(_bell((track.yin - shift)[part], notes), _YIN_TOO_LOW)
        cost[part, 1:] = -np.log(chances + np.float32(_FLOOR))
    begin = np.full(len(notes) + 1, CHANGE_COST, np.float32)
    begin[1:] += _UNUSUAL_COST * np.maximum(np.abs(notes - _usual_pitch(track)) - _USUAL, 0)
    best = _cheapest_path(cost, begin)
    return np.where(best == 0, SILENCE, best - 1 + LOWEST_NOTE)


def _usual_pitch(track: PitchTrack) -> float:
    """Return the median of the likelier pitch of each frame, weighted by both weights."""
    pitch = np.where(track.model_weight >= track.yin_weight, track.model, track.yin)
    order = np.argsort(pitch)
    weight = np.cumsum((track.model_weight + track.yin_weight)[order], dtype=np.float64)
    return float(pitch[order[np.searchsorted(weight, weight[-1] / 2)]]) if len(weight) and weight[-1] > 0 else 0.0


def _bell(pitch: Floats, notes: Floats) -> Floats:
    chance: Floats = np.exp(-0.5 * np.square((pitch[:, None] - notes) / _WIDTH), dtype=np.float32)
    return chance


def _with_higher(chances: Floats, intervals: tuple[tuple[int, float], ...]) -> Floats:
    """Return the chances of the semitones, with a share of the chance of those so far below added."""
    result = chances.copy()
    for semitones, share in intervals:
        result[:, semitones:] += share * chances[:, :-semitones]
    return result


def _cheapest_path(cost: Floats, begin: Floats) -> NDArray[np.intp]:
    """Return the cheapest sequence of states when staying is free and a change costs what `begin` has for the new."""
    count, states = cost.shape
    if count == 0:
        return np.zeros(0, np.intp)
    stayed = np.zeros((count, states), np.bool_)
    source = np.zeros(count, np.intp)
    total = cost[0].copy()
    for frame in range(1, count):
        cheapest = total.argmin()
        switched = total[cheapest] + begin
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
