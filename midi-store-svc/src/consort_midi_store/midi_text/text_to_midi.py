"""Make a MIDI file from text: MIDI text, the composer's note list, ABC or MusicXML.

Runs in a child process for long texts, so it imports little.
"""

import re
from dataclasses import dataclass
from typing import Any, Literal

from consort_midi_store.files.file_summary import summarize_bytes
from consort_music.errors import MusicError
from consort_music.midi.writer import write_midi
from consort_music.notation.note_list import parse_note_list
from consort_music.notation.read_music import detect_format, read_music
from consort_music.notation.to_midi import score_to_sequence
from consort_music.note_sequence.midi_text import MAX_PROBLEMS, read_midi_text
from consort_music.note_sequence.model import NoteSequence
from consort_music.note_sequence.to_midi_file import nested_note_warnings, sequence_to_midi

Notation = Literal["midi_text", "notes", "abc", "musicxml", "mxl"]

_MIDI_TEXT_LINE = re.compile(r"(?im)^[^\S\n]*(tempo|time|track)\b")  # `^\s*` is quadratic in newlines
_PITCH_AND_VELOCITY = re.compile(r"\S+[ \t]+[0-9]+(?:[ \t]|$)", re.MULTILINE)
_COMMENTS = re.compile(r"(?:\s*(?:#|//)[^\n]*\n)*\s*")
_LINE = re.compile(r"(ABC|Note list) line ([0-9]+)(?:, (column [0-9]+))?: ")


@dataclass(frozen=True)
class MidiFromText:
    """The MIDI file made from a text, or the errors in the text. With errors, `content` and `summary` are None."""

    errors: list[str]
    warnings: list[str]
    content: bytes | None = None
    summary: dict[str, Any] | None = None
    tracks: int = 0
    title: str | None = None


def detect_notation(source: str) -> Notation:
    """Return the notation of a text. The default is MIDI text, because its errors explain what to write."""
    comments = _COMMENTS.match(source)
    head = source[comments.end() if comments else 0 :]
    if _PITCH_AND_VELOCITY.match(head):
        return "midi_text"
    try:
        found = detect_format(source)
    except MusicError:
        return "midi_text"
    if found == "notes" and _MIDI_TEXT_LINE.search(source):
        return "midi_text"
    return found


def text_to_midi(source: str, max_bytes: int) -> MidiFromText:
    """Read a text and make a MIDI file of at most `max_bytes`. Errors are returned, not raised."""
    notation = detect_notation(source)
    if notation == "midi_text":
        reading = read_midi_text(source)
        if reading.errors:
            return MidiFromText(reading.errors, reading.warnings)
        return _build(reading.music, reading.warnings, max_bytes)
    try:
        score, warnings = read_music(source, notation)
    except MusicError as error:
        return MidiFromText(_errors_by_line(source) if notation == "notes" else [_with_line(error)], [])
    if not score.tempos:
        warnings.append("No tempo specified, defaulting to 120")
    if notation == "notes":
        warnings.append("No time signature specified, defaulting to 4/4")
    return _build(score_to_sequence(score), warnings, max_bytes)


def _build(sequence: NoteSequence, warnings: list[str], max_bytes: int) -> MidiFromText:
    try:
        content = write_midi(sequence_to_midi(sequence))
    except MusicError as error:
        return MidiFromText([error.message], warnings)
    warnings = [*warnings, *nested_note_warnings(sequence)]
    try:
        summary = summarize_bytes(content, max_bytes)
    except MusicError as error:  # the file has more than `max_bytes` or lasts too long
        return MidiFromText([error.message], warnings)
    return MidiFromText([], warnings, content, summary, len(sequence.tracks), sequence.title)


def _errors_by_line(source: str) -> list[str]:
    """Return the errors of a note list. Each line is a part, so it is read separately."""
    errors = []
    for number, line in enumerate(source.splitlines(), start=1):
        try:
            parse_note_list(line)
        except MusicError as error:
            if error.code != "EMPTY_INPUT":
                place = _LINE.match(error.message)
                column, message = (f", {place[3]}", error.message[place.end() :]) if place else ("", error.message)
                errors.append(f"Invalid note at line {number}{column}: {message}")
    return errors[:MAX_PROBLEMS] or ["There are no notes. Add some, such as C4:q."]


def _with_line(error: MusicError) -> str:
    """Return the message of an error in the wording of MIDI text ("Invalid … at line …"), if its line is known."""
    line = _LINE.match(error.message)
    return f"Invalid ABC at line {line[2]}: {error.message[line.end() :]}" if line else error.message
