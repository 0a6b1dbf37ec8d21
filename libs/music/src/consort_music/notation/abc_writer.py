"""A score as ABC notation (2.1), which `abc_reader` reads back and other programs read too.

Lengths are written as in `written_values`: tied where a beat would be hidden, a triplet as `(3abc` and other tuplets in
the `(p:q:r` form. Every accidental that any reading of the standard could need is written. Notes of a part that overlap
otherwise than in chords are overlays (`&`). ABC has no loudness: velocities are lost.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from consort_music.bars import Bar
from consort_music.instruments import known_instrument
from consort_music.keys import Key
from consort_music.metre import Metre
from consort_music.notation.divisions import with_divisions
from consort_music.notation.voices import Chord, pieces_in_bar, voices
from consort_music.notation.written_values import BarGrid, Span, Written
from consort_music.pitch import Pitch
from consort_music.score import Part, Score

_UNIT = Fraction(1, 2)  # L:1/8
_BARS_A_LINE = 4
_ACCIDENTALS = {-2: "__", -1: "_", 0: "=", 1: "^", 2: "^^"}
_MODE_OF_SHIFT = {0: "", -1: "mix", -2: "dor", -3: "m", -4: "phr", -5: "loc", 1: "lyd"}


class _Mark(NamedTuple):
    """A chord symbol or an inline field, before the note that begins there."""

    at: int
    text: str


def write_abc(score: Score) -> str:
    score, divisions = with_divisions(score)
    lines = ["X:1"]
    if score.title:
        lines.append(f"T:{_clean(score.title)}")
    lines += [f"M:{score.metre.name}", "L:1/8"]
    if score.tempos and score.tempos[0][0] == 0:
        lines.append(f"Q:1/4={_decimal(score.tempos[0][1])}")
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
        bars = list(_PartWriter(score, part, divisions, is_first=number == 1).bars())
        for place in range(0, len(bars), _BARS_A_LINE):
            last = place + _BARS_A_LINE >= len(bars)
            lines.append(" | ".join(bars[place : place + _BARS_A_LINE]) + (" |]" if last else " |"))
    return "\n".join(lines) + "\n"


class _PartWriter:
    def __init__(self, score: Score, part: Part, divisions: int, is_first: bool) -> None:
        self._score = score
        self._divisions = divisions
        self._voices = voices(part.notes, divisions) or [[]]
        self._places = [0] * len(self._voices)
        self._grids: dict[Metre, BarGrid] = {}
        self._marks = self._all_marks() if is_first else self._key_marks()
        self._signatures = [(self._ticks(at), key) for at, key in score.keys]
        self._fermatas = {self._ticks(at) for at in score.fermatas}
        self._said: dict[str, set[tuple[int, int]]] = {}

    def bars(self) -> Iterator[str]:
        metre = self._score.metre
        marks = iter([*self._marks, _Mark(10**18, "")])
        mark = next(marks)
        for bar in self._score.bars:
            here: list[_Mark] = []
            end = self._ticks(bar.end)
            while mark.at < end:
                here.append(mark)
                mark = next(marks)
            head = f"[M:{bar.metre.name}]" if bar.metre != metre else ""
            metre = bar.metre
            texts = []
            self._said = {}
            for index in range(len(self._voices)):
                if index == 0 or self._has_notes(index, end):
                    texts.append(self._voice(index, bar, here if index == 0 else []))
            yield head + " & ".join(texts)

    def _has_notes(self, index: int, end: int) -> bool:
        voice, place = self._voices[index], self._places[index]
        return place < len(voice) and voice[place].start < end

    def _voice(self, index: int, bar: Bar, marks: list[_Mark]) -> str:
        start, end = self._ticks(bar.start), self._ticks(bar.end)
        edges = [mark.at for mark in marks]
        pieces, self._places[index] = pieces_in_bar(self._voices[index], self._places[index], start, end, edges)
        shift = self._ticks(max(bar.missing, Fraction(0))) - start
        grid = self._grid(bar.metre)
        values = grid.write([Span(begin + shift, finish + shift, chord is None) for chord, begin, finish in pieces])
        flat = [(chord, value) for (chord, _, _), written in zip(pieces, values, strict=True) for value in written]
        return self._text(flat, bar, marks, is_overlay=index > 0)

    def _text(self, flat: list[tuple[Chord | None, Written]], bar: Bar, marks: list[_Mark], is_overlay: bool) -> str:
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
            key = self._key_at(end - 1 if is_overlay else now)  # an overlay is read with the key that the bar ends in
            text.append(self._sound(chord, key, after, _multiple(length)))
            now = after
        return "".join(text).strip()

    def _key_at(self, moment: int) -> Key | None:
        found = self._score.key
        for at, key in self._signatures:
            found = key if at <= moment else found
        return found

    def _sound(self, chord: Chord | None, key: Key | None, after: int, length: str) -> str:
        if chord is None:
            return f"z{length}"
        names = [self._note(note.pitch, key) for note in chord.notes]
        tie = "-" if after < chord.end else ""
        if len(names) == 1:
            return f"{names[0]}{length}{tie}"
        return f"[{''.join(names)}]{length}{tie}"

    def _note(self, pitch: Pitch, key: Key | None) -> str:
        """The note with its accidental, unless key and bar leave no doubt, in whichever octaves accidentals hold."""
        said = self._said.setdefault(pitch.step, set())
        usual = key.signature_alter(pitch.step) if key else 0
        accidental = ""
        if pitch.alter != usual or any(alter != pitch.alter for _, alter in said):
            accidental = _ACCIDENTALS[pitch.alter]
            said.add((pitch.octave, pitch.alter))
        letter = pitch.step if pitch.octave < 5 else pitch.step.lower()
        return accidental + letter + ("," * (4 - pitch.octave) if pitch.octave < 4 else "'" * (pitch.octave - 5))

    def _ticks(self, quarters: Fraction) -> int:
        return quarters.numerator * self._divisions // quarters.denominator

    def _grid(self, metre: Metre) -> BarGrid:
        if metre not in self._grids:
            self._grids[metre] = BarGrid(metre, self._divisions)
        return self._grids[metre]

    def _all_marks(self) -> list[_Mark]:
        score = self._score
        marks = self._key_marks()
        marks += [_Mark(self._ticks(at), f"[Q:1/4={_decimal(bpm)}]") for at, bpm in score.tempos if at > 0]
        marks += [_Mark(self._ticks(mark.start), f'"{_clean(mark.symbol)}"') for mark in score.chords]
        return sorted(marks, key=lambda mark: mark.at)

    def _key_marks(self) -> list[_Mark]:
        return [_Mark(self._ticks(at), f"[K:{_key(key)}]") for at, key in self._score.keys[1:]]


def _tuplet_size(values: list[Written]) -> int:
    """How many values the tuplet that begins here has; 0 where it is not all of one kind."""
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
    major = Key(key.step, key.alter, "major").sharps
    return f"{key.tonic_name}{_MODE_OF_SHIFT[key.sharps - major]}"


def _program(part: Part) -> int | None:
    instrument = known_instrument(part.instrument)
    return None if instrument is None or instrument.is_drums else instrument.program


def _decimal(value: Fraction) -> str:
    return f"{float(value):.4f}".rstrip("0").rstrip(".")


def _clean(text: str) -> str:
    """Text on one line, without what would end it early."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return plain.replace('"', "'").replace("%", "\\%").strip()
