"""Split lengths into note values with dots and tuplets, tied so that the beats of the bar stay visible.

Times are ticks, `divisions` per quarter note, counted from the bar line (in a pickup, from where a full bar would
start). A position is binary if repeated halving of a whole note reaches it.

- A length that is one note value is written as one value, unless that hides a stronger beat than the one it starts on.
  Then it is split at the strongest beat inside, recursively.
- A length between positions that are not binary is written in a tuplet. A tuplet lasts from one binary position to the
  next. It may span several beats if its notes are equal; otherwise it is split at the beats.
- A length that fits no tuplet has no note value, only a number of ticks.

Results are cached for each metre, so most notes take one lookup.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import gcd
from typing import NamedTuple

from consort_music.metre import Metre

TYPES = ("long", "breve", "whole", "half", "quarter", "eighth", "16th", "32nd", "64th", "128th", "256th", "512th")
LONGEST = 16
"""Quarter notes in a `long`, the first of TYPES."""
_MOST_NOTES_IN_TUPLET = 31
_TOP, _STRONG, _BEAT = 3, 2, 1


def counted_beat(metre: Metre) -> Fraction:
    """Return the length in quarters of the note value that tempo marks of a metre count."""
    if metre.is_compound and metre.denominator == 8:
        return Fraction(3, 2)
    return Fraction(2) if metre.denominator == 2 else Fraction(1)


class NoteValue(NamedTuple):
    """One note value of a length.

    `kind` is one of TYPES, or empty if no note value has this length. In a tuplet, `actual` notes take the time of
    `normal` ones. `opens` and `closes` are true for the first and the last value of a tuplet.
    """

    ticks: int
    kind: str
    dots: int = 0
    actual: int = 1
    normal: int = 1
    opens: bool = False
    closes: bool = False


class BarSpan(NamedTuple):
    """A note, chord or rest in a bar, in ticks."""

    start: int
    end: int
    is_rest: bool


class BarGrid:
    """The beats of a metre in ticks, with a cache of note values for the lengths in its bars."""

    def __init__(self, metre: Metre, divisions: int) -> None:
        def ticks(quarters: int, of: int) -> int:
            return quarters * divisions // of

        self._divisions = divisions
        self._odd = divisions // (divisions & -divisions)
        self._beats = [ticks(beat.numerator, beat.denominator) for beat in metre.beats]
        self._strong = {ticks(beat.numerator, beat.denominator) for beat in metre.strong_beats}
        self._bar = ticks(metre.bar.numerator, metre.bar.denominator)
        unit = ticks(4, metre.denominator)
        self._unit = unit
        self._is_grouped = len(self._beats) != metre.numerator
        self._base = unit if self._is_grouped else unit // 2
        self._is_one_beam = not self._is_grouped and metre.denominator >= 8 and metre.numerator <= 3
        is_joined = not self._is_grouped and metre.denominator == 4
        self._beam_groups = sorted(self._strong | {0}) if is_joined or self._is_one_beam else self._beats
        self._values = {
            length * divisions * (2 * 2**dots - 1) // (scale * 2**dots): (kind, dots)
            for dots in (2, 1, 0)
            for kind, length, scale in ((kind, LONGEST, 2**place) for place, kind in enumerate(TYPES))
            if length * divisions * (2 * 2**dots - 1) % (scale * 2**dots) == 0
        }
        self._plain: dict[BarSpan, tuple[NoteValue, ...]] = {}
        self._in_tuplet: dict[tuple[int, int, int], tuple[NoteValue, ...]] = {}

    def write(self, spans: Sequence[BarSpan]) -> list[tuple[NoteValue, ...]]:
        """Return the note values of each span. The spans follow each other without gaps."""
        plain, odd = self._plain, self._odd
        if odd == 1 or not any(span[0] % odd or span[1] % odd for span in spans):
            return [plain.get(span) or self._write_plain(span) for span in spans]
        return self._write_with_tuplets(spans)

    def beat(self, at: int) -> int:
        """Return the beat at a tick, counted from 1."""
        return bisect_right(self._beats, at)

    def beam_beat(self, at: int) -> int:
        """Return the beat at a tick for beams: the notes of a short bar such as 3/8 are in one beat."""
        return 1 if self._is_one_beam else self.beat(at)

    def beam_group(self, at: int) -> int:
        """Return the group of beats at a tick whose plain eighth notes share a beam: each half of a 4/4 bar."""
        return bisect_right(self._beam_groups, at)

    # Lengths between binary positions

    def _write_plain(self, span: BarSpan) -> tuple[NoteValue, ...]:
        known = self._plain.get(span)
        if known is None:
            known = self._plain[span] = _all_or_one_without_value(self._split(*span), span.end - span.start)
        return known

    def _split(self, start: int, end: int, is_rest: bool) -> Iterator[NoteValue]:
        inside, level = self._strongest_inside(start, end)
        value = self._values.get(end - start)
        if value and (level is None or self._is_clear(start, end, is_rest, value[1], level)):
            yield NoteValue(end - start, *value)
        elif inside is None:
            yield NoteValue(end - start, "")
        else:
            yield from self._split(start, inside, is_rest)
            yield from self._split(inside, end, is_rest)

    def _is_clear(self, start: int, end: int, is_rest: bool, dots: int, inside: int) -> bool:
        """Return whether one value may be written although a position of level `inside` is within it."""
        begins = self._level(start)
        if is_rest:
            return begins >= inside and (not dots or self._is_grouped or end - start <= self._unit)
        if self._is_grouped and inside >= _BEAT:
            return begins >= max(inside, _BEAT) and self._level(end) >= _BEAT
        if dots == 2 or (dots and inside >= _STRONG):
            return begins > inside
        return begins >= inside - 1

    def _level(self, at: int) -> int:
        """Return the metrical level of a position: _TOP, _STRONG, _BEAT, or 0 and less for subdivisions of a beat."""
        if at in (0, self._bar):
            return _TOP
        if at in self._strong:
            return _STRONG
        if at in self._beats:
            return _BEAT
        level, step = 0, self._base
        while at % step and step > 1:
            level, step = level - 1, step // 2
        return level

    def _strongest_inside(self, start: int, end: int) -> tuple[int | None, int | None]:
        """Return the strongest position between two ticks and its level, or (None, None) if there is none.

        Of several equally strong ones it is the last if `start` is at least as strong as `end`, otherwise the first.
        """
        strong = [beat for beat in self._beats if start < beat < end and beat in self._strong]
        beats = strong or [beat for beat in self._beats if start < beat < end]
        if beats:
            level = _STRONG if strong else _BEAT
            return (beats[-1] if self._level(start) >= self._level(end) else beats[0]), level
        level, step = 0, self._base
        while step:
            first, last = (start // step + 1) * step, (end - 1) // step * step
            if first < end:
                return (last if self._level(start) >= self._level(end) else first), level
            level, step = level - 1, step // 2 if step % 2 == 0 else 0
        return None, None

    # Lengths that need tuplets

    def _write_with_tuplets(self, spans: Sequence[BarSpan]) -> list[tuple[NoteValue, ...]]:
        cells = self._tuplet_cells(spans)
        result = []
        for span in spans:
            values: list[NoteValue] = []
            at = span.start
            while at < span.end:
                cell = next((cell for cell in cells if cell[1] > at), None)
                if cell is None or cell[0] >= span.end:
                    values += self._write_plain(BarSpan(at, span.end, span.is_rest))
                    at = span.end
                elif at < cell[0]:
                    values += self._write_plain(BarSpan(at, cell[0], span.is_rest))
                    at = cell[0]
                else:
                    end = min(span.end, cell[1])
                    values += self._write_tuplet(at, end, cell)
                    at = end
            result.append(tuple(values))
        return result

    def _tuplet_cells(self, spans: Sequence[BarSpan]) -> list[tuple[int, int, int]]:
        """Return the tuplets as (start, end, notes), where `notes` notes replace the next lower power of two."""
        begin, finish = spans[0].start, spans[-1].end
        borders = [begin, *(beat for beat in self._beats if begin < beat < finish), finish]
        for over in range(self._bar, finish, self._unit):
            if over > borders[-2] and over != finish:
                borders.insert(-1, over)
        edges = [span.start for span in spans] + [finish]
        reached = [place for place, edge in enumerate(edges) if edge % self._odd == 0]
        cells: list[tuple[int, int, int]] = []
        for first, last in pairwise(reached):
            if last - first > 1:
                cells += self._cells_between(edges[first : last + 1], borders)
        return cells

    def _cells_between(self, edges: list[int], borders: list[int]) -> Iterator[tuple[int, int, int]]:
        """Yield the tuplets between two binary positions, the first and the last of `edges`.

        There is one tuplet if its notes are equal or no beat starts inside; otherwise one for each beat that needs it.
        """
        start, end = edges[0], edges[-1]
        notes = self._odd // gcd(self._odd, *edges)
        crossed = [border for border in borders if start < border < end]
        if not crossed or self._is_even(edges, notes):
            yield start, end, notes
            return
        for begin, finish in pairwise([start, *crossed, end]):
            inside = gcd(self._odd, *(edge for edge in edges if begin <= edge <= finish))
            if inside != self._odd:
                yield begin, finish, self._odd // inside

    def _is_even(self, edges: list[int], notes: int) -> bool:
        """Return whether each note lasts one note of the tuplet or a multiple of it, and that has an undotted value."""
        length = edges[-1] - edges[0]
        plain, rest = divmod(length, _power_below(notes))
        value = None if rest else self._values.get(plain)
        return value is not None and not value[1] and all((edge - edges[0]) * notes % length == 0 for edge in edges)

    def _write_tuplet(self, start: int, end: int, cell: tuple[int, int, int]) -> tuple[NoteValue, ...]:
        begin, finish, notes = cell
        key = (start - begin, end - start, notes)
        values = self._in_tuplet.get(key)
        if values is None:
            values = self._in_tuplet[key] = _all_or_one_without_value(self._split_tuplet(*key), end - start)
        if (start == begin or end == finish) and all(value.kind for value in values):
            marked = list(values)
            if start == begin:
                marked[0] = marked[0]._replace(opens=True)
            if end == finish:
                marked[-1] = marked[-1]._replace(closes=True)
            return tuple(marked)
        return values

    def _split_tuplet(self, start: int, ticks: int, notes: int) -> Iterator[NoteValue]:
        normal = _power_below(notes)
        length, rest = divmod(ticks * notes, normal)
        value = None if rest or notes > _MOST_NOTES_IN_TUPLET else self._values.get(length)
        if value and value[1] < 2:
            yield NoteValue(ticks, *value, actual=notes, normal=normal)
            return
        step = LONGEST * self._divisions * normal if notes <= _MOST_NOTES_IN_TUPLET else 0
        while step:  # split at multiples of step / notes, which is whole because `notes` divides the divisions
            at = (start * notes // step + 1) * step // notes
            if at < start + ticks:
                yield from self._split_tuplet(start, at - start, notes)
                yield from self._split_tuplet(at, start + ticks - at, notes)
                return
            step = 0 if step % 2 else step // 2
        yield NoteValue(ticks, "")


def _all_or_one_without_value(written: Iterator[NoteValue], ticks: int) -> tuple[NoteValue, ...]:
    """Return the values, or one value without a kind if any of them has no kind.

    Values tied to one without a kind would be unreadable.
    """
    values = tuple(written)
    return values if all(value.kind for value in values) else (NoteValue(ticks, ""),)


def _power_below(notes: int) -> int:
    """Return the number of normal notes that the notes of a tuplet replace: 2 for 3, 4 for 5 to 7, 8 for 9 to 15."""
    return 1 << (notes.bit_length() - 1) if notes > 1 else 1
