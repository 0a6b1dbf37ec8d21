"""Decode the notes of any instrument from the probabilities of the network basic-pitch.

A candidate is a peak of a pitch's onset probability, or of the rise of its note probability. The note lasts until its
probability stays below `ENDS_BELOW` for `GAP` frames, or until the next candidate of this pitch. Whether it is a note
is decided by logistic regression on the probabilities of the pitch itself, of the pitches an octave and a twelfth below
(whose harmonics it may be), of the neighbours, and on its length; the weights were fitted on the tune part of the truth
set (piano, plucked instruments, bands, chamber music). The result is the note's confidence.

The recording is read in slices of 60 s that overlap, so that memory does not grow with its length. It is weak for
strings, organ and other sustained sounds without attacks.
"""

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.calibration import logistic
from consort_audio.neural.note_posteriors import FRAMES_PER_SECOND, LOWEST_PITCH, NotePosteriors, note_posteriors
from consort_audio.signals.arrays import Floats
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import RATE, Recording

LEAST_CHANCE = 0.45
ENDS_BELOW = 0.25
GAP = 8
"""Frames (93 ms) for which a note may be inaudible."""
SHORTEST = 4
"""In frames: 46 ms."""
FEATURES = (
    "onset", "note at the start", "mean note", "rise", "length (log)", "octave below", "twelfth below",
    "two octaves below", "octave above", "onset an octave below", "neighbours",
    "onset of others", "pitch", "pitch squared", "is repeat",
)  # fmt: skip
WEIGHTS = np.array(
    [11.816, -0.972, 2.791, 17.738, -0.109, -0.865, -1.324, -0.075, -4.187, -2.149, 0.229, 0.614, 0.02, -0.767, -0.148]
)
BIAS = -8.191
_LEAST_ONSET = 0.12
_LEAST_RISE = 0.2
_SLICE_S, _OVERLAP_S = 60.0, 4.0


def polyphonic_notes(recording: Recording) -> list[PlayedNote] | None:
    """Return the notes in order of time, computed once, or None if the network is not installed."""
    return recording.feature("polyphonic notes", _hear)


def _hear(recording: Recording) -> list[PlayedNote] | None:
    notes: list[PlayedNote] = []
    step, start = _SLICE_S - 2 * _OVERLAP_S, 0.0
    while True:
        first = max(start - _OVERLAP_S, 0.0)
        part = recording.samples[round(first * RATE) : round((start + step + _OVERLAP_S) * RATE)]
        found = note_posteriors(Recording(part))
        if found is None:
            return None
        for note in decode(found):
            if start <= note.start + first < start + step:
                notes.append(note._replace(start=note.start + first, end=note.end + first))
        start += step
        if start >= recording.duration:
            return sorted(notes)


def decode(posteriors: NotePosteriors, least_chance: float = LEAST_CHANCE) -> list[PlayedNote]:
    """Return the likely notes of one slice."""
    places, ends, features = note_candidates(posteriors)
    if not len(places):
        return []
    chances = logistic(features @ WEIGHTS + BIAS)
    notes = []
    for (frame, pitch), end, chance, row in zip(places, ends, chances, features, strict=True):
        if chance >= least_chance:
            start = frame / FRAMES_PER_SECOND
            velocity = int(np.clip(round(30 + 90 * float(row[2])), 1, 127))
            notes.append(
                PlayedNote(
                    start,
                    end / FRAMES_PER_SECOND,
                    float(pitch + LOWEST_PITCH),
                    round(min(float(chance), 0.99), 3),
                    velocity,
                )
            )
    return sorted(notes)


