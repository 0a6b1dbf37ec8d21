"""Read ABC notation (2.1) into a score.

- These are read: the fields X T M L Q K V w, notes with accidentals, octaves and lengths, chords (also between `+`, as
  in old tunes), rests, ties, broken rhythm, tuplets, bar lines, chord symbols, fermatas, inline fields and
  overlays (`&`).
- These are left out with a warning: grace notes, and ties between different pitches. Repeats are not expanded.
- These are ignored: slurs, other decorations, words below the tune (W:) and page layout.

An accidental is valid to the end of its bar in every octave, as in the standard, unless `propagate-accidentals` says
otherwise. The accidental of a grace note is ignored. A bare tempo `Q:120` is in beats of the metre. If there are
several tunes, the first one is read.
"""

import re
from collections.abc import Iterator
from fractions import Fraction

from consort_music.errors import MusicError, quoted
from consort_music.instruments import INSTRUMENTS
from consort_music.notation.abc.fields import (
    Signature,
    parse_key_field,
    parse_length_field,
    parse_metre_field,
    parse_tempo_field,
    parse_voice_field,
)
from consort_music.notation.abc.voice import AbcVoice
from consort_music.notation.limits import MAX_NOTES, MAX_PARTS
from consort_music.notation.omissions import Omissions
from consort_music.notation.score_builder import build_score
from consort_music.score import Score
from consort_music.texts.visible_text import visible_text

MAX_LENGTH = 2_000_000
_FIELD = re.compile(r"\s*([A-Za-z+]):(.*)", re.DOTALL)
_NOTE_AND_BAR = re.compile(r"\s*[A-Ga-gxz]:[|:]")
_COMMENT = re.compile(r"(?<!\\)%.*")
_LENGTH = r"([0-9]{0,10}(?:/[0-9]{0,10}){0,8})"
_TOKENS = re.compile(
    rf"""
      (?P<space>[\s`\\]+)
    | (?P<inline>\[\s?[A-Za-z]:[^\]]{{0,200}}\])
    | "(?P<text>[^"]*)"
    | \+(?P<old_chord>(?!f+\+)(?:[\^_=]*[A-Ga-g][,']*[0-9/]*){{2,}})\+
    | (?P<decoration>![^!\n]*!|\+[^+\n]*\+)
    | (?P<grace>\{{[^}}]*\}})
    | (?P<bar>\.?(?:\[\||:*\|[\]|:]*|::+)\]?) (?P<ending>\s*\[?[0-9][0-9,.-]*)?
    | (?P<ending_only>\[[0-9][0-9,.-]*|\["[^"]*")
    | \((?P<tuplet>[1-9][0-9]|[2-9])(?::(?P<normal>[0-9]{{0,2}})(?::(?P<reach>[0-9]{{0,2}}))?)?
    | (?P<rest>[zx]){_LENGTH.replace("(", "(?P<rest_length>", 1)}
    | (?P<bars_rest>[ZX])(?P<bars>[0-9]{{0,3}})
    | \[(?P<chord>[^\]|]{{0,400}})\]{_LENGTH.replace("(", "(?P<chord_length>", 1)}
    | (?P<accidental>\^\^|\^|__|_|=)?(?P<letter>[A-Ga-g])(?P<octave>[,']*){_LENGTH.replace("(", "(?P<length>", 1)}
    | (?P<broken>>{{1,3}}|<{{1,3}})
    | (?P<tie>-)
    | (?P<overlay>&)
    | (?P<passed>y[0-9]*|\.?[()]|[.~H-Wh-w]|[#*;?@$\x00-\x1f])
    """,
    re.VERBOSE,
)
_CHORD_NOTE = re.compile(rf"(\^\^|\^|__|_|=)?([A-Ga-g])([,']*){_LENGTH}(-?)")
_IN_CHORD = re.compile(r"[\s.~H-Wh-w()]+|[<>]+[0-9]*|[zx][0-9/]*|![^!]*!|\+[^+]*\+|\"[^\"]*\"")
_PROGRAM = re.compile(r"%%MIDI\s+program\s+(?:[0-9]{1,2}\s+)?([0-9]{1,3})\b")
_PROPAGATE = re.compile(r"propagate-accidentals\s+(not|octave|pitch)")
_BEGINS = re.compile(r"\s*X:")
_STRAY = frozenset(")]}+!:")
_MEANINGLESS = frozenset("^_=0123456789/,'[")
"""Characters that have no meaning alone but occur in old tunes, for example where e-mail has broken a line."""
_MAX_SKIPPED = 5


