"""Cut a recording into phrases.

Every onset may begin a phrase. Its strength is the sum of

- rest: for how long the level before it was at least `REST_DB` below the loudest of the note before, compared with what
  is usual in this recording (the median over all onsets), in units of `REST_UNIT_S`, at most `MOST_REST`;
- length: the binary logarithm of the time since the onset before it, relative to the median of such times nearby,
  limited to 0..2, times `LENGTH_WEIGHT`;
- novelty: the distance (1 - cosine) of the mean chroma of the `NOVELTY_S` seconds before and after, times
  `NOVELTY_WEIGHT`.

Dynamic programming chooses the phrases whose strengths, each less `BOUNDARY_COST`, plus a preference for their lengths
(`-PREFERENCE (log2(length / USUAL_S))^2`) have the highest sum. Silences of `SILENCE_S` or more always separate
phrases. A phrase ends with its sound: where the level falls by `REST_DB` for good, or where the next phrase begins.

The idea to weigh gaps against a preferred length is that of Temperley's Grouper (The Cognition of Basic Musical
Structures, 2001, chapter 3).
"""

from typing import Literal, NamedTuple

import numpy as np

from consort_audio.analysis.calibration import calibrated
from consort_audio.analysis.rhythm.onsets import find_onsets
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.chroma import chroma_of
from consort_audio.signals.constant_q import FRAME_RATE
from consort_audio.signals.onset_strength import FRAMES_PER_SECOND, onset_strength
from consort_audio.signals.recording import RATE, Mono, Recording
from consort_audio.signals.spectral_peaks import tonal_share

PhraseKind = Literal["melodic", "rhythmic"]

REST_DB = 14.0
REST_UNIT_S = 0.2
MOST_REST = 2.5
LENGTH_WEIGHT = 0.5
NOVELTY_S = 1.5
NOVELTY_WEIGHT = 0.5
BOUNDARY_COST = 1.2
PREFERENCE = 0.6
USUAL_S = 4.0
LONGEST_S = 16.0
SHORTEST_S = 1.0
SILENCE_S = 1.5
FAINT_DB = 20.0
SILENT_DB = -45.0
"""Relative to the loud parts of the recording."""
MELODIC_SHARE = 0.4
_WINDOW_S = 0.03
"""The level of this time before an onset already contains its sound."""
_LEAST_LEVEL = 5e-4
_CONFIDENCE = ((0.0, 0.55), (1.0, 0.75), (2.0, 0.84), (3.0, 0.9))


class PhraseSpan(NamedTuple):
    start: float
    end: float
    kind: PhraseKind
    """Rhythmic: less than `MELODIC_SHARE` of its power is in clear spectral peaks, as with drums and noise."""
    confidence: float
    """The probability that a phrase begins there (within a second), by how strongly it is separated from the last."""


class Candidates(NamedTuple):
    times: Numbers
    rests: Numbers
    lengths: Numbers
    novelty: Numbers
    silences: Numbers
    """Seconds of silence before each onset."""

    @property
    def strengths(self) -> Numbers:
        rest = np.clip(
            (self.rests - np.median(self.rests[1:] if len(self.rests) > 1 else self.rests)) / REST_UNIT_S, 0, MOST_REST
        )
        return np.asarray(rest + LENGTH_WEIGHT * self.lengths + NOVELTY_WEIGHT * self.novelty)


def find_phrases(recording: Recording) -> list[PhraseSpan]:
    """Return the phrases in order, computed once. None if nothing sounds."""
    return recording.feature("phrases", _find)


def _find(recording: Recording) -> list[PhraseSpan]:
    strength = onset_strength(recording)
    level = 20 * np.log10(np.maximum(strength.level, 1e-7)).astype(float)
    candidates = find_candidates(recording, level)
    if candidates is None:
        return []
    chosen = choose_boundaries(candidates, recording.duration)
    strengths = candidates.strengths
    starts = [float(candidates.times[index]) for index in chosen]
    ends = [*starts[1:], recording.duration]
    return [
        PhraseSpan(
            start,
            _sounding_end(level, start, end),
            kind_of(recording.samples[round(start * RATE) : round(end * RATE)]),
            calibrated(float(strengths[index]), _CONFIDENCE) if place else 1.0,
        )
        for place, (index, start, end) in enumerate(zip(chosen, starts, ends, strict=True))
    ]


