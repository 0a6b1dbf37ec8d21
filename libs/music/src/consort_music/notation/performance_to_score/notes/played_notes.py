"""Notes as they were played, in seconds, and the moments at which several of them start together."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from consort_music.midi.model import DRUM_CHANNEL, MidiFile
from consort_music.midi.notes import PairedNote
from consort_music.midi.tempo_map import DEFAULT_TEMPO, tempo_changes

LARGEST_GAP_S = 0.03
"""Notes that follow each other faster than this belong to one moment."""
LARGEST_SPREAD_S = 0.07
"""A moment does not last longer than this."""
_CONTROL_CHANGE, _SUSTAIN, _DOWN = 0xB0, 64, 64


class PerformedNote(NamedTuple):
    """A note in seconds. `part` is the number of its part, or of its track and channel."""

    onset: float
    end: float
    pitch: int
    velocity: int
    part: int = 0
    is_drum: bool = False
    is_pedalled: bool = False
    """Whether the sustain pedal was down when the key was released."""


class Moment(NamedTuple):
    """Notes that start together. `notes` are their indexes, in the order of their onsets."""

    time: float
    notes: tuple[int, ...]


def seconds_of_ticks(file: MidiFile, ticks: Sequence[int]) -> list[float]:
    """Return the seconds at these ticks, which must be sorted."""
    if file.smpte_ticks_per_second is not None:
        rate = float(file.smpte_ticks_per_second)
        return [tick / rate for tick in ticks]
    tempos, _ = tempo_changes(file.tracks)
    scale = 1 / (1e6 * file.division)
    found = []
    place, now, since, tempo = 0, 0.0, 0, DEFAULT_TEMPO
    for tick in ticks:
        while place < len(tempos) and tempos[place][0] <= tick:
            now += (tempos[place][0] - since) * tempo * scale
            since, tempo = tempos[place]
            place += 1
        found.append(now + (tick - since) * tempo * scale)
    return found


def played_notes(file: MidiFile, notes: Sequence[PairedNote], parts: Sequence[int]) -> list[PerformedNote]:
    """Return the notes of a file in seconds, in the same order. `parts` has the part of each note."""
    ticks = sorted({tick for note in notes for tick in (note.start, note.end)})
    seconds = dict(zip(ticks, seconds_of_ticks(file, ticks), strict=True))
    pedals = _pedal_changes(file)
    return [
        PerformedNote(
            seconds[note.start],
            seconds[note.end],
            note.pitch,
            note.velocity,
            part,
            note.channel == DRUM_CHANNEL,
            note.channel in pedals and _is_down(pedals[note.channel], note.end),
        )
        for note, part in zip(notes, parts, strict=True)
    ]


def pedal_lifts(file: MidiFile) -> list[float]:
    """Return the seconds at which the sustain pedal goes up, in order."""
    ticks = sorted(
        after[0]
        for changes in _pedal_changes(file).values()
        for before, after in pairwise(changes)
        if before[1] and not after[1]
    )
    return seconds_of_ticks(file, ticks)


def _pedal_changes(file: MidiFile) -> dict[int, list[tuple[int, bool]]]:
    """Return for each channel at which ticks the sustain pedal goes down or up, in order."""
    found: dict[int, list[tuple[int, bool]]] = {}
    for track in file.tracks:
        for tick, status, data in track:
            if status & 0xF0 == _CONTROL_CHANGE and data[0] == _SUSTAIN:
                found.setdefault(status & 0x0F, []).append((tick, data[1] >= _DOWN))
    for changes in found.values():
        changes.sort()
    return found


def _is_down(changes: Sequence[tuple[int, bool]], tick: int) -> bool:
    place = bisect_left(changes, (tick, False))
    return place > 0 and changes[place - 1][1]


def moments_of(notes: Sequence[PerformedNote]) -> list[Moment]:
    """Group the notes by onset. The time of a moment is the mean of its onsets."""
    order = sorted(range(len(notes)), key=lambda index: notes[index].onset)
    found: list[Moment] = []
    group: list[int] = []
    for index in order:
        onset = notes[index].onset
        if group and (
            onset - notes[group[-1]].onset > LARGEST_GAP_S or onset - notes[group[0]].onset > LARGEST_SPREAD_S
        ):
            found.append(_moment(notes, group))
            group = []
        group.append(index)
    if group:
        found.append(_moment(notes, group))
    return found


def _moment(notes: Sequence[PerformedNote], group: list[int]) -> Moment:
    return Moment(sum(notes[index].onset for index in group) / len(group), tuple(group))
