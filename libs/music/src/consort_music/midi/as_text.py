"""A MIDI file as MIDI text: the way back from `build_midi`."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from consort_music.errors import MusicError
from consort_music.instruments import DRUMS, INSTRUMENTS, Instrument
from consort_music.midi.key_signatures import keys_of
from consort_music.midi.model import DRUM_CHANNEL, MidiFile
from consort_music.midi.notes import Note
from consort_music.midi.time_signatures import metres_of
from consort_music.midi.timing import tempo_changes
from consort_music.midi.track_names import track_name
from consort_music.midi_text import MidiText, TextNote, TextTrack


def ppq_of(file: MidiFile) -> int:
    """Ticks a beat; a file in SMPTE frames has no beats and is refused."""
    if file.ppq is None:
        raise MusicError(
            "NEEDS_BEATS", "This file counts time in SMPTE frames, not in beats; it cannot be told in beats."
        )
    return file.ppq


def text_of(file: MidiFile, notes: Iterable[Note]) -> MidiText:
    """These notes of the file, a text track for each track and channel, with the file's tempos, metres and keys.

    A note of zero length, which text cannot say, lasts one tick; `without_length` counts them.
    """
    ppq = ppq_of(file)
    parts: dict[tuple[int, int], list[Note]] = {}
    for note in notes:
        parts.setdefault((note.track, note.channel), []).append(note)
    tempos, _ = tempo_changes(file.tracks)
    return MidiText(
        tempos=[(Fraction(tick, ppq), Fraction(60_000_000, microseconds)) for tick, microseconds in tempos],
        time_signatures=_time_signatures(file, ppq),
        tracks=[_track(file, *place, part, ppq) for place, part in sorted(parts.items())],
        key_signatures=[(Fraction(tick, ppq), key.sharps, key.is_minor) for tick, key in keys_of(file.tracks)],
    )


def without_length(notes: Iterable[Note]) -> int:
    return sum(note.has_no_length for note in notes)


def _time_signatures(file: MidiFile, ppq: int) -> list[tuple[Fraction, int, int]]:
    found = [(Fraction(tick, ppq), metre.numerator, metre.denominator) for tick, metre in metres_of(file.tracks)]
    return found or [(Fraction(0), 4, 4)]


def _track(file: MidiFile, index: int, channel: int, notes: Sequence[Note], ppq: int) -> TextTrack:
    return TextTrack(
        name=track_name(file.tracks[index]) or f"Track {index}",
        instrument=instrument_of(file, channel, notes[0].start),
        notes=[
            TextNote(note.pitch, note.velocity, Fraction(note.start, ppq), Fraction(note.end - note.start, ppq))
            for note in notes
        ],
    )


def instrument_of(file: MidiFile, channel: int, tick: int) -> Instrument:
    """What a channel sounds like at a tick: the program set last, or the first that is set at all."""
    if channel == DRUM_CHANNEL:
        return DRUMS
    changes = sorted(
        (when, data[0]) for track in file.tracks for when, status, data in track if status == 0xC0 | channel
    )
    before = [program for when, program in changes if when <= tick]
    return INSTRUMENTS[before[-1] if before else changes[0][1] if changes else 0]
