"""Find and name the chords and cadences of given music: the engine of `analyze_harmony`.

The chords come from three sources. At each time, the first source that applies is used:

1. Chord symbols above the music, where the notes support them (`score_chord_symbols.py`).
2. The notes, if the music is not only a melody; a line of broken chords is none (`chord_recognition.py`).
3. For a melody without any symbols, its best classical harmonization. These chords are only implied, and the answer
   says so.

Then each chord gets its local key, if changes of key are asked for (`local_keys.py`). In it, augmented sixth chords are
distinguished from dominant sevenths, equal neighbours are merged, and every chord gets its numeral and function.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from consort_compose.composer.harmony.analyze.augmented_sixths import ChordStretch, find_augmented_sixths
from consort_compose.composer.harmony.analyze.cadences import Cadence, find_cadences
from consort_compose.composer.harmony.analyze.local_keys import KeyedChord, find_local_keys
from consort_compose.composer.harmony.analyze.named_chord import NamedChord
from consort_compose.composer.harmony.broken_chords import is_broken_chords
from consort_compose.composer.harmony.chord_recognition import RecognizedChord, recognize_chords
from consort_compose.composer.harmony.degree_chords import (
    DIMINISHED,
    QUALITIES,
    DegreeChord,
    chord_on,
    degree_of,
    symbol_of,
)
from consort_compose.composer.harmony.harmonize.search.find_harmonies import harmonize
from consort_compose.composer.harmony.harmonize.search.harmony_task import HarmonyTask
from consort_compose.composer.harmony.melody_grid import ChordRhythm, melody_grid
from consort_compose.composer.harmony.numerals import name_chords
from consort_compose.composer.harmony.score_chord_symbols import (
    ScoreSymbol,
    as_degree_chord,
    suffix_of,
    supported_symbols,
)
from consort_compose.composer.harmony.sounding_notes import has_chords, notes_in_stretches, usual_spelling
from consort_music.chords.symbol import ChordSymbol
from consort_music.keys import Key
from consort_music.score import Note, Score

_USUAL_DEGREES = ((1, 0), (2, -1), (2, 0), (3, -1), (3, 0), (4, 0), (4, 1), (5, 0), (6, -1), (6, 0), (7, -1), (7, 0))
"""For each semitone above the tonic, its (degree, alteration) if the spelling is unknown."""
_RAISED = {(2, -1): (1, 1), (3, -1): (2, 1), (6, -1): (5, 1)}
"""Replacements for the root of a diminished chord in major: it leads upward, so it is a raised degree."""


@dataclass(frozen=True)
class Analysis:
    """The chords and cadences of a score."""

    key: Key
    chords: list[NamedChord]
    """In order. Equal neighbours are merged. There is no chord where nothing sounds."""
    cadences: list[Cadence]
    is_implied: bool
    """Whether the chords are only implied by a melody without accompaniment."""


class _FoundChord(NamedTuple):
    """A chord without a key: from a symbol above the music, or recognized from the notes."""

    start: Fraction
    end: Fraction
    symbol: ScoreSymbol | None
    recognized: RecognizedChord | None

    @property
    def keyed(self) -> KeyedChord:
        if self.symbol is not None:
            root = self.symbol.symbol.root_pitch_class
            assert root is not None
            return KeyedChord(root, suffix_of(self.symbol.symbol), self.end - self.start)
        assert self.recognized is not None
        return KeyedChord(self.recognized.root, self.recognized.suffix, self.end - self.start)


@dataclass(frozen=True)
class _PlacedChord:
    """A chord in its key before it is named."""

    start: Fraction
    end: Fraction
    key: Key
    chord: DegreeChord
    bass: int
    """Semitones above the tonic."""
    symbol: ChordSymbol | None = None
    """The symbol above the music, or None if the chord does not come from a symbol."""


def analyze_harmony(score: Score, key: Key, rhythm: ChordRhythm = "per_beat", *, changes_key: bool = False) -> Analysis:
    """Return the chords and cadences of a score.

    `rhythm` is how often the chord may change. `key` is the key of the whole piece; with `changes_key` it is the home
    key, and each chord is named in its local key. A mode other than major and minor does not change.
    """
    is_melody = not has_chords(score)
    symbols = supported_symbols(score, has_chords=not is_melody)
    is_melody = is_melody and (bool(symbols) or not is_broken_chords(score))
    is_implied = is_melody and not symbols
    if is_implied:
        placed = _implied_chords(score, key, rhythm)
    else:
        recognized = [] if is_melody else _recognized_chords(score, key, rhythm)
        found = _with_symbols(recognized, symbols)
        keys = [key] * len(found)
        if changes_key and key.mode in ("major", "minor"):
            keys = find_local_keys([one.keyed for one in found], key)
        placed = _placed(score, found, keys)
        if not is_melody:
            placed = _with_augmented_sixths(score, placed)
    chords = _named(score, _merged(placed))
    return Analysis(key, chords, find_cadences(score, key, chords), is_implied)


def _with_symbols(recognized: Sequence[RecognizedChord], symbols: Sequence[ScoreSymbol]) -> list[_FoundChord]:
    """Return the chords of the symbols, and the recognized chords where there is no symbol."""
    whole = [_FoundChord(one.start, one.end, one, None) for one in symbols]
    ends = [one.end for one in symbols]
    for other in recognized:
        start = other.start
        for one in symbols[bisect_right(ends, start) :]:
            if one.start >= other.end:
                break
            if one.start > start:
                whole.append(_FoundChord(start, one.start, None, other))
            start = one.end
        if start < other.end:
            whole.append(_FoundChord(start, other.end, None, other))
    return sorted(whole, key=lambda one: one.start)


def _recognized_chords(score: Score, key: Key, rhythm: ChordRhythm) -> list[RecognizedChord]:
    leading_tone = {(key.tonic + 11) % 12} if key.mode == "minor" else set()
    return recognize_chords(score, rhythm, frozenset(leading_tone.union(key.pitch_classes)))


def _placed(score: Score, found: Sequence[_FoundChord], keys: Sequence[Key]) -> list[_PlacedChord]:
    """Return the chords on degrees of their keys. Unless the music is spelled, roots get their usual spelling."""
    inside = notes_in_stretches(score, [(one.start, one.end) for one in found])
    placed = []
    for one, key, notes in zip(found, keys, inside, strict=True):
        if one.symbol is not None:
            chord, bass = as_degree_chord(one.symbol, key)
            placed.append(_PlacedChord(one.start, one.end, key, chord, bass, one.symbol.symbol))
        elif one.recognized is not None:
            chord = _on_degree(one.recognized, key, notes if score.is_spelled else ())
            placed.append(_PlacedChord(one.start, one.end, key, chord, (one.recognized.bass - key.tonic) % 12))
    return placed


def _with_augmented_sixths(score: Score, placed: Sequence[_PlacedChord]) -> list[_PlacedChord]:
    whole: list[_PlacedChord] = []
    for key, group in groupby(placed, key=lambda one: one.key):
        chords = list(group)
        inside = notes_in_stretches(score, [(one.start, one.end) for one in chords])
        stretches = [
            ChordStretch(one.start, notes, one.chord.root, one.bass, one.symbol is not None)
            for one, notes in zip(chords, inside, strict=True)
        ]
        sixths = find_augmented_sixths(stretches, key, score.is_spelled)
        whole += [replace(one, chord=sixth) if sixth else one for one, sixth in zip(chords, sixths, strict=True)]
    return whole


def _on_degree(recognized: RecognizedChord, key: Key, notes: Sequence[Note]) -> DegreeChord:
    """Return a recognized chord as a chord on a degree of the key.

    `notes` are the notes of the chord; empty if their spelling is unknown (MIDI).
    """
    number, alteration = _degree(key, recognized.root, usual_spelling(notes, recognized.root))
    if not notes and not key.is_minor and QUALITIES[recognized.suffix].family == DIMINISHED:
        number, alteration = _RAISED.get((number, alteration), (number, alteration))
    return chord_on(number, recognized.suffix, minor=key.is_minor, alteration=alteration)


def _degree(key: Key, root: int, spelling: tuple[str, int] | None) -> tuple[int, int]:
    """Return the degree and alteration of a root.

    The spelling decides if it gives an alteration of at most one semitone; otherwise `_USUAL_DEGREES` does.
    """
    if spelling is not None:
        number, alteration = degree_of(key, spelling[0], root)
        if abs(alteration) <= 1:
            return number, alteration
    return _USUAL_DEGREES[(root - key.tonic) % 12]


def _implied_chords(score: Score, key: Key, rhythm: ChordRhythm) -> list[_PlacedChord]:
    grid = melody_grid(score)
    best = harmonize(HarmonyTask(grid, key, "classical", rhythm), 1)
    return [
        _PlacedChord(grid.moment(slot.span.start), grid.moment(slot.span.end), key, choice.chord, choice.chord.root)
        for slot, choice in zip(best.slots, best.options[0].choices, strict=True)
    ]


def _merged(placed: Sequence[_PlacedChord]) -> list[_PlacedChord]:
    """Merge equal chords that follow each other without a gap."""
    merged: list[_PlacedChord] = []
    for one in placed:
        last = merged[-1] if merged else None
        if last and replace(last, start=one.start, end=one.end) == one and last.end == one.start:
            merged[-1] = replace(last, end=one.end)
        else:
            merged.append(one)
    return merged


def _named(score: Score, placed: Sequence[_PlacedChord]) -> list[NamedChord]:
    named = []
    for key, group in groupby(placed, key=lambda one: one.key):
        chords = list(group)
        names = name_chords(key, [(one.chord, one.bass) for one in chords])
        for one, (numeral, function) in zip(chords, names, strict=True):
            chord = one.chord
            symbol = one.symbol or symbol_of(key, chord.number, chord.alteration, chord.suffix, one.bass)
            place = score.position_at(one.start)
            named.append(NamedChord(one.start, one.end, place, symbol, key, numeral, function, chord, one.bass))
    return named
