"""Find the local key of each chord: a Viterbi search over the 24 keys.

A key explains a chord by the logarithm of how often chords of this kind occur on this degree, times a weight for the
chord's length. A change of key costs more the further apart the signatures are, so a chord or two from another key
(an applied dominant, a borrowed chord) do not change the key, but a phrase in it does. The piece is expected to
begin in the home key. The running time is linear in the number of chords.

`_LOG_SHARES` was counted in analyses of chorales and (with a tenth of the weight) madrigals, the tuning part of
`evaluation/corpora/roman_numerals`, and smoothed with the usual degrees of tonal and popular music. The costs were
chosen there by leaving out one piece at a time. For a similar model see C. Raphael and J. Stoddard, "Functional
Harmonic Analysis Using Probabilistic Models", Computer Music Journal 28 (2004).
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import groupby
from typing import NamedTuple

from consort_compose.composer.harmony.degree_chords import DIMINISHED, MINOR, QUALITIES
from consort_music.key_finding.pitch_classes import Mode, sharps_of
from consort_music.keys import Key, key_of_signature

_LOG_SHARES: dict[Mode, dict[str, tuple[float, ...]]] = {
    "major": {
        "": (-1.2, -5.5, -4.0, -5.5, -4.4, -2.1, -5.5, -1.7, -5.5, -4.7, -4.5, -5.5),
        "m": (-5.3, -5.5, -2.6, -5.5, -3.4, -5.5, -5.5, -5.0, -5.5, -2.4, -5.5, -5.5),
        "dim": (-5.5, -5.5, -5.5, -5.5, -5.5, -5.5, -5.1, -5.5, -5.5, -5.5, -5.5, -3.4),
        "7": (-4.8, -5.5, -4.6, -5.5, -4.7, -5.5, -5.5, -2.9, -5.5, -5.5, -5.5, -5.5),
    },
    "minor": {
        "": (-3.1, -5.2, -4.4, -3.0, -5.5, -3.6, -5.5, -1.7, -2.9, -5.5, -3.1, -5.5),
        "m": (-1.4, -5.5, -4.2, -5.5, -5.5, -2.4, -5.5, -3.0, -5.5, -5.5, -5.5, -5.5),
        "dim": (-5.5, -5.5, -3.4, -5.5, -5.5, -5.5, -4.7, -5.5, -5.5, -4.8, -5.5, -3.0),
        "7": (-4.8, -5.5, -4.9, -5.5, -5.5, -4.6, -5.5, -3.4, -5.5, -5.5, -5.1, -5.5),
    },
}
"""By mode and kind of chord, for each semitone above the tonic. The least value is limited."""
_LONGEST, _EXPONENT = 3.0, 0.7
"""A chord of n quarter notes, at most `_LONGEST`, has the weight n ** `_EXPONENT`."""
_CHANGE, _PER_SIGN = 3.0, 1.0
_PARALLEL = 3
"""The parallel key (C major and C minor) counts as this many signs away."""
_STATES: tuple[tuple[int, Mode], ...] = tuple((tonic, mode) for mode in ("major", "minor") for tonic in range(12))
_MOST_SIGNS = 7
_DOMINANTS = frozenset(
    suffix for suffix, quality in QUALITIES.items() if {4, 10} <= set(quality.tones) and 11 not in quality.tones
)


class KeyedChord(NamedTuple):
    """A chord without a key: its root as a pitch class, its suffix in `QUALITIES`, and its length in quarter notes."""

    root: int
    suffix: str
    length: Fraction


def find_local_keys(chords: Sequence[KeyedChord], home: Key) -> list[Key]:
    """Return the key of each chord. `home` is the key of the piece; it must be major or minor."""
    repeated = [list(group) for _, group in groupby(chords, key=lambda chord: chord[:2])]
    whole = [KeyedChord(*group[0][:2], sum((chord.length for chord in group), Fraction(0))) for group in repeated]
    start = _STATES.index((home.tonic, "minor" if home.is_minor else "major"))
    path = _best_path(whole, start) if whole else []
    names = {place: home if place == start else _named(place, home) for place in set(path)}
    return [names[place] for place, group in zip(path, repeated, strict=True) for _ in group]


def _best_path(chords: Sequence[KeyedChord], start: int) -> list[int]:
    """Return the index in `_STATES` of each chord's key. `start` is that of the home key."""
    costs = _costs()
    scores = [fit - cost for fit, cost in zip(_fits(chords[0]), costs[start], strict=True)]
    origins: list[list[int]] = []
    for chord in chords[1:]:
        row, following = [], []
        for place, fit in enumerate(_fits(chord)):
            reached = [score - cost for score, cost in zip(scores, costs[place], strict=True)]
            best = max(reached)
            row.append(place if reached[place] == best else reached.index(best))
            following.append(best + fit)
        origins.append(row)
        scores = following
    place = scores.index(max(scores))
    path = [place]
    for row in reversed(origins):
        place = row[place]
        path.append(place)
    return path[::-1]


def _fits(chord: KeyedChord) -> list[float]:
    """Return the fit of the chord to each of `_STATES`."""
    family = QUALITIES[chord.suffix].family
    kind = "dim" if family == DIMINISHED else "m" if family == MINOR else "7" if chord.suffix in _DOMINANTS else ""
    weight = min(float(chord.length), _LONGEST) ** _EXPONENT
    return [weight * share for share in _fits_of_kind(kind, chord.root)]


@cache
def _fits_of_kind(kind: str, root: int) -> tuple[float, ...]:
    return tuple(_LOG_SHARES[mode][kind][(root - tonic) % 12] for tonic, mode in _STATES)


@cache
def _costs() -> tuple[tuple[float, ...], ...]:
    """Return the cost of the change between any two of `_STATES`."""
    return tuple(
        tuple(0.0 if one == other else _CHANGE + _PER_SIGN * _signs_apart(one, other) for other in _STATES)
        for one in _STATES
    )


def _signs_apart(one: tuple[int, Mode], other: tuple[int, Mode]) -> int:
    apart = abs((sharps_of(*one) - sharps_of(*other) + 6) % 12 - 6)
    return min(apart, _PARALLEL) if one[0] == other[0] else apart


def _named(place: int, home: Key) -> Key:
    """Return a key with at most seven signs, spelled as near to the home key as possible."""
    tonic, mode = _STATES[place]
    usual = sharps_of(tonic, mode)
    names = [sharps for sharps in (usual - 12, usual, usual + 12) if abs(sharps) <= _MOST_SIGNS]
    return key_of_signature(min(names, key=lambda sharps: (abs(sharps - home.sharps), abs(sharps))), mode)
