"""What an editor would mark in a song, each with its place. It is advice: music may mean to break any of it.

A note that belongs to the planned chord is never outside the key. Outside the chord only what is heard as such counts:
notes on a beat of the metre, or a beat long and longer.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from consort_compose.songs.chord_plan import ChordFinder, pitch_classes
from consort_compose.songs.note_text import name_of
from consort_compose.songs.ranges import RANGES
from consort_compose.songs.song import Note, Song, Track
from consort_compose.songs.timeline import Timeline
from consort_music.instruments import DRUM_MAP
from consort_music.keys import Key, parse_key
from consort_music.metre import OFFBEAT

Kind: TypeAlias = Literal["outside_key", "outside_chord", "out_of_range", "collision", "empty_bar", "empty_track"]


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
        for note in notes:
            symbol = self._chords.at(note.start)
            chord = pitch_classes(symbol) if symbol else None
            pitch_class = note.pitch % 12
            if chord is not None and pitch_class in chord:
                continue
            key = self._key_at(note.start)
            if key is not None and pitch_class not in key[1]:
                name = key[0].spell(note.pitch).name
                yield Problem("outside_key", note.start, f"{name} is not in {key[0].name}", track.name)
            elif chord is not None and self._is_heard(note):
                name = key[0].spell(note.pitch).name if key else name_of(note.pitch, track.instrument)
                yield Problem("outside_chord", note.start, f"{name} is not in {symbol}", track.name)

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
        stretch = self._timeline.stretch_at(note.start)
        return stretch.metre.strength((note.start - stretch.start) % stretch.metre.bar) > OFFBEAT


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