def note_candidates(
    posteriors: NotePosteriors,
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """Return the candidates (frame and pitch from 0), the frames in which they end, and a row of FEATURES for each."""
    onset, note = posteriors.onset, posteriors.note
    if len(onset) < 2 * SHORTEST:
        return np.zeros((0, 2), np.intp), np.zeros(0, np.intp), np.zeros((0, len(FEATURES)))
    rise = _rise(note)
    evidence = np.maximum(onset, 0.8 * rise)
    highest = _around(evidence, 3, 3)
    is_peak = (evidence >= highest) & ((onset > _LEAST_ONSET) | (rise > _LEAST_RISE))
    is_peak[1:] &= ~is_peak[:-1]
    places = np.argwhere(is_peak.T)[:, ::-1]  # by pitch, then by time
    ends = _ends(note, places)
    long_enough = ends - places[:, 0] >= SHORTEST
    repeats = np.zeros(len(places))
    repeats[1:] = (places[1:, 1] == places[:-1, 1]) & (places[1:, 0] <= ends[:-1])
    places, ends, repeats = places[long_enough], ends[long_enough], repeats[long_enough]
    return places, ends, _features(onset, note, rise, places, ends, repeats)


def _features(
    onset: Floats,
    note: Floats,
    rise: Floats,
    places: NDArray[np.intp],
    ends: NDArray[np.intp],
    repeats: NDArray[np.float64],
) -> NDArray[np.float64]:
    frames, pitches = places[:, 0], places[:, 1]
    near_onset, near_note = _around(onset, 2, 2), _around(note, 0, 8)
    sums = np.vstack([np.zeros((1, note.shape[1]), np.float64), np.cumsum(note, axis=0, dtype=np.float64)])
    lengths = np.maximum(ends - frames, 1)

    def at(values: Floats, distance: int) -> NDArray[np.float64]:
        other = pitches + distance
        inside = (other >= 0) & (other < values.shape[1])
        return np.where(inside, values[frames, np.clip(other, 0, values.shape[1] - 1)], 0).astype(np.float64)

    def mean(distance: int) -> NDArray[np.float64]:
        other = pitches + distance
        inside = (other >= 0) & (other < note.shape[1])
        other = np.clip(other, 0, note.shape[1] - 1)
        return np.where(inside, (sums[ends, other] - sums[frames, other]) / lengths, 0)

    strongest = np.sort(near_onset, axis=1)[:, -1][frames]
    register = (pitches - 39) / 24
    columns = (
        at(near_onset, 0),
        at(near_note, 0),
        mean(0),
        at(_around(rise, 1, 3), 0),
        np.log(lengths),
        mean(-12),
        mean(-19),
        mean(-24),
        mean(12),
        at(near_onset, -12),
        np.maximum(at(near_onset, -1), at(near_onset, 1)),
        strongest,
        register,
        np.square(register),
        repeats,
    )
    return np.stack(columns, axis=1)


def _rise(note: Floats) -> Floats:
    """Return by how much each note probability rises within three frames."""
    rise = np.zeros_like(note)
    rise[:-3] = np.maximum(note[3:] - note[:-3], 0)
    return rise


def _around(values: Floats, before: int, after: int) -> Floats:
    """Return the highest value of each pitch from `before` frames before to `after` frames after."""
    padded = np.pad(values, ((before, after), (0, 0)), mode="edge")
    result = padded[: len(values)].copy()
    for shift in range(1, before + after + 1):
        np.maximum(result, padded[shift : shift + len(values)], out=result)
    return result


def _ends(note: Floats, places: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the frame in which each candidate ends."""
    sounds = _around(note, 0, GAP - 1) >= ENDS_BELOW  # now or within the gap
    frames = np.arange(len(note), dtype=np.intp)[:, None]
    silent_from = np.where(sounds, len(note), frames)
    next_silence = np.minimum.accumulate(silent_from[::-1], axis=0)[::-1]
    starts, pitches = places[:, 0], places[:, 1]
    ends = next_silence[np.minimum(starts + 3, len(note) - 1), pitches]
    following = np.append(starts[1:], len(note))
    same = np.append(pitches[1:] == pitches[:-1], False)
    return np.where(same, np.minimum(ends, following), ends)
