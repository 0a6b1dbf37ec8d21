"""Notes as text, short enough to be written by hand: `C4 1/2; D4; E4,G4 2 @8 v80; [kick; snare] x4`.

    text   = item { (";" | "|" | newline) item }
    item   = what { "@" beats | length | "v" velocity | "x" times }     in any order behind what
    length = beats, or a note value by name such as dotted quarter
    what   = pitch { "," pitch } | "R" | "[" text "]"
    pitch  = a name such as F#4, a MIDI number 0 to 127, or a drum such as kick

`@` says where it starts, counted from the beginning of the text or of the `[ ]` around it; without it an item starts
where the one before ended. Unmarked beats are the length, `v` the velocity; left out they are as in the note before
(at first 1 and v64). `R` is a rest. `x4` does it four times in a row. Beats are exact expressions: 9 + 1/3.
A `[ ]` is as long as the farthest of its items reaches. A comma behind a length separates too (`C4 1, D4 1`), unless
the text also has chords: then it could mean either, which is an error.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from consort_compose.songs.song import DEFAULT_VELOCITY, MAX_BEAT, Note
from consort_music.beats import MAX_LENGTH, parse_beats
from consort_music.drum_words import DRUM_NAMES, DRUM_WORDS, like_a_drum, nearest_drums, plain
from consort_music.duration import match_note_value
from consort_music.errors import MusicError, quoted
from consort_music.instruments import DRUMS, Instrument
from consort_music.keys import Spelling
from consort_music.pitch import Pitch, name_or_number

MAX_NOTES_A_CALL = 20_000
MAX_CHARACTERS = 1_000_000
MAX_NESTING = 8
MAX_TIMES = 1000

_BLANK = re.compile(r"[ \t]*")
_SEPARATORS = re.compile(r"[ \t;|\r\n]*")
_END_OF_ITEM = re.compile(r"[;|\r\n\]]")
_WORD = re.compile(r"[^\s;|@\[\],]*(?:,[ \t]*[^\s;|@\[\],]*)*")
_BEFORE_PITCH = re.compile(r"[ \t]+(?=[A-Ga-gR](?:[#b]*[0-9]|\b))")
_MARKED = re.compile(r"([vx])[ \t]*([0-9]+)(?![^\s;|@\[\],])")
_NUMBER = re.compile(r"[0-9]{1,200}(?:\.[0-9]{0,200})?|\.[0-9]{1,200}")
_PLAIN_BEATS = re.compile(
    r"[0-9]{1,9}(?:/[0-9]{1,9})?(?:\+[0-9]{1,9}(?:/[0-9]{1,9})?)?(?=[ \t]*[;|\r\n\]@vx]|[ \t]+[0-9(.]|$)"
)
_OPERATOR = re.compile(r"[ \t]*[-+*/][ \t]*")
_SIGNS = re.compile(r"(?:-[ \t]*){0,200}")


@dataclass
class WrittenNotes:
    """Notes for one track, from beat 0 of the place they are for.

    `field` is where the track was named; `drums`: some notes were named as drums; `instrument`: what the part of a
    score says.
    """

    notes: list[Note]
    drums: bool = False
    field: str = "notes"
    instrument: str | None = None


def read_note_text(text: str) -> WrittenNotes:
    if len(text) > MAX_CHARACTERS:
        raise MusicError(
            "TOO_LARGE",
            f"The text has {len(text):,} characters, and at most {MAX_CHARACTERS:,} are read at once.",
            ["several calls with fewer notes"],
        )
    reader = _Reader(text)
    notes, _ = reader.read()
    return WrittenNotes(notes, reader.has_drums)


def read_pitch(word: str) -> tuple[int, bool]:
    """The MIDI number, and whether it was the name of a drum."""
    if word.isdecimal():
        number = int(word[:5])
        if number > 127:
            raise MusicError(
                "INVALID_PITCH", f"Pitch {quoted(word)} is not from 0 to 127; middle C is 60.", ["60", "C4"]
            )
        return number, False
    drum = DRUM_WORDS.get(plain(word))
    if drum is not None:
        return drum, True
    if like_a_drum(word):
        raise MusicError(
            "INVALID_PITCH",
            f"{quoted(word)} is neither a pitch such as F#4 nor a drum such as kick; drums are one word, as openhat.",
            nearest_drums(word) or ["C4", "kick", "snare"],
        )
    return Pitch.parse(word).midi, False


def write_note_text(
    notes: Iterable[Note], instrument: Instrument, spelling: Spelling, origin: Fraction = Fraction(0)
) -> str:
    """What `read_note_text` reads back as the same notes: chords joined, starts only where they are needed.

    Starts are counted from `origin`.
    """

    def name(pitch: int, start: Fraction) -> str:
        return name_of(pitch, instrument) if instrument is DRUMS else spelling.name(pitch, start)

    items: list[str] = []
    at = origin
    length, velocity = Fraction(1), DEFAULT_VELOCITY
    chords: dict[tuple[Fraction, Fraction, int], list[int]] = {}
    for note in notes:
        chords.setdefault((note.start, note.duration, note.velocity), []).append(note.pitch)
    for (start, duration, loudness), pitches in chords.items():
        item = ",".join(name(pitch, start) for pitch in pitches)
        item += "" if start == at else f" @{start - origin}"
        item += "" if duration == length else f" {duration}"
        item += "" if loudness == velocity else f" v{loudness}"
        items.append(item)
        at, length, velocity = start + duration, duration, loudness
    return "; ".join(items)


def name_of(pitch: int, instrument: Instrument) -> str:
    if instrument is DRUMS:
        return DRUM_NAMES.get(pitch, str(pitch))
    return name_or_number(pitch)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._item_at = 0
        self._nesting = 0
        self._length = Fraction(1)
        self._velocity = DEFAULT_VELOCITY
        self._beats: dict[str, Fraction] = {}
        self._pitches: dict[str, tuple[int, bool]] = {}
        self._commas: list[int] = []
        self._has_chord = False
        self.has_drums = False

    def read(self) -> tuple[list[Note], Fraction]:
        try:
            notes, length = self._items()
            if self._at < len(self._text):
                raise _invalid("There is a ']' without a '[' before it", ["[C4; D4] x2"])
            if self._commas and self._has_chord:
                self._item_at = 0
                raise self._unclear_commas()
        except MusicError as refusal:
            item = _END_OF_ITEM.split(self._text[self._item_at : self._item_at + 60], maxsplit=1)[0]
            line = self._text.count("\n", 0, self._item_at) + 1
            where = f"{quoted(item.strip())}{f' in line {line}' if line > 1 else ''}"
            raise MusicError(refusal.code, f"{where}: {refusal.message}", refusal.suggestions) from refusal
        return notes, length

    def _items(self) -> tuple[list[Note], Fraction]:
        """Up to the end or a `]`: notes from 0, and how far the farthest item reaches."""
        notes: list[Note] = []
        at = farthest = Fraction(0)
        while True:
            self._skip(_SEPARATORS)
            if self._peek() in ("", "]"):
                return notes, farthest
            if self._nesting == 0 or self._peek() != "[":
                self._item_at = self._at
            at = self._item(notes, at)
            farthest = max(farthest, at)
            if len(notes) > MAX_NOTES_A_CALL:
                raise too_many_notes()

    def _item(self, notes: list[Note], at: Fraction) -> Fraction:
        """Add the notes of one item; where the next one starts."""
        start, length, velocity, times = self._marks(None)
        what = self._what()
        if not isinstance(what, list):
            inside, inside_length = what
            start, _, _, times = self._marks((start, None, None, times), group=True)
            at = start if start is not None else at
            self._refuse_too_many(len(notes) + len(inside) * times)
            for _ in range(times):
                notes += [note._replace(start=note.start + at) for note in inside] if at else inside
                at = _within_song(at + inside_length)
            return at
        start, length, velocity, times = self._marks((start, length, velocity, times))
        self._length = length if length is not None else self._length
        self._velocity = velocity if velocity is not None else self._velocity
        at = start if start is not None else at
        self._refuse_too_many(len(notes) + len(what) * times)
        for _ in range(times):
            notes += [Note(at, pitch, self._length, self._velocity) for pitch in what]
            at = _within_song(at + self._length)
        return at

    def _what(self) -> list[int] | tuple[list[Note], Fraction]:
        self._skip(_BLANK)
        if self._peek() == "[":
            self._at += 1
            self._nesting += 1
            if self._nesting > MAX_NESTING:
                raise _invalid(f"'[' is nested more than {MAX_NESTING} deep; write it flatter", ["[C4; D4] x2"])
            inside = self._items()
            if self._peek() != "]":
                raise _invalid("A '[' has no ']'", ["[C4; D4] x2"])
            self._at += 1
            self._nesting -= 1
            return inside
        match = _WORD.match(self._text, self._at)
        assert match is not None
        if not match[0]:
            raise _invalid("An item begins with a pitch, R for a rest, or '['", ["C4 1/2", "C4,E4,G4 2", "R 1"])
        self._at = match.end()
        if match[0] in ("R", "r"):
            return []
        words = match[0].split(",")
        self._has_chord |= len(words) > 1
        return [self._pitch(word.strip()) for word in words]

    def _pitch(self, word: str) -> int:
        if word not in self._pitches:
            if not word:
                raise _invalid("A chord is written with one comma between its notes", ["C4,E4,G4 2"])
            if ":" in word:
                raise _invalid(
                    "A ':' is not read here. This looks like a note list or ABC, which the composer's tools read;"
                    " add_notes takes their score_id. Here a length comes after a space, and ';' separates notes",
                    ["C4 1; D4 1/2", "score_id"],
                )
            self._pitches[word] = read_pitch(word)
        pitch, is_drum = self._pitches[word]
        self.has_drums |= is_drum
        return pitch

    def _marks(
        self, before: "tuple[Fraction | None, Fraction | None, int | None, int] | None", group: bool = False
    ) -> tuple[Fraction | None, Fraction | None, int | None, int]:
        """Start, length, velocity and times as far as they follow here; `@` may also stand in front of what."""
        start, length, velocity, times = before or (None, None, None, 1)
        while True:
            self._skip(_BLANK)
            letter = self._peek()
            if letter == "@":
                if start is not None:
                    raise _invalid("It has two starts; write one @", ["C4 @8 1"])
                self._at += 1
                start = self._expression()
                if start < 0:
                    raise MusicError("NEGATIVE_START", f"It would start at {start}, which is before beat 0.", ["@0"])
            elif before is None or not letter or letter in ";|\r\n]":
                return start, length, velocity, times
            elif letter == ",":
                self._commas.append(self._at)
                self._at += 1
                return start, length, velocity, times
            elif marked := _MARKED.match(self._text, self._at):
                self._at = marked.end()
                if marked[1] == "x":
                    times = _in_range("x", marked[2], MAX_TIMES)
                else:
                    velocity = _in_range("v", marked[2], 127)
            elif group:
                raise _invalid("Only @START and xTIMES may follow a ']'", ["[C4; D4] x2"])
            elif named := length is None and match_note_value(self._text, self._at):
                length, self._at = named
            elif letter.isalpha() and (length is not None or self._is_pitch_next()):
                item = _END_OF_ITEM.split(self._text[self._item_at : self._item_at + 60], maxsplit=1)[0].strip()
                separated = _BEFORE_PITCH.sub("; ", item)
                if separated != item:
                    raise _invalid("Notes one after the other are separated by ';'", [separated])
                word = _WORD.match(self._text, self._at, self._at + 60)
                raise _invalid(
                    f"{quoted(word[0] if word else letter)} is not understood. After a length come @START, vVELOCITY"
                    " and xTIMES",
                    ["C4 1 @8 v90 x2"],
                )
            elif length is not None:
                item = self._text[self._item_at : self._at].strip()[:20]
                raise _invalid(
                    "It has two lengths. A start is marked with @, a velocity with v, a repetition with x",
                    [f"{item} @START", f"{item} v80"],
                )
            else:
                length = self._expression()
                if length <= 0:
                    raise MusicError(
                        "INVALID_DURATION",
                        f"A note lasts longer than 0 beats, not {length}; a start is written @{length}.",
                        ["1/2"],
                    )

    def _expression(self) -> Fraction:
        """The longest expression from here on: a second number without an operator before it begins another."""
        self._skip(_BLANK)
        begin = self._at
        plain = _PLAIN_BEATS.match(self._text, begin)
        if plain:  # nearly always; what is below reads the same, and everything else
            self._at = plain.end()
            return self._beats_of(plain[0])
        self._operand()
        while operator := _OPERATOR.match(self._text, self._at):
            self._at = operator.end()
            self._operand()
            if self._at - begin > MAX_LENGTH:
                break  # whatever follows, it is refused
        return self._beats_of(self._text[begin : self._at])

    def _beats_of(self, text: str) -> Fraction:
        if text not in self._beats:
            self._beats[text] = _within_song(parse_beats(text))
        return self._beats[text]

    def _operand(self) -> None:
        self._skip(_SIGNS)
        if self._peek() == "(":
            depth = 0
            for place in range(self._at, min(len(self._text), self._at + MAX_LENGTH)):
                depth += {"(": 1, ")": -1}.get(self._text[place], 0)
                if depth == 0:
                    self._at = place + 1
                    return
            raise _invalid("A '(' has no ')'", ["(1 + 1/3)"])
        number = _NUMBER.match(self._text, self._at)
        if number is None:
            found = _WORD.match(self._text, self._at, self._at + 60)
            what = f"{quoted(found[0])} is not a length" if found and found[0] else "A length is missing"
            raise MusicError(
                "INVALID_EXPRESSION",
                f"{what}. After a pitch come its length in beats or as a note value (1/2, quarter), @START, vVELOCITY"
                " and xTIMES; notes are separated by ';'.",
                ["C4 1/2; E4 @9+1/3 1 v80", "C4 quarter"],
            )
        self._at = number.end()

    def _is_pitch_next(self) -> bool:
        word = _WORD.match(self._text, self._at, self._at + 20)
        try:
            return word is not None and read_pitch(word[0]) is not None
        except MusicError:
            return False

    def _unclear_commas(self) -> MusicError:
        separated = "".join(";" if place in self._commas else letter for place, letter in enumerate(self._text[:200]))
        return _invalid(
            "A comma joins the notes of a chord, as in C4,E4,G4; write ';' between notes that follow each other",
            [separated, self._text[:200].replace(",", ";")],
        )

    def _refuse_too_many(self, count: int) -> None:
        if count > MAX_NOTES_A_CALL:
            raise too_many_notes()

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self._text, self._at)
        assert match is not None
        self._at = match.end()


def too_many_notes() -> MusicError:
    return MusicError(
        "TOO_MANY_NOTES", f"One call adds at most {MAX_NOTES_A_CALL:,} notes.", ["several calls with fewer notes"]
    )


def _invalid(message: str, suggestions: Iterable[str] = ()) -> MusicError:
    return MusicError("INVALID_NOTE_TEXT", f"{message}.", suggestions)


def _in_range(mark: str, digits: str, highest: int) -> int:
    number = int(digits[:6])
    if not 1 <= number <= highest:
        code = "INVALID_VELOCITY" if mark == "v" else "INVALID_NOTE_TEXT"
        told = digits if len(digits) <= 12 else f"{digits[:12]}…"
        raise MusicError(code, f"{mark}{told} is not from {mark}1 to {mark}{highest}.", [f"{mark}{min(highest, 64)}"])
    return number


def _within_song(beats: Fraction) -> Fraction:
    if beats > MAX_BEAT:
        raise MusicError(
            "INVALID_EXPRESSION", f"Beat {float(beats):g} is beyond {MAX_BEAT:,}, where a song ends.", ["@0"]
        )
    return beats
