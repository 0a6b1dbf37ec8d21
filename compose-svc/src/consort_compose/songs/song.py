"""A song without its notes: tempo, metre, key, tracks, sections and the planned chords. Nothing here changes in place.

Beats are quarter notes from 0, exact. Measures count from 1, and sections include their last one.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from operator import attrgetter
from typing import Any, NamedTuple, Self, TypeVar

from consort_music.chords.layout import ChordMark
from consort_music.instruments import DRUMS, INSTRUMENTS, Instrument

UNTITLED = "Untitled"
DEFAULT_TEMPO = 120.0
MIN_TEMPO, MAX_TEMPO = 4, 1000
DEFAULT_TIME_SIGNATURE = "4/4"
DEFAULT_VELOCITY = 64
MAX_TRACKS = 100
MAX_SECTIONS = 500
MAX_CHORDS = 2000
MAX_TEMPO_CHANGES = 10_000
MAX_NOTES = 200_000
MAX_MEASURE = 20_000
MAX_BEAT = 100_000


class Note(NamedTuple):
    """A note of a track; the order of tuples is the order of notes."""

    start: Fraction
    pitch: int
    duration: Fraction
    velocity: int = DEFAULT_VELOCITY

    @property
    def end(self) -> Fraction:
        return self.start + self.duration


def span_of(notes: Sequence[Note]) -> tuple[Fraction, Fraction]:
    """Where the first of these notes starts and the last one ends; floats choose whom to look at exactly."""
    starts = [float(note.start) for note in notes]
    ends = [start + float(note.duration) for start, note in zip(starts, notes, strict=True)]
    first, last = min(starts) + 1e-6, max(ends) - 1e-6
    return (
        min(note.start for note, start in zip(notes, starts, strict=True) if start <= first),
        max(note.end for note, end in zip(notes, ends, strict=True) if end >= last),
    )


class Change(NamedTuple):
    """A value that holds from a beat on: a tempo in beats a minute, or a program."""

    start: Fraction
    value: float


def value_at(changes: Sequence[Change], beat: Fraction, before: float) -> float:
    """What holds at a beat; `before` holds up to the first change."""
    place = bisect_right(changes, beat, key=attrgetter("start"))
    return changes[place - 1].value if place else before


@dataclass(frozen=True)
class Track:
    """`id` stays when the name changes; `program` is None for drums.

    `program_changes` are other instruments from a beat on; those of drums are kits. A file that became a song has them.
    """

    id: int
    name: str
    program: int | None
    volume: int | None = None
    pan: int | None = None
    program_changes: tuple[Change, ...] = ()

    @property
    def is_drums(self) -> bool:
        return self.program is None

    @property
    def instrument(self) -> Instrument:
        return DRUMS if self.program is None else INSTRUMENTS[self.program]

    def instrument_at(self, beat: Fraction) -> Instrument:
        if self.is_drums or not self.program_changes:
            return self.instrument
        return INSTRUMENTS[int(value_at(self.program_changes, beat, self.program or 0))]


@dataclass(frozen=True)
class Section:
    """What is None is as in the song."""

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
    tempo_changes: tuple[Change, ...] = ()
    """In the order of beats, from after beat 0; a section's own tempo goes before them."""
    next_track: int = 1
    """Ids of tracks that were removed are not used again: their notes may come back by undo."""

    def track_named(self, name: str) -> Track | None:
        """Exactly this name, or the only one that differs in case alone."""
        return _named(self.tracks, name)

    def section_named(self, name: str) -> Section | None:
        return _named(self.sections, name)

    def with_track(self, changed: Track) -> "Song":
        return replace(self, tracks=tuple(changed if track.id == changed.id else track for track in self.tracks))

    def with_sections(self, sections: list[Section]) -> "Song":
        return replace(self, sections=tuple(sorted(sections, key=lambda section: section.start_measure)))

    def document(self) -> dict[str, Any]:
        """As JSON that `from_document` reads back."""
        plain = asdict(replace(self, tracks=(), tempo_changes=()))
        plain["chords"] = [[str(chord.start), chord.symbol] for chord in self.chords]
        plain["tracks"] = [
            asdict(replace(track, program_changes=())) | {"program_changes": _written(track.program_changes)}
            for track in self.tracks
        ]
        plain["tempo_changes"] = _written(self.tempo_changes)
        return plain

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        plain = dict(document)
        plain["tracks"] = tuple(
            Track(**track | {"program_changes": _read(track.get("program_changes", ()))}) for track in plain["tracks"]
        )
        plain["tempo_changes"] = _read(plain.get("tempo_changes", ()))
        plain["sections"] = tuple(Section(**section) for section in plain["sections"])
        plain["chords"] = tuple(ChordMark(Fraction(start), symbol) for start, symbol in plain["chords"])
        return cls(**plain)


def _written(changes: Sequence[Change]) -> list[tuple[int, int, float]]:
    return [(start.numerator, start.denominator, value) for start, value in changes]


def _read(changes: Iterable[tuple[int, int, float]]) -> tuple[Change, ...]:
    return tuple(Change(Fraction(up, down), value) for up, down, value in changes)


_Named = TypeVar("_Named", Track, Section)


def _named(things: tuple[_Named, ...], name: str) -> _Named | None:
    wanted = name.strip()
    exact = [thing for thing in things if thing.name == wanted]
    return next(iter(exact or [thing for thing in things if thing.name.casefold() == wanted.casefold()]), None)
