"""What is in a MIDI file, told briefly enough for an assistant to read: length, tempo, keys, tracks, instruments.

Conventions: ticks and beats (quarter notes) count from 0, channels from 1 as musicians do, so that drums are on
channel 10. Tracks of types 0 and 1 sound together and share tempo, signatures and channel programs; those of type 2
are sequences on their own, and there the length, tempo map and signatures are those of the longest one. Text other
than track names (lyrics, markers, copyright) is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from consort_music.midi.model import META_KEY_SIGNATURE, META_TIME_SIGNATURE, MidiFile, Track
from consort_music.midi.parts import ChannelPrograms, Part, TrackSummary, summarize_track
from consort_music.midi.timing import elapsed_ms, last_tick, tempo_changes
from consort_music.pitch import Pitch

# From seven flats to seven sharps.
_MAJOR_KEYS = ("Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#")
_MINOR_KEYS = ("Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#", "G#", "D#", "A#")
_MAX_DENOMINATOR_POWER = 10  # 1/1024; real music stops long before

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
    duration_ms, timeline, tempo_map = _timing(file, ensembles, warnings)
    time_signatures, key_signatures = _signatures(file, timeline, warnings)
    omitted: dict[str, int] = {}

    def cut(name: str, items: list[_Item]) -> list[_Item]:
        if len(items) > max_items:
            omitted[name] = len(items) - max_items
        return items[:max_items]

    return MidiSummary(
        format=file.format,
        ppq=file.ppq,
        duration_ms=duration_ms,
        tracks=tracks,
        tempo_map=cut("tempo_map", tempo_map),
        time_signatures=cut("time_signatures", time_signatures),
        key_signatures=cut("key_signatures", key_signatures),
        note_range=_note_range(parts),
        note_count=sum(track.note_count for track in tracks),
        warnings=cut("warnings", warnings),
        omitted=omitted,
    )


def _timing(
    file: MidiFile, ensembles: Sequence[Sequence[Part]], warnings: list[str]
) -> tuple[int, list[Track], list[TempoChange]]:
    """The length of the longest ensemble, its meta events by track, and its tempo map."""
    timelines = [[part.metas for part in ensemble] for ensemble in ensembles]
    lengths = [
        elapsed_ms(file, tempo_changes(timeline)[0], last_tick([part.events for part in ensemble]))
        for ensemble, timeline in zip(ensembles, timelines, strict=True)
    ]
    longest = lengths.index(max(lengths))
    if len(ensembles) > 1:
        warnings.append(
            f"This type 2 file holds {len(ensembles)} independent sequences; "
            f"length, tempo map and signatures are those of the longest, track {longest}."
        )
    timeline = timelines[longest]
    tempos, unusable = tempo_changes(timeline)
    if unusable:
        warnings.append(f"{unusable} tempo events without a usable value were ignored.")
    if file.ppq is None:
        return lengths[longest], timeline, []
    changes = [TempoChange(tick, tick / file.ppq, round(60_000_000 / tempo, 3)) for tick, tempo in tempos]
    return lengths[longest], timeline, changes


def _signatures(
    file: MidiFile, timeline: Sequence[Track], warnings: list[str]
) -> tuple[list[TimeSignature], list[KeySignature]]:
    times: list[TimeSignature] = []
    keys: list[KeySignature] = []
    odd = 0
    for tick, _, data in sorted((event for metas in timeline for event in metas), key=lambda event: event[0]):
        if data[0] not in (META_TIME_SIGNATURE, META_KEY_SIGNATURE):
            continue
        beat = None if file.ppq is None else tick / file.ppq
        if len(data) < 3:
            odd += 1
        elif data[0] == META_TIME_SIGNATURE:
            if data[1] and data[2] <= _MAX_DENOMINATOR_POWER:
                times.append(TimeSignature(tick, beat, data[1], 2 ** data[2]))
            else:
                odd += 1
        else:
            sharps, is_minor = int.from_bytes(data[1:2], signed=True), data[2]
            if -7 <= sharps <= 7 and is_minor <= 1:
                names, mode = (_MINOR_KEYS, "minor") if is_minor else (_MAJOR_KEYS, "major")
                keys.append(KeySignature(tick, beat, f"{names[sharps + 7]} {mode}"))
            else:
                odd += 1
    if odd:
        warnings.append(f"{odd} time or key signatures that mean nothing were ignored.")
    return times, keys


def _note_range(parts: Sequence[Part]) -> NoteRange | None:
    pitches = set().union(*(part.melodic_pitches() for part in parts))
    if not pitches:
        return None
    lowest, highest = min(pitches), max(pitches)
    return NoteRange(lowest, Pitch.from_midi(lowest).name, highest, Pitch.from_midi(highest).name)
