"""MIDI text: music as plain lines, for an assistant to write and to read.

    # a comment                    or // one; within a line the sign stands between spaces
    tempo 120                      quarter notes a minute; `tempo 90 16` changes it at beat 16
    time 4/4                       `time 3/4 16` changes it at beat 16
    track Lead Electric Piano 1    a name (one word, or in "quotes"), then a General MIDI instrument or `drums`
    C5 80                          pitch and velocity: after the note before, one beat long; in a drum track kick 80
    E5 80 4                        at beat 4, counted from 0
    G5 80 4 1/2                    half a beat long

Pitches are names or MIDI numbers. Beats are quarter notes; expressions such as 9+1/3 are exact and are written without
spaces, or in parentheses. Notes before the first `track` belong to a piano. A missing tempo is an error, a missing
time signature a warning. Problems are collected, each with its line, so that all of them can be mended at once.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from consort_music.beats import parse_beats
from consort_music.drum_words import DRUM_WORDS, like_a_drum, nearest_drums, plain
from consort_music.errors import MusicError, quoted
from consort_music.instruments import Instrument, find_instrument
from consort_music.keys import Spelling, key_of_signature
from consort_music.metre import metre_in_limits
from consort_music.pitch import Pitch

MAX_CHARACTERS = 5_000_000
MAX_PROBLEMS = 50
SLOWEST_BPM, FASTEST_BPM = Fraction(60_000_000, 0xFFFFFF), 6000  # the slowest that a MIDI file can hold
MAX_BEAT = 500_000
"""What a MIDI file can hold at 480 ticks a beat, and a day of music many times over."""

_SPECIAL = re.compile(r'["()#]|//')
_PIECES = re.compile(r"""(?<!\S)"(?:[^"\\]|\\.)*"(?!\S)|(?<!\S)(?:\#|//)(?!\S)|\s+|[()"]|[^\s()"]+""")
"""A quoted word, the sign that begins a comment, spaces, and what words are made of."""
_TIME_SIGNATURE = re.compile(r"([0-9]{1,3})/([0-9]{1,3})")
_NOTE_LIKE = re.compile(r"[A-Ga-g0-9]")


@dataclass(frozen=True, slots=True)
class TextNote:
    pitch: int
    velocity: int
    start: Fraction
    duration: Fraction


@dataclass(slots=True)
class TextTrack:
    """Volume and pan are 0 to 127; the text has no words for them, nor for program changes, a file does.

    Program changes are (beat, program) in the order of beats; those of drums choose a kit.
    """

    name: str
    instrument: Instrument
    notes: list[TextNote] = field(default_factory=list)
    volume: int | None = None
    pan: int | None = None
    program_changes: list[tuple[Fraction, int]] = field(default_factory=list)


@dataclass(slots=True)
class MidiText:
    """Tempos as (beat, bpm), time signatures as (beat, numerator, denominator), both in the order of beats.

    What only a file can hold: key signatures as (beat, sharps or minus flats, is minor), markers as (beat, text), a
    title, and where it ends, if that is after the last note.
    """

    tempos: list[tuple[Fraction, Fraction]] = field(default_factory=list)
    time_signatures: list[tuple[Fraction, int, int]] = field(default_factory=list)
    tracks: list[TextTrack] = field(default_factory=list)
    key_signatures: list[tuple[Fraction, int, bool]] = field(default_factory=list)
    markers: list[tuple[Fraction, str]] = field(default_factory=list)
    title: str | None = None
    end: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Reading:
    """`text` is what could be read; it is only to be used when there are no errors."""

    text: MidiText
    errors: list[str]
    warnings: list[str]


def read_midi_text(source: str) -> Reading:
    if len(source) > MAX_CHARACTERS:
        raise MusicError("TOO_LARGE", f"The MIDI text has {len(source):,} characters. Send at most {MAX_CHARACTERS:,}.")
    return _Reader(source).read()


def write_midi_text(music: MidiText) -> str:
    """The text that `read_midi_text` reads back as the same music, as short as the grammar allows."""
    return "\n".join(_lines(music)) + "\n"


class _Reader:
    def __init__(self, source: str) -> None:
        self._lines = source.removeprefix("\ufeff").splitlines()
        self._music = MidiText()
        self._errors: list[str] = []
        self._warnings: list[str] = []
        self._next_start = Fraction(0)
        self._faulty: set[str] = set()  # kinds of lines that are there, though not as they should be
        self._keywords: dict[str, Callable[[list[str]], None]] = {
            "tempo": self._tempo,
            "time": self._time,
            "track": self._track,
        }

    def read(self) -> Reading:
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
                    keyword([_unquoted(word) for word in words[1:]])
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

    def _result(self) -> Reading:
        return Reading(self._music, self._errors, self._warnings)

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
        self._music.tracks.append(TextTrack(words[0], instrument))
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
                f"The note would end at beat {float(start + duration):g}. The last beat allowed is {MAX_BEAT:,}."
            )
        if not self._music.tracks:
            self._music.tracks.append(TextTrack("Track 1", find_instrument("piano")))
        self._music.tracks[-1].notes.append(TextNote(pitch, int(words[1]), start, duration))
        self._next_start = start + duration

    def _pitch(self, word: str) -> int:
        drum = DRUM_WORDS.get(plain(word))
        if self._music.tracks and self._music.tracks[-1].instrument.is_drums:
            if drum is not None:
                return drum
            if like_a_drum(word) and (near := nearest_drums(word)):
                raise _invalid(f"{quoted(word)} is neither a drum nor a pitch. Did you mean {near[0]}?")
        elif drum is not None:
            raise _invalid(f"{quoted(word)} is a drum. Write 'track Kit drums' before it, or a pitch such as C4.")
        if not _NOTE_LIKE.match(word):
            raise _invalid(f"{quoted(word)} is not a pitch such as C4, F#3 or Bb5, nor tempo, time or track.")
        return _pitch(word)


def _words(line: str) -> list[str]:
    """The words of a line up to its comment. Spaces in parentheses and in a word that begins with a quote are its own;
    a quote or a parenthesis that is left open is a problem."""
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


def _pitch(word: str) -> int:
    if not word.isdecimal():
        return Pitch.parse(word).midi
    number = int(word[:4])
    if number > 127:
        raise _invalid(f"The pitch {quoted(word)} is not a MIDI note from 0 to 127, such as 60 for C4.")
    return number


def _unquoted(word: str) -> str:
    return re.sub(r"\\(.)", r"\1", word[1:-1]) if word.startswith('"') else word


def _quoted_name(name: str) -> str:
    """A track's name as the grammar needs it: plain if it is one harmless word."""
    if re.fullmatch(r"[\w.'-]+", name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _lines(music: MidiText) -> Iterator[str]:
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
    """As people write a tempo, where that is exact; else as a fraction."""
    text = f"{float(value):.6f}".rstrip("0").rstrip(".")
    return text if Fraction(text) == value else str(value)
