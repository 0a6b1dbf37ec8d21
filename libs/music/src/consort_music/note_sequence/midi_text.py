"""Read and write MIDI text: music as plain lines, which are easy to write for an assistant.

    # a comment                    or // a comment; after other text, with a space on both sides
    tempo 120                      quarter notes per minute; `tempo 90 16` changes the tempo at beat 16
    time 4/4                       `time 3/4 16` changes the time signature at beat 16
    track Lead Electric Piano 1    a name (one word, or in "quotes"), then a General MIDI instrument or `drums`
    C5 80                          pitch and velocity; the note starts at the end of the previous one and is a beat long
    kick 80                        a drum, in a track with the instrument `drums`
    E5 80 4                        a note at beat 4, counted from 0
    G5 80 4 1/2                    the same, half a beat long

Pitches are names or MIDI numbers. Beats are quarter notes. Expressions such as 9+1/3 are exact; they are written
without spaces, or in parentheses. Notes before the first `track` line are for piano. A missing tempo is an error, a
missing time signature a warning. All errors are collected, each with its line, so that they can be fixed together.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from consort_music.beats import format_beats, format_decimal, parse_beats
from consort_music.drum_names import find_drum, nearest_drums, resembles_drum
from consort_music.errors import MusicError, quoted
from consort_music.instruments import find_instrument
from consort_music.keys import Spelling, key_of_signature
from consort_music.metre import metre_in_limits
from consort_music.midi.tempo_map import MICROSECONDS_A_MINUTE, SLOWEST_TEMPO
from consort_music.note_sequence.model import NoteSequence, SequenceNote, SequenceTrack
from consort_music.pitch import parse_pitch_or_number
from consort_music.texts.visible_text import visible_text

MAX_CHARACTERS = 5_000_000
MAX_PROBLEMS = 50
SLOWEST_BPM, FASTEST_BPM = Fraction(MICROSECONDS_A_MINUTE, SLOWEST_TEMPO), 6000
MAX_BEAT = 500_000
"""More than a day of music at usual tempos. A MIDI file with 480 ticks per beat can be this long."""

_SPECIAL = re.compile(r'["()#]|//')
_PIECES = re.compile(r"""(?<!\S)"(?:[^"\\]|\\.)*"(?!\S)|(?<!\S)(?:\#|//)(?!\S)|\s+|[()"]|[^\s()"]+""")
"""Pieces of a line: a quoted word, the sign of a comment, spaces, and parts of words."""
_TIME_SIGNATURE = re.compile(r"([0-9]{1,3})/([0-9]{1,3})")
_NOTE_LIKE = re.compile(r"[A-Ga-g0-9]")


@dataclass(frozen=True, slots=True)
class MidiTextResult:
    """The result of reading. If there are errors, `music` is incomplete and must not be used."""

    music: NoteSequence
    errors: list[str]
    warnings: list[str]


def read_midi_text(source: str) -> MidiTextResult:
    """Read a MIDI text. Raise TOO_LARGE if it is too long. All other problems are in the result."""
    if len(source) > MAX_CHARACTERS:
        raise MusicError("TOO_LARGE", f"The MIDI text has {len(source):,} characters. Send at most {MAX_CHARACTERS:,}.")
    return _MidiTextReader(source).read()


def write_midi_text(music: NoteSequence) -> str:
    """Return a sequence as MIDI text. Starts and durations that `read_midi_text` does not need are left out."""
    return "\n".join(_lines(music)) + "\n"


