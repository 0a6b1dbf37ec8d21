"""Which tracks and channels an operation is about."""

from consort_midi_store.track_names import find_tracks
from consort_midi_store.transforms.models import NoteOperation
from consort_music.midi.model import DRUM_CHANNEL, MidiFile

ALL_CHANNELS = frozenset(range(16))
MELODIC_CHANNELS = ALL_CHANNELS - {DRUM_CHANNEL}


def selected_tracks(file: MidiFile, operation: NoteOperation) -> list[int]:
    return list(range(len(file.tracks))) if operation.tracks is None else find_tracks(file, operation.tracks)


def selected_channels(operation: NoteOperation) -> frozenset[int]:
    """Counted from 0, as in status bytes."""
    return ALL_CHANNELS if operation.channels is None else frozenset(number - 1 for number in operation.channels)
