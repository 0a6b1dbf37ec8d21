"""What an editor would mark in a song, each with its place. It is advice: music may mean to break any of it.

A note that belongs to the planned chord is never outside the key. Outside the chord only what is heard as such counts:
notes on a beat of the metre, or a beat long and longer. A note that a line only goes through, by step or by a semitone
into the next one, is `passing`, outside the key as well as outside the chord. Notes that a track strikes together are
one problem.
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

Kind: TypeAlias = Literal[
    "collision", "out_of_range", "outside_key", "outside_chord", "empty_track", "empty_bar", "passing"
]
"""The likeliest mistakes first."""

_STEP = 2
"""Semitones."""


@dataclass(frozen=True)
class Problem:
    """`alike` is the message for several equal problems of a track; `bars` says where, if not on one beat."""

    kind: Kind
    start: Fraction
    message: str
    alike: str
    track: str | None = None
    bars: str | None = None


def check(song: Song, notes: Mapping[int, list[Note]]) -> list[Problem]:
    """All problems, in the order of time."""
    found: list[Problem] = []
    harmony = _Harmony(song)
    for track in song.tracks:
        played = notes.get(track.id, [])
        if not played:
            text = f"{track.name} has no notes."
            found.append(Problem("empty_track", Fraction(0), text, text, track.name))
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
            if before.start == note.start:
                text, alike = f"{name} is there twice.", "Notes are there twice."
            else:
                text = f"{name} starts while it still sounds from beat {before.start}."
                alike = "Notes start while the same pitch still sounds."
            yield Problem("collision", note.start, text, alike, track.name)
        if end >= rough_end:
            latest[note.pitch] = end, note


def _out_of_range(track: Track, notes: list[Note]) -> Iterator[Problem]:
    kit = (min(DRUM_MAP), max(DRUM_MAP))
    for note in notes:
        instrument = track.instrument_at(note.start)
        lowest, highest = kit if track.is_drums else RANGES.get(instrument.program, (0, 127))
        if not lowest <= note.pitch <= highest:
            side = "below" if note.pitch < lowest else "above"
            what = "drum kit" if track.is_drums else instrument.name
            name, low, high = (name_of(pitch, instrument) for pitch in (note.pitch, lowest, highest))
            where = f"{side} the range of a {what} ({low} to {high})."
            yield Problem("out_of_range", note.start, f"{name} is {where}", f"Notes are {where}", track.name)


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
            is_passing = (foreign or heard) and len(together) == 1 and self._is_passing(before, together[0], after)
            if key is not None and foreign:
                names = [key[0].spell(note.pitch).name for note in foreign]
                yield _outside("outside_key", start, names, key[0].name, track, bool(is_passing))
            if symbol is not None and heard:
                names = [key[0].spell(n.pitch).name if key else name_of(n.pitch, track.instrument) for n in heard]
                yield _outside("outside_chord", start, names, symbol, track, bool(is_passing))

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
        return self._timeline.bars.strength(beat)

    def _is_passing(self, before: list[Note], note: Note, after: list[Note]) -> bool:
        """Whether a note that is not on a downbeat goes by step from and to its neighbours, or leads by a semitone
        into a note that fits."""
        if not after or note.duration > 1 or note.end < after[0].start or self._strength(note.start) == DOWNBEAT:
            return False
        if abs(after[0].pitch - note.pitch) == 1 and self._fits(after[0]):
            return True
        is_reached = bool(before) and before[0].end >= note.start
        return is_reached and all(0 < abs(other.pitch - note.pitch) <= _STEP for other in (before[0], after[0]))

    def _fits(self, note: Note) -> bool:
        symbol = self._chords.at(note.start)
        chord = pitch_classes(symbol) if symbol else None
        if chord is not None:
            return note.pitch % 12 in chord
        key = self._key_at(note.start)
        return key is None or note.pitch % 12 in key[1]


def _outside(kind: Kind, start: Fraction, names: list[str], what: str, track: Track, is_passing: bool) -> Problem:
    if is_passing:
        return Problem("passing", start, f"{names[0]} passes by outside {what}.", "Notes pass by outside.", track.name)
    text = f"{', '.join(names)} {'are' if len(names) > 1 else 'is'} not in {what}."
    letters = list(dict.fromkeys(name.rstrip("0123456789-") or name for name in names))
    alike = f"{', '.join(letters)} {'are' if len(letters) > 1 else 'is'} not in {what}."
    return Problem(kind, start, text, alike, track.name)


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
            bars = f"bar {first}" if measure - 1 == first else f"bars {first} to {measure - 1}"
            text = f"{bars.capitalize()} {'is' if measure - 1 == first else 'are'} empty."
            yield Problem("empty_bar", timeline.start_of(first), text, "Bars are empty.", bars=bars)
            first = None


def measures_with_music(timeline: Timeline, notes: list[Note]) -> set[int]:
    """Where a note starts or goes on sounding."""
    measures: set[int] = set()
    for note in notes:
        first = timeline.measure_at(note.start)
        last = timeline.measure_at(note.end)
        measures.update(range(first, last + (1 if note.end > timeline.start_of(last) else 0)))
    return measures
