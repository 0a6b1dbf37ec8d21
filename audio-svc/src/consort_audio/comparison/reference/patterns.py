"""Scales, arpeggios and intervals as lists of spelled pitches, from the first note to the last.

An ascending line of `octaves` octaves ends with the note it began with, higher. `up_down` plays the top note once.
A melodic minor scale descends as natural minor.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from consort_music.chords.symbol import ChordSymbol
from consort_music.errors import MusicError
from consort_music.intervals import Interval, transpose
from consort_music.keys import MODES, Key
from consort_music.pitch import Pitch

ScalePattern: TypeAlias = Literal["up", "down", "up_down", "thirds"]
_DEFAULT_OCTAVE = 4


def scale_pitches(key: Key, octaves: int, pattern: ScalePattern, start: Pitch | None) -> list[Pitch]:
    """Return the notes of a scale. `start` is the first note, any degree of the scale; by default the tonic.

    Raise MusicError (INVALID_NOTE) if `start` is not in the scale.
    """
    if pattern == "thirds":
        return interval_pitches(key, 2, octaves, start)
    down_key = Key(key.step, key.alter, "minor") if key.mode == "melodic minor" else key
    size = len(MODES[key.mode])
    down_size = len(MODES[down_key.mode])
    if pattern == "down":
        top = start or _tonic(key, _DEFAULT_OCTAVE + 1)
        degree = _degree(down_key, top)
        return [degree_pitch(down_key, degree - step) for step in range(octaves * down_size + 1)]
    first = start or _tonic(key, _DEFAULT_OCTAVE)
    degree = _degree(key, first)
    up = [degree_pitch(key, degree + step) for step in range(octaves * size + 1)]
    if pattern == "up":
        return up
    top_degree = _degree(down_key, up[-1])
    return up + [degree_pitch(down_key, top_degree - step) for step in range(1, octaves * down_size + 1)]


def interval_pitches(key: Key, steps: int, octaves: int, start: Pitch | None) -> list[Pitch]:
    """Return each degree of a scale, followed by the one `steps` higher, and the last degree alone."""
    degree = _degree(key, start or _tonic(key, _DEFAULT_OCTAVE))
    count = octaves * len(MODES[key.mode])
    pairs = [(degree_pitch(key, degree + each), degree_pitch(key, degree + each + steps)) for each in range(count)]
    return [pitch for pair in pairs for pitch in pair] + [degree_pitch(key, degree + count)]


def arpeggio_pitches(chord: ChordSymbol, octaves: int, pattern: ScalePattern, start: Pitch | None) -> list[Pitch]:
    """Return the tones of a chord from its root, or from `start`, one octave or more. Thirds are as `up`."""
    if chord.root is None:
        raise MusicError("INVALID_CHORD_SYMBOL", "N.C. has no notes. Give a chord such as Cmaj or G7.", ["Cmaj", "G7"])
    classes = [tone.pitch_class for tone in chord.tones]
    lowest = Pitch(chord.root.step, chord.root.alter, _DEFAULT_OCTAVE + (pattern == "down")).midi
    first = start.midi if start else lowest
    if first % 12 not in classes:
        names = ", ".join(f"{tone.step}{'#' * tone.alter}{'b' * -tone.alter}" for tone in chord.tones)
        raise MusicError("INVALID_NOTE", f"'start_note' must be a note of {chord.name}: {names}.", field="start_note")
    step = -1 if pattern == "down" else 1
    inside = [midi for midi in range(first, first + step * (12 * octaves + 1), step) if midi % 12 in classes]
    line = inside + inside[-2::-1] if pattern == "up_down" else inside
    return [chord.pitch(midi) for midi in line]


def degree_pitch(key: Key, degree: int) -> Pitch:
    """Return a degree of a scale: 0 is the tonic in octave 0, and a heptatonic scale has 7 degrees an octave."""
    octave, place = divmod(degree, len(MODES[key.mode]))
    letters, semitones = MODES[key.mode][place]
    return transpose(_tonic(key, 0), Interval(7 * octave + letters, 12 * octave + semitones))


def _tonic(key: Key, octave: int) -> Pitch:
    return Pitch(key.step, key.alter, octave)


def _degree(key: Key, pitch: Pitch) -> int:
    semitones = pitch.midi - _tonic(key, 0).midi
    octave, rest = divmod(semitones, 12)
    places: Sequence[int] = [each for _, each in MODES[key.mode]]
    if rest not in places:
        names = " ".join(f"{step}{'#' * alter}{'b' * -alter}" for step, alter in key.scale)
        raise MusicError(
            "INVALID_NOTE", f"'start_note' is {pitch.name}, which is not in {key.name}: {names}.", field="start_note"
        )
    return octave * len(places) + places.index(rest)
