"""What is in a MIDI file, told briefly enough for an assistant to read: length, tempo, keys, tracks, instruments.

Conventions: ticks and beats (quarter notes) count from 0, channels from 1 as musicians do, so that drums are on
channel 10. Tracks of types 0 and 1 sound together and share tempo, signatures and channel programs; those of type 2
are sequences on their own, and there the length, tempo map and signatures are those of the longest one. Text other
than track names (lyrics, markers, copyright) is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from consort_music.midi.key_signatures import Witness, keys_told_by
from consort_music.midi.model import META_TIME_SIGNATURE, MidiFile, Track
from consort_music.midi.notes import count_hanging
from consort_music.midi.parts import ChannelPrograms, Part, TrackSummary, summarize_track
from consort_music.midi.time_signatures import metre_of_payload
from consort_music.midi.timing import elapsed_ms, last_tick, metas_in_order, tempo_changes
from consort_music.pitch import Pitch

_MOST_NAMED = 5

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class TempoChange:
    """From this tick on the music goes at `bpm` quarter notes a minute."""

    tick: int
    beat: float
    bpm: float


@dataclass(frozen=True, slots=True)
class TimeSignature:
    """`beat` is None in a file timed by SMPTE frames."""

    tick: int
    beat: float | None
    numerator: int
    denominator: int


@dataclass(frozen=True, slots=True)
class KeySignature:
    """`key` such as "F# minor"; `beat` is None in a file timed by SMPTE frames."""

    tick: int
    beat: float | None
    key: str


@dataclass(frozen=True, slots=True)
class NoteRange:
    """The lowest and highest pitch that sounds, as MIDI numbers and names; drums have no pitch and do not count."""

    lowest: int
    lowest_name: str
    highest: int
    highest_name: str


@dataclass(frozen=True, slots=True)
class MidiSummary:
    """`ppq` is None and `tempo_map` empty in a file timed by SMPTE frames.

    Otherwise the tempo map begins at tick 0, with 120 bpm where the file says nothing. `omitted` tells for each list
    that was cut how many entries are missing.
    """

    format: int
    ppq: int | None
    duration_ms: int
    tracks: list[TrackSummary]
    tempo_map: list[TempoChange]
    time_signatures: list[TimeSignature]
    key_signatures: list[KeySignature]
    note_range: NoteRange | None
    note_count: int
    warnings: list[str]
    omitted: dict[str, int]


def summarize(file: MidiFile, max_items: int = 500) -> MidiSummary:
    """Describe a file. Lists longer than `max_items` are cut, which `omitted` tells; tracks are never left out."""
    warnings = list(file.warnings)
    parts = [Part.of(track) for track in file.tracks]
    ensembles = [[part] for part in parts] if file.format == 2 else [parts]
    tracks: list[TrackSummary] = []
    for ensemble in ensembles:
        programs = ChannelPrograms(ensemble)
        tracks += [summarize_track(len(tracks) + index, part, programs) for index, part in enumerate(ensemble)]
    duration_ms, longest, tempos = _timing(file, ensembles, warnings)
    timeline = [part.metas for part in longest]
    metres, odd_metres = metas_in_order(timeline, META_TIME_SIGNATURE, metre_of_payload)
    keys, odd_keys = keys_told_by([Witness(part.metas, len(part.notes), part.count_pitched()) for part in longest])
    for odd, plural in ((odd_metres, "time signatures"), (odd_keys, "key signatures")):
        if odd:
            warnings.append(f"{odd} {plural} without a usable value were ignored.")
    warnings += _hanging_notes(file.tracks)
    omitted: dict[str, int] = {}

    def cut(name: str, items: list[_Item]) -> list[_Item]:
        if len(items) > max_items:
            omitted[name] = len(items) - max_items
        return items[:max_items]

    def beat(tick: int) -> float | None:
        return None if file.ppq is None else tick / file.ppq

    return MidiSummary(
        format=file.format,
        ppq=file.ppq,
        duration_ms=duration_ms,
        tracks=tracks,
        tempo_map=[
            TempoChange(tick, tick / file.division, round(60_000_000 / tempo, 3))
            for tick, tempo in cut("tempo_map", tempos)
        ],
        time_signatures=[
            TimeSignature(tick, beat(tick), metre.numerator, metre.denominator)
            for tick, metre in cut("time_signatures", metres)
        ],
        key_signatures=[KeySignature(tick, beat(tick), key.name) for tick, key in cut("key_signatures", keys)],
        note_range=_note_range(parts),
        note_count=sum(track.note_count for track in tracks),
        warnings=cut("warnings", warnings),
        omitted=omitted,
    )


def _timing(
    file: MidiFile, ensembles: Sequence[Sequence[Part]], warnings: list[str]
) -> tuple[int, Sequence[Part], list[tuple[int, int]]]:
    """The length of the longest ensemble, itself, and its tempos (none if SMPTE frames rule)."""
    timelines = [[part.metas for part in ensemble] for ensemble in ensembles]
    tempos = [tempo_changes(timeline) for timeline in timelines]
    ends = [last_tick([part.events for part in ensemble]) for ensemble in ensembles]
    lengths = [elapsed_ms(file, changes, end) for (changes, _), end in zip(tempos, ends, strict=True)]
    longest = lengths.index(max(lengths))
    if len(ensembles) > 1:
        warnings.append(
            f"This type 2 file holds {len(ensembles)} independent sequences; "
            f"length, tempo map and signatures are those of the longest, track {longest}."
        )
    changes, unusable = tempos[longest]
    if unusable:
        warnings.append(f"{unusable} tempo events without a usable value were ignored.")
    return lengths[longest], ensembles[longest], [] if file.ppq is None else changes


def _hanging_notes(tracks: Sequence[Track]) -> list[str]:
    counts = {index: count for index, track in enumerate(tracks) if (count := count_hanging(track))}
    if not counts:
        return []
    total = sum(counts.values())
    notes = "1 note has" if total == 1 else f"{total} notes have"
    places = ", ".join(f"{count} in track {index}" for index, count in list(counts.items())[:_MOST_NAMED])
    more = ", …" if len(counts) > _MOST_NAMED else ""
    return [f"{notes} no note-off and would sound to the end of the track ({places}{more})."]


def _note_range(parts: Sequence[Part]) -> NoteRange | None:
    pitches = set().union(*(part.melodic_pitches() for part in parts))
    if not pitches:
        return None
    lowest, highest = min(pitches), max(pitches)
    return NoteRange(lowest, Pitch.from_midi(lowest).name, highest, Pitch.from_midi(highest).name)
