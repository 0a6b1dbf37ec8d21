"""Chord symbols that stand above the music: what they are in the key, and whether what sounds bears them out.

Over a melody alone a symbol is the harmony. Where the music has chords of its own, a symbol counts as long as most of
what sounds under it is in the chord: so an extended chord keeps its name, which its sound alone would not tell, and a
plan that the music does not follow is not taken for it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from consort_compose.composer.harmony.chords import MAJOR_SCALE, QUALITIES, Chord, chord_on
from consort_music.chords import ChordSymbol, note_text, parse_chord
from consort_music.chords.layout import ChordSpan, chord_spans
from consort_music.keys import Key
from consort_music.pitch import STEPS
from consort_music.score import Note, Score

_BORNE_OUT = Fraction(2, 3)
"""The share of the sounding time that has to be in a chord."""
_EXACT = {frozenset(quality.tones): suffix for suffix, quality in QUALITIES.items()}
_FOURTH = 5


class Written(NamedTuple):
    start: Fraction
    end: Fraction
    symbol: ChordSymbol
    bass: int
    """The pitch class below: what the symbol says after its slash, else the lowest tone of the chord that sounds."""


def written_chords(score: Score, has_chords: bool) -> list[Written]:
    """The symbols that hold, in order; none where nothing is written."""
    spans = chord_spans(score.chords, score.length)
    sounding = _under(score, spans) if has_chords else [[] for _ in spans]
    found = []
    for (start, end, symbol), notes in zip(spans, sounding, strict=True):
        if symbol.is_no_chord:
            continue
        if not has_chords or _is_borne_out(start, end, symbol, notes):
            bass = _bass(start, symbol, notes)
            found.append(Written(start, end, _over(symbol, bass), bass))
    return found


def _under(score: Score, spans: Sequence[ChordSpan]) -> list[list[Note]]:
    """The notes that sound under each symbol."""
    starts = [span.start for span in spans]
    found: list[list[Note]] = [[] for _ in starts]
    for part in score.parts:
        for note in part.notes:
            first = max(bisect_right(starts, note.start) - 1, 0)
            for place in range(first, bisect_left(starts, note.end)):
                found[place].append(note)
    return found


def _is_borne_out(start: Fraction, end: Fraction, symbol: ChordSymbol, notes: Sequence[Note]) -> bool:
    inside = total = Fraction(0)
    for note in notes:
        sounding = min(note.end, end) - max(note.start, start)
        if sounding > 0:
            total += sounding
            inside += sounding * (note.midi % 12 in symbol.pitch_classes)
    return total > 0 and inside >= _BORNE_OUT * total


def _bass(start: Fraction, symbol: ChordSymbol, notes: Sequence[Note]) -> int:
    written = symbol.bass_pitch_class
    assert written is not None
    lowest = min((note.midi for note in notes if note.start <= start < note.end), default=written)
    return lowest % 12 if symbol.bass is None and lowest % 12 in symbol.pitch_classes else written


def _over(symbol: ChordSymbol, bass: int) -> ChordSymbol:
    """The symbol with the bass that sounds: C over E is C/E, as its numeral is I6."""
    if bass == symbol.bass_pitch_class:
        return symbol
    return parse_chord(f"{symbol.name}/{note_text(symbol.note_name(bass))}")


def in_key(written: Written, key: Key) -> tuple[Chord, int]:
    """A symbol as a chord on a degree of a key, and its bass in semitones above the tonic."""
    symbol = written.symbol
    root = symbol.root
    assert root is not None
    letters = (STEPS.index(root.step) - STEPS.index(key.step)) % 7
    semitones = (root.pitch_class - key.tonic) % 12
    alteration = (semitones - MAJOR_SCALE[letters] + 6) % 12 - 6
    if abs(alteration) > 1:  # C# in a key of flats: the degree that the ear hears
        pitch = key.spell(60 + root.pitch_class)
        letters = (STEPS.index(pitch.step) - STEPS.index(key.step)) % 7
        alteration = (semitones - MAJOR_SCALE[letters] + 6) % 12 - 6
    chord = chord_on(letters + 1, _suffix(symbol), minor=key.is_minor, alteration=alteration)
    return chord, (written.bass - key.tonic) % 12


def _suffix(symbol: ChordSymbol) -> str:
    """The kind of chord that a symbol is; of kinds without a numeral of their own the seventh chord or triad in it."""
    assert symbol.root is not None
    tones = frozenset((tone.pitch_class - symbol.root.pitch_class) % 12 for tone in symbol.tones)
    if tones in _EXACT:
        return _EXACT[tones]
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
