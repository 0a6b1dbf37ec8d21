"""Find the key of a melody that sounds alone.

Softmax regression: each of the 12 tonics in each of four modes (major, mixolydian, minor, dorian) gets a score, the
weighted sum of what speaks for it. A key is as likely as its two modes together, so a dorian tune is in minor and a
mixolydian one in major. The evidence is

- on which degrees the melody's time is spent, and which degrees the first note, the last, the one before it, the lowest
  and the long notes are on,
- the correlation of the durations with the key's profile (`key_finding.py`), and how little sounds outside the mode, as
  a logarithm,
- which third sounds,
- the key signature, if there is one. It counts less if another signature has more of the notes.

`benchmarks/training/fit_melody_keys.py` fitted the weights (`melody_key_weights.py`). The running time is linear in the
number of notes.
"""

from collections.abc import Sequence
from math import exp, log
from operator import mul
from typing import NamedTuple

from consort_music.key_finding import KeyGuess, Mode, pitch_class_weights, rank_keys, sharps_of, signature_credit
from consort_music.melody_key_weights import BIASES, DEGREES, GENERAL, SIGNATURES

TABLES = ("length", "held", "first", "last", "before the last", "lowest")
"""What is counted for each pitch class, in the order of the rows of `DEGREES`."""
GENERAL_EVIDENCE = ("correlation", "length outside", "notes outside", "third")
"""What is computed for a tonic and a mode, in the order of `GENERAL`."""
MELODY_MODES: tuple[tuple[str, Mode, int, tuple[int, ...]], ...] = (
    ("major", "major", 0, (0, 2, 4, 5, 7, 9, 11)),
    ("mixolydian", "major", -1, (0, 2, 4, 5, 7, 9, 10)),
    ("minor", "minor", 0, (0, 2, 3, 5, 7, 8, 10, 11)),
    ("dorian", "minor", 1, (0, 2, 3, 5, 7, 9, 10)),
)
"""By mode: its name, major or minor, the sharps that its signature has more than theirs, and its notes."""
_HELD = 1.9
"""A note is held if it is this many times as long as the notes are on average."""
_LEAST_OUTSIDE = 0.02
"""This is added to the shares outside a mode before the logarithm is taken."""
_SMALL = 1e-9


class MelodyNote(NamedTuple):
    start: float
    end: float
    midi: int


class MelodyEvidence(NamedTuple):
    tables: list[list[float]]
    """For each of `TABLES`, the share of each pitch class."""
    general: dict[tuple[int, int], list[float]]
    """For each tonic and index in `MELODY_MODES`: the values of `GENERAL_EVIDENCE`."""


def rank_keys_of_melody(notes: Sequence[MelodyNote], sharps: int | None = None) -> list[KeyGuess]:
    """Return all 24 keys, the best first. `sharps` are those of the key signature.

    The difference of two scores is the logarithm of how many times likelier one key is.
    """
    evidence = melody_evidence(notes)
    credit = 0.0 if sharps is None else signature_credit(evidence.tables[0], sharps)
    scores: dict[tuple[int, Mode], list[float]] = {}
    for number, (_, mode, more_sharps, _) in enumerate(MELODY_MODES):
        weights, general, bias = DEGREES[number], GENERAL[number], BIASES[number]
        for tonic in range(12):
            score = bias + sum(map(mul, general, evidence.general[tonic, number]))
            for table, row in zip(evidence.tables, weights, strict=True):
                score += sum(share * row[pitch_class - tonic] for pitch_class, share in enumerate(table) if share)
            if sharps is not None:
                score += credit * SIGNATURES[signs_apart(sharps, tonic, mode, more_sharps)]
            scores.setdefault((tonic, mode), []).append(score)
    guesses = [KeyGuess(tonic, mode, _log_sum(both)) for (tonic, mode), both in scores.items()]
    return sorted(guesses, key=lambda guess: (-round(guess.score, 9), abs(guess.sharps), guess.mode))


def melody_evidence(notes: Sequence[MelodyNote]) -> MelodyEvidence:
    """Return what is known of a melody, which must have notes."""
    ordered = sorted(notes)
    total = sum(note.end - note.start for note in ordered) or 1.0
    mean = total / len(ordered)
    length = pitch_class_weights([(note.midi, (note.end - note.start) / total) for note in ordered])
    count = pitch_class_weights([(note.midi, 1 / len(ordered)) for note in ordered])
    long_notes = [note for note in ordered[:-1] if note.end - note.start >= _HELD * mean]
    whole = sum(note.end - note.start for note in long_notes) or 1.0
    held = pitch_class_weights([(note.midi, (note.end - note.start) / whole) for note in long_notes])
    single = (ordered[0].midi, ordered[-1].midi, ordered[-2:][0].midi, min(note.midi for note in ordered))
    tables = [length, held, *(pitch_class_weights([(midi, 1.0)]) for midi in single)]
    general = {}
    for guess in rank_keys(length):
        tonic = guess.tonic
        minor, major = length[(tonic + 3) % 12], length[(tonic + 4) % 12]
        third = (major - minor) / (major + minor + _SMALL)
        for number, (_, mode, _, scale) in enumerate(MELODY_MODES):
            if mode == guess.mode:
                outside = [1 - sum(shares[(tonic + tone) % 12] for tone in scale) for shares in (length, count)]
                general[tonic, number] = [
                    guess.score,
                    *(-log(max(0.0, share) + _LEAST_OUTSIDE) for share in outside),
                    third if mode == "major" else -third,
                ]
    return MelodyEvidence(tables, general)


def signs_apart(sharps: int, tonic: int, mode: Mode, more_sharps: int) -> int:
    """Return by how many sharps a signature differs from that of a key, as an index in `SIGNATURES`: from -6 to 5."""
    return (sharps - sharps_of(tonic, mode) - more_sharps + 6) % 12 - 6


def _log_sum(scores: Sequence[float]) -> float:
    best = max(scores)
    return best + log(sum(exp(score - best) for score in scores))