def read_abc(text: str) -> tuple[Score, list[str]]:
    """Return the first tune of an ABC text, and warnings.

    Raise PARSE_ERROR, with the line in the message, if the text cannot be read, TOO_LARGE if there is too much music,
    and EMPTY_INPUT if there are no notes.
    """
    if len(text) > MAX_LENGTH:
        raise MusicError("TOO_LARGE", f"The ABC text has {len(text):,} characters. Send at most {MAX_LENGTH:,}.")
    return _AbcReader(text).read()


class _AbcReader:
    def __init__(self, text: str) -> None:
        self._lines, self._tunes = _first_tune(text.lstrip("\ufeff"))
        self._voices: dict[str, AbcVoice] = {}
        self._voice: AbcVoice | None = None
        self._default = AbcVoice("part 1")
        self._header: AbcVoice | None = None
        self._in_history = False
        self._has_length = False
        self._tempo: Fraction | None = None
        self._title: str | None = None
        self._in_header = True
        self._omissions = Omissions()
        self._has_repeats = False
        self._notes = 0
        self._skipped: list[str] = []

    def read(self) -> tuple[Score, list[str]]:
        for number, line in self._lines:
            before = len(self._skipped)
            try:
                self._line(line)
            except MusicError as error:
                message = error.message if error.message.startswith("ABC ") else f"ABC line {number}: {error.message}"
                raise MusicError(error.code, message, error.suggestions) from None
            self._skipped[before:] = [
                f"ABC line {number}: {text} has no meaning here and was skipped." for text in self._skipped[before:]
            ]
        voices = list(self._voices.values()) or [self._default]
        for voice in voices:
            voice.end_bar()
        parts = [voice.part() for voice in voices if voice.part().measures or len(voices) == 1]
        score = build_score(parts, self._title, self._omissions)
        if not score.note_count:
            raise MusicError("EMPTY_INPUT", "The ABC text has no notes. Write some after the K: line, such as CDEF|.")
        return score, list(self._warnings(has_pickup=score.pickup > 0))

    def _warnings(self, has_pickup: bool) -> Iterator[str]:
        if self._tunes > 1:
            yield f"The ABC text has {self._tunes} tunes; only the first one was read."
        yield from self._omissions.sentences(has_pickup)
        if self._has_repeats:
            yield "Repeats and endings were not played out: each bar comes once."
        yield from self._skipped[:_MAX_SKIPPED]
        if len(self._skipped) > _MAX_SKIPPED:
            yield f"{len(self._skipped) - _MAX_SKIPPED} more places of the ABC text were skipped."

    def _line(self, line: str) -> None:
        if line.startswith("%"):
            self._directive(line)
            return
        line = _COMMENT.sub("", line)
        field = _FIELD.match(line)
        if self._in_header and self._in_history and not field:
            return
        if field and (self._in_header or not _NOTE_AND_BAR.match(line)):
            self._field(field[1], field[2].strip())
        elif line.strip():
            self._begin_body()
            self._remember_header()
            for voice in (self._default, *self._voices.values()):
                voice.begin_line()
            self._music(line)

    def _directive(self, line: str) -> None:
        if found := _PROGRAM.match(line):
            program = int(found[1])
            if program < len(INSTRUMENTS):
                (self._voice or self._default).instrument = INSTRUMENTS[program].name
        elif line.startswith("%%") and (found := _PROPAGATE.search(line)):
            for voice in (self._default, *self._voices.values()):
                voice.propagate = found[1]

    def _field(self, letter: str, text: str) -> None:
        """Apply a field: in the header to all voices, in the body to the current voice.

        The text of the history field (H:) may continue in the next lines.
        """
        voice = self._voice or self._default
        self._in_history = letter == "H" or (letter == "+" and self._in_history)
        if letter in "TVw":
            text = visible_text(text)
        if letter == "w":
            voice.sing(text)
            return
        if letter == "T" and self._title is None:
            self._title = " ".join(text.split())[:200] or None
        elif letter == "M":
            voice.set_metre(parse_metre_field(text))
            if self._in_header and not self._has_length:
                voice.unit = _default_unit(voice)
        elif letter == "L":
            voice.unit = parse_length_field(text)
            self._has_length = True
        elif letter == "Q":
            bpm = parse_tempo_field(text, voice.metre)
            if self._in_header:
                self._tempo = bpm
            elif bpm is not None:
                voice.measure.tempos.append((voice.now, bpm))
        elif letter == "K":
            signature = parse_key_field(text)
            if self._in_header and self._voice is None:
                self._default.set_signature(signature)
                self._begin_body()
            elif signature != Signature():
                voice.set_signature(signature)
        elif letter == "V":
            self._select_voice(text)
        elif letter == "I" and (found := _PROPAGATE.search(text)):
            voice.propagate = found[1]

    def _begin_body(self) -> None:
        if self._in_header:
            self._in_header = False
            for voice in self._voices.values():
                voice.begin_like(self._default)
            if self._tempo is not None:
                first = next(iter(self._voices.values()), self._default)
                first.measure.tempos.append((Fraction(0), self._tempo))
            if self._voices:
                self._voice = next(iter(self._voices.values()))

    def _remember_header(self) -> None:
        if self._header is None:
            self._header = AbcVoice("")
            self._header.begin_like(self._default)

    def _select_voice(self, text: str) -> None:
        identity, name, octaves, transposition = parse_voice_field(text)
        voice = self._voices.get(identity)
        if voice is None:
            voice = self._new_voice(identity)
        if octaves:
            voice.octaves = octaves
        if transposition is not None:
            voice.transposition = transposition
        if name:
            voice.name = " ".join(name.split())[:200]
        if not self._in_header:
            self._voice = voice

    def _new_voice(self, identity: str) -> AbcVoice:
        """Return a new voice with the settings of the header.

        If there is music before the first V: field of the body, it belongs to the voice of that field.
        """
        if not self._in_header and not self._voices:
            self._remember_header()
            voice = self._default
            voice.name = identity
        else:
            voice = AbcVoice(identity)
            if not self._in_header:
                voice.begin_like(self._header or self._default)
        self._voices[identity] = voice
        if len(self._voices) > MAX_PARTS:
            raise MusicError("TOO_LARGE", f"The ABC text has more than {MAX_PARTS} voices. Send fewer at once.")
        return voice

    def _music(self, line: str) -> None:
        at = 0
        while at < len(line):
            match = _TOKENS.match(line, at)
            if match is None:
                if line[at] in _STRAY:
                    at += 1
                    continue
                if line[at] in _MEANINGLESS:
                    self._skipped.append(f"{quoted(line[at : at + 6])} at column {at + 1}")
                    at += 1
                    continue
                raise MusicError(
                    "PARSE_ERROR",
                    f"{quoted(line[at : at + 12])} at column {at + 1} is not ABC. Write notes as C, ^F2 or [CEG], "
                    "rests as z, bar lines as |.",
                )
            self._token(match)
            at = match.end()

    def _token(self, found: re.Match[str]) -> None:
        voice = self._voice or self._default
        kind = found.lastgroup
        if found["letter"]:
            self._count_note()
            pitch = voice.pitch(found["accidental"], found["letter"], found["octave"])
            voice.sound([(pitch, Fraction(1))], _multiple(found["length"]))
        elif found["rest"]:
            voice.sound([], _multiple(found["rest_length"]))
        elif found["chord"] is not None:
            self._chord(voice, found["chord"], _multiple(found["chord_length"]))
        elif found["old_chord"]:
            self._chord(voice, found["old_chord"], Fraction(1))
        elif found["bar"]:
            voice.end_bar()
            if ":" in found["bar"] or found["ending"]:
                self._has_repeats = True
        elif kind == "ending_only":
            self._has_repeats = True
        elif kind == "tie":
            voice.tie()
        elif kind == "broken":
            try:
                voice.break_rhythm(found["broken"])
            except MusicError as error:
                raise MusicError(error.code, f"At column {found.start() + 1}: {error.message}") from None
        elif found["tuplet"]:
            voice.begin_tuplet(int(found["tuplet"]), int(found["normal"] or 0), int(found["reach"] or 0))
        elif found["text"] is not None:
            voice.mark(found["text"])
        elif kind == "inline":
            letter, _, text = found["inline"][1:-1].strip().partition(":")
            self._field(letter, text.strip())
        elif kind in ("decoration", "passed") and found[kind].strip("!+ ") in ("fermata", "H"):
            voice.add_fermata()
        elif kind == "grace":
            count = len(re.findall("[A-Ga-g]", found["grace"]))
            self._omissions.add("grace note{s} {were} left out", voice.number, count)
        elif found["bars_rest"]:
            voice.rest_bars(int(found["bars"] or 1))
        elif kind == "overlay":
            voice.overlay()

    def _chord(self, voice: AbcVoice, inside: str, multiple: Fraction) -> None:
        notes = []
        at = 0
        ties = []
        while at < len(inside):
            if between := _IN_CHORD.match(inside, at):
                at = between.end()
                continue
            match = _CHORD_NOTE.match(inside, at)
            if match is None:
                raise MusicError(
                    "PARSE_ERROR", f"{quoted('[' + inside + ']')} is not a chord. Write [CEG] or [C2E2G2]."
                )
            self._count_note()
            notes.append((voice.pitch(match[1], match[2], match[3]), _multiple(match[4])))
            ties.append(bool(match[5]))
            at = match.end()
        if notes:
            voice.sound(notes, multiple)
            for place, is_tied in enumerate(ties):
                if is_tied:
                    voice.tie(place)

    def _count_note(self) -> None:
        self._notes += 1
        if self._notes > MAX_NOTES:
            raise MusicError("TOO_LARGE", f"The ABC text has more than {MAX_NOTES:,} notes. Send it in pieces.")


