"""Describe a MIDI file briefly: length, tempo, keys, tracks, instruments.

Ticks and beats (quarter notes) are counted from 0, channels from 1, so drums are on channel 10. Tracks of types 0 and 1
sound together and share tempo, signatures and channel programs. Tracks of type 2 are independent; the length, tempo map
and signatures are those of the longest one. Texts other than track names (lyrics, markers, copyright) are left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from consort_music.instruments import DRUMS, INSTRUMENTS
from consort_music.midi.key_signatures import TrackMetas, keys_in_metas
from consort_music.midi.model import DRUM_CHANNEL, META_TIME_SIGNATURE, MidiFile, Track
from consort_music.midi.notes import count_hanging
from consort_music.midi.rights import rights_notes
from consort_music.midi.tempo_map import MICROSECONDS_A_MINUTE, elapsed_ms, last_tick, metas_in_order, tempo_changes
from consort_music.midi.time_signatures import metre_of_payload
from consort_music.midi.track_events import ChannelPrograms, TrackEvents
from consort_music.midi.track_names import track_name
from consort_music.pitch import Pitch
from consort_music.texts.plurals import counted, were

_MOST_TRACKS_NAMED = 5

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class TrackContents:
    """One track. `channels` are numbered from 1. `instruments` are sorted by channel, then by time."""

    index: int
    name: str | None
    instruments: list[str]
    channels: list[int]
    note_count: int


@dataclass(frozen=True, slots=True)
class TempoEvent:
    """A tempo from this tick on, in quarter notes per minute."""

    tick: int
    beat: float
    bpm: float


@dataclass(frozen=True, slots=True)
class TimeSignatureEvent:
    """A time signature from this tick on. `beat` is None in a file timed by SMPTE frames."""

    tick: int
    beat: float | None
    numerator: int
    denominator: int


@dataclass(frozen=True, slots=True)
class KeySignatureEvent:
    """A key such as "F# minor" from this tick on. `beat` is None in a file timed by SMPTE frames."""

    tick: int
    beat: float | None
    key: str


@dataclass(frozen=True, slots=True)
class PitchRange:
    """The lowest and the highest pitch without drums, as MIDI numbers and names."""

    lowest: int
    lowest_name: str
    highest: int
    highest_name: str


@dataclass(frozen=True, slots=True)
class MidiSummary:
    """The summary of a file. If the file is timed by SMPTE frames, `ppq` is None and `tempo_map` is empty.

    Otherwise the tempo map starts at tick 0, with 120 bpm if the file has no tempo there. `omitted` maps the name of
    each list that was cut to the number of entries left out.
    """

    format: int
    ppq: int | None
    duration_ms: int
    tracks: list[TrackContents]
    tempo_map: list[TempoEvent]
    time_signatures: list[TimeSignatureEvent]
    key_signatures: list[KeySignatureEvent]
    note_range: PitchRange | None
    note_count: int
    warnings: list[str]
    omitted: dict[str, int]


def summarize(file: MidiFile, max_items: int = 500) -> MidiSummary:
    """Describe a file. Lists longer than `max_items` are cut (see `omitted`), but all tracks are listed."""
    warnings = [*file.warnings, *rights_notes(file.tracks)]
    parts = [TrackEvents.of(track) for track in file.tracks]
    ensembles = [[part] for part in parts] if file.format == 2 else [parts]
    tracks: list[TrackContents] = []
    for ensemble in ensembles:
        programs = ChannelPrograms(ensemble)
        tracks += [summarize_track(len(tracks) + index, part, programs) for index, part in enumerate(ensemble)]
    duration_ms, longest, tempos = _timing(file, ensembles, warnings)
    timeline = [part.metas for part in longest]
    metres, odd_metres = metas_in_order(timeline, META_TIME_SIGNATURE, metre_of_payload)
    keys, odd_keys = keys_in_metas([TrackMetas(part.metas, len(part.notes), part.count_pitched()) for part in longest])
    warnings += _ignored(odd_metres, "time signature") + _ignored(odd_keys, "key signature")
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
            TempoEvent(tick, tick / file.division, round(MICROSECONDS_A_MINUTE / tempo, 3))
            for tick, tempo in cut("tempo_map", tempos)
        ],
        time_signatures=[
            TimeSignatureEvent(tick, beat(tick), metre.numerator, metre.denominator)
            for tick, metre in cut("time_signatures", metres)
        ],
        key_signatures=[KeySignatureEvent(tick, beat(tick), key.name) for tick, key in cut("key_signatures", keys)],
        note_range=_note_range(parts),
        note_count=sum(track.note_count for track in tracks),
        warnings=cut("warnings", warnings),
        omitted=omitted,
    )


def summarize_track(index: int, part: TrackEvents, programs: ChannelPrograms) -> TrackContents:
    instruments = [
        DRUMS.name if channel == DRUM_CHANNEL else INSTRUMENTS[program].name
        for channel, program in programs.under(part.notes)
    ]
    return TrackContents(
        index=index,
        name=track_name(part.metas) or None,
        instruments=list(dict.fromkeys(instruments)),
        channels=sorted({(status & 0x0F) + 1 for status in part.statuses if status < 0xF0}),
        note_count=len(part.notes),
    )


def _timing(
    file: MidiFile, ensembles: Sequence[Sequence[TrackEvents]], warnings: list[str]
) -> tuple[int, Sequence[TrackEvents], list[tuple[int, int]]]:
    """Return the milliseconds of the longest ensemble, the ensemble, and its tempos (none if timed by SMPTE frames).

    An ensemble is a group of tracks that sound together.
    """
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
    warnings += _ignored(unusable, "tempo event")
    return lengths[longest], ensembles[longest], [] if file.ppq is None else changes


def _ignored(count: int, noun: str) -> list[str]:
    """Return the warning about events with an invalid value, if there are any."""
    return [f"{counted(count, noun)} without a usable value {were(count)} ignored."] if count else []


def _hanging_notes(tracks: Sequence[Track]) -> list[str]:
    counts = {index: count for index, track in enumerate(tracks) if (count := count_hanging(track))}
    if not counts:
        return []
    total = sum(counts.values())
    notes = "1 note has" if total == 1 else f"{total} notes have"
    places = ", ".join(f"{count} in track {index}" for index, count in list(counts.items())[:_MOST_TRACKS_NAMED])
    more = ", …" if len(counts) > _MOST_TRACKS_NAMED else ""
    return [f"{notes} no note-off and would sound to the end of the track ({places}{more})."]


def _note_range(parts: Sequence[TrackEvents]) -> PitchRange | None:
    pitches = set().union(*(part.melodic_pitches() for part in parts))
    if not pitches:
        return None
    lowest, highest = min(pitches), max(pitches)
    return PitchRange(lowest, Pitch.from_midi(lowest).name, highest, Pitch.from_midi(highest).name)
