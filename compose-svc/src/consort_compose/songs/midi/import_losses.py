"""Warnings about contents of a MIDI file that a song cannot hold."""

from collections import Counter
from collections.abc import Sequence

from consort_music.midi.model import META, MidiFile
from consort_music.midi.notes import DEFAULT_RELEASE_VELOCITY, PairedNote
from consort_music.note_sequence.to_midi_file import PAN, VOLUME
from consort_music.texts.plurals import counted, were

_TEXTS = {1, 2, 4, 5, 7}  # text, copyright, instrument names, lyrics, cue points
_PORT = 0x21
_CONTROL = 0xB0
_KINDS = {0xA0: "key pressure", _CONTROL: "controller change", 0xD0: "channel pressure", 0xE0: "pitch bend"}


def loss_warnings(file: MidiFile, notes: Sequence[PairedNote]) -> list[str]:
    """Return a warning about events that are left out, and one for each kind of change to notes.

    `notes` are all notes of the file.
    """
    found: Counter[str] = Counter()
    for track in file.tracks:
        for (status, kind), count in Counter(_status_and_kind(track)).items():
            if status in (0xF0, 0xF7):
                found["system exclusive message"] += count
            elif status == META:
                found["text or lyric event"] += count if kind in _TEXTS else 0
                found["port number"] += count if kind == _PORT else 0
            elif status & 0xF0 in _KINDS:
                found[_KINDS[status & 0xF0]] += count
    found["controller change"] -= _kept_controllers(file, {note.channel for note in notes})
    found["release velocity"] = sum(note.release_velocity not in (0, DEFAULT_RELEASE_VELOCITY) for note in notes)
    left_out = [counted(count, what) for what, count in found.items() if count > 0]
    warnings = [f"Left out, because a song cannot hold them: {', '.join(left_out)}."] if left_out else []
    if count := sum(note.has_no_length for note in notes):
        warnings.append(f"{counted(count, 'note')} of zero length {were(count)} made one tick long.")
    if count := sum(note.is_hanging for note in notes):
        warnings.append(f"{counted(count, 'note')} without a note-off {were(count)} ended with the track.")
    return warnings


def _status_and_kind(track: Sequence[tuple[int, int, bytes]]) -> list[tuple[int, int]]:
    """Return the status and the first data byte of all events except notes."""
    return [(status, data[0] if data else 0) for _, status, data in track if status >= 0xA0]


def _kept_controllers(file: MidiFile, channels: set[int]) -> int:
    """Count the controllers that a song keeps: the first volume and the first pan of each channel with notes."""
    return len(
        {
            (status, data[0])
            for track in file.tracks
            for _, status, data in track
            if status & 0xF0 == _CONTROL and status & 0x0F in channels and data[0] in (VOLUME, PAN)
        }
    )
