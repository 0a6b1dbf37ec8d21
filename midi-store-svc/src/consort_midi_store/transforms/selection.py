"""Which tracks and channels an operation is about."""

from consort_midi_store.transforms.models import NoteOperation
from consort_music.midi.model import DRUM_CHANNEL, MidiFile
from consort_music.midi.track_names import find_tracks, track_names

ALL_CHANNELS = frozenset(range(16))
MELODIC_CHANNELS = ALL_CHANNELS - {DRUM_CHANNEL}


def selected_tracks(file: MidiFile, operation: NoteOperation) -> list[int]:
    if operation.tracks is None:
        return list(range(len(file.tracks)))
    return find_tracks(track_names(file.tracks), operation.tracks)


def selected_channels(operation: NoteOperation) -> frozenset[int]:
    """Counted from 0, as in status bytes."""
    return ALL_CHANNELS if operation.channels is None else frozenset(number - 1 for number in operation.channels)
