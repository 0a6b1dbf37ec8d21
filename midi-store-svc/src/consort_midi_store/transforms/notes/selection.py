"""Find the tracks that an operation on notes changes."""

from consort_midi_store.transforms.operation_parameters import NoteFilter
from consort_music.midi.model import MidiFile
from consort_music.midi.track_names import find_tracks, track_names


def selected_tracks(file: MidiFile, selection: NoteFilter) -> list[int]:
    """Return the indexes of the selected tracks. Raise MusicError (UNKNOWN_TRACK) if the file has no such track."""
    if selection.tracks is None:
        return list(range(len(file.tracks)))
    return find_tracks(track_names(file.tracks), selection.tracks)
