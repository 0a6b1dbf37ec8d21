"""Find the key of a melody with the Krumhansl-Schmuckler algorithm and Temperley's Kostka-Payne profiles.

The total durations (weights) of the 12 pitch classes are correlated with a profile of each of the 24 major and minor
keys, and the key with the best correlation is chosen. Bonuses are added for a first note in the tonic chord, for a last
note on the tonic, and for a notated key signature. Pitch classes are 0 (C) to 11 (B).

A signature is only a hint, because many files state C major by default. It counts less if another signature contains
more of the notes. If a third above the tonic sounds, the signature does not decide between major and minor.

Reference: D. Temperley, Music and Probability (2007), chapter 6; C. Krumhansl, Cognitive Foundations of Musical Pitch
(1990), chapter 4.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from consort_music.keys import Key
from consort_music.pitch import Pitch

Mode = Literal["major", "minor"]

_PROFILES: dict[Mode, tuple[float, ...]] = {
    "major": (0.748, 0.060, 0.488, 0.082, 0.670, 0.460, 0.096, 0.715, 0.104, 0.366, 0.057, 0.400),
    "minor": (0.712, 0.084, 0.474, 0.618, 0.049, 0.460, 0.105, 0.747, 0.404, 0.067, 0.133, 0.330),
}
_ENDS_ON_TONIC = 0.1
_BEGINS_ON = {0: 0.1, 7: 0.1, 3: 0.05, 4: 0.05}
"""Bonus for a first note on the tonic, the fifth or a third, by semitones above the tonic.

This and `_ENDS_ON_TONIC` were tuned on folk tunes: on whole tunes and on their first half and quarter. A higher bonus
for the last note would give better results for whole tunes and worse ones for phrases.
"""
_SIGNATURE_FITS = 0.2
_SIGNATURE_MODAL = 0.1
"""Bonus if the signature is that of the dorian mode and the key is minor, or mixolydian and the key is major."""
_SIGNATURE_OFF = 0.15
"""Penalty for each accidental, after the first, by which the key and the signature differ."""
_SIGNATURE_IGNORED_FROM = 0.05
"""A signature is ignored if the notes of another signature sound longer by this share of the total duration."""
_KEY_REJECTED_FROM = 0.1
"""A stated key is rejected if the notes of another signature sound longer by this share of the total duration."""
_MISSING_THIRD = 0.25
"""A third counts as missing if it sounds for less than this share of the duration of the other third."""
_MAJOR_SCALE = (0, 2, 4, 5, 7, 9, 11)


@dataclass(frozen=True, slots=True)
class KeyGuess:
    tonic: int
    mode: Mode
    score: float
    """The correlation, from -1 to 1, plus bonuses and penalties."""

    @property
    def key(self) -> Key:
        """The key, spelled with the fewest accidentals."""
        tonic = Pitch.from_midi(60 + self.tonic, prefer_flats=self.sharps < 0)
        return Key(tonic.step, tonic.alter, self.mode)

    @property
    def sharps(self) -> int:
        """The sharps of the key's signature, from -5 to 6; negative for flats."""
        return sharps_of(self.tonic, self.mode)


def sharps_of(tonic: int, mode: Mode) -> int:
    """Return the sharps of a key's signature, from -5 to 6; negative for flats."""
    fifths = (tonic + (3 if mode == "minor" else 0)) * 7 % 12
    return fifths if fifths <= 6 else fifths - 12


