"""Compiles the few notes, controllers and so on that `send_midi` sends immediately. A tick is a millisecond."""

from collections.abc import Mapping

from consort_music.beats import format_beats
from consort_music.errors import MusicError, in_field
from consort_music.instruments import find_instrument
from consort_music.midi.model import END_OF_TRACK, META, META_TEMPO, Event, MidiFile
from consort_music.notation.note_list import parse_note_list
from consort_music.performance.compiled_music import CompiledMusic, compile_file

MAX_NOTES = 64
MAX_BEATS = 32
_BEAT_MS = 500
_ONE_SECOND_PER_QUARTER = (1_000_000).to_bytes(3, "big")
"""The tempo in microseconds. With a division of 1000, a tick is a millisecond."""
_NO_BEND = 8192
_SUSTAIN = "64"


def compile_messages(
    channel: int, instrument: str | None, controllers: Mapping[str, int], bend: int | None, notes: str, velocity: int
) -> CompiledMusic:
    """Compile the instrument, controllers and pitch bend, followed by the notes. `channel` is from 0 to 15.

    Note-offs are sent before note-ons at the same time. Raise MusicError if a value is invalid or nothing is given.
    """
    settings: list[Event] = [(0, META, bytes((META_TEMPO,)) + _ONE_SECOND_PER_QUARTER)]
    if instrument is not None:
        with in_field("instrument"):
            settings.append((0, 0xC0 | channel, bytes((find_instrument(instrument).program,))))
    for number, value in controllers.items():
        settings.append((0, 0xB0 | channel, _controller(number, value)))
    if bend is not None:
        value = bend + _NO_BEND
        settings.append((0, 0xE0 | channel, bytes((value & 127, value >> 7))))
    with in_field("notes"):
        ons, offs = _parse_notes(notes, channel, velocity) if notes.strip() else ([], [])
    if not ons and controllers.get(_SUSTAIN):
        raise MusicError(
            "INVALID_CONTROLLER",
            "'controllers' presses the pedal (64), but it is lifted when the notes of this call have ended. "
            'Give notes too, such as "C4:h".',
            ['notes: "C4:h"'],
            "controllers",
        )
    if len(settings) == 1 and not ons:
        raise MusicError(
            "EMPTY_INPUT",
            "There is nothing to send. Give notes, controllers, an instrument or pitch_bend.",
            ['notes: "C4:q"', 'controllers: {"7": 100}'],
        )
    events = sorted([*offs, *settings, *ons], key=lambda event: event[0])
    track = [*events, (events[-1][0], META, END_OF_TRACK)]
    return compile_file(MidiFile(format=0, division=1000, tracks=[track]), 0, 0)


def _parse_notes(text: str, channel: int, velocity: int) -> tuple[list[Event], list[Event]]:
    """Return the note-ons and the note-offs of a note list."""
    score = parse_note_list(text)
    notes = [note for part in score.parts for note in part.notes]
    if len(notes) > MAX_NOTES or score.length > MAX_BEATS:
        raise MusicError(
            "TOO_LARGE",
            f"'notes' has {len(notes)} notes in {format_beats(score.length)} beats; at most {MAX_NOTES} notes and "
            f"{MAX_BEATS} beats are sent. playback_midi plays more.",
            ["playback_midi"],
        )
    ons: list[Event] = []
    offs: list[Event] = []
    for note in notes:
        ons.append((round(note.start * _BEAT_MS), 0x90 | channel, bytes((note.midi, velocity))))
        offs.append((round(note.end * _BEAT_MS), 0x80 | channel, bytes((note.midi, 64))))
    return ons, offs


def _controller(number: str, value: int) -> bytes:
    if not (number.isascii() and number.isdecimal() and len(number) <= 3 and int(number) <= 127 and 0 <= value <= 127):
        raise MusicError(
            "INVALID_CONTROLLER",
            f"'controllers' sets {number[:20]!r} to {value}; both must be 0 to 127, such as {{\"7\": 100}}.",
            ['{"7": 100} sets the volume', '{"64": 0} lifts the pedal'],
            "controllers",
        )
    return bytes((int(number), value))
