"""Text in any notation made into a MIDI file: MIDI text, the composer's note list, ABC or MusicXML."""

import re
from dataclasses import dataclass
from typing import Literal

from consort_music.errors import MusicError
from consort_music.midi.build import build_midi, nested_note_warnings
from consort_music.midi.writer import write_midi
from consort_music.midi_text import MAX_PROBLEMS, MidiText, read_midi_text
from consort_music.notation.detect import detect_format, read_music
from consort_music.notation.to_midi import score_to_text
from consort_music.note_list import parse_note_list

Notation = Literal["midi_text", "notes", "abc", "musicxml", "mxl"]

_MIDI_TEXT_LINE = re.compile(r"(?im)^\s*(tempo|time|track)\b")
_PITCH_AND_VELOCITY = re.compile(r"\S+[ \t]+[0-9]+(?:[ \t]|$)", re.MULTILINE)
_COMMENTS = re.compile(r"(?:\s*(?:#|//)[^\n]*\n)*\s*")
_LINE = re.compile(r"(ABC|Note list) line ([0-9]+)(?:, (column [0-9]+))?: ")


@dataclass(frozen=True)
class Compiled:
    """The file that a text makes, or what is wrong with it."""

    errors: list[str]
    warnings: list[str]
    content: bytes | None = None
    tracks: int = 0
    title: str | None = None


def notation_of(source: str) -> Notation:
    """What a text is in; whatever is nothing else is taken for MIDI text, whose reader says what to write."""
    head = source[_begin(source) :]
    if _PITCH_AND_VELOCITY.match(head):
        return "midi_text"
    try:
        found = detect_format(source)
    except MusicError:
        return "midi_text"
    if found == "notes" and _MIDI_TEXT_LINE.search(source):
        return "midi_text"
    return found


def compile_music(source: str) -> Compiled:
    """Read a text and make its file; nothing here knows the service, so that it may run in a child."""
    notation = notation_of(source)
    if notation == "midi_text":
        reading = read_midi_text(source)
        if reading.errors:
            return Compiled(reading.errors, reading.warnings)
        return _built(reading.text, reading.warnings)
    try:
        score, warnings = read_music(source, notation)
    except MusicError as error:
        return Compiled(_line_by_line(source) if notation == "notes" else [_with_line(error)], [])
    if not score.tempos:
        warnings.append("No tempo specified, defaulting to 120")
    if notation == "notes":
        warnings.append("No time signature specified, defaulting to 4/4")
    return _built(score_to_text(score), warnings)


def _begin(source: str) -> int:
    comments = _COMMENTS.match(source)
    return comments.end() if comments else 0


def _built(text: MidiText, warnings: list[str]) -> Compiled:
    try:
        content = write_midi(build_midi(text))
    except MusicError as error:
        return Compiled([error.message], warnings)
    return Compiled([], [*warnings, *nested_note_warnings(text)], content, len(text.tracks), text.title)


def _line_by_line(source: str) -> list[str]:
    """What is wrong in each line of a note list; each line is a part of its own."""
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
    """In the shape of MIDI text's problems, where the line is known."""
    line = _LINE.match(error.message)
    return f"Invalid ABC at line {line[2]}: {error.message[line.end() :]}" if line else error.message
