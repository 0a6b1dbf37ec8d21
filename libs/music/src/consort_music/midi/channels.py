"""On which channel each track of a file plays, and which program changes it needs there.

Drums are on channel 10, and each other track has its own channel. If there are more than 15, tracks share: first those
of the same instruments, volume and pan, then those of the same instruments, then those that take turns. A channel whose
tracks differ in their instruments changes program where the next note needs it.
"""

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple

from consort_music.errors import MusicError
from consort_music.midi.model import DRUM_CHANNEL
from consort_music.midi_text import TextTrack

MELODIC_CHANNELS = 15

Programs = list[tuple[Fraction, int]]
"""From which beat on each program holds."""


class Place(NamedTuple):
    """`programs` are the program changes that the track writes."""

    channel: int
    programs: Programs


def places_of(tracks: Sequence[TextTrack]) -> list[Place]:
    """The place of each track; raises TOO_MANY_INSTRUMENTS where channels do not suffice."""
    drums = [number for number, track in enumerate(tracks) if track.instrument.is_drums]
    melodic = [number for number, track in enumerate(tracks) if not track.instrument.is_drums]
    free = (channel for channel in range(16) if channel != DRUM_CHANNEL)
    groups = [(DRUM_CHANNEL, drums), *zip(free, _groups(tracks, melodic), strict=False)]
    places: dict[int, Place] = {}
    for channel, group in groups:
        for number, programs in zip(group, _written([tracks[each] for each in group]), strict=True):
            places[number] = Place(channel, programs)
    return [places[number] for number in range(len(tracks))]


def _groups(tracks: Sequence[TextTrack], melodic: list[int]) -> list[list[int]]:
    """The tracks that share a channel, as few together as possible."""
    if len(melodic) <= MELODIC_CHANNELS:
        return [[number] for number in melodic]
    kinds: list[dict[Hashable, list[int]]] = [{}, {}]
    for number in melodic:
        track = tracks[number]
        programs = tuple(_programs(track))
        kinds[0].setdefault((programs, track.volume, track.pan), []).append(number)
        kinds[1].setdefault(programs, []).append(number)
    groups = next((list(kind.values()) for kind in kinds if len(kind) <= MELODIC_CHANNELS), None)
    return groups or _taking_turns(
        [_Turn.of([(number, tracks[number]) for number in kind]) for kind in kinds[1].values()]
    )


class _Turn(NamedTuple):
    """Tracks on one channel: when their notes begin, and with which program."""

    numbers: list[int]
    onsets: dict[Fraction, int]
    first: float
    last: float

    @classmethod
    def of(cls, tracks: list[tuple[int, TextTrack]]) -> "_Turn":
        onsets = {start: program for _, track in tracks for start, program in _onsets(track)}
        times = [float(start) for start in onsets] or [0.0]
        return cls([number for number, _ in tracks], onsets, min(times), max(times))

    def overlap(self, other: "_Turn") -> float:
        return min(self.last, other.last) - max(self.first, other.first)

    def fits(self, other: "_Turn") -> bool:
        small, big = sorted((self.onsets, other.onsets), key=len)
        return all(big.get(start, program) == program for start, program in small.items())

    def joined(self, other: "_Turn") -> "_Turn":
        onsets = self.onsets | other.onsets
        return _Turn(self.numbers + other.numbers, onsets, min(self.first, other.first), max(self.last, other.last))


def _taking_turns(turns: list[_Turn]) -> list[list[int]]:
    while len(turns) > MELODIC_CHANNELS:
        pairs = sorted(combinations(turns, 2), key=lambda pair: pair[0].overlap(pair[1]))
        pair = next((pair for pair in pairs if pair[0].fits(pair[1])), None)
        if pair is None:
            raise MusicError(
                "TOO_MANY_INSTRUMENTS",
                "A MIDI file has 15 channels for instruments that play together, besides the drums; use fewer.",
                ["give some tracks the same instrument"],
            )
        turns = [turn for turn in turns if turn is not pair[0] and turn is not pair[1]]
        turns.append(pair[0].joined(pair[1]))
    return [turn.numbers for turn in turns]


def _written(tracks: list[TextTrack]) -> list[Programs]:
    """The program changes of tracks on one channel: their own, or where the channel needs another for the next note."""
    own = [_programs(track) for track in tracks]
    if all(programs == own[0] for programs in own):
        return own
    needed: list[Programs] = [[] for _ in tracks]
    onsets = [(start, number, program) for number, track in enumerate(tracks) for start, program in _onsets(track)]
    onsets.sort(key=lambda onset: (float(onset[0]), onset[1]))
    holds: int | None = None
    for start, number, program in onsets:
        if program != holds:
            needed[number].append((start, program))
            holds = program
    return needed


def _programs(track: TextTrack) -> Programs:
    first = [] if track.instrument.is_drums else [(Fraction(0), track.instrument.program)]
    return [*first, *track.program_changes]


def _onsets(track: TextTrack) -> list[tuple[Fraction, int]]:
    """When notes begin, and with which program."""
    programs = _programs(track) or [(Fraction(0), 0)]
    if len(programs) == 1 and not programs[0][0]:
        return [(note.start, programs[0][1]) for note in track.notes]
    places = (bisect_right(programs, note.start, key=itemgetter(0)) for note in track.notes)
    return [
        (note.start, programs[place - 1][1] if place else 0) for note, place in zip(track.notes, places, strict=True)
    ]
