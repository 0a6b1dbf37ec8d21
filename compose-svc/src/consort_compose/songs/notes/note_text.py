"""The short notation of `add_notes`: `C4 1/2; D4; E4,G4 2 @8 v80; [kick; snare] x4`.

    text    = item { (";" | "|" | newline) item }
    item    = content { "@" beats | length | "v" velocity | "x" times }     in any order after the content
    length  = beats, or the name of a note value such as dotted quarter
    content = pitch { "," pitch } | "R" | "[" text "]"
    pitch   = a name such as F#4, a MIDI number 0 to 127, or a drum such as kick

`@` is the start, counted from the beginning of the text or of the enclosing `[ ]`; without it, an item starts where
the item before ended. A bare number is the length in beats; `v` sets the velocity. If omitted, both are taken from the
previous note; the first note defaults to 1 beat and v64. `R` is a rest. `x4` repeats the item four times. Beats are
exact expressions: 9 + 1/3. A group `[ ]` ends where its last-ending item ends. A comma after a length also separates
items (`C4 1, D4 1`), unless the text has chords: then the comma is ambiguous, which is an error.

`write_note_text` writes text that `read_note_text` reads back as the same notes.
"""

import re
from collections.abc import Iterable
from fractions import Fraction

from consort_compose.songs.document.song import MAX_BEAT, SongNote, Track
from consort_compose.songs.notes.notes_for_track import MAX_NOTES_A_CALL, NotesForTrack, too_many_notes
from consort_music.beats import MAX_LENGTH, format_beats, parse_beats
from consort_music.drum_names import parse_pitch_or_drum
from consort_music.duration import match_note_value
from consort_music.errors import MusicError, quoted
from consort_music.keys import Spelling
from consort_music.score import DEFAULT_VELOCITY

MAX_CHARACTERS = 1_000_000
MAX_NESTING = 8
MAX_TIMES = 1000

_BLANK = re.compile(r"[ \t]*")
_SEPARATORS = re.compile(r"[ \t;|\r\n]*")
_END_OF_ITEM = re.compile(r"[;|\r\n\]]")
_WORD = re.compile(r"[^\s;|@\[\],]*(?:,[ \t]*[^\s;|@\[\],]*)*")
_BEFORE_PITCH = re.compile(r"(?<![ \t])[ \t]+(?=[A-Ga-gR](?:[#b]*[0-9]|\b))")
_MARKED = re.compile(r"([vx])[ \t]*([0-9]+)(?![^\s;|@\[\],])")
_NUMBER = re.compile(r"[0-9]{1,200}(?:\.[0-9]{0,200})?|\.[0-9]{1,200}")
_PLAIN_BEATS = re.compile(
    r"[0-9]{1,9}(?:/[0-9]{1,9})?(?:\+[0-9]{1,9}(?:/[0-9]{1,9})?)?(?=[ \t]*[;|\r\n\]@vx]|[ \t]+[0-9(.]|$)"
)
_OPERATOR = re.compile(r"[ \t]*[-+*/][ \t]*")
_SIGNS = re.compile(r"(?:-[ \t]*){0,200}")


def read_note_text(text: str) -> NotesForTrack:
    """Parse the notation. Raise a MusicError that quotes the item, and gives its line number unless it is line 1."""
    if len(text) > MAX_CHARACTERS:
        raise MusicError(
            "TOO_LARGE",
            f"The text has {len(text):,} characters; at most {MAX_CHARACTERS:,} are allowed in one call.",
            ["several calls with fewer notes"],
        )
    reader = _NoteTextReader(text)
    notes, _ = reader.read()
    return NotesForTrack(notes, reader.has_drums)


def write_note_text(notes: Iterable[SongNote], track: Track, spelling: Spelling, origin: Fraction = Fraction(0)) -> str:
    """Return the notes of a track as text that `read_note_text` reads back as the same notes.

    Notes of a chord are joined by commas. A start, length or velocity is written only if it differs from what the item
    before implies. Starts count from the beat `origin`.
    """

    is_drums = track.is_drums

    def name(pitch: int, start: Fraction) -> str:
        return track.pitch_name(pitch) if is_drums else spelling.name(pitch, start)

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


