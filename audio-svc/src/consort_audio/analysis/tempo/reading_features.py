"""Describe a reading of the beat by numbers, from which `readings` chooses.

How strong onsets and network are on the beats and between them; how even the beats are; how beats resemble each other
at a distance; how much the harmony changes on and between them. The last ones tell at which level the beat is: after
how many beats chords change, on which fractions of a beat notes and bass notes begin, and after how many beats rhythm
and harmony return.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.tempo.beat_activation import BeatActivation
from consort_audio.analysis.tempo.beat_path import FRAMES_PER_SECOND
from consort_audio.signals import semitone_spectrum as semitones
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.curves import local_peaks
from consort_audio.signals.onset_strength import FRAMES_PER_SECOND as STRENGTH_RATE
from consort_audio.signals.onset_strength import onset_strength
from consort_audio.signals.recording import Recording

Frames = NDArray[np.int64]

CHROMA_RATE = semitones.FRAMES_PER_SECOND
CHORD_S = 0.5
"""The harmony of so many seconds before and after a moment is compared."""
CHORDS_APART_S, BASS_APART_S = 0.4, 0.1
LEAST_CHANGE = 0.15
LEAST_ONSET = 0.2
CHORD_LENGTHS = (2, 3, 4, 8)
"""In beats."""
NEAR_BEAT = 0.17
"""In beats: a change of chord so near is on the beat."""
NEAR_FRACTION = 0.09
"""In beats: a note so near to a fraction of a beat begins there."""
EVEN_SPAN = 4
"""In beats: the tempo of so many beats is compared with that of the next ones."""
WEAK_SPAN = 6
"""In beats: see `_weakest_part`."""
JUMP = 0.15
"""A larger relative change of tempo is rare in music, but usual where the tracker changes its level."""


class ReadingEvidence(NamedTuple):
    """What the readings of a recording are judged by."""

    activation: BeatActivation
    groups: Numbers
    """Onset strength in eight groups of bands, 150 rows a second."""
    chroma: Numbers
    """25 rows a second."""
    harmony_change: Numbers
    """How much the pitch classes change at each row of `chroma`, 0..1."""
    chord_times: Numbers
    onset_times: Numbers
    bass_times: Numbers
    """In seconds: where the harmony changes most, and where notes and bass notes begin."""


def sound_of(recording: Recording, activation: BeatActivation) -> ReadingEvidence:
    return evidence_of(
        activation, onset_strength(recording).groups.astype(float), semitones.chroma(recording).astype(float)
    )


def evidence_of(activation: BeatActivation, groups: Numbers, chroma: Numbers) -> ReadingEvidence:
    change = _harmony_change(chroma)
    bass = groups[:, :2].mean(axis=1)
    least_change = max(LEAST_CHANGE, 0.5 * float(np.percentile(change, 95)))
    return ReadingEvidence(
        activation,
        groups,
        chroma,
        change,
        local_peaks(change, least_change, round(CHORDS_APART_S * CHROMA_RATE)) / CHROMA_RATE,
        local_peaks(activation.onsets, LEAST_ONSET, 1) / FRAMES_PER_SECOND,
        local_peaks(bass, 0.3 * float(np.percentile(bass, 99)), round(BASS_APART_S * STRENGTH_RATE)) / STRENGTH_RATE,
    )


def _harmony_change(chroma: Numbers) -> Numbers:
    """Return 1 - cosine of the pitch classes before and after each moment."""
    reach, count = round(CHORD_S * CHROMA_RATE), len(chroma)
    sums = np.concatenate([np.zeros((1, 12)), np.cumsum(chroma, axis=0)])
    places = np.arange(count)
    before = sums[places] - sums[np.maximum(places - reach, 0)]
    after = sums[np.minimum(places + reach, count)] - sums[places]
    lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    change = 1 - (before * after).sum(axis=1) / (lengths + 1e-6)
    edge = CHROMA_RATE // 5
    change[:edge] = change[max(0, count - edge) :] = 0
    return np.asarray(change)


def reading_columns(sound: ReadingEvidence, frames: Frames) -> list[float]:
    """Return all features of the beats at `frames`, except those that need the search for readings."""
    beats = frames / FRAMES_PER_SECOND
    return [
        *_activation_columns(sound.activation, frames),
        *_pattern_columns(sound.groups, frames),
        *_harmony_columns(sound.chroma, frames),
        *_evenness_columns(beats),
        *_chord_columns(sound, beats),
        *_fraction_columns(sound, beats),
        *_return_columns(sound, frames),
    ]


def largest_near(curve: Numbers, frames: NDArray[np.number], reach: int = 2) -> Numbers:
    """Return the largest value within `reach` frames of each frame; of each column, if the curve has several."""
    centres = np.clip(np.round(frames).astype(int), 0, len(curve) - 1)
    padding = [(reach, reach)] + [(0, 0)] * (curve.ndim - 1)
    padded = np.pad(curve, padding, mode="edge")
    return np.asarray(padded[centres[:, None] + np.arange(2 * reach + 1)].max(axis=1))


def _activation_columns(activation: BeatActivation, frames: Frames) -> list[float]:
    """Return how strong onsets, and the network, are on the beats and on fractions between them."""
    length = np.diff(frames)
    between = [
        frames[:-1] + length / 2,
        np.concatenate([frames[:-1] + length / 3, frames[:-1] + length * 2 / 3]),
        np.concatenate([frames[:-1] + length / 4, frames[:-1] + length * 3 / 4]),
    ]
    columns = []
    for curve in (activation.onsets, activation.network_beats):
        if curve is None:
            continue
        near = np.zeros(len(curve))
        for shift in range(-2, 3):
            near[np.clip(frames + shift, 0, len(curve) - 1)] = 1
        on_beat = largest_near(curve, frames)
        columns += [on_beat.mean(), *(largest_near(curve, places).mean() for places in between)]
        columns += [(curve * near).sum() / (curve.sum() + 1e-9), (on_beat > 0.3).mean()]
        columns += [abs(on_beat[::2].mean() - on_beat[1::2].mean()), _weakest_part(on_beat) - on_beat.mean()]
    return [float(value) for value in columns]


def _weakest_part(on_beat: Numbers) -> float:
    """Return the lowest mean of some beats in a row: it is low if the beat is lost for a while."""
    span = min(WEAK_SPAN, len(on_beat))
    sums = np.concatenate([[0], np.cumsum(on_beat)])
    return float((sums[span:] - sums[:-span]).min() / span)


def _pattern_columns(groups: Numbers, frames: Frames) -> list[float]:
    """Return how beats resemble each other at a distance of 1 to 4 beats, and how they differ from what is between."""
    step = STRENGTH_RATE // FRAMES_PER_SECOND
    beats = np.log(largest_near(groups, frames * step, 7) + 0.02)
    middles = np.log(largest_near(groups, (frames[:-1] + frames[1:]) * step / 2, 7) + 0.02)
    alike = _resemblance(beats)
    bass, bass_between = beats[:, 0], middles[:, 0]
    return [
        *alike, max(alike[1:]) - alike[0], float(beats.std(axis=0).mean()),
        float((beats.mean(axis=0) - middles.mean(axis=0)).mean()), float(middles.std(axis=0).mean()),
        _resemblance(middles)[0], float(bass.mean() - bass_between.mean()),
        float(abs(bass[::2].mean() - bass[1::2].mean())),
    ]  # fmt: skip


def _resemblance(rows: Numbers, lags: Sequence[int] = (1, 2, 3, 4)) -> list[float]:
    """Return the correlation of rows with those some rows later, after the mean row was subtracted."""
    centred = rows - rows.mean(axis=0)
    found = []
    for lag in lags:
        first, second = centred[:-lag], centred[lag:]
        scale = float(np.sqrt((first**2).sum() * (second**2).sum()))
        found.append(float((first * second).sum()) / (scale + 1e-6) if len(rows) > lag + 2 else 0.0)
    return found


def _harmony_columns(chroma: Numbers, frames: Frames) -> list[float]:
    """Return how much the pitch classes change on the beats and between them, over a beat and over 0.4 s."""
    beats = frames / FRAMES_PER_SECOND
    middles = (beats[:-1] + beats[1:]) / 2
    period = float(np.median(np.diff(beats)))
    sums = np.concatenate([np.zeros((1, 12)), np.cumsum(chroma, axis=0)])

    def mean(start: Numbers, end: Numbers) -> Numbers:
        first = np.clip(np.round(start * semitones.FRAMES_PER_SECOND).astype(int), 0, len(chroma) - 1)
        last = np.maximum(first + 1, np.clip(np.round(end * semitones.FRAMES_PER_SECOND).astype(int), 0, len(chroma)))
        return np.asarray((sums[last] - sums[first]) / (last - first)[:, None])

    def change(times: Numbers, reach: float) -> Numbers:
        before, after = mean(times - reach, times - 0.02), mean(times + 0.06, times + reach)
        lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
        return np.asarray(1 - (before * after).sum(axis=1) / (lengths + 1e-6))

    on_beat, between = change(beats, period), change(middles, period)
    alike = _resemblance(on_beat[:, None])
    logs = [
        float(np.log(values.mean() + 0.01)) for values in (on_beat, between, change(beats, 0.4), change(middles, 0.4))
    ]
    return [logs[0], logs[1], logs[0] - logs[1], *alike[:3], max(alike[1:]) - alike[0], logs[2], logs[3]]


def _evenness_columns(beats: Numbers) -> list[float]:
    """Return how much the tempo changes: of a few beats against the next ones, and of single beats."""
    deviation = float(np.log(np.diff(beats)).std())
    span = min(EVEN_SPAN, (len(beats) - 1) // 2)
    before, after = beats[span:-span] - beats[: -2 * span], beats[2 * span :] - beats[span:-span]
    changes = np.abs(np.log(after / before))
    largest = float(changes.max())
    return [largest, float(changes.mean()), deviation, max(0.0, largest - JUMP)]


def _chord_columns(sound: ReadingEvidence, beats: Numbers) -> list[float]:
    """Return how regularly the harmony changes every so many beats, and how many beats a chord usually has."""
    period = float(np.median(np.diff(beats)))
    change = largest_near(sound.harmony_change, beats * CHROMA_RATE)
    change = (change - change.mean()) / (change.std() + 1e-6)
    regular = [
        max(float(change[phase::length].mean()) for phase in range(length)) if len(change) >= 2 * length else 0.0
        for length in CHORD_LENGTHS
    ]
    lengths = np.diff(sound.chord_times) / period if len(sound.chord_times) > 3 else np.array([2 / period])
    whole = np.round(lengths)
    shares = [float(np.isin(whole, some).mean()) for some in ((4,), (2,), (1,), (8,), (3, 6))]
    places = np.interp(sound.chord_times, beats, np.arange(len(beats))) if len(sound.chord_times) else np.zeros(1)
    on_beat = float((np.abs(places - np.round(places)) < NEAR_BEAT).mean())
    return [
        *regular,
        float(np.log2(np.median(lengths))),
        float(np.log2(np.percentile(lengths, 25))),
        on_beat,
        *shares,
    ]


def _fraction_columns(sound: ReadingEvidence, beats: Numbers) -> list[float]:
    """Return the shares of notes on beats, halves, quarters and thirds, and of bass notes: per beat, and on beats."""
    onsets, bass = (_fractions(times, beats) for times in (sound.onset_times, sound.bass_times))
    if not len(onsets):
        return [0.0] * 6

    def share(fractions: Numbers, near: tuple[float, ...], reach: float = NEAR_FRACTION) -> float:
        distance = np.abs((fractions[:, None] - np.array(near) + 0.5) % 1 - 0.5).min(axis=1)
        return float((distance < reach).mean()) if len(fractions) else 0.0

    notes = [share(onsets, near) for near in ((0.0,), (0.5,), (0.25, 0.75), (1 / 3, 2 / 3))]
    return [*notes, float(np.log2(len(bass) / (len(beats) - 1) + 0.05)), share(bass, (0.0,))]


def _fractions(times: Numbers, beats: Numbers) -> Numbers:
    inside = times[(times >= beats[0]) & (times < beats[-1])]
    return np.asarray(np.interp(inside, beats, np.arange(len(beats))) % 1)


def _return_columns(sound: ReadingEvidence, frames: Frames) -> list[float]:
    """Return how beats resemble those 6 and 8 beats later by rhythm, and 4, 6, 8 and 16 beats later by harmony."""
    rhythm = np.log(largest_near(sound.groups, frames * (STRENGTH_RATE // FRAMES_PER_SECOND), 7) + 0.02)
    sums = np.concatenate([np.zeros((1, 12)), np.cumsum(sound.chroma, axis=0)])
    edges = np.clip(np.round(frames / FRAMES_PER_SECOND * CHROMA_RATE).astype(int), 0, len(sound.chroma))
    harmony = np.diff(sums[edges], axis=0)
    harmony /= np.linalg.norm(harmony, axis=1, keepdims=True) + 1e-6
    return [*_resemblance(rhythm, (6, 8)), *_resemblance(harmony, (4, 6, 8, 16))]
