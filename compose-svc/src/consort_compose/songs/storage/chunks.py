"""The notes of a song in chunks: about 512 notes of one track that are stored and fetched together.

Chunks are never changed. An edit replaces the few chunks it affects by new ones, so the states of a song share the
other chunks and returning to a state copies nothing. The chunks of a track do not overlap: the last note of a chunk
starts before the first note of the next.

Chunks are selected by comparing floats, which keep the order of fractions; notes are then compared exactly.
"""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from operator import attrgetter

from consort_compose.songs.document.song import SongNote, sorted_notes

CHUNK_SIZE = 512
"""Notes per new chunk; more only if notes start together at its end."""

NUMBERS_PER_NOTE = 6
"""Start and length, each as numerator and denominator, then pitch and velocity."""


@dataclass(eq=False, slots=True)
class Chunk:
    """Consecutive notes of one track, with bounds by which it is found without decoding the notes.

    `id` is None until the chunk is stored. `text`, the encoded notes, is None until they are fetched.
    """

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
            assert self.text is not None, "fetch this chunk first"
            self._numbers = json.loads(self.text)
        return self._numbers

    @property
    def notes(self) -> list[SongNote]:
        return self.part(0, self.note_count)

    def part(self, first: int, last: int) -> list[SongNote]:
        """Decode only the notes from index `first` to before `last`: decoding is the slow part."""
        return decode(self.numbers[first * NUMBERS_PER_NOTE : last * NUMBERS_PER_NOTE])

    def index_of(self, beat: Fraction) -> int:
        """Return the number of notes that start before this beat, by binary search."""
        numbers, (numerator, denominator) = self.numbers, beat.as_integer_ratio()

        def compare(note: int) -> int:
            """Return a negative number if the note starts before the beat, without creating fractions."""
            start = note * NUMBERS_PER_NOTE
            return numbers[start] * denominator - numbers[start + 1] * numerator

        return bisect_left(range(self.note_count), 0, key=compare)

    def count_pitches(self, first: int, last: int, lowest: int, highest: int) -> int:
        """Count the notes from index `first` to before `last` whose pitch is within the bounds."""
        pitches = self.numbers[4::NUMBERS_PER_NOTE][first:last]
        return sum(lowest <= pitch <= highest for pitch in pitches)

    def end(self) -> Fraction:
        """Return the exact beat at which the last of its notes ends."""
        near = self.last_end - 1e-6
        rows = zip(*[iter(self.numbers)] * NUMBERS_PER_NOTE, strict=True)
        ends = (Fraction(a, b) + Fraction(c, d) for a, b, c, d, _, _ in rows if a / b + c / d >= near)
        return max(ends)


def encode(notes: Iterable[SongNote]) -> str:
    """Return the notes as a flat JSON list of integers."""
    flat: list[int] = []
    for start, pitch, duration, velocity in notes:
        flat += (start.numerator, start.denominator, duration.numerator, duration.denominator, pitch, velocity)
    return json.dumps(flat, separators=(",", ":"))


def decode(flat: list[int]) -> list[SongNote]:
    """Return the notes of a flat list of integers. Equal lengths share one fraction object, which saves time."""
    numbers = iter(flat)
    lengths: dict[tuple[int, int], Fraction] = {}
    notes = []
    for up, down, length_up, length_down, pitch, velocity in zip(*[numbers] * NUMBERS_PER_NOTE, strict=True):
        key = (length_up, length_down)
        duration = lengths.get(key)
        if duration is None:
            duration = lengths[key] = Fraction(*key)
        notes.append(SongNote(Fraction(up, down), pitch, duration, velocity))
    return notes


def make_chunks(track: int, notes: list[SongNote]) -> list[Chunk]:
    """Divide sorted notes into new chunks. Notes that start together stay in one chunk."""
    starts = [float(note.start) for note in notes]
    chunks: list[Chunk] = []
    first = 0
    while first < len(notes):
        last = min(first + CHUNK_SIZE, len(notes))
        while last < len(notes) and starts[last] == starts[last - 1]:
            last += 1
        chunks.append(_make_chunk(track, notes[first:last], starts[first:last]))
        first = last
    return chunks


def _make_chunk(track: int, notes: list[SongNote], starts: list[float]) -> Chunk:
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
    """All chunks of one state of a song, by track."""

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
        """Return the chunks that may have notes that start in [start, end); None is an open end."""
        chunks = self.of_track(track)
        first = bisect_left(chunks, float(start), key=attrgetter("last_start")) if start is not None else 0
        last = bisect_right(chunks, float(end), key=attrgetter("first_start")) if end is not None else len(chunks)
        return chunks[first:last]

    def around(self, track: int, notes: Iterable[SongNote]) -> list[Chunk]:
        """Return the chunks that will be replaced when these notes are added."""
        chunks = self.of_track(track)
        wanted = sorted({_index_for(chunks, note) for note in notes}) if chunks else []
        return [chunks[index] for index in wanted]

    def add(self, track: int, notes: list[SongNote]) -> None:
        """Add notes. The chunks `around` them must be fetched before."""
        chunks = self.of_track(track)
        ordered = sorted_notes(notes)
        if not chunks:
            self._by_track[track] = make_chunks(track, ordered)
            return
        replaced: dict[int, list[Chunk]] = {}
        for index, new in groupby(ordered, key=lambda note: _index_for(chunks, note)):
            replaced[index] = make_chunks(track, sorted_notes([*chunks[index].notes, *new]))
        self._by_track[track] = [chunk for index, old in enumerate(chunks) for chunk in replaced.get(index, [old])]

    def replace(self, track: int, old: Chunk, notes: list[SongNote]) -> None:
        """Replace a chunk by chunks with these notes, a sorted subset of its notes."""
        chunks = self.of_track(track)
        index = chunks.index(old)
        chunks[index : index + 1] = make_chunks(track, notes)

    def drop_track(self, track: int) -> None:
        self._by_track.pop(track, None)


def _index_for(chunks: list[Chunk], note: SongNote) -> int:
    """Return the index of the chunk to which a new note is added."""
    return max(bisect_right(chunks, float(note.start), key=attrgetter("first_start")) - 1, 0)
