"""Chord symbols moved to another root: by an interval, or tone by tone into another mode."""

from collections.abc import Callable

from consort_music.chords.grammar import parse_chord, split_symbol
from consort_music.chords.suggestions import USUAL_SUFFIXES
from consort_music.chords.symbol import ChordSymbol, NoteName, join_symbol
from consort_music.errors import MusicError
from consort_music.intervals import Interval
from consort_music.keys import Key
from consort_music.transposition import moved_tone

_FARTHEST = 6
"""Places on the line of fifths from the tonic, up to which a root keeps the spelling that the interval gives it."""


def transposed(symbol: str, interval: Interval, key: Key | None = None) -> str:
    """Move the root and the bass of a chord symbol; what follows the root stays as it was typed.

    In a key, names with double accidentals and names remote from the tonic are spelled as the key does. A text that is
    not a chord symbol is returned unchanged.
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


def moved_name(name: NoteName, interval: Interval) -> NoteName:
    """Move a note name; a triple accidental is spelled from the next letter."""
    return NoteName(*moved_tone(*name, interval))


def with_tones_moved(symbol: str, change: Callable[[int], int], key: Key) -> str | None:
    """Name the chord that the tones of a chord become, on what its root becomes; None if it has no usual name.

    `change` maps a pitch class to the new one, in any octave.
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
    moved = moved_name(name, interval)
    if key is None or (abs(moved.alter) < 2 and abs(moved.fifths - NoteName(key.step, key.alter).fifths) <= _FARTHEST):
        return moved
    return _name_in(key, moved.pitch_class)


def _name_in(key: Key, pitch_class: int) -> NoteName:
    """Return the key's name of a pitch class, or a simpler one where that has a double accidental."""
    pitch = key.spell(60 + pitch_class % 12)
    return NoteName(pitch.step, pitch.alter).simplified()


def _reads_as(text: str, chord: ChordSymbol) -> bool:
    try:
        return parse_chord(text) == chord
    except MusicError:
        return False
