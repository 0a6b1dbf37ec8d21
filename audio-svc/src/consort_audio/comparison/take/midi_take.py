"""The notes of a MIDI file that was played, in seconds. Drums are left out."""

from consort_audio.signals.played_notes import PlayedNote
from consort_music.errors import MusicError
from consort_music.midi.model import DRUM_CHANNEL
from consort_music.midi.notes import pair_notes
from consort_music.midi.reader import ReaderLimits, read_midi
from consort_music.performance.clock import Clock
from consort_music.performance.compiled_music import on_one_timeline

_SECOND = 1e9


def midi_take(content: bytes, max_bytes: int) -> list[PlayedNote]:
    """Return the notes, sorted by start. Raise MusicError (EMPTY_INPUT) if there are none."""
    file = on_one_timeline(read_midi(content, ReaderLimits(max_bytes=max_bytes)))
    clock = Clock(file, file.tracks)
    notes = {
        PlayedNote(clock.ns(note.start) / _SECOND, clock.ns(note.end) / _SECOND, float(note.pitch), 1.0, note.velocity)
        for track in file.tracks
        for note in pair_notes(track).notes
        if note.channel != DRUM_CHANNEL
    }
    if not notes:
        raise MusicError(
            "EMPTY_INPUT", "The MIDI file of the take has no notes. Give another one.", field="midi_file_id"
        )
    return sorted(notes)
