"""A song without its notes: tempo, metre, key, tracks, sections and planned chords. All values are immutable.

Beats are quarter notes from 0, as exact fractions. Measures count from 1; a section includes its last measure.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from operator import attrgetter
from typing import Any, NamedTuple, Self, TypeVar

from consort_music.chords.timed_chords import ChordMark
from consort_music.drum_names import DRUM_NAMES
from consort_music.instruments import DRUMS, INSTRUMENTS, Instrument
from consort_music.pitch import Pitch
from consort_music.score import DEFAULT_VELOCITY

UNTITLED = "Untitled"
DEFAULT_TEMPO = 120.0
MIN_TEMPO, MAX_TEMPO = 4, 1000
DEFAULT_TIME_SIGNATURE = "4/4"
MAX_TRACKS = 100
MAX_SECTIONS = 500
MAX_CHORDS = 2000
MAX_TEMPO_CHANGES = 10_000
MAX_NOTES = 200_000
MAX_MEASURE = 20_000
MAX_BEAT = 100_000


class SongNote(NamedTuple):
    """A note of a track. Notes sort as tuples: by start, then pitch."""

    start: Fraction
    pitch: int
    duration: Fraction
    velocity: int = DEFAULT_VELOCITY

    @property
    def end(self) -> Fraction:
        return self.start + self.duration


def span_of(notes: Sequence[SongNote]) -> tuple[Fraction, Fraction]:
    """Return the earliest start and the latest end of the notes.

    Floats narrow down the candidates, because comparing fractions is slow.
    """
    starts = [float(note.start) for note in notes]
    ends = [start + float(note.duration) for start, note in zip(starts, notes, strict=True)]
    first, last = min(starts) + 1e-6, max(ends) - 1e-6
    return (
        min(note.start for note, start in zip(notes, starts, strict=True) if start <= first),
        max(note.end for note, end in zip(notes, ends, strict=True) if end >= last),
    )


def sorted_notes(notes: Iterable[SongNote]) -> list[SongNote]:
    """Return the notes sorted by start, then pitch. Floats are compared first, because comparing fractions is slow."""
    return sorted(notes, key=lambda note: (float(note.start), note))


class ValueChange(NamedTuple):
    """A value that holds from a beat on: a tempo in beats per minute, or a MIDI program."""

    start: Fraction
    value: float


def value_at(changes: Sequence[ValueChange], beat: Fraction, before: float) -> float:
    """Return the value at a beat; `before` is the value up to the first change."""
    index = bisect_right(changes, beat, key=attrgetter("start"))
    return changes[index - 1].value if index else before


@dataclass(frozen=True)
class Track:
    """A track. Its `id` never changes. `program` is its General MIDI program from 0, or None for drums.

    `program_changes` come from imported MIDI files: from a beat on, another instrument or another drum kit.
    """

    id: int
    name: str
    program: int | None
    volume: int | None = None
    pan: int | None = None
    program_changes: tuple[ValueChange, ...] = ()

    @property
    def is_drums(self) -> bool:
        return self.program is None

    @property
    def instrument(self) -> Instrument:
        return DRUMS if self.program is None else INSTRUMENTS[self.program]

    def pitch_name(self, pitch: int) -> str:
        """Return a name that `parse_pitch_or_drum` reads: that of the drum if this is a drum track, or such as F#4."""
        return DRUM_NAMES.get(pitch, str(pitch)) if self.is_drums else Pitch.from_midi(pitch).typed_name

    def instrument_at(self, beat: Fraction) -> Instrument:
        if self.is_drums or not self.program_changes:
            return self.instrument
        return INSTRUMENTS[int(value_at(self.program_changes, beat, self.program or 0))]


@dataclass(frozen=True)
class Section:
    """A named range of measures. If `key`, `tempo` or `time_signature` is None, the song's value is used."""

    name: str
    start_measure: int
    end_measure: int
    key: str | None = None
    description: str | None = None
    tempo: float | None = None
    time_signature: str | None = None

    @property
    def measures(self) -> int:
        return self.end_measure - self.start_measure + 1


@dataclass(frozen=True)
class Song:
    title: str
    tempo: float = DEFAULT_TEMPO
    time_signature: str = DEFAULT_TIME_SIGNATURE
    key: str | None = None
    tracks: tuple[Track, ...] = ()
    sections: tuple[Section, ...] = ()
    chords: tuple[ChordMark, ...] = ()
    tempo_changes: tuple[ValueChange, ...] = ()
    """Sorted by beat, all after beat 0. The tempo of a section overrides them."""
    next_track: int = 1
    """Id of the next track. Ids of removed tracks are not used again: undo may restore their notes."""

    def track_named(self, name: str) -> Track | None:
        """Return the track with exactly this name, otherwise one that differs only in case, otherwise None."""
        return _find_by_name(self.tracks, name)

    def section_named(self, name: str) -> Section | None:
        return _find_by_name(self.sections, name)

    def with_track(self, changed: Track) -> "Song":
        return replace(self, tracks=tuple(changed if track.id == changed.id else track for track in self.tracks))

    def with_sections(self, sections: list[Section]) -> "Song":
        return replace(self, sections=tuple(sorted(sections, key=lambda section: section.start_measure)))

    def document(self) -> dict[str, Any]:
        """Return JSON values that `from_document` reads back."""
        plain = asdict(replace(self, tracks=(), tempo_changes=()))
        plain["chords"] = [[str(chord.start), chord.symbol] for chord in self.chords]
        plain["tracks"] = [
            asdict(replace(track, program_changes=())) | {"program_changes": _changes_to_json(track.program_changes)}
            for track in self.tracks
        ]
        plain["tempo_changes"] = _changes_to_json(self.tempo_changes)
        return plain

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        plain = dict(document)
        plain["tracks"] = tuple(
            Track(**track | {"program_changes": _changes_from_json(track.get("program_changes", ()))})
            for track in plain["tracks"]
        )
        plain["tempo_changes"] = _changes_from_json(plain.get("tempo_changes", ()))
        plain["sections"] = tuple(Section(**section) for section in plain["sections"])
        plain["chords"] = tuple(ChordMark(Fraction(start), symbol) for start, symbol in plain["chords"])
        return cls(**plain)


def _changes_to_json(changes: Sequence[ValueChange]) -> list[tuple[int, int, float]]:
    return [(start.numerator, start.denominator, value) for start, value in changes]


def _changes_from_json(changes: Iterable[tuple[int, int, float]]) -> tuple[ValueChange, ...]:
    return tuple(ValueChange(Fraction(numerator, denominator), value) for numerator, denominator, value in changes)


_TrackOrSection = TypeVar("_TrackOrSection", Track, Section)


def _find_by_name(things: tuple[_TrackOrSection, ...], name: str) -> _TrackOrSection | None:
    wanted = name.strip()
    exact = [thing for thing in things if thing.name == wanted]
    return next(iter(exact or [thing for thing in things if thing.name.casefold() == wanted.casefold()]), None)
