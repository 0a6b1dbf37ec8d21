"""A MIDI file as a song: its notes to the tick, its tracks with their instruments, every tempo, and its bars.

What one channel plays in one track becomes a track of the song. Sections are made by `import_sections`; what a song has
no place for is left out and counted by `import_losses`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from consort_compose.songs.chunks import in_order
from consort_compose.songs.import_losses import losses
from consort_compose.songs.import_sections import FileLayout, sections_of
from consort_compose.songs.song import (
    MAX_BEAT,
    MAX_NOTES,
    MAX_TEMPO,
    MAX_TEMPO_CHANGES,
    MAX_TRACKS,
    MIN_TEMPO,
    UNTITLED,
    Change,
    Note,
    Song,
    Track,
)
from consort_compose.songs.tempos import tempo_at, without_repeats
from consort_compose.songs.timeline import Timeline
from consort_compose.songs.words import MAX_TITLE, free_name
from consort_kit.child import ChildLimits
from consort_music.errors import MusicError
from consort_music.key_finding import contradicts, pitch_class_weights, rank_keys
from consort_music.keys import parse_key
from consort_music.midi.as_text import ppq_of
from consort_music.midi.build import MICROSECONDS_A_MINUTE, PAN, VOLUME
from consort_music.midi.model import DRUM_CHANNEL, MidiFile
from consort_music.midi.notes import Note as MidiNote
from consort_music.midi.notes import pair_notes
from consort_music.midi.parts import ChannelPrograms, Part
from consort_music.midi.reader import read_midi
from consort_music.midi.timing import tempo_changes
from consort_music.midi.track_names import title_of, track_name
from consort_music.wording import counted, were

READING = ChildLimits(cpu_s=20, memory_bytes=1024 * 1024 * 1024)


@dataclass(frozen=True)
class ImportedSong:
    song: Song
    notes: dict[int, list[Note]]
    warnings: list[str]


def song_of(content: bytes) -> ImportedSong:
    file = read_midi(content)
    if file.format == 2 and len(file.tracks) > 1:
        raise MusicError(
            "NEEDS_ONE_TIMELINE",
            "This type 2 file holds separate pieces that do not sound together: transform_midi splits it by track.",
            ["transform_midi with split by track"],
        )
    ppq = ppq_of(file)
    notes = [note for index, track in enumerate(file.tracks) for note in pair_notes(track, index).notes]
    if len(notes) > MAX_NOTES:
        raise MusicError("TOO_MANY_NOTES", f"The file has {len(notes):,} notes; a song has at most {MAX_NOTES:,}.")
    end = Fraction(max((note.end for note in notes), default=0), ppq)
    if end > MAX_BEAT:
        raise MusicError("TOO_LARGE", f"The file goes beyond beat {MAX_BEAT:,}, where a song ends.")
    warnings = [*file.warnings[:5], *losses(file, notes)]
    tracks, by_track = _tracks(file, notes, ppq)
    tempo, changes = _tempos(file, ppq, end, warnings)
    layout = FileLayout.of(file, ppq, end)
    song = Song(
        title=(title_of(file) or UNTITLED)[:MAX_TITLE],
        tempo=tempo,
        time_signature=layout.first_metre.name,
        key=layout.first_key,
        tracks=tracks,
        tempo_changes=changes,
        next_track=len(tracks) + 1,
    )
    song = replace(song, sections=tuple(sections_of(song, layout, warnings)))
    warnings += _doubts_about_key(layout, notes)
    return ImportedSong(_with_tempos_of_sections(song), by_track, warnings)


def _doubts_about_key(layout: FileLayout, notes: Sequence[MidiNote]) -> list[str]:
    """Warn if the only key signature of the file is one that its notes speak against; the song keeps it."""
    stated = layout.first_key
    weights = pitch_class_weights(
        [(note.pitch, note.end - note.start) for note in notes if note.channel != DRUM_CHANNEL]
    )
    if stated is None or len(layout.keys) > 1 or not contradicts(weights, parse_key(stated)):
        return []
    heard = rank_keys(weights)[0].key.name
    return [
        f"The key signature says {stated}, but the notes sound like {heard}. To change it, call edit_song with key."
    ]


def _tracks(file: MidiFile, notes: Sequence[MidiNote], ppq: int) -> tuple[tuple[Track, ...], dict[int, list[Note]]]:
    parts: dict[tuple[int, int], list[MidiNote]] = {}
    for note in notes:
        parts.setdefault((note.track, note.channel), []).append(note)
    if len(parts) > MAX_TRACKS:
        raise MusicError("TOO_MANY_TRACKS", f"The file has {len(parts)} parts; a song has at most {MAX_TRACKS}.")
    programs = ChannelPrograms(map(Part.of, file.tracks))
    mixes = {channel: _controllers(file, channel) for channel in {channel for _, channel in parts}}
    beats = cache(lambda ticks: Fraction(ticks, ppq))
    tracks: list[Track] = []
    by_track: dict[int, list[Note]] = {}
    for number, ((index, channel), part) in enumerate(sorted(parts.items()), start=1):
        name = free_name(track_name(file.tracks[index]) or f"Track {index}", (each.name for each in tracks))
        program, changes = _programs(programs.at(channel, sorted({note.start for note in part})), ppq)
        if channel == DRUM_CHANNEL:
            program, changes = None, (Change(Fraction(0), program), *changes) if program else changes
        mix = mixes[channel]
        tracks.append(Track(number, name, program, mix.get(VOLUME), mix.get(PAN), changes))
        by_track[number] = in_order(
            Note(beats(note.start), note.pitch, beats(note.end - note.start), note.velocity) for note in part
        )
    return tuple(tracks), by_track


def _programs(found: list[tuple[int, int]], ppq: int) -> tuple[int | None, tuple[Change, ...]]:
    (_, first), *others = found
    return first, tuple(Change(Fraction(tick, ppq), program) for tick, program in others)


def _controllers(file: MidiFile, channel: int) -> dict[int, int]:
    """The first value of each controller on a channel."""
    changes = sorted(
        (tick, data[0], data[1])
        for track in file.tracks
        for tick, status, data in track
        if status == 0xB0 | channel and data[0] in (VOLUME, PAN)
    )
    return {controller: value for _, controller, value in reversed(changes)}


def _tempos(file: MidiFile, ppq: int, end: Fraction, warnings: list[str]) -> tuple[float, tuple[Change, ...]]:
    """The first tempo, and its changes up to the last note."""
    found = [
        (Fraction(tick, ppq), Fraction(MICROSECONDS_A_MINUTE, tempo)) for tick, tempo in tempo_changes(file.tracks)[0]
    ]
    if odd := sum(not MIN_TEMPO <= bpm <= MAX_TEMPO for _, bpm in found):
        warnings.append(
            f"{counted(odd, 'tempo')} outside {MIN_TEMPO} to {MAX_TEMPO} BPM {were(odd)} set to the nearest."
        )
    if late := sum(beat >= end for beat, _ in found[1:]):
        warnings.append(f"{counted(late, 'tempo change')} after the last note {were(late)} left out.")
    first, *others = [Change(beat, _bpm(bpm)) for beat, bpm in found if not beat or beat < end]
    changes = without_repeats(others, first.value)
    if len(changes) > MAX_TEMPO_CHANGES:
        warnings.append(f"The file has {len(changes):,} tempo changes; only the first {MAX_TEMPO_CHANGES:,} were kept.")
    return first.value, changes[:MAX_TEMPO_CHANGES]


def _with_tempos_of_sections(song: Song) -> Song:
    """Give the tempo changes to the sections if each of them is where a section begins."""
    timeline = Timeline(song)
    starts = {timeline.start_of(section.start_measure) for section in song.sections}
    if any(change.start not in starts for change in song.tempo_changes):
        return song
    tempos = [tempo_at(song, timeline, timeline.start_of(section.start_measure)) for section in song.sections]
    sections = (
        replace(section, tempo=tempo if tempo != song.tempo else None)
        for section, tempo in zip(song.sections, tempos, strict=True)
    )
    return replace(song, sections=tuple(sections), tempo_changes=())


def _bpm(exact: Fraction) -> float:
    """As short as it can be said: a file holds microseconds a beat, and 666,667 of them were meant as 90."""
    microseconds = round(MICROSECONDS_A_MINUTE / exact)
    said = (round(float(exact), digits) for digits in range(7))
    bpm = next((bpm for bpm in said if bpm and round(MICROSECONDS_A_MINUTE / bpm) == microseconds), float(exact))
    return min(max(bpm, MIN_TEMPO), MAX_TEMPO)
