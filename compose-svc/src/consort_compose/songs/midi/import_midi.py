"""Import a MIDI file as a song: notes exact to the tick, tracks with their instruments, all tempos, and sections.

The notes of one channel in one track of the file become one track of the song. `import_sections` finds the sections;
`import_losses` warns about what a song cannot hold.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from consort_compose.songs.document.names import MAX_TITLE, unused_name
from consort_compose.songs.document.song import (
    MAX_BEAT,
    MAX_NOTES,
    MAX_TEMPO,
    MAX_TEMPO_CHANGES,
    MAX_TRACKS,
    MIN_TEMPO,
    UNTITLED,
    Song,
    SongNote,
    Track,
    ValueChange,
    sorted_notes,
)
from consort_compose.songs.document.tempos import tempo_at, without_repeats
from consort_compose.songs.document.timeline import Timeline
from consort_compose.songs.midi.import_losses import loss_warnings
from consort_compose.songs.midi.import_sections import FileLayout, import_sections
from consort_music.errors import MusicError
from consort_music.key_finding.notes import rank_keys_of_notes
from consort_music.key_finding.pitch_classes import contradicts, pitch_class_weights
from consort_music.key_finding.voices import TimedNote
from consort_music.midi.model import DRUM_CHANNEL, MidiFile
from consort_music.midi.notes import PairedNote, pair_notes
from consort_music.midi.reader import read_midi
from consort_music.midi.rights import rights_notes
from consort_music.midi.tempo_map import MICROSECONDS_A_MINUTE, tempo_changes
from consort_music.midi.track_events import ChannelPrograms, TrackEvents
from consort_music.midi.track_names import title_of, track_name
from consort_music.note_sequence.from_midi_file import ppq_of
from consort_music.note_sequence.to_midi_file import PAN, VOLUME
from consort_music.texts.plurals import counted, were


@dataclass(frozen=True)
class ImportedSong:
    """A song, its notes by track id, and warnings about what was lost."""

    song: Song
    notes: dict[int, list[SongNote]]
    warnings: list[str]


def song_from_midi(content: bytes) -> ImportedSong:
    """Read a MIDI file. Raise MusicError if it cannot be read or is too large for a song."""
    file = read_midi(content)
    if file.format == 2 and len(file.tracks) > 1:
        raise MusicError(
            "NEEDS_ONE_TIMELINE",
            "This type 2 file holds several pieces that do not sound together. Split it by track with transform_midi.",
            ["transform_midi with split by track"],
        )
    ppq = ppq_of(file)
    notes = [note for index, track in enumerate(file.tracks) for note in pair_notes(track, index).notes]
    if len(notes) > MAX_NOTES:
        raise MusicError("TOO_MANY_NOTES", f"The file has {len(notes):,} notes; a song has at most {MAX_NOTES:,}.")
    end = Fraction(max((note.end for note in notes), default=0), ppq)
    if end > MAX_BEAT:
        raise MusicError("TOO_LARGE", f"The file goes beyond beat {MAX_BEAT:,}, the end of a song.")
    warnings = [*file.warnings[:5], *rights_notes(file.tracks), *loss_warnings(file, notes)]
    tracks, by_track = _tracks(file, notes, ppq)
    tempo, changes = _tempos(file, ppq, end, warnings)
    layout = FileLayout.of(file, ppq, end)
    song = Song(
        title=(title_of(file) or UNTITLED)[:MAX_TITLE],
        tempo=tempo,
        time_signature=layout.first_metre.name,
        key=layout.first_key.name if layout.first_key else None,
        tracks=tracks,
        tempo_changes=changes,
        next_track=len(tracks) + 1,
    )
    song = replace(song, sections=tuple(import_sections(song, layout, warnings)))
    warnings += _key_warnings(layout, notes)
    return ImportedSong(_with_tempos_of_sections(song), by_track, warnings)


def _key_warnings(layout: FileLayout, notes: Sequence[PairedNote]) -> list[str]:
    """Return a warning if the notes contradict the only key signature of the file. The song keeps that key."""
    stated = layout.first_key
    pitched = [note for note in notes if note.channel != DRUM_CHANNEL]
    weights = pitch_class_weights([(note.pitch, note.end - note.start) for note in pitched])
    if stated is None or len(layout.keys) > 1 or not contradicts(weights, stated):
        return []
    timed = [TimedNote(note.start, note.end, note.pitch, note.track) for note in pitched]
    heard = rank_keys_of_notes(timed)[0].key.name
    return [
        f"The key signature says {stated.name}, but the notes sound like {heard}. To change it, use edit_song with key."
    ]


def _tracks(
    file: MidiFile, notes: Sequence[PairedNote], ppq: int
) -> tuple[tuple[Track, ...], dict[int, list[SongNote]]]:
    """Return the tracks and their notes by track id. Raise TOO_MANY_TRACKS."""
    parts: dict[tuple[int, int], list[PairedNote]] = {}
    for note in notes:
        parts.setdefault((note.track, note.channel), []).append(note)
    if len(parts) > MAX_TRACKS:
        raise MusicError("TOO_MANY_TRACKS", f"The file has {len(parts)} parts; a song has at most {MAX_TRACKS}.")
    programs = ChannelPrograms(map(TrackEvents.of, file.tracks))
    mixes = {channel: _controllers(file, channel) for channel in {channel for _, channel in parts}}
    beats = cache(lambda ticks: Fraction(ticks, ppq))
    tracks: list[Track] = []
    by_track: dict[int, list[SongNote]] = {}
    for number, ((index, channel), part) in enumerate(sorted(parts.items()), start=1):
        name = unused_name(track_name(file.tracks[index]) or f"Track {index}", (each.name for each in tracks))
        program, changes = _programs(programs.at(channel, sorted({note.start for note in part})), ppq)
        if channel == DRUM_CHANNEL:
            program, changes = None, (ValueChange(Fraction(0), program), *changes) if program else changes
        mix = mixes[channel]
        tracks.append(Track(number, name, program, mix.get(VOLUME), mix.get(PAN), changes))
        by_track[number] = sorted_notes(
            SongNote(beats(note.start), note.pitch, beats(note.end - note.start), note.velocity) for note in part
        )
    return tuple(tracks), by_track


def _programs(found: list[tuple[int, int]], ppq: int) -> tuple[int | None, tuple[ValueChange, ...]]:
    """Return the first program, and the later programs with the beats where they begin."""
    (_, first), *others = found
    return first, tuple(ValueChange(Fraction(tick, ppq), program) for tick, program in others)


def _controllers(file: MidiFile, channel: int) -> dict[int, int]:
    """Return the first volume and the first pan of a channel."""
    changes = sorted(
        (tick, data[0], data[1])
        for track in file.tracks
        for tick, status, data in track
        if status == 0xB0 | channel and data[0] in (VOLUME, PAN)
    )
    return {controller: value for _, controller, value in reversed(changes)}


def _tempos(file: MidiFile, ppq: int, end: Fraction, warnings: list[str]) -> tuple[float, tuple[ValueChange, ...]]:
    """Return the first tempo and the tempo changes before `end`, the end of the last note.

    Append warnings about tempos that were left out or changed.
    """
    found = [
        (Fraction(tick, ppq), Fraction(MICROSECONDS_A_MINUTE, tempo)) for tick, tempo in tempo_changes(file.tracks)[0]
    ]
    if odd := sum(not MIN_TEMPO <= bpm <= MAX_TEMPO for _, bpm in found):
        warnings.append(
            f"{counted(odd, 'tempo')} outside {MIN_TEMPO} to {MAX_TEMPO} BPM {were(odd)} set to the nearest."
        )
    if late := sum(beat >= end for beat, _ in found[1:]):
        warnings.append(f"{counted(late, 'tempo change')} after the last note {were(late)} left out.")
    first, *others = [ValueChange(beat, _bpm(bpm)) for beat, bpm in found if not beat or beat < end]
    changes = without_repeats(others, first.value)
    if len(changes) > MAX_TEMPO_CHANGES:
        warnings.append(f"The file has {len(changes):,} tempo changes; only the first {MAX_TEMPO_CHANGES:,} were kept.")
    return first.value, changes[:MAX_TEMPO_CHANGES]


def _with_tempos_of_sections(song: Song) -> Song:
    """Replace the tempo changes by tempos of sections if a section begins at each of them."""
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
    """Round a tempo to the fewest digits that give the same whole microseconds per beat: 90 for 666,667.

    The result is limited to the tempos that a song may have.
    """
    microseconds = round(MICROSECONDS_A_MINUTE / exact)
    rounded = (round(float(exact), digits) for digits in range(7))
    bpm = next((bpm for bpm in rounded if bpm and round(MICROSECONDS_A_MINUTE / bpm) == microseconds), float(exact))
    return min(max(bpm, MIN_TEMPO), MAX_TEMPO)