class _MidiTextReader:
    def __init__(self, source: str) -> None:
        self._lines = source.removeprefix("\ufeff").splitlines()
        self._music = NoteSequence()
        self._errors: list[str] = []
        self._warnings: list[str] = []
        self._next_start = Fraction(0)
        self._faulty: set[str] = set()  # the kinds of lines that have errors: tempo, time, track or note
        self._keywords: dict[str, Callable[[list[str]], None]] = {
            "tempo": self._tempo,
            "time": self._time,
            "track": self._track,
        }

    def read(self) -> MidiTextResult:
        for number, line in enumerate(self._lines, start=1):
            words = line.split()
            if not words or words[0].startswith(("#", "//")):
                continue
            kind = words[0].lower().rstrip(":")
            keyword = self._keywords.get(kind)
            kind = kind if keyword else "note"
            try:
                if _SPECIAL.search(line):
                    words = _words(line)
                if keyword is not None:
                    keyword([visible_text(_unquoted(word)) for word in words[1:]])
                else:
                    self._note(words)
            except MusicError as problem:
                self._faulty.add(kind)
                self._errors.append(f"Invalid {kind} at line {number}: {problem.message}")
                if len(self._errors) >= MAX_PROBLEMS:
                    self._errors.append("There may be more errors. Fix these first.")
                    return self._result()
        self._check_whole()
        return self._result()

    def _result(self) -> MidiTextResult:
        return MidiTextResult(self._music, self._errors, self._warnings)

    def _check_whole(self) -> None:
        music = self._music
        if not music.tempos and "tempo" not in self._faulty:
            self._errors.append("Missing tempo marker: begin with a line such as 'tempo 120'.")
        if not music.time_signatures and "time" not in self._faulty:
            self._warnings.append("No time signature specified, defaulting to 4/4")
            music.time_signatures.append((Fraction(0), 4, 4))
        if not any(track.notes for track in music.tracks) and "note" not in self._faulty:
            self._errors.append("There is no note: add lines such as 'C4 80'.")
        music.tempos.sort(key=lambda each: each[0])
        music.time_signatures.sort(key=lambda each: each[0])
        for what, beats in (
            ("tempos", [beat for beat, *_ in music.tempos]),
            ("time signatures", [beat for beat, *_ in music.time_signatures]),
        ):
            for beat in sorted({beat for beat, later in pairwise(beats) if beat == later})[:MAX_PROBLEMS]:
                self._warnings.append(f"There are several {what} at beat {beat}: the last one was used.")
        for empty in (track for track in music.tracks if not track.notes and "note" not in self._faulty):
            self._warnings.append(f"Track {quoted(empty.name)} has no notes.")

    def _tempo(self, words: list[str]) -> None:
        if not 1 <= len(words) <= 2:
            raise _invalid("Write 'tempo BPM' or 'tempo BPM BEAT', such as 'tempo 120'.")
        try:
            bpm = parse_beats(words[0].lower().removesuffix("bpm"))
        except MusicError:
            bpm = Fraction(0)
        if not SLOWEST_BPM <= bpm <= FASTEST_BPM:
            raise _invalid(
                f"The tempo is {quoted(words[0])}. Write quarter notes a minute from {float(SLOWEST_BPM):.1f} to "
                f"{FASTEST_BPM}, such as 'tempo 120'."
            )
        self._music.tempos.append((_beat(words[1:]), bpm))

    def _time(self, words: list[str]) -> None:
        match = _TIME_SIGNATURE.fullmatch(words[0]) if 1 <= len(words) <= 2 else None
        metre = metre_in_limits(int(match[1]), int(match[2])) if match else None
        if metre is None:
            raise _invalid("Write 'time 4/4' or 'time 3/4 BEAT'. The lower number must be 1, 2, 4, 8, 16, 32 or 64.")
        self._music.time_signatures.append((_beat(words[1:]), metre.numerator, metre.denominator))

    def _track(self, words: list[str]) -> None:
        if not words:
            raise _invalid("Write 'track NAME INSTRUMENT', such as 'track Lead piano'.")
        if len(words) == 1:
            self._warnings.append(f"Track {quoted(words[0])} names no instrument, defaulting to piano.")
        instrument = find_instrument(" ".join(words[1:]) or "piano")
        self._music.tracks.append(SequenceTrack(words[0], instrument))
        self._next_start = Fraction(0)

    def _note(self, words: list[str]) -> None:
        pitch = self._pitch(words[0])
        if len(words) == 1:
            raise _invalid(f"'{words[0]}' should be '{words[0]} 80': a note has a pitch and a velocity.")
        if len(words) > 4:
            raise _invalid(
                f"It has {len(words)} parts. Write PITCH VELOCITY [START] [DURATION], without spaces inside each: "
                "'C4 80 9+1/3 1/2'."
            )
        if not words[1].isdecimal() or not 1 <= int(words[1][:4]) <= 127:
            raise _invalid(f"The velocity {quoted(words[1])} is not a whole number from 1 to 127, such as 80.")
        start = parse_beats(words[2]) if len(words) > 2 else self._next_start
        duration = parse_beats(words[3]) if len(words) > 3 else Fraction(1)
        if start < 0:
            raise _invalid(f"The start {words[2]} is before beat 0. Write a beat from 0 on, such as 'C4 80 0'.")
        if duration <= 0:
            raise _invalid(f"The duration {words[3]} is not more than 0. Write beats, such as 'C4 80 0 1/2'.")
        if start + duration > MAX_BEAT:
            raise _invalid(
                f"The note would end at beat {format_beats(start + duration)}. The last beat allowed is {MAX_BEAT:,}."
            )
        if not self._music.tracks:
            self._music.tracks.append(SequenceTrack("Track 1", find_instrument("piano")))
        self._music.tracks[-1].notes.append(SequenceNote(pitch, int(words[1]), start, duration))
        self._next_start = start + duration

    def _pitch(self, word: str) -> int:
        drum = find_drum(word)
        if self._music.tracks and self._music.tracks[-1].instrument.is_drums:
            if drum is not None:
                return drum
            if resembles_drum(word) and (near := nearest_drums(word)):
                raise _invalid(f"{quoted(word)} is neither a drum nor a pitch. Did you mean {near[0]}?")
        elif drum is not None:
            raise _invalid(f"{quoted(word)} is a drum. Write 'track Kit drums' before it, or a pitch such as C4.")
        if not _NOTE_LIKE.match(word):
            raise _invalid(f"{quoted(word)} is not a pitch such as C4, F#3 or Bb5, nor tempo, time or track.")
        return parse_pitch_or_number(word).midi


