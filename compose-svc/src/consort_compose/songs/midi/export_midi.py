"""Export a song as a MIDI file: a conductor track with tempos, metres, keys and markers, then the song's tracks.

The file has 480 ticks per beat, or as many as make every note exact. Notes of one pitch may overlap in a track. A
reader pairs note-ons and note-offs first in, first out, so a note inside a longer note of the same pitch exchanges ends
with it; a warning says so.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from consort_compose.songs.document.song import Song, SongNote, Track
from consort_compose.songs.document.tempos import tempo_map
from consort_compose.songs.document.timeline import Timeline, key_of
from consort_music.midi.writer import write_midi
from consort_music.note_sequence.channels import MELODIC_CHANNELS
from consort_music.note_sequence.model import NoteSequence, SequenceNote, SequenceTrack
from consort_music.note_sequence.resolution import count_inexact, exact_ppq
from consort_music.note_sequence.to_midi_file import nested_note_warnings, sequence_to_midi
from consort_music.texts.plurals import counted, were

SIGNATURES = range(-7, 8)
"""Key signatures that MIDI has: from 7 flats to 7 sharps."""


def song_to_midi(song: Song, notes: Mapping[int, list[SongNote]]) -> tuple[bytes, list[str]]:
    """Return the bytes of the file, and warnings about what the file cannot represent.

    `notes` has the sorted notes of each track, by track id.
    """
    warnings: list[str] = []
    end = max((note.end for each in notes.values() for note in each), default=Fraction(0))
    music = conductor(song, end)
    for track in song.tracks:
        music.tracks.append(_sequence_track(track, notes.get(track.id, [])))
    warnings += nested_note_warnings(music)
    melodic = {
        (track.program, track.program_changes, track.volume, track.pan) for track in song.tracks if not track.is_drums
    }
    if len(melodic) > MELODIC_CHANNELS:
        warnings.append(
            f"The song has more than {MELODIC_CHANNELS} tracks; some share a channel, with one volume and pan."
        )
    keys = [(song.title, song.key), *((section.name, section.key) for section in song.sections)]
    warnings += [
        f"No key signature was written for {name!r}: MIDI has none for {key}."
        for name, key in keys
        if key and key_of(key).sharps not in SIGNATURES
    ]
    ppq = exact_ppq(music)
    if count := count_inexact(music, ppq):
        warnings.append(f"{counted(count, 'note')} between ticks {were(count)} moved by at most 1/{2 * ppq} of a beat.")
    return write_midi(sequence_to_midi(music, ppq)), warnings


def conductor(song: Song, end: Fraction) -> NoteSequence:
    """Return a sequence without notes: tempos, metres and keys where they change, and a marker for each section.

    `end` is the beat where the last note ends. The file ends on a bar line, so that a loop stays in time.
    """
    timeline = Timeline(song)
    music = NoteSequence(tempos=tempo_map(song, timeline, end), title=song.title, end=timeline.bars.next_bar_line(end))
    metre: tuple[int, int] | None = None
    signature: tuple[int, bool] | None = None
    for span in timeline.spans_before(end):
        if (span.metre.numerator, span.metre.denominator) != metre:
            metre = (span.metre.numerator, span.metre.denominator)
            music.time_signatures.append((span.start, *metre))
        key = timeline.key_at(span.start)
        if key and key.sharps in SIGNATURES and (key.sharps, key.is_minor) != signature:
            signature = (key.sharps, key.is_minor)
            music.key_signatures.append((span.start, *signature))
        if span.section:
            music.markers.append((span.start, span.section.name))
    return music


def _sequence_track(track: Track, notes: Iterable[SongNote]) -> SequenceTrack:
    return SequenceTrack(
        name=track.name,
        instrument=track.instrument,
        notes=[SequenceNote(note.pitch, note.velocity, note.start, note.duration) for note in notes],
        volume=track.volume,
        pan=track.pan,
        program_changes=[(change.start, int(change.value)) for change in track.program_changes],
    )