class _NoteTextReader:
    """Recursive-descent parser of the notation. It caches parsed pitches and beats, because most of them repeat."""

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

    def read(self) -> tuple[list[SongNote], Fraction]:
        try:
            notes, length = self._items()
            if self._at < len(self._text):
                raise _invalid("There is a ']' without a '[' before it", ["[C4; D4] x2"])
            if self._commas and self._has_chord:
                self._item_at = 0
                raise self._unclear_commas()
        except MusicError as error:
            item = _END_OF_ITEM.split(self._text[self._item_at : self._item_at + 60], maxsplit=1)[0]
            line = self._text.count("\n", 0, self._item_at) + 1
            where = f"{quoted(item.strip())}{f' in line {line}' if line > 1 else ''}"
            raise MusicError(error.code, f"{where}: {error.message}", error.suggestions) from error
        return notes, length

    def _items(self) -> tuple[list[SongNote], Fraction]:
        """Read items up to the end of the text or a `]`.

        Return their notes, with starts counted from 0, and the beat where the last-ending item ends.
        """
        notes: list[SongNote] = []
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

    def _item(self, notes: list[SongNote], at: Fraction) -> Fraction:
        """Append the notes of one item to `notes`; return the beat where the next item starts unless it has `@`."""
        start, length, velocity, times = self._marks(None)
        content = self._content()
        if not isinstance(content, list):
            inside, inside_length = content
            start, _, _, times = self._marks((start, None, None, times), group=True)
            at = start if start is not None else at
            self._check_note_count(len(notes) + len(inside) * times)
            for _ in range(times):
                notes += [note._replace(start=note.start + at) for note in inside] if at else inside
                at = _within_song(at + inside_length)
            return at
        start, length, velocity, times = self._marks((start, length, velocity, times))
        self._length = length if length is not None else self._length
        self._velocity = velocity if velocity is not None else self._velocity
        at = start if start is not None else at
        self._check_note_count(len(notes) + len(content) * times)
        for _ in range(times):
            notes += [SongNote(at, pitch, self._length, self._velocity) for pitch in content]
            at = _within_song(at + self._length)
        return at

    def _content(self) -> list[int] | tuple[list[SongNote], Fraction]:
        """Return a list of pitches (empty for a rest), or the notes and the length of a `[ ]` group."""
        self._skip(_BLANK)
        if self._peek() == "[":
            self._at += 1
            self._nesting += 1
            if self._nesting > MAX_NESTING:
                raise _invalid(
                    f"'[' is nested more than {MAX_NESTING} levels deep. Write the inner groups out", ["[C4; D4] x2"]
                )
            inside = self._items()
            if self._peek() != "]":
                raise _invalid("A '[' has no ']'", ["[C4; D4] x2"])
            self._at += 1
            self._nesting -= 1
            return inside
        match = _WORD.match(self._text, self._at)
        assert match is not None
        if not match[0]:
            raise _invalid("An item begins with a pitch, R (rest) or '['", ["C4 1/2", "C4,E4,G4 2", "R 1"])
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
                    "':' is not part of this notation. It looks like a note list or ABC, which the composer's tools"
                    " read; add_notes takes their score_id. Here write a length after a space, and ';' between notes",
                    ["C4 1; D4 1/2", "score_id"],
                )
            self._pitches[word] = parse_pitch_or_drum(word)
        pitch, is_drum = self._pitches[word]
        self.has_drums |= is_drum
        return pitch

    def _marks(
        self, before: "tuple[Fraction | None, Fraction | None, int | None, int] | None", group: bool = False
    ) -> tuple[Fraction | None, Fraction | None, int | None, int]:
        """Read start, length, velocity and number of repetitions, in any order, until the item ends.

        `before` has the values read before the content. If it is None, the content is not read yet and only `@` is
        accepted. After a `group` (`[ ]`), only `@` and `x` are accepted.
        """
        start, length, velocity, times = before or (None, None, None, 1)
        while True:
            self._skip(_BLANK)
            letter = self._peek()
            if letter == "@":
                if start is not None:
                    raise _invalid("The item has two starts. Write @ once", ["C4 @8 1"])
                self._at += 1
                start = self._expression()
                if start < 0:
                    raise MusicError("NEGATIVE_START", f"The item would start at {start}, before beat 0.", ["@0"])
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
                    raise _invalid("Separate notes by ';'", [separated])
                word = _WORD.match(self._text, self._at, self._at + 60)
                raise _invalid(
                    f"{quoted(word[0] if word else letter)} is unknown. After a length write @START, vVELOCITY or"
                    " xTIMES",
                    ["C4 1 @8 v90 x2"],
                )
            elif length is not None:
                item = self._text[self._item_at : self._at].strip()[:20]
                raise _invalid(
                    "The item has two lengths. Mark a start with @, a velocity with v, repetitions with x",
                    [f"{item} @START", f"{item} v80"],
                )
            else:
                length = self._expression()
                if length <= 0:
                    raise MusicError(
                        "INVALID_DURATION",
                        f"The length is {length}; write more than 0 beats. A start is written @{length}.",
                        ["1/2"],
                    )

    def _expression(self) -> Fraction:
        """Read the longest expression at this position. It ends before a number that has no operator in front."""
        self._skip(_BLANK)
        begin = self._at
        plain = _PLAIN_BEATS.match(self._text, begin)
        if plain:  # fast path for the common case; the general code below also handles it
            self._at = plain.end()
            return self._beats_of(plain[0])
        self._operand()
        while operator := _OPERATOR.match(self._text, self._at):
            self._at = operator.end()
            self._operand()
            if self._at - begin > MAX_LENGTH:
                break  # too long: parsing it raises an error
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
                f"{what}. After a pitch write its length in beats or as a note value (1/2, quarter), @START, vVELOCITY"
                " or xTIMES; separate notes by ';'.",
                ["C4 1/2; E4 @9+1/3 1 v80", "C4 quarter"],
            )
        self._at = number.end()

    def _is_pitch_next(self) -> bool:
        word = _WORD.match(self._text, self._at, self._at + 20)
        try:
            return word is not None and parse_pitch_or_drum(word[0]) is not None
        except MusicError:
            return False

    def _unclear_commas(self) -> MusicError:
        separated = "".join(";" if place in self._commas else letter for place, letter in enumerate(self._text[:200]))
        return _invalid(
            "A comma joins the notes of a chord, as in C4,E4,G4. Write ';' between notes that follow each other",
            [separated, self._text[:200].replace(",", ";")],
        )

    def _check_note_count(self, count: int) -> None:
        if count > MAX_NOTES_A_CALL:
            raise too_many_notes()

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self._text, self._at)
        assert match is not None
        self._at = match.end()


def _invalid(message: str, suggestions: Iterable[str] = ()) -> MusicError:
    return MusicError("INVALID_NOTE_TEXT", f"{message}.", suggestions)


def _in_range(mark: str, digits: str, highest: int) -> int:
    number = int(digits[:6])
    if not 1 <= number <= highest:
        code = "INVALID_VELOCITY" if mark == "v" else "INVALID_NOTE_TEXT"
        shown = digits if len(digits) <= 12 else f"{digits[:12]}…"
        raise MusicError(code, f"{mark}{shown} is not from {mark}1 to {mark}{highest}.", [f"{mark}{min(highest, 64)}"])
    return number


def _within_song(beats: Fraction) -> Fraction:
    if beats > MAX_BEAT:
        raise MusicError(
            "INVALID_EXPRESSION", f"Beat {format_beats(beats)} is beyond the end of a song, beat {MAX_BEAT:,}.", ["@0"]
        )
    return beats