def _words(line: str) -> list[str]:
    """Return the words of a line up to its comment.

    Spaces in parentheses, and in a word that starts with a quote, do not separate words. Raise INVALID_MIDI_TEXT if a
    quote or parenthesis is not closed.
    """
    words: list[str] = []
    word, depth = "", 0
    for match in _PIECES.finditer(line):
        piece = match[0]
        if piece.isspace() and not depth:
            words.append(word)
            word = ""
        elif piece in ("#", "//") and not word and not depth:
            break
        elif piece == '"' and not word:
            raise _invalid('A quote is not closed. Write a name of several words as "two words".')
        else:
            word += piece
            depth = max(depth + (piece == "(") - (piece == ")"), 0)
    if depth:
        raise _invalid(f"A parenthesis in {quoted(word)} is not closed. Write beats such as (9 + 1/3).")
    return [each for each in (*words, word) if each]


def _invalid(message: str) -> MusicError:
    return MusicError("INVALID_MIDI_TEXT", message)


def _beat(words: list[str]) -> Fraction:
    beat = parse_beats(words[0]) if words else Fraction(0)
    if not 0 <= beat <= MAX_BEAT:
        raise _invalid(f"The beat {words[0]} is not from 0 to {MAX_BEAT:,}.")
    return beat


def _unquoted(word: str) -> str:
    return re.sub(r"\\(.)", r"\1", word[1:-1]) if word.startswith('"') else word


def _quoted_name(name: str) -> str:
    """Return the name of a track as MIDI text: in quotes, unless it is one simple word."""
    if re.fullmatch(r"[\w.'-]+", name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _lines(music: NoteSequence) -> Iterator[str]:
    for beat, bpm in music.tempos:
        yield f"tempo {_decimal(bpm)}{_at(beat)}"
    for beat, numerator, denominator in music.time_signatures:
        yield f"time {numerator}/{denominator}{_at(beat)}"
    spelling = Spelling(
        (beat, key_of_signature(sharps, "minor" if is_minor else "major"))
        for beat, sharps, is_minor in music.key_signatures
    )
    for track in music.tracks:
        yield f"track {_quoted_name(track.name)} {'drums' if track.instrument.is_drums else track.instrument.name}"
        next_start = Fraction(0)
        for note in track.notes:
            line = f"{spelling.name(note.pitch, note.start)} {note.velocity}"
            if note.duration != 1:
                line += f" {note.start} {note.duration}"
            elif note.start != next_start:
                line += f" {note.start}"
            next_start = note.start + note.duration
            yield line


def _at(beat: Fraction) -> str:
    return f" {beat}" if beat else ""


def _decimal(value: Fraction) -> str:
    """Return a tempo as a decimal if that is exact, otherwise as a fraction."""
    text = format_decimal(value)
    return text if Fraction(text) == value else str(value)
