"""Convert the notes of a MIDI file to a note sequence. This is the reverse of `to_midi_file`."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from consort_music.errors import MusicError
from consort_music.instruments import DRUMS, INSTRUMENTS, Instrument
from consort_music.midi.key_signatures import keys_of
from consort_music.midi.model import DRUM_CHANNEL, MidiFile
from consort_music.midi.notes import PairedNote
from consort_music.midi.tempo_map import MICROSECONDS_A_MINUTE, tempo_changes
from consort_music.midi.time_signatures import metres_of
from consort_music.midi.track_names import track_name
from consort_music.note_sequence.model import NoteSequence, SequenceNote, SequenceTrack


def ppq_of(file: MidiFile) -> int:
    """Return the ticks per quarter note. Raise NEEDS_BEATS if the file is timed by SMPTE frames."""
    if file.ppq is None:
        raise MusicError(
            "NEEDS_BEATS", "This file is timed by SMPTE frames and has no beats. Give a file that is timed in beats."
        )
    return file.ppq


def sequence_from_midi(file: MidiFile, notes: Iterable[PairedNote]) -> NoteSequence:
    """Return these notes of a file as a sequence, with the tempos, time signatures and keys of the file.

    The sequence has a track for each track and channel of the file. A note of zero length, which a sequence cannot
    contain, lasts one tick; `without_length` counts such notes.
    """
    ppq = ppq_of(file)
    parts: dict[tuple[int, int], list[PairedNote]] = {}
    for note in notes:
        parts.setdefault((note.track, note.channel), []).append(note)
    tempos, _ = tempo_changes(file.tracks)
    return NoteSequence(
        tempos=[(Fraction(tick, ppq), Fraction(MICROSECONDS_A_MINUTE, microseconds)) for tick, microseconds in tempos],
        time_signatures=_time_signatures(file, ppq),
        tracks=[_track(file, *place, part, ppq) for place, part in sorted(parts.items())],
        key_signatures=[(Fraction(tick, ppq), key.sharps, key.is_minor) for tick, key in keys_of(file.tracks)],
    )


def without_length(notes: Iterable[PairedNote]) -> int:
    return sum(note.has_no_length for note in notes)


def _time_signatures(file: MidiFile, ppq: int) -> list[tuple[Fraction, int, int]]:
    found = [(Fraction(tick, ppq), metre.numerator, metre.denominator) for tick, metre in metres_of(file.tracks)]
    return found or [(Fraction(0), 4, 4)]


def _track(file: MidiFile, index: int, channel: int, notes: Sequence[PairedNote], ppq: int) -> SequenceTrack:
    return SequenceTrack(
        name=track_name(file.tracks[index]) or f"Track {index}",
        instrument=instrument_of(file, channel, notes[0].start),
        notes=[
            SequenceNote(note.pitch, note.velocity, Fraction(note.start, ppq), Fraction(note.end - note.start, ppq))
            for note in notes
        ],
    )


def instrument_of(file: MidiFile, channel: int, tick: int) -> Instrument:
    """Return the instrument of a channel at a tick: of the last program change up to it, otherwise of the first."""
    if channel == DRUM_CHANNEL:
        return DRUMS
    changes = sorted(
        (when, data[0]) for track in file.tracks for when, status, data in track if status == 0xC0 | channel
    )
    before = [program for when, program in changes if when <= tick]
    return INSTRUMENTS[before[-1] if before else changes[0][1] if changes else 0]
