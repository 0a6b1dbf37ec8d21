"""Transpose chord symbols by an interval, or change each chord tone, for example from major to minor."""

from collections.abc import Callable

from consort_music.chords.grammar import parse_chord, split_symbol
from consort_music.chords.suggestions import USUAL_SUFFIXES
from consort_music.chords.symbol import ChordSymbol, NoteName, join_symbol
from consort_music.errors import MusicError
from consort_music.intervals import Interval
from consort_music.keys import Key
from consort_music.transposition import transpose_note_name

_FARTHEST = 6
"""Largest distance from the tonic, in fifths, at which a transposed name keeps its spelling."""


def transpose_symbol(symbol: str, interval: Interval, key: Key | None = None) -> str:
    """Transpose the root and the bass of a chord symbol and keep the suffix as it was typed.

    If the result would be read as another chord, the chord's canonical name is returned. If `key` is given, names with
    double accidentals and names far from the tonic are spelled as in the key. Text that is not a chord symbol is
    returned unchanged.
    """
    try:
        chord = parse_chord(symbol)
    except MusicError:
        return symbol
    if chord.root is None or interval == Interval(0, 0):
        return symbol
    root = _spelled(chord.root, interval, key)
    bass = _spelled(chord.bass, interval, key) if chord.bass else None
    moved = chord.on(root, bass)
    written = split_symbol(symbol)
    typed = moved.name if written is None else join_symbol(root, written.suffix, bass)
    return typed if _reads_as(typed, moved) else moved.name


def transpose_name(name: NoteName, interval: Interval) -> NoteName:
    """Transpose a note name. A result with three accidentals is respelled with a neighbouring letter."""
    return NoteName(*transpose_note_name(*name, interval))


def change_chord_tones(symbol: str, change: Callable[[int], int], key: Key) -> str | None:
    """Apply `change` to every tone of a chord. Return the new symbol, or None if no usual chord has these tones.

    `change` takes a pitch class (0 to 11) and returns a new pitch, whose octave is ignored. A symbol without a root
    (N.C.) is returned unchanged.
    """
    chord = parse_chord(symbol)
    if chord.root is None:
        return symbol
    root = _name_in(key, change(chord.root.pitch_class))
    bass = None if chord.bass is None else _name_in(key, change(chord.bass.pitch_class))
    wanted = {change(tone.pitch_class) % 12 for tone in chord.tones}
    for suffix in USUAL_SUFFIXES:
        found = parse_chord(join_symbol(root, suffix))
        if {tone.pitch_class for tone in found.tones} == wanted:
            return found.on(root, bass).name
    return None


def _spelled(name: NoteName, interval: Interval, key: Key | None) -> NoteName:
    moved = transpose_name(name, interval)
    if key is None or (abs(moved.alter) < 2 and abs(moved.fifths - NoteName(key.step, key.alter).fifths) <= _FARTHEST):
        return moved
    return _name_in(key, moved.pitch_class)


def _name_in(key: Key, pitch_class: int) -> NoteName:
    """Return the name of a pitch class in a key, or a simpler name if that has a double accidental."""
    pitch = key.spell(60 + pitch_class % 12)
    return NoteName(pitch.step, pitch.alter).simplified()


def _reads_as(text: str, chord: ChordSymbol) -> bool:
    try:
        return parse_chord(text) == chord
    except MusicError:
        return False
