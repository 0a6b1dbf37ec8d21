"""Read the chord symbols above a score: whether the notes support them, and which degree of the key each one is on.

If the score is a single melody, every symbol is used. Otherwise a symbol is used if chord tones make up at least two
thirds of the sounding time under it. This keeps the written name of extended chords, which cannot be recognized from
the notes alone (Dm9 sounds like Fmaj7 over D). Symbols that do not match the notes are ignored.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from consort_compose.composer.harmony.degree_chords import QUALITIES, DegreeChord, chord_on, degree_of
from consort_compose.composer.harmony.sounding_notes import notes_in_stretches
from consort_music.chords.grammar import parse_chord
from consort_music.chords.symbol import ChordSymbol, note_text
from consort_music.chords.timed_chords import ChordMark, ChordSpan, chord_spans
from consort_music.keys import Key
from consort_music.score import Note, Score

_SUPPORTED = Fraction(2, 3)
"""The smallest share of chord tones in the sounding time under a symbol."""
_SUFFIX_OF_TONES = {frozenset(quality.tones): suffix for suffix, quality in QUALITIES.items()}
_FOURTH = 5


class ScoreSymbol(NamedTuple):
    """A chord symbol of a score from `start` to `end`, in quarter notes."""

    start: Fraction
    end: Fraction
    symbol: ChordSymbol
    bass: int
    """Pitch class of the bass.

    It is the note after the slash. Without a slash, it is the lowest sounding note if that is a chord tone, otherwise
    the root.
    """


def supported_symbols(score: Score, has_chords: bool) -> list[ScoreSymbol]:
    """Return the symbols that the notes support, in order. Return all symbols if `has_chords` is False (a melody)."""
    spans = chord_spans(score.chords, score.length)
    sounding = (
        notes_in_stretches(score, [(span.start, span.end) for span in spans]) if has_chords else [[] for _ in spans]
    )
    found = []
    for (start, end, symbol), notes in zip(spans, sounding, strict=True):
        if symbol.is_no_chord:
            continue
        if not has_chords or _is_supported(start, end, symbol, notes):
            bass = _bass(start, symbol, notes)
            found.append(ScoreSymbol(start, end, _over_bass(symbol, bass), bass))
    return found


def _is_supported(start: Fraction, end: Fraction, symbol: ChordSymbol, notes: Sequence[Note]) -> bool:
    inside = total = Fraction(0)
    for note in notes:
        sounding = min(note.end, end) - max(note.start, start)
        if sounding > 0:
            total += sounding
            inside += sounding * (note.midi % 12 in symbol.pitch_classes)
    return total > 0 and inside >= _SUPPORTED * total


def _bass(start: Fraction, symbol: ChordSymbol, notes: Sequence[Note]) -> int:
    written = symbol.bass_pitch_class
    assert written is not None
    lowest = min((note.midi for note in notes if note.start <= start < note.end), default=written)
    return lowest % 12 if symbol.bass is None and lowest % 12 in symbol.pitch_classes else written


def _over_bass(symbol: ChordSymbol, bass: int) -> ChordSymbol:
    """Return the symbol with this bass. For example, C with E in the bass becomes C/E, so that its numeral is I6."""
    if bass == symbol.bass_pitch_class:
        return symbol
    return parse_chord(f"{symbol.name}/{note_text(symbol.note_name(bass))}")


def as_degree_chord(given: ScoreSymbol, key: Key) -> tuple[DegreeChord, int]:
    """Return the symbol as a chord on a degree of the key, and its bass in semitones above the tonic."""
    root = given.symbol.root
    assert root is not None
    number, alteration = degree_of(key, root.step, root.pitch_class)
    if abs(alteration) > 1:  # for example C# in a flat key: respell the root enharmonically in this key
        number, alteration = degree_of(key, key.spell(60 + root.pitch_class).step, root.pitch_class)
    chord = chord_on(number, suffix_of(given.symbol), minor=key.is_minor, alteration=alteration)
    return chord, (given.bass - key.tonic) % 12


def suffix_of(symbol: ChordSymbol) -> str:
    """Return the suffix in `QUALITIES` with the symbol's tones.

    If there is none, return the suffix of the seventh chord or triad that the symbol contains.
    """
    assert symbol.root is not None
    tones = frozenset((tone.pitch_class - symbol.root.pitch_class) % 12 for tone in symbol.tones)
    if tones in _SUFFIX_OF_TONES:
        return _SUFFIX_OF_TONES[tones]
    third = "m" if 3 in tones and 4 not in tones else ""
    if {3, 6} <= tones and 7 not in tones and 4 not in tones:
        return "m7b5" if 10 in tones else "dim7" if 9 in tones else "dim"
    if third == "" and 4 not in tones and _FOURTH in tones:
        return "7sus4" if 10 in tones else "sus4"
    if 10 in tones:
        return f"{third}7"
    if 11 in tones:
        return "maj7" if not third else "m"
    if {4, 8} <= tones and 7 not in tones:
        return "aug"
    return third


def with_chord_symbols(score: Score, chords: Sequence[ChordSpan]) -> Score:
    """Return the score with these chord symbols. A symbol that repeats is written only once."""
    marks: list[ChordMark] = []
    for start, _, chord in chords:
        if not marks or marks[-1].symbol != chord.name:
            marks.append(ChordMark(start, chord.name))
    return replace(score, chords=tuple(marks))