def find_candidates(recording: Recording, level: Numbers) -> Candidates | None:
    """Return the onsets and what speaks for a phrase that begins there. None if nothing sounds."""
    if not len(level) or level.max() < 20 * np.log10(_LEAST_LEVEL):
        return None
    times = np.array([onset.time for onset in find_onsets(recording)])
    floor = max(np.percentile(level, 95) + SILENT_DB, level.max() + 1.5 * SILENT_DB)
    sounding = np.flatnonzero(level > floor) / FRAMES_PER_SECOND
    times = np.array([time for time in times if _is_heard(level, time)])
    if not len(times) or times[0] > sounding[0] + 0.5:
        times = np.insert(times, 0, sounding[0])
    gaps = np.diff(times, prepend=times[0])
    rests, silences, lengths = np.zeros(len(times)), np.zeros(len(times)), np.zeros(len(times))
    for index in range(1, len(times)):
        before = level[round(times[index - 1] * FRAMES_PER_SECOND) : round((times[index] - 0.01) * FRAMES_PER_SECOND)]
        if not len(before):
            continue
        rests[index] = (before < before.max() - REST_DB).sum() / FRAMES_PER_SECOND
        silences[index] = (before < floor).sum() / FRAMES_PER_SECOND
        near = gaps[max(1, index - 8) : index + 9]
        lengths[index] = np.clip(np.log2(max(gaps[index], 1e-3) / max(float(np.median(near)), 1e-3)), 0, 2)
    return Candidates(times, rests, lengths, _novelty(recording, times), silences)


def _is_heard(level: Numbers, time: float) -> bool:
    """Return whether the level after an onset is not far below the loud parts: the start of a hiss begins no phrase."""
    first = min(round(time * FRAMES_PER_SECOND), len(level) - 1)
    return bool(level[first : first + 22].max() > np.percentile(level, 95) - FAINT_DB)


def _novelty(recording: Recording, times: Numbers) -> Numbers:
    chroma = chroma_of(recording)
    sums = np.concatenate((np.zeros((1, 12)), np.cumsum(chroma, axis=0, dtype=np.float64)))
    width = round(NOVELTY_S * FRAME_RATE)
    places = np.clip(np.round(times * FRAME_RATE).astype(int), 0, len(chroma))
    before = sums[places] - sums[np.maximum(places - width, 0)]
    after = sums[np.minimum(places + width, len(chroma))] - sums[places]
    norms = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    cosine = np.divide((before * after).sum(axis=1), norms, out=np.ones(len(times)), where=norms > 1e-9)
    return np.asarray(1 - cosine)


def choose_boundaries(candidates: Candidates, duration: float) -> list[int]:
    """Return the indexes of the onsets that begin phrases; the first one always does."""
    times, strengths = candidates.times, candidates.strengths
    forced = candidates.silences >= SILENCE_S
    count = len(times)
    best = np.full(count + 1, -np.inf)
    came_from = np.zeros(count + 1, int)
    best[0] = 0.0
    bounds = np.append(times, duration)
    earliest = 0
    for index in range(1, count + 1):
        if index > 1 and forced[index - 1]:
            earliest = index - 1
        for start in range(index - 1, earliest - 1, -1):
            length = bounds[index] - bounds[start]
            if length > LONGEST_S and start < index - 1:
                break
            if length < SHORTEST_S and index < count and start > 0 and not forced[start]:
                continue
            value = best[start] - PREFERENCE * np.log2(max(length, 0.1) / USUAL_S) ** 2
            if value > best[index]:
                best[index], came_from[index] = value, start
        if index < count:
            best[index] += strengths[index] - BOUNDARY_COST if not forced[index] else MOST_REST
    chosen = []
    index = count
    while index > 0:
        index = int(came_from[index])
        chosen.append(index)
    return chosen[::-1]


def kind_of(samples: Mono) -> PhraseKind:
    return "melodic" if tonal_share(samples) >= MELODIC_SHARE else "rhythmic"


def _sounding_end(level: Numbers, start: float, end: float) -> float:
    """Return the time after which the level stays `REST_DB` below the loudest of the last second that sounds."""
    part = level[round(start * FRAMES_PER_SECOND) : round((end - _WINDOW_S) * FRAMES_PER_SECOND)]
    if not len(part):
        return end
    loud = np.flatnonzero(part > part.max() - 2 * REST_DB)
    last = int(loud[-1]) + 1
    return end if last == len(part) else start + last / FRAMES_PER_SECOND
