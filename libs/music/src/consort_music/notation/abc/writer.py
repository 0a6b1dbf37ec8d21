"""Write a score as ABC notation (2.1).

Lengths are split by `note_values`. Triplets are written as `(3abc`, other tuplets as `(p:q:r`. Programs disagree on how
long an accidental is valid, so accidentals are written wherever one of them could need them. Overlapping notes of a
part become overlays (`&`). Velocities are lost, because ABC has none.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from consort_music.bars import Bar
from consort_music.beats import format_decimal
from consort_music.instruments import known_instrument
from consort_music.keys import Key
from consort_music.metre import Metre
from consort_music.notation.abc.fields import ACCIDENTALS
from consort_music.notation.writing.divisions import with_divisions
from consort_music.notation.writing.note_values import BarGrid, BarSpan, NoteValue
from consort_music.notation.writing.voice_separation import VoiceChord, pieces_in_bar, separate_voices
from consort_music.pitch import Pitch
from consort_music.score import Lyric, Part, Score
from consort_music.texts.visible_text import visible_line

_UNIT = Fraction(1, 2)  # L:1/8
_BARS_A_LINE = 4
_SIGNS = {alter: sign for sign, alter in ACCIDENTALS.items()}
_ABC_MODES = {"major": "", "minor": "m"}


class _AbcMark(NamedTuple):
    """A chord symbol or an inline field. It is written before the note that starts at tick `at`."""

    at: int
    text: str


def write_abc(score: Score) -> str:
    score, divisions = with_divisions(score)
    lines = ["X:1"]
    if score.title:
        lines.append(f"T:{_clean(score.title)}")
    lines += [f"M:{score.metre.name}", "L:1/8"]
    if score.tempos and score.tempos[0][0] == 0:
        lines.append(f"Q:1/4={format_decimal(score.tempos[0][1], 4)}")
    has_voices = len(score.parts) > 1 or any(part.name != "part 1" for part in score.parts)
    if has_voices:
        for number, part in enumerate(score.parts, start=1):
            lines.append(f'V:{number} name="{_clean(part.name)}"')
    lines.append(f"K:{_key(score.key) if score.key else 'none'}")
    for number, part in enumerate(score.parts or (Part("part 1", ()),), start=1):
        if has_voices:
            lines.append(f"V:{number}")
        if (program := _program(part)) is not None:
            lines.append(f"%%MIDI program {program}")
        writer = _PartWriter(score, part, divisions, is_first=number == 1)
        bars = list(writer.bars())
        for place in range(0, len(bars), _BARS_A_LINE):
            last = place + _BARS_A_LINE >= len(bars)
            lines.append(" | ".join(bars[place : place + _BARS_A_LINE]) + (" |]" if last else " |"))
            lines += writer.lyric_lines(place, place + _BARS_A_LINE)
    return "\n".join(lines) + "\n"


class _PartWriter:
    def __init__(self, score: Score, part: Part, divisions: int, is_first: bool) -> None:
        self._score = score
        self._divisions = divisions
        self._voices = separate_voices(part.notes, divisions) or [[]]
        self._places = [0] * len(self._voices)
        self._grids: dict[Metre, BarGrid] = {}
        self._marks = self._all_marks() if is_first else self._key_marks()
        self._signatures = [(self._ticks(at), key) for at, key in score.keys]
        self._fermatas = {self._ticks(at) for at in score.fermatas}
        self._accidentals: dict[str, set[tuple[int, int]]] = {}
        self._lyrics = {(self._ticks(at), lyric.verse): lyric for at, lyric in part.lyrics}
        self._verses: dict[int, list[int]] = {}
        for at, verse in self._lyrics:
            self._verses.setdefault(at, []).append(verse)
        self._sung: list[list[int]] = []
        """For each bar, where the notes of its first voice are written, also those that are tied to others."""

    def bars(self) -> Iterator[str]:
        metre = self._score.metre
        marks = iter([*self._marks, _AbcMark(10**18, "")])
        mark = next(marks)
        for bar in self._score.bars:
            here: list[_AbcMark] = []
            end = self._ticks(bar.end)
            while mark.at < end:
                here.append(mark)
                mark = next(marks)
            head = f"[M:{bar.metre.name}]" if bar.metre != metre else ""
            metre = bar.metre
            texts = []
            self._accidentals = {}
            for index in range(len(self._voices)):
                if index == 0 or self._has_notes(index, end):
                    texts.append(self._voice(index, bar, here if index == 0 else []))
            yield head + " & ".join(texts)

    def lyric_lines(self, first: int, last: int) -> list[str]:
        """Return a w: line for each verse of the bars from `first` to before `last`. `bars` must have been read."""
        notes = [at for bar in self._sung[first:last] for at in bar]
        verses = max((verse for at in notes for verse in self._verses.get(at, ())), default=0)
        return [
            f"w: {' '.join(_word(self._lyrics.get((at, verse))) for at in notes)}" for verse in range(1, verses + 1)
        ]

    def _has_notes(self, index: int, end: int) -> bool:
        voice, place = self._voices[index], self._places[index]
        return place < len(voice) and voice[place].start < end

    def _voice(self, index: int, bar: Bar, marks: list[_AbcMark]) -> str:
        start, end = self._ticks(bar.start), self._ticks(bar.end)
        edges = [mark.at for mark in marks]
        pieces, self._places[index] = pieces_in_bar(self._voices[index], self._places[index], start, end, edges)
        shift = self._ticks(max(bar.missing, Fraction(0))) - start
        grid = self._grid(bar.metre)
        values = grid.write([BarSpan(begin + shift, finish + shift, chord is None) for chord, begin, finish in pieces])
        flat = [(chord, value) for (chord, _, _), written in zip(pieces, values, strict=True) for value in written]
        if index == 0:
            begins = accumulate((value.ticks for _, value in flat), initial=start)
            self._sung.append([at for at, (chord, _) in zip(begins, flat, strict=False) if chord is not None])
        return self._text(flat, bar, marks, is_overlay=index > 0)

    def _text(
        self, flat: list[tuple[VoiceChord | None, NoteValue]], bar: Bar, marks: list[_AbcMark], is_overlay: bool
    ) -> str:
        text: list[str] = []
        now, end = self._ticks(bar.start), self._ticks(bar.end)
        beats = {self._ticks(bar.start - bar.missing + beat) for beat in bar.metre.beats}
        left, ratio = 0, Fraction(1)
        waiting = list(marks)
        for place, (chord, value) in enumerate(flat):
            if now in beats or value.ticks >= self._divisions or chord is None:
                text.append(" ")
            while waiting and waiting[0].at <= now:
                text.append(waiting.pop(0).text)
            if value.opens and not left:
                left = _tuplet_size([each for _, each in flat[place:]])
                if left:
                    is_triplet = (value.actual, value.normal, left) == (3, 2, 3)
                    text.append("(3" if is_triplet else f"({value.actual}:{value.normal}:{left}")
                    ratio = Fraction(value.actual, value.normal)
            length = Fraction(value.ticks, self._divisions) / _UNIT
            if left:
                length *= ratio
                left -= 1
            if chord is not None and now in self._fermatas:
                text.append("!fermata!")
            after = now + value.ticks
            key = self._key_at(end - 1 if is_overlay else now)  # an overlay is read with the key at the end of the bar
            text.append(self._sound(chord, key, after, _multiple(length)))
            now = after
        return "".join(text).strip()

    def _key_at(self, moment: int) -> Key | None:
        found = self._score.key
        for at, key in self._signatures:
            found = key if at <= moment else found
        return found

    def _sound(self, chord: VoiceChord | None, key: Key | None, after: int, length: str) -> str:
        if chord is None:
            return f"z{length}"
        names = [self._note(note.pitch, key) for note in chord.notes]
        tie = "-" if after < chord.end else ""
        if len(names) == 1:
            return f"{names[0]}{length}{tie}"
        return f"[{''.join(names)}]{length}{tie}"

    def _note(self, pitch: Pitch, key: Key | None) -> str:
        """Return a note. It has an accidental unless every program would read it the same without one."""
        written = self._accidentals.setdefault(pitch.step, set())
        usual = key.signature_alter(pitch.step) if key else 0
        accidental = ""
        if pitch.alter != usual or any(alter != pitch.alter for _, alter in written):
            accidental = _SIGNS[pitch.alter]
            written.add((pitch.octave, pitch.alter))
        letter = pitch.step if pitch.octave < 5 else pitch.step.lower()
        return accidental + letter + ("," * (4 - pitch.octave) if pitch.octave < 4 else "'" * (pitch.octave - 5))

    def _ticks(self, quarters: Fraction) -> int:
        return quarters.numerator * self._divisions // quarters.denominator

    def _grid(self, metre: Metre) -> BarGrid:
        if metre not in self._grids:
            self._grids[metre] = BarGrid(metre, self._divisions)
        return self._grids[metre]

    def _all_marks(self) -> list[_AbcMark]:
        score = self._score
        marks = self._key_marks()
        marks += [_AbcMark(self._ticks(at), f"[Q:1/4={format_decimal(bpm, 4)}]") for at, bpm in score.tempos if at > 0]
        marks += [_AbcMark(self._ticks(mark.start), f'"{_clean(mark.symbol)}"') for mark in score.chords]
        return sorted(marks, key=lambda mark: mark.at)

    def _key_marks(self) -> list[_AbcMark]:
        return [_AbcMark(self._ticks(at), f"[K:{_key(key)}]") for at, key in self._score.keys[1:]]


def _word(lyric: Lyric | None) -> str:
    """Return a syllable as ABC writes it, or a star for a note without one."""
    if lyric is None:
        return "*"
    plain = "".join(sign for sign in _clean(lyric.text) if sign not in "_*|")
    plain = plain.replace("-", "\\-").replace(" ", "~") or "*"
    return plain + ("-" if lyric.syllabic in ("begin", "middle") and plain != "*" else "")


def _tuplet_size(values: list[NoteValue]) -> int:
    """Return the number of values in the tuplet that starts here; 0 if they are not all of one kind."""
    for place, value in enumerate(values):
        if value.actual != values[0].actual or not value.kind:
            return 0
        if value.closes:
            return place + 1
    return 0


def _multiple(length: Fraction) -> str:
    whole = "" if length.numerator == 1 else str(length.numerator)
    if length.denominator == 1:
        return whole
    return f"{whole}/" if length.denominator == 2 and not whole else f"{whole}/{length.denominator}"


def _key(key: Key) -> str:
    mode = key.church_mode
    return f"{key.tonic_name}{_ABC_MODES.get(mode, mode[:3])}"


def _program(part: Part) -> int | None:
    instrument = known_instrument(part.instrument)
    return None if instrument is None or instrument.is_drums else instrument.program


def _clean(text: str) -> str:
    """Return text as one line, without characters that would end a quoted text or start a comment."""
    return visible_line(text).replace('"', "'").replace("%", "\\%")
