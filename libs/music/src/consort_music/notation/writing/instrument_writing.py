"""How the music of an instrument is written: its clef, its transposition and its number of staves."""

from collections.abc import Sequence
from dataclasses import dataclass

from consort_music.instruments import known_instrument
from consort_music.intervals import Interval
from consort_music.notation.writing.notated_score import NotatedPart, NotatedStaff

_TREBLE_FROM = 57
"""Staves whose pitches average A3 or higher get a treble clef."""
_HIGH_TENOR = 65
_UNISON = Interval(0, 0)


@dataclass(frozen=True)
class Clef:
    """A clef: its sign and line as in MusicXML, and by how many octaves it moves the notes (-1: an 8 below)."""

    sign: str
    line: int | None
    octaves: int = 0


CLEFS = {
    "treble": Clef("G", 2),
    "bass": Clef("F", 4),
    "alto": Clef("C", 3),
    "tenor": Clef("C", 4),
    "treble8": Clef("G", 2, -1),
    "bass8": Clef("F", 4, -1),
    "percussion": Clef("percussion", None),
}
TAB_CLEF = Clef("TAB", 5)

_CLEF_OF_FAMILY = {"Guitar": "treble8", "Bass": "bass8"}
_CLEFS_OF = {
    "bass": "Cello, Contrabass, Timpani, Trombone, Tuba, Bassoon",
    "alto": "Viola",
    "treble": "Violin, Fiddle, Trumpet, Muted Trumpet, French Horn, Soprano Sax, Alto Sax, Tenor Sax, Baritone Sax, "
    "Oboe, English Horn, Clarinet, Piccolo, Flute, Recorder, Pan Flute, Shakuhachi, Whistle, Ocarina, Glockenspiel, "
    "Xylophone, Celesta, Music Box",
    "treble8": "Banjo",
}
_CLEF_OF = {name: clef for clef, names in _CLEFS_OF.items() for name in names.split(", ")}
_SOUNDS = {
    "Clarinet": Interval(-1, -2),
    "Trumpet": Interval(-1, -2),
    "Muted Trumpet": Interval(-1, -2),
    "Soprano Sax": Interval(-1, -2),
    "Alto Sax": Interval(-5, -9),
    "Tenor Sax": Interval(-8, -14),
    "Baritone Sax": Interval(-12, -21),
    "French Horn": Interval(-4, -7),
    "English Horn": Interval(-4, -7),
    "Contrabass": Interval(-7, -12),
    "Piccolo": Interval(7, 12),
    "Xylophone": Interval(7, 12),
    "Celesta": Interval(7, 12),
    "Music Box": Interval(7, 12),
    "Glockenspiel": Interval(14, 24),
}
"""The interval from the written to the sounding note."""
_TWO_STAVES = frozenset({"Piano", "Organ"})
_ALSO_TWO_STAVES = frozenset({"Orchestral Harp", "Celesta", "Marimba"})
_ONE_STAFF = frozenset({"Harmonica"})


def sounding_interval(part: NotatedPart) -> Interval:
    """Return the interval from the written to the sounding notes of a part.

    At concert pitch only octaves are left: a double bass is written an octave higher in every score.
    """
    instrument = known_instrument(part.instrument)
    if instrument is None or part.is_drums:
        return _UNISON
    interval = _SOUNDS.get(instrument.name, _UNISON)
    return _UNISON if part.is_concert and interval.semitones % 12 else interval


def has_two_staves(instrument_name: str | None) -> bool:
    """Return whether the music of an instrument is usually written on two staves."""
    instrument = known_instrument(instrument_name)
    if instrument is None or instrument.name in _ONE_STAFF:
        return False
    return instrument.family in _TWO_STAVES or instrument.name in _ALSO_TWO_STAVES


def clef_of(part: NotatedPart, staff: NotatedStaff) -> Clef:
    """Return the clef of a staff: the given one, that of the instrument, or the one that fits the notes."""
    if staff.strings:
        return TAB_CLEF
    if staff.clef is not None:
        return CLEFS.get(staff.clef, CLEFS["treble"])
    if part.is_drums:
        return CLEFS["percussion"]
    instrument = known_instrument(part.instrument)
    if instrument is not None:
        name = _CLEF_OF.get(instrument.name) or _CLEF_OF_FAMILY.get(instrument.family)
        if name is not None:
            return CLEFS[name]
    numbers = [pitch.midi for voice in staff.voices for chord in voice for pitch in chord.pitches]
    if part.name.strip().casefold().startswith("tenor") and _average(numbers) < _HIGH_TENOR:
        return CLEFS["treble8"]
    return CLEFS["treble" if not numbers or _average(numbers) >= _TREBLE_FROM else "bass"]


def _average(numbers: Sequence[int]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0
