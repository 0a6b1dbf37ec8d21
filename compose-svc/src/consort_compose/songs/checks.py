"""What an editor would mark in a song, each with its place. It is advice: music may mean to break any of it.

A note that belongs to the planned chord is never outside the key. Outside the chord only what is heard as such counts:
notes on a beat of the metre, or a beat long and longer; where a line only goes through one by step, that is said. Notes
that a track strikes together are one problem.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Literal, TypeAlias

from consort_compose.songs.chord_plan import ChordFinder, pitch_classes
from consort_compose.songs.note_text import name_of
from consort_compose.songs.ranges import RANGES
from consort_compose.songs.song import Note, Song, Track
from consort_compose.songs.timeline import Timeline
from consort_music.instruments import DRUM_MAP
from consort_music.keys import Key, parse_key
from consort_music.metre import DOWNBEAT, OFFBEAT

Kind: TypeAlias = Literal["outside_key", "outside_chord", "out_of_range", "collision", "empty_bar", "empty_track"]

_STEP = 2
"""Semitones."""


@dataclass(frozen=True)
class Problem:
    kind: Kind
    start: Fraction
    message: str
    track: str | None = None


def check(song: Song, notes: Mapping[int, list[Note]]) -> list[Problem]:
    """All problems, in the order of time."""
    found: list[Problem] = []
    harmony = _Harmony(song)
    for track in song.tracks:
        played = notes.get(track.id, [])
        if not played:
            found.append(Problem("empty_track", Fraction(0), f"{track.name} has no notes", track.name))
        found += _collisions(track, played)
        found += _out_of_range(track, played)
        if not track.is_drums:
            found += harmony.check(track, played)
    found += _empty_bars(song, notes)
    found.sort(key=lambda problem: (float(problem.start), problem.kind))
    return found


def _collisions(track: Track, notes: list[Note]) -> Iterator[Problem]:
    latest: dict[int, tuple[float, Note]] = {}
    for note in notes:
        start = float(note.start)
        end = start + float(note.duration)
        rough_end, before = latest.get(note.pitch, (-1.0, note))
        if rough_end > start - 1e-6 and before.end > note.start:
            name = name_of(note.pitch, track.instrument)
            how = "is there twice" if before.start == note.start else f"still sounds from beat {before.start}"
            yield Problem("collision", note.start, f"{name} {how}", track.name)
        if end >= rough_end:
            latest[note.pitch] = end, note


def _out_of_range(track: Track, notes: list[Note]) -> Iterator[Problem]:
    kit = (min(DRUM_MAP), max(DRUM_MAP))
    lowest, highest = kit if track.program is None else RANGES.get(track.program, (0, 127))
    for note in notes:
        if not lowest <= note.pitch <= highest:
            name, low, high = (name_of(pitch, track.instrument) for pitch in (note.pitch, lowest, highest))
            what = "the drum kit has" if track.is_drums else f"{track.instrument.name} has"
            yield Problem("out_of_range", note.start, f"{name}: {what} {low} to {high}", track.name)


class _Harmony:
    def __init__(self, song: Song) -> None:
        self._timeline = Timeline(song)
        self._chords = ChordFinder(song)
        self._keys: dict[str, tuple[Key, frozenset[int]]] = {}

    def check(self, track: Track, notes: list[Note]) -> Iterator[Problem]:
        place = 0
        for start, struck in groupby(notes, key=lambda note: note.start):
            together = list(struck)
            before, after = notes[max(place - 1, 0) : place], notes[place + len(together) : place + len(together) + 1]
            place += len(together)
            symbol = self._chords.at(start)
            chord = pitch_classes(symbol) if symbol else None
            outside = [note for note in together if chord is None or note.pitch % 12 not in chord]
            key = self._key_at(start) if outside else None
            foreign = [note for note in outside if key is not None and note.pitch % 12 not in key[1]]
            heard = [note for note in outside if chord is not None and note not in foreign and self._is_heard(note)]
            if key is not None and foreign:
                names = [key[0].spell(note.pitch).name for note in foreign]
                yield Problem("outside_key", start, _outside(names, key[0].name), track.name)
            if symbol is not None and heard:
                names = [key[0].spell(n.pitch).name if key else name_of(n.pitch, track.instrument) for n in heard]
                is_passing = len(together) == 1 and self._is_passing(*before, heard[0], *after)
                text = _outside(names, symbol) + (", in passing" if is_passing else "")
                yield Problem("outside_chord", start, text, track.name)

    def _key_at(self, beat: Fraction) -> tuple[Key, frozenset[int]] | None:
        name = self._timeline.key_at(beat)
        if name is None:
            return None
        if name not in self._keys:
            key = parse_key(name)
            self._keys[name] = key, frozenset(key.pitch_classes)
        return self._keys[name]

    def _is_heard(self, note: Note) -> bool:
        if note.duration >= 1:
            return True
        return self._strength(note.start) > OFFBEAT

    def _strength(self, beat: Fraction) -> int:
        stretch = self._timeline.stretch_at(beat)
        return stretch.metre.strength((beat - stretch.start) % stretch.metre.bar)

    def _is_passing(self, *line: Note) -> bool:
        """Whether the middle one of three notes goes by step from the first to the last, and not on a downbeat."""
        if len(line) < 3:
            return False
        before, note, after = line
        is_unbroken = before.end >= note.start and note.end >= after.start
        is_stepwise = all(0 < abs(other.pitch - note.pitch) <= _STEP for other in (before, after))
        return is_unbroken and is_stepwise and note.duration <= 1 and self._strength(note.start) < DOWNBEAT


def _outside(names: list[str], what: str) -> str:
    return f"{', '.join(names)} {'are' if len(names) > 1 else 'is'} not in {what}"


def _empty_bars(song: Song, notes: Mapping[int, list[Note]]) -> Iterator[Problem]:
    timeline = Timeline(song)
    everything = [note for each in notes.values() for note in each]
    end = max((note.end for note in everything), default=Fraction(0))
    sounding = measures_with_music(timeline, everything)
    first: int | None = None
    for measure in range(1, timeline.last_measure(end) + 2):
        is_empty = measure <= timeline.last_measure(end) and measure not in sounding
        if is_empty and first is None:
            first = measure
        elif not is_empty and first is not None:
            bars = f"bar {first} is" if measure - 1 == first else f"bars {first} to {measure - 1} are"
            yield Problem("empty_bar", timeline.start_of(first), f"{bars} empty")
            first = None


def measures_with_music(timeline: Timeline, notes: list[Note]) -> set[int]:
    """Where a note starts or goes on sounding."""
    measures: set[int] = set()
    for note in notes:
        first = timeline.measure_at(note.start)
        last = timeline.measure_at(note.end)
        measures.update(range(first, last + (1 if note.end > timeline.start_of(last) else 0)))
    return measures
