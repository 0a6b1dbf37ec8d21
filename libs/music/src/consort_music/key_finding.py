"""The key of a melody: how long each pitch class sounds, correlated with the profiles of major and minor keys.

The profiles are Temperley's from the Kostka-Payne corpus, the method is Krumhansl and Schmuckler's: of 24 keys the one
whose profile correlates best. Beyond it, what a melody tells besides: it tends to begin on a tone of its tonic chord
and to end on its tonic, and a key signature, where one is notated, leaves few keys. Pitch classes are 0 (C) to 11 (B).

A signature is only a hint: many files say C major by default. It counts less the better another signature has
the notes, and it never decides between major and minor on a tonic whose third sounds.
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
"""What a first note on the tonic, the fifth or a third speaks for the key. Both were set on folk tunes, whole and cut
off after a half and a quarter: more for the last note would help whole tunes and mislead on phrases."""
_SIGNATURE_FITS = 0.2
_SIGNATURE_MODAL = 0.1
"""For the signature of dorian where the key is minor, of mixolydian where it is major."""
_SIGNATURE_OFF = 0.15
"""What each accidental more costs that key and signature are apart."""
_DOUBTED = 0.05
"""The share of the sounding time by which another signature has more of the notes, so that one counts nothing."""
_CONTRADICTED = 0.1
"""The same, so that a key is not believed even if somebody states it."""
_SILENT = 0.25
"""A third that sounds for less than this share of the other third counts as missing."""
_MAJOR_SCALE = (0, 2, 4, 5, 7, 9, 11)


@dataclass(frozen=True, slots=True)
class KeyGuess:
    tonic: int
    mode: Mode
    score: float
    """The correlation, -1 to 1, and what was added for the first and last note and the signature."""

    @property
    def key(self) -> Key:
        """The key, spelled with the fewest accidentals."""
        tonic = Pitch.from_midi(60 + self.tonic, prefer_flats=self.sharps < 0)
        return Key(tonic.step, tonic.alter, self.mode)

    @property
    def sharps(self) -> int:
        """Sharps of the key's signature, negative for flats, -5 to 6."""
        return sharps_of(self.tonic, self.mode)


def sharps_of(tonic: int, mode: Mode) -> int:
    """Sharps of the signature of a key, negative for flats, -5 to 6."""
    fifths = (tonic + (3 if mode == "minor" else 0)) * 7 % 12
    return fifths if fifths <= 6 else fifths - 12


def rank_keys(
    weights: Sequence[float], first: int | None = None, last: int | None = None, sharps: int | None = None
) -> list[KeyGuess]:
    """All 24 keys, best first, for the weight of each pitch class. `first` and `last` are the pitch classes of the
    melody's first and last note, `sharps` is the signature.

    Without them the score is the plain correlation. Of equal keys the one with fewer accidentals leads.
    """
    trust = 0.0 if sharps is None else max(0.0, 1 - _better_signature(weights, sharps) / _DOUBTED)
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
                score += trust * _signature_bonus(weights, tonic, mode, sharps)
            guesses.append(KeyGuess(tonic, mode, score))
    return sorted(guesses, key=lambda guess: (-round(guess.score, 9), abs(guess.sharps), guess.mode))


def contradicts(weights: Sequence[float], key: Key) -> bool:
    """Return whether the notes speak against a stated key: another signature has clearly more of them, or the third of
    the other mode sounds and its own does not."""
    total = sum(weights)
    if not total:
        return False
    own = sum(weights[tone] for tone in key.pitch_classes) / total
    best = max(_share(weights, sharps) for sharps in range(12))
    is_elsewhere = min(_better_signature(weights, key.sharps), best - own) >= _CONTRADICTED
    thirds = [weights[(key.tonic + semitones) % 12] for semitones in ((3, 4) if key.is_minor else (4, 3))]
    return is_elsewhere or thirds[0] < _SILENT * thirds[1]


def _better_signature(weights: Sequence[float], sharps: int) -> float:
    """Return by which share of the sounding time the best signature has more of the notes than this one."""
    return max(_share(weights, other) for other in range(12)) - _share(weights, sharps)


def _share(weights: Sequence[float], sharps: int) -> float:
    tonic = 7 * sharps % 12
    return sum(weights[(tonic + tone) % 12] for tone in _MAJOR_SCALE) / (sum(weights) or 1.0)


def _signature_bonus(weights: Sequence[float], tonic: int, mode: Mode, sharps: int) -> float:
    """Return what the signature speaks for a key; for a mode whose third sounds less, no more than for the other."""
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
    """How long each pitch class sounds, from pairs of pitch (MIDI number or pitch class) and duration."""
    weights = [0.0] * 12
    for pitch, duration in notes:
        weights[pitch % 12] += duration
    return weights
