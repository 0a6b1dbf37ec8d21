"""The note about the rights of a library piece, in a MIDI file made of it: a copyright event (FF 02)."""

from collections.abc import Iterable
from dataclasses import replace

from consort_music.midi.model import META, Event, MidiFile
from consort_music.texts.visible_text import visible_line

_COPYRIGHT = 0x02
_BEGINNING = b"Rights of corpus:"
"""How the notes of the score library begin. Copyright events of other files are not repeated in answers."""
_MOST_BYTES = 1200


def with_rights(file: MidiFile, note: str) -> MidiFile:
    """Return the file with a note about its rights, which begins with `Rights of corpus:`."""
    event: Event = (0, META, bytes((_COPYRIGHT,)) + note.encode())
    return replace(file, tracks=[[event, *file.tracks[0]], *file.tracks[1:]])


def rights_notes(tracks: Iterable[Iterable[Event]]) -> list[str]:
    """Return the notes about the rights of library pieces, each once."""
    found = [
        data[1 : _MOST_BYTES + 1]
        for track in tracks
        for _, status, data in track
        if status == META and data[0] == _COPYRIGHT and data.startswith(_BEGINNING, 1)
    ]
    return list(dict.fromkeys(visible_line(note.decode(errors="replace")) for note in found))
