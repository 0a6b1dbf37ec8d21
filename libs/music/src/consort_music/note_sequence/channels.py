"""Assign MIDI channels to tracks, and find the program changes that each track needs.

Drums are on channel 10. Every other track has its own channel. If there are more than 15, tracks share channels. The
first of these ways that is enough is used:

- tracks with the same instruments, volume and pan share a channel;
- tracks with the same instruments share a channel;
- also, tracks that need no different programs at the same time share a channel. This is greedy: the pair of tracks that
  overlaps least is joined first.

If tracks with different instruments share a channel, the program is changed before each note that needs another one.
"""

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple

from consort_music.errors import MusicError
from consort_music.midi.model import DRUM_CHANNEL
from consort_music.note_sequence.model import SequenceTrack

MELODIC_CHANNELS = 15

Programs = list[tuple[Fraction, int]]
"""Program changes as pairs (beat, program)."""


class ChannelAssignment(NamedTuple):
    """The channel of a track, and the program changes that are written into the track."""

    channel: int
    programs: Programs


def assign_channels(tracks: Sequence[SequenceTrack]) -> list[ChannelAssignment]:
    """Return the channel of each track. Raise TOO_MANY_INSTRUMENTS if there are not enough channels."""
    drums = [number for number, track in enumerate(tracks) if track.instrument.is_drums]
    melodic = [number for number, track in enumerate(tracks) if not track.instrument.is_drums]
    free = (channel for channel in range(16) if channel != DRUM_CHANNEL)
    groups = [(DRUM_CHANNEL, drums), *zip(free, _groups(tracks, melodic), strict=False)]
    places: dict[int, ChannelAssignment] = {}
    for channel, group in groups:
        for number, programs in zip(group, _program_changes([tracks[each] for each in group]), strict=True):
            places[number] = ChannelAssignment(channel, programs)
    return [places[number] for number in range(len(tracks))]


def _groups(tracks: Sequence[SequenceTrack], melodic: list[int]) -> list[list[int]]:
    """Return the numbers of the tracks on each channel. Tracks share a channel only if there are too many."""
    if len(melodic) <= MELODIC_CHANNELS:
        return [[number] for number in melodic]
    kinds: list[dict[Hashable, list[int]]] = [{}, {}]
    for number in melodic:
        track = tracks[number]
        programs = tuple(_programs(track))
        kinds[0].setdefault((programs, track.volume, track.pan), []).append(number)
        kinds[1].setdefault(programs, []).append(number)
    groups = next((list(kind.values()) for kind in kinds if len(kind) <= MELODIC_CHANNELS), None)
    return groups or _join_groups(
        [_SharedChannel.of([(number, tracks[number]) for number in kind]) for kind in kinds[1].values()]
    )


class _SharedChannel(NamedTuple):
    """Tracks that share a channel. `onsets` maps the start of each note to its program."""

    numbers: list[int]
    onsets: dict[Fraction, int]
    first: float
    last: float

    @classmethod
    def of(cls, tracks: list[tuple[int, SequenceTrack]]) -> "_SharedChannel":
        onsets = {start: program for _, track in tracks for start, program in _onsets(track)}
        times = [float(start) for start in onsets] or [0.0]
        return cls([number for number, _ in tracks], onsets, min(times), max(times))

    def overlap(self, other: "_SharedChannel") -> float:
        return min(self.last, other.last) - max(self.first, other.first)

    def fits(self, other: "_SharedChannel") -> bool:
        small, big = sorted((self.onsets, other.onsets), key=len)
        return all(big.get(start, program) == program for start, program in small.items())

    def joined(self, other: "_SharedChannel") -> "_SharedChannel":
        onsets = self.onsets | other.onsets
        return _SharedChannel(
            self.numbers + other.numbers, onsets, min(self.first, other.first), max(self.last, other.last)
        )


def _join_groups(groups: list[_SharedChannel]) -> list[list[int]]:
    """Join groups of tracks until there are enough channels for all groups."""
    while len(groups) > MELODIC_CHANNELS:
        pairs = sorted(combinations(groups, 2), key=lambda pair: pair[0].overlap(pair[1]))
        pair = next((pair for pair in pairs if pair[0].fits(pair[1])), None)
        if pair is None:
            raise MusicError(
                "TOO_MANY_INSTRUMENTS",
                "A MIDI file has 15 channels for instruments that play together, and one for drums. Use fewer.",
                ["give some tracks the same instrument"],
            )
        groups = [group for group in groups if group is not pair[0] and group is not pair[1]]
        groups.append(pair[0].joined(pair[1]))
    return [group.numbers for group in groups]


def _program_changes(tracks: list[SequenceTrack]) -> list[Programs]:
    """Return the program changes to write into each of these tracks, which share a channel."""
    own = [_programs(track) for track in tracks]
    if all(programs == own[0] for programs in own):
        return own
    needed: list[Programs] = [[] for _ in tracks]
    onsets = [(start, number, program) for number, track in enumerate(tracks) for start, program in _onsets(track)]
    onsets.sort(key=lambda onset: (float(onset[0]), onset[1]))
    current: int | None = None
    for start, number, program in onsets:
        if program != current:
            needed[number].append((start, program))
            current = program
    return needed


def _programs(track: SequenceTrack) -> Programs:
    first = [] if track.instrument.is_drums else [(Fraction(0), track.instrument.program)]
    return [*first, *track.program_changes]


def _onsets(track: SequenceTrack) -> list[tuple[Fraction, int]]:
    """Return the start and the program of each note."""
    programs = _programs(track) or [(Fraction(0), 0)]
    if len(programs) == 1 and not programs[0][0]:
        return [(note.start, programs[0][1]) for note in track.notes]
    places = (bisect_right(programs, note.start, key=itemgetter(0)) for note in track.notes)
    return [
        (note.start, programs[place - 1][1] if place else 0) for note, place in zip(track.notes, places, strict=True)
    ]