def _first_tune(text: str) -> tuple[list[tuple[int, str]], int]:
    """Return the numbered lines up to the end of the first tune, and the number of tunes."""
    lines = list(enumerate(text.splitlines(), start=1))
    begins = [place for place, (_, line) in enumerate(lines) if _BEGINS.match(line)]
    end = begins[1] if len(begins) > 1 else len(lines)
    return list(_continued(lines[:end])), max(len(begins), 1)


def _continued(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the lines. A line of music that ends with a backslash is joined with the next one."""
    kept: list[str] = []
    begin = 0
    for number, line in lines:
        plain = _COMMENT.sub("", line).rstrip() if not line.startswith("%") else line
        if kept and (line.startswith("%") or _FIELD.match(line)):
            yield begin, " ".join(kept)
            kept = []
        begin = begin if kept else number
        if plain.endswith("\\") and not line.startswith("%") and not _FIELD.match(line):
            kept.append(plain[:-1])
        else:
            yield begin, " ".join([*kept, line])
            kept = []
    if kept:
        yield begin, " ".join(kept)


def _multiple(text: str) -> Fraction:
    """Return a length as a multiple of the unit: `3`, `3/2`, `/` (a half) or `//` (a quarter)."""
    if not text:
        return Fraction(1)
    whole, *halves = text.split("/")
    value = Fraction(int(whole or 1))
    for half in halves:
        value /= int(half or 2) or 1
    if not value:
        raise MusicError(
            "PARSE_ERROR", f"{quoted(text)} is not a length: a note must be longer than 0. Write C, C2 or C/2."
        )
    return value


def _default_unit(voice: AbcVoice) -> Fraction:
    if voice.metre is not None and voice.metre.bar < 3:
        return Fraction(1, 4)
    return Fraction(1, 2)
