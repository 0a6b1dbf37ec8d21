"""What speaks for each key: a table with a row for each of the 24 keys (`tonic + 12 * is_minor`) and these columns.

0. the mean correlation of the four profiles with the chroma of the recording
1. the same with the bass chroma
2. the same with the notes that the note network finds (0 without it)
3. the same with the lowest of these notes (0 without it)
4. the mean log probability of the triads in the key, as found by the chord network or, without it, by templates
5. the same by templates (0 without the networks, where column 4 is by templates)
6. 1 for minor keys
7. how much of the last `END_S` seconds of sound is the tonic triad
8. how much of the bass in that time is the tonic
9. for how much of the time the tonic triad sounds
10. how much of the first `END_S` seconds of sound is the tonic triad
11. how often the dominant triad is followed by the tonic triad, as a share of all changes of chord
12. how often the tonic is the lowest note (0 without the note network)

Columns 9 to 12 only decide between relative keys, which have the same notes and chords: the value of a key is half of
its difference from that of its relative key.

Columns 7 and 8 are 0 if the recording does not end with silence: then it stops somewhere within the music. They are
less if the last sound is not longer than usual: players hold the last chord of a piece, and a piece that is not played
to its end may stop on any chord.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.key.profiles import TRIADS, chord_scores, profile_scores
from consort_audio.neural import active_notes
from consort_audio.neural.active_notes import ActiveNotes, active_notes_of
from consort_audio.neural.chord_parts import chord_parts_of
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.chroma import bass_chroma_of, chroma_of
from consort_audio.signals.constant_q import FRAME_RATE
from consort_audio.signals.curves import local_peaks
from consort_audio.signals.onset_strength import FRAMES_PER_SECOND as STRENGTH_RATE
from consort_audio.signals.onset_strength import loud_level, onset_strength
from consort_audio.signals.recording import RATE, Recording
from consort_audio.signals.spectral_peaks import tonal_share_of

END_S = 2.0
COLUMNS = 13
ENDED_SHARE = 0.15
"""A recording ends with silence if the level of its last `_LAST_S` is below this share of its loud parts."""
NOISE_SHARE, TONES_SHARE = 0.1, 0.4
FINAL_FROM, FINAL_AT = 1.0, 2.0
"""Times the usual longest distance of strong onsets: a last sound up to the first length is no sign of an end, from the
second on it is a clear one."""
LEAST_FINALITY = 0.3
_STRONG_ONSET = 0.25
"""The share of the strongest onsets (99th percentile of the onset strength) from which on an onset is strong."""
_LONG_DISTANCES = 90
"""The percentile of the distances of strong onsets that is the usual longest one."""
_LEAST_DISTANCE_S = 0.05
_FEWEST_ONSETS = 4
_AUDIBLE = 0.1
"""The share of the level of loud parts from which on there is sound (-20 dB)."""
_LAST_S = 0.2
_TRIAD_TONES = ((0, 4, 7), (0, 3, 7), (0, 5, 7), (0, 2, 7), (0, 3, 6), (0, 4, 8))
_TEMPLATE_SHARPNESS = 25.0
_CHANGE_STEP_S = 0.19
"""Chords are averaged over steps of this length, and compared with those two steps later."""
_RELATIVES = np.array([12 + (key + 9) % 12 for key in range(12)] + [(key + 3) % 12 for key in range(12)])


class KeyEvidence(NamedTuple):
    table: Numbers
    """(24, COLUMNS)."""
    has_networks: bool
    sounding_s: float
    tonality: float
    """From 0, noise or drums, to 1, tones."""


def key_evidence(recording: Recording, start: float = 0.0, end: float | None = None) -> KeyEvidence:
    """Return the evidence in a recording, or in a part of it, in seconds."""
    first = round(start * FRAME_RATE)
    last = None if end is None else round(end * FRAME_RATE)
    chroma, bass = chroma_of(recording)[first:last], bass_chroma_of(recording)[first:last]
    parts, notes = chord_parts_of(recording), active_notes_of(recording)
    has_networks = parts is not None and notes is not None
    triads = np.exp(parts.triad[first:last]) if parts is not None and has_networks else _template_triads(chroma)
    table = np.zeros((24, COLUMNS))
    heard = np.flatnonzero(chroma.any(axis=1))
    if not len(heard):
        return KeyEvidence(table, has_networks, 0.0, 0.0)
    chroma, bass, triads = chroma[heard], bass[heard], triads[heard]
    mean_triads = triads.mean(axis=0, dtype=np.float64)
    frames = round(END_S * FRAME_RATE)
    table[:, 0] = profile_scores(chroma.mean(axis=0, dtype=np.float64))
    table[:, 1] = profile_scores(bass.mean(axis=0, dtype=np.float64))
    if notes is not None and has_networks:
        part = _part(notes, start, end)
        table[:, 2] = profile_scores(part.pitch_classes())
        lowest = part.lowest()
        table[:, 3] = profile_scores(lowest)
        table[:, 5] = chord_scores(_template_triads(chroma).mean(axis=0, dtype=np.float64))
        table[:, 12] = _against_relative(np.tile(lowest / max(1.0, float(lowest.sum())), 2))
    table[:, 4] = chord_scores(mean_triads)
    table[12:, 6] = 1.0
    if end is None and has_ended(recording):
        finality = finality_of(recording)
        table[:, 7] = finality * triads[-frames:].mean(axis=0)[1:25]
        table[:, 8] = finality * np.tile(bass[-frames:].mean(axis=0), 2)
    table[:, 9] = _against_relative(mean_triads[1:25])
    table[:, 10] = _against_relative(triads[:frames].mean(axis=0)[1:25])
    table[:, 11] = _against_relative(_cadences(triads[:, 1:25]))
    return KeyEvidence(table, has_networks, len(heard) / FRAME_RATE, tonality_of(recording))


def tonality_of(recording: Recording) -> float:
    """Return 0 if the recording is noise, 1 if it is tones, and between by the share of its power in clear peaks."""
    return float(np.clip((tonal_share_of(recording) - NOISE_SHARE) / (TONES_SHARE - NOISE_SHARE), 0, 1))


def has_ended(recording: Recording) -> bool:
    """Return whether the recording ends with silence."""
    end = recording.samples[-round(_LAST_S * RATE) :]
    return float(np.sqrt(np.mean(np.square(end)))) < ENDED_SHARE * loud_level(recording.samples) if len(end) else False


def finality_of(recording: Recording) -> float:
    """Return from `LEAST_FINALITY` to 1 how much longer the last sound is than the distances of strong onsets."""
    strength = onset_strength(recording)
    rise = strength.rise.astype(np.float64)
    onsets = local_peaks(rise, _STRONG_ONSET * float(np.percentile(rise, 99)), 1)
    if len(onsets) < _FEWEST_ONSETS:
        return LEAST_FINALITY
    last_sound = np.flatnonzero(strength.level > _AUDIBLE * np.percentile(strength.level, 95))[-1]
    usual = max(_LEAST_DISTANCE_S * STRENGTH_RATE, float(np.percentile(np.diff(onsets), _LONG_DISTANCES)))
    share = np.clip(((last_sound - onsets[-1]) / usual - FINAL_FROM) / (FINAL_AT - FINAL_FROM), 0, 1)
    return LEAST_FINALITY + (1 - LEAST_FINALITY) * float(share)


def _against_relative(values: NDArray[np.floating]) -> Numbers:
    return np.asarray(values - values[_RELATIVES], np.float64) / 2


def _cadences(triads: NDArray[np.float32]) -> Numbers:
    """Return how often each of the 24 triads follows the major triad a fifth above it, as a share of all changes."""
    step = round(_CHANGE_STEP_S * FRAME_RATE)
    count = len(triads) // step
    steps = triads[: count * step].reshape(count, step, 24).mean(axis=1, dtype=np.float64)
    before, after = steps[:-2], steps[2:]
    dominants = np.tile(np.roll(before[:, :12], -7, axis=1), 2)
    changes = float((before * (1 - after)).sum())
    return np.asarray((dominants * after).sum(axis=0) / (1 + changes))


def _part(notes: ActiveNotes, start: float, end: float | None) -> ActiveNotes:
    last = None if end is None else round(end * active_notes.FRAME_RATE)
    return ActiveNotes(notes.sounds[round(start * active_notes.FRAME_RATE) : last])


def _template_triads(chroma: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return how likely each triad is in each frame, by its cosine with the chroma: (frames, 73)."""
    tones = np.zeros((TRIADS - 1, 12), np.float32)
    for kind, intervals in enumerate(_TRIAD_TONES):
        for root in range(12):
            tones[12 * kind + root, [(root + interval) % 12 for interval in intervals]] = 1 / np.sqrt(3)
    scores = _TEMPLATE_SHARPNESS * (chroma @ tones.T)
    scores[:, 24:] -= 1.0
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    return np.concatenate((np.zeros((len(chroma), 1), np.float32), likely), axis=1)
