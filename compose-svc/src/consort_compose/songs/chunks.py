"""The notes of a song in chunks: some hundred notes of one track that are kept and fetched together.

Chunks are never changed. An edit replaces the few chunks it touches by new ones, so the states of a song share the
rest, and going back to a state costs nothing. Chunks of a track do not overlap: each ends before the next begins.

Which chunks may hold a beat is decided on floats, which keep the order of fractions; which notes do, exactly.
"""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from operator import attrgetter

from consort_compose.songs.song import Note

USUAL_SIZE = 512


FIELDS = 6
"""Numbers for a note: its start and its length as numerator and denominator, pitch, velocity."""


@dataclass(eq=False, slots=True)
class Chunk:
    """`id` is None until it is kept; `text`, its notes, is None until it is fetched."""

    track: int
    first_start: float
    last_start: float
    last_end: float
    note_count: int
    lowest: int
    highest: int
    id: int | None = None
    text: str | None = None
    _numbers: list[int] | None = None

    @property
    def numbers(self) -> list[int]:
        if self._numbers is None:
            assert self.text is not None, "this chunk was not fetched"
            self._numbers = json.loads(self.text)
        return self._numbers

    @property
    def notes(self) -> list[Note]:
        return self.part(0, self.note_count)

    def part(self, first: int, last: int) -> list[Note]:
        """Only these notes: making objects of numbers is what takes time."""
        return decode(self.numbers[first * FIELDS : last * FIELDS])

    def place_of(self, beat: Fraction) -> int:
        """How many notes start before this beat."""
        numbers, (up, down) = self.numbers, beat.as_integer_ratio()

        def later(note: int) -> int:  # negative before the beat; without making fractions
            return numbers[note * FIELDS] * down - numbers[note * FIELDS + 1] * up

        return bisect_left(range(self.note_count), 0, key=later)

    def count_pitches(self, first: int, last: int, lowest: int, highest: int) -> int:
        pitches = self.numbers[4::FIELDS][first:last]
        return sum(lowest <= pitch <= highest for pitch in pitches)

    def end(self) -> Fraction:
        """Where its last note ends, exactly."""
        near = self.last_end - 1e-6
        rows = zip(*[iter(self.numbers)] * FIELDS, strict=True)
        ends = (Fraction(a, b) + Fraction(c, d) for a, b, c, d, _, _ in rows if a / b + c / d >= near)
        return max(ends)


def encode(notes: Iterable[Note]) -> str:
    flat: list[int] = []
    for start, pitch, duration, velocity in notes:
        flat += (start.numerator, start.denominator, duration.numerator, duration.denominator, pitch, velocity)
    return json.dumps(flat, separators=(",", ":"))


def decode(flat: list[int]) -> list[Note]:
    numbers = iter(flat)
    lengths: dict[tuple[int, int], Fraction] = {}
    notes = []
    for up, down, length_up, length_down, pitch, velocity in zip(*[numbers] * FIELDS, strict=True):
        key = (length_up, length_down)
        duration = lengths.get(key)
        if duration is None:
            duration = lengths[key] = Fraction(*key)
        notes.append(Note(Fraction(up, down), pitch, duration, velocity))
    return notes


def in_order(notes: Iterable[Note]) -> list[Note]:
    """Floats first, because comparing fractions is slow; equal ones are looked at exactly."""
    return sorted(notes, key=lambda note: (float(note.start), note))


def chunks_of(track: int, notes: list[Note]) -> list[Chunk]:
    """Notes in order as new chunks; what starts together stays together."""
    starts = [float(note.start) for note in notes]
    chunks: list[Chunk] = []
    first = 0
    while first < len(notes):
        last = min(first + USUAL_SIZE, len(notes))
        while last < len(notes) and starts[last] == starts[last - 1]:
            last += 1
        chunks.append(_chunk(track, notes[first:last], starts[first:last]))
        first = last
    return chunks


def _chunk(track: int, notes: list[Note], starts: list[float]) -> Chunk:
    pitches = [note.pitch for note in notes]
    return Chunk(
        track=track,
        first_start=starts[0],
        last_start=starts[-1],
        last_end=max(start + float(note.duration) for start, note in zip(starts, notes, strict=True)),
        note_count=len(notes),
        lowest=min(pitches),
        highest=max(pitches),
        text=encode(notes),
    )


class Chunks:
    """All chunks of a state, by track."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._by_track: dict[int, list[Chunk]] = {}
        for chunk in chunks:
            self._by_track.setdefault(chunk.track, []).append(chunk)
        for each in self._by_track.values():
            each.sort(key=attrgetter("first_start"))

    def all(self) -> list[Chunk]:
        return [chunk for chunks in self._by_track.values() for chunk in chunks]

    def of_track(self, track: int) -> list[Chunk]:
        return self._by_track.get(track, [])

    @property
    def note_count(self) -> int:
        return sum(chunk.note_count for chunk in self.all())

    def within(self, track: int, start: Fraction | None, end: Fraction | None) -> list[Chunk]:
        """Those that may have notes which start in [start, end)."""
        chunks = self.of_track(track)
        first = bisect_left(chunks, float(start), key=attrgetter("last_start")) if start is not None else 0
        last = bisect_right(chunks, float(end), key=attrgetter("first_start")) if end is not None else len(chunks)
        return chunks[first:last]

    def around(self, track: int, notes: Iterable[Note]) -> list[Chunk]:
        """Those that will be replaced when these notes are added."""
        chunks = self.of_track(track)
        wanted = sorted({_home(chunks, note) for note in notes}) if chunks else []
        return [chunks[place] for place in wanted]

    def add(self, track: int, notes: list[Note]) -> None:
        """Add notes; the chunks `around` them must be fetched."""
        chunks = self.of_track(track)
        ordered = in_order(notes)
        if not chunks:
            self._by_track[track] = chunks_of(track, ordered)
            return
        replaced: dict[int, list[Chunk]] = {}
        for place, new in groupby(ordered, key=lambda note: _home(chunks, note)):
            replaced[place] = chunks_of(track, in_order([*chunks[place].notes, *new]))
        self._by_track[track] = [chunk for place, old in enumerate(chunks) for chunk in replaced.get(place, [old])]

    def replace(self, track: int, old: Chunk, notes: list[Note]) -> None:
        """The chunk keeps only these notes, all of which it had."""
        chunks = self.of_track(track)
        place = chunks.index(old)
        chunks[place : place + 1] = chunks_of(track, notes)

    def drop_track(self, track: int) -> None:
        self._by_track.pop(track, None)


def _home(chunks: list[Chunk], note: Note) -> int:
    return max(bisect_right(chunks, float(note.start), key=attrgetter("first_start")) - 1, 0)