def rank_keys(
    weights: Sequence[float], first: int | None = None, last: int | None = None, sharps: int | None = None
) -> list[KeyGuess]:
    """Return all 24 keys, the best first. `weights` has the total duration of each pitch class.

    `first` and `last` are the pitch classes of the melody's first and last note, `sharps` is its signature. Without
    them the score is the correlation. If two scores are equal, the key with fewer accidentals comes first.
    """
    signature_weight = 0.0 if sharps is None else signature_credit(weights, sharps)
    mean = sum(weights) / 12
    spread = [weight - mean for weight in weights]
    norm = sum(value * value for value in spread) ** 0.5
    guesses = []
    for mode, profile in _PROFILES.items():
        average = sum(profile) / 12
        shape = [value - average for value in profile]
        length = sum(value * value for value in shape) ** 0.5
        for tonic in range(12):
            dot = sum(spread[(tonic + degree) % 12] * shape[degree] for degree in range(12))
            score = dot / (norm * length) if norm else 0.0
            if first is not None:
                score += _BEGINS_ON.get((first - tonic) % 12, 0.0)
            if last == tonic:
                score += _ENDS_ON_TONIC
            if sharps is not None:
                score += signature_weight * _signature_bonus(weights, tonic, mode, sharps)
            guesses.append(KeyGuess(tonic, mode, score))
    return sorted(guesses, key=lambda guess: (-round(guess.score, 9), abs(guess.sharps), guess.mode))


def contradicts(weights: Sequence[float], key: Key) -> bool:
    """Return whether notes with these weights contradict a stated key.

    They do if another signature contains clearly more of them, or if the key's third is missing and the third of the
    other mode (major or minor) sounds.
    """
    total = sum(weights)
    if not total:
        return False
    own = sum(weights[tone] for tone in key.pitch_classes) / total
    best = max(_share(weights, sharps) for sharps in range(12))
    is_elsewhere = min(_better_signature(weights, key.sharps), best - own) >= _KEY_REJECTED_FROM
    thirds = [weights[(key.tonic + semitones) % 12] for semitones in ((3, 4) if key.is_minor else (4, 3))]
    return is_elsewhere or thirds[0] < _MISSING_THIRD * thirds[1]


def signature_credit(weights: Sequence[float], sharps: int) -> float:
    """Return how far a signature is believed: from 1 to 0, if another signature contains more of the notes."""
    return max(0.0, 1 - _better_signature(weights, sharps) / _SIGNATURE_IGNORED_FROM)


def _better_signature(weights: Sequence[float], sharps: int) -> float:
    """Return how much longer the notes of the best signature sound than those of this one, as a share of the total."""
    return max(_share(weights, other) for other in range(12)) - _share(weights, sharps)


def _share(weights: Sequence[float], sharps: int) -> float:
    """Return the share of the total duration that the notes of a signature sound."""
    tonic = 7 * sharps % 12
    return sum(weights[(tonic + tone) % 12] for tone in _MAJOR_SCALE) / (sum(weights) or 1.0)


def _signature_bonus(weights: Sequence[float], tonic: int, mode: Mode, sharps: int) -> float:
    """Return the bonus of a key for a signature with this many sharps.

    If the third of the other mode sounds longer than the key's own third, the bonus is not higher than that of the key
    of the other mode on the same tonic.
    """
    own = _fit(sharps_of(tonic, mode), mode, sharps)
    third, other_third = weights[(tonic + 4) % 12], weights[(tonic + 3) % 12]
    other: Mode = "minor"
    if mode == "minor":
        third, other_third, other = other_third, third, "major"
    return min(own, _fit(sharps_of(tonic, other), other, sharps)) if third < other_third else own


def _fit(own: int, mode: Mode, sharps: int) -> float:
    apart = (sharps - own + 6) % 12 - 6
    if apart == 0:
        return _SIGNATURE_FITS
    if apart == (1 if mode == "minor" else -1):
        return _SIGNATURE_MODAL
    return -_SIGNATURE_OFF * (abs(apart) - 1)


def pitch_class_weights(notes: Sequence[tuple[int, float]]) -> list[float]:
    """Return the total duration of each pitch class. `notes` are pairs of pitch (or pitch class) and duration."""
    weights = [0.0] * 12
    for pitch, duration in notes:
        weights[pitch % 12] += duration
    return weights
