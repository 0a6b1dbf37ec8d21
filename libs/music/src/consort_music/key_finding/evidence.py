"""Rank keys by evidence that speaks for them: softmax regression over tonics and modes.

Each of the 12 tonics in each of four modes (major, mixolydian, minor, dorian) gets a score, the weighted sum of what
speaks for it. A key is as likely as its two modes together, so a dorian piece is in minor and a mixolydian one in
major. The evidence is

- tables: how often each pitch class occurs in some role, for example as the last note. Each table has a weight for each
  degree of a mode,
- general evidence, computed for a tonic and a mode: the correlation of the durations with the key's profile
  (`pitch_classes.py`), how little sounds outside the mode, as a logarithm, and which third sounds,
- the key signature, if there is one. It is a hint: it counts less if another signature has more of the notes.

`melody` and `voices` collect the evidence; each has its weights.
"""

from collections.abc import Sequence
from math import exp, log
from operator import mul
from typing import NamedTuple

from consort_music.key_finding.pitch_classes import KeyGuess, Mode, rank_keys, sharps_of, signature_credit

GENERAL_EVIDENCE = ("correlation", "length outside", "notes outside", "third")
"""What is computed for a tonic and a mode, in the order of `KeyWeights.general`."""
KEY_MODES: tuple[tuple[str, Mode, int, tuple[int, ...]], ...] = (
    ("major", "major", 0, (0, 2, 4, 5, 7, 9, 11)),
    ("mixolydian", "major", -1, (0, 2, 4, 5, 7, 9, 10)),
    ("minor", "minor", 0, (0, 2, 3, 5, 7, 8, 10, 11)),
    ("dorian", "minor", 1, (0, 2, 3, 5, 7, 9, 10)),
)
"""By mode: its name, major or minor, the sharps that its signature has more than theirs, and its notes."""
RESTING = 1.9
"""A note is held, or a bass rests, if it is this many times as long as the notes are on average."""
_LEAST_OUTSIDE = 0.02
"""This is added to the shares outside a mode before the logarithm is taken."""
_SMALL = 1e-9


class EvidenceForKeys(NamedTuple):
    tables: list[list[float]]
    """For each table, the share of each pitch class."""
    general: dict[tuple[int, int], list[float]]
    """For each tonic and index in `KEY_MODES`: the values of `GENERAL_EVIDENCE`."""
    length: list[float]
    """The share of the time that each pitch class sounds. It decides how far a signature is believed."""


class KeyWeights(NamedTuple):
    degrees: tuple[tuple[tuple[float, ...], ...], ...]
    """By mode and table: the weight of each degree, in semitones above the tonic."""
    general: tuple[tuple[float, ...], ...]
    signatures: tuple[float, ...]
    """By how many sharps a signature has more than that of the key; from -6 on at the end."""
    biases: tuple[float, ...]


def rank_by_evidence(evidence: EvidenceForKeys, weights: KeyWeights, sharps: int | None) -> list[KeyGuess]:
    """Return all 24 keys, the best first. `sharps` are those of the key signature.

    The difference of two scores is the logarithm of how many times likelier one key is.
    """
    credit = 0.0 if sharps is None else signature_credit(evidence.length, sharps)
    tables = [[(pitch_class, share) for pitch_class, share in enumerate(table) if share] for table in evidence.tables]
    scores: dict[tuple[int, Mode], list[float]] = {}
    for number, (_, mode, more_sharps, _) in enumerate(KEY_MODES):
        general, bias = weights.general[number], weights.biases[number]
        for tonic in range(12):
            score = bias + sum(map(mul, general, evidence.general[tonic, number]))
            for table, row in zip(tables, weights.degrees[number], strict=True):
                for pitch_class, share in table:
                    score += share * row[pitch_class - tonic]
            if sharps is not None:
                score += credit * weights.signatures[signs_apart(sharps, tonic, mode, more_sharps)]
            scores.setdefault((tonic, mode), []).append(score)
    guesses = [KeyGuess(tonic, mode, _log_sum(both)) for (tonic, mode), both in scores.items()]
    return sorted(guesses, key=lambda guess: (-round(guess.score, 9), abs(guess.sharps), guess.mode))


def general_evidence(
    length: Sequence[float], count: Sequence[float], thirds: Sequence[float]
) -> dict[tuple[int, int], list[float]]:
    """Return the general evidence for each tonic and index in `KEY_MODES`.

    `length` and `count` are the shares of the pitch classes in the time and in the number of notes. `thirds` decides
    which third sounds.
    """
    found = {}
    for guess in rank_keys(length):
        tonic = guess.tonic
        minor, major = thirds[(tonic + 3) % 12], thirds[(tonic + 4) % 12]
        third = (major - minor) / (major + minor + _SMALL)
        for number, (_, mode, _, scale) in enumerate(KEY_MODES):
            if mode == guess.mode:
                outside = [1 - sum(shares[(tonic + tone) % 12] for tone in scale) for shares in (length, count)]
                found[tonic, number] = [
                    guess.score,
                    *(-log(max(0.0, share) + _LEAST_OUTSIDE) for share in outside),
                    third if mode == "major" else -third,
                ]
    return found


def signs_apart(sharps: int, tonic: int, mode: Mode, more_sharps: int) -> int:
    """Return by how many sharps a signature differs from that of a key, as an index in `signatures`: from -6 to 5."""
    return (sharps - sharps_of(tonic, mode) - more_sharps + 6) % 12 - 6


def _log_sum(scores: Sequence[float]) -> float:
    best = max(scores)
    return best + log(sum(exp(score - best) for score in scores))
