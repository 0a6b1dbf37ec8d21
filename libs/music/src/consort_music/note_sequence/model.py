"""A note sequence: tracks of notes in exact beats, with tempos, time signatures, keys and markers.

It can express the notes of any MIDI file of type 1. A beat is a quarter note. Beats are counted from 0.
"""

from dataclasses import dataclass, field
from fractions import Fraction

from consort_music.instruments import Instrument


@dataclass(frozen=True, slots=True)
class SequenceNote:
    pitch: int
    velocity: int
    start: Fraction
    duration: Fraction


@dataclass(slots=True)
class SequenceTrack:
    """A track of notes.

    `volume` and `pan` are 0 to 127. `program_changes` are pairs (beat, program) sorted by beat; for drums they choose a
    kit. A MIDI file can contain these three, MIDI text cannot.
    """

    name: str
    instrument: Instrument
    notes: list[SequenceNote] = field(default_factory=list)
    volume: int | None = None
    pan: int | None = None
    program_changes: list[tuple[Fraction, int]] = field(default_factory=list)


@dataclass(slots=True)
class NoteSequence:
    """Music in exact beats.

    `tempos` are (beat, bpm) and `time_signatures` (beat, numerator, denominator), both sorted by beat. `key_signatures`
    are (beat, sharps, is minor), with negative sharps for flats. `markers` are (beat, text). `end` may be after the
    last note. MIDI text has no key signatures, markers, title and end.
    """

    tempos: list[tuple[Fraction, Fraction]] = field(default_factory=list)
    time_signatures: list[tuple[Fraction, int, int]] = field(default_factory=list)
    tracks: list[SequenceTrack] = field(default_factory=list)
    key_signatures: list[tuple[Fraction, int, bool]] = field(default_factory=list)
    markers: list[tuple[Fraction, str]] = field(default_factory=list)
    title: str | None = None
    end: Fraction = Fraction(0)
