"""From measures as they were read to a score: where each one begins, which are irregular, which notes are tied.

Parts are aligned by their measures: each lasts as long as the longest of its parts. A first measure that is shorter
than its metre is a pickup. Where a later one is shorter or longer, the metre is stated again after it, which is how a
`Score` says that a bar begins there.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple, TypeVar

from consort_music.chords.layout import ChordMark
from consort_music.keys import Key
from consort_music.metre import COMMON_TIME, Metre
from consort_music.notation.limits import refuse_too_long, refuse_uneven
from consort_music.notation.losses import UNTIED, UNTIED_BACK, Losses
from consort_music.pitch import Pitch
from consort_music.score import DEFAULT_VELOCITY, Note, Part, Score

_T = TypeVar("_T")


class ReadNote(NamedTuple):
    """A note as it is written, from the beginning of its measure."""

    start: Fraction
    duration: Fraction
    pitch: Pitch
    velocity: int = DEFAULT_VELOCITY
    goes_on: bool = False
    comes_from: bool = False
    """Tied to the next one; tied from the one before."""


@dataclass(slots=True)
class ReadMeasure:
    """What was read of one measure of a part; times are from its beginning."""

    length: Fraction = Fraction(0)
    notes: list[ReadNote] = field(default_factory=list)
    metre: Metre | None = None
    keys: list[tuple[Fraction, Key]] = field(default_factory=list)
    tempos: list[tuple[Fraction, Fraction]] = field(default_factory=list)
    chords: list[tuple[Fraction, str]] = field(default_factory=list)
    fermatas: list[tuple[Fraction, bool]] = field(default_factory=list)
    """Where one stands, and that it does."""


@dataclass(slots=True)
class ReadPart:
    name: str
    measures: list[ReadMeasure] = field(default_factory=list)
    instrument: str | None = None


def assemble(parts: Sequence[ReadPart], title: str | None, losses: Losses) -> Score:
    """The score of these parts, without ties that join nothing; raises PARSE_ERROR for times that nobody wrote, and
    TOO_LARGE."""
    measures = [part.measures for part in parts]
    columns = _columns(measures)
    starts, metres, pickup = _bar_lines(columns)
    end = starts[-1] if starts else Fraction(0)
    score = Score(
        parts=tuple(Part.of(part.name, _joined(part.measures, starts, losses), part.instrument) for part in parts),
        metres=metres,
        keys=_changes(_above(measures, starts, lambda measure: measure.keys)),
        tempos=_changes(_above(measures, starts, lambda measure: measure.tempos)),
        chords=tuple(ChordMark(at, symbol) for at, symbol in _above(measures, starts, lambda measure: measure.chords)),
        pickup=pickup,
        title=title,
        rest_to=end,
        fermatas=tuple(at for at, _ in _above(measures, starts, lambda measure: measure.fermatas)),
    )
    return refuse_too_long(score)


def _columns(parts: Sequence[list[ReadMeasure]]) -> list[list[ReadMeasure]]:
    """For each measure, what the parts have in it."""
    longest = max(map(len, parts), default=0)
    return [[part[place] for part in parts if place < len(part)] for place in range(longest)]


def _bar_lines(
    columns: list[list[ReadMeasure]],
) -> tuple[list[Fraction], tuple[tuple[Fraction, Metre], ...], Fraction]:
    """Where each measure begins (and the last one ends), the metres, and how long the pickup is."""
    starts, now = [], Fraction(0)
    metres: list[tuple[Fraction, Metre]] = []
    metre = COMMON_TIME
    pickup = Fraction(0)
    is_regular = True
    for place, column in enumerate(columns):
        starts.append(now)
        stated = next((measure.metre for measure in column if measure.metre), None)
        if stated is not None and stated != metre:
            metre = stated
            metres.append((now, metre))
        elif not metres or not is_regular:
            metres.append((now, metre))
        length = max(measure.length for measure in column) or metre.bar
        is_regular = length % metre.bar == 0
        if place == 0 and length < metre.bar and len(columns) > 1:
            pickup, is_regular = length, True
        now += length
        refuse_uneven(now, place + 1)
    return [*starts, now], tuple(metres) or ((Fraction(0), COMMON_TIME),), pickup


def _joined(measures: Iterable[ReadMeasure], starts: list[Fraction], losses: Losses) -> list[Note]:
    """The notes of a part in score time, those that are tied made one."""
    notes: list[Note] = []
    waiting: dict[tuple[Pitch, Fraction], list[tuple[int, int]]] = {}
    """By pitch and end: notes that are tied to what follows, and the measures that this is written in."""
    untied_back: list[tuple[Fraction, int]] = []
    for number, (measure, begin) in enumerate(zip(measures, starts, strict=False), start=1):
        written_notes = measure.notes
        if any(first.start > second.start for first, second in pairwise(written_notes)):
            written_notes = sorted(written_notes, key=lambda note: note.start)
        for written in written_notes:
            start = begin + written.start
            duration, pitch = written.duration, written.pitch
            place = None
            if written.comes_from:
                earlier = waiting.pop((pitch, start), None)
                if earlier:
                    place, _ = earlier.pop(0)
                    if earlier:
                        waiting[pitch, start] = earlier
                else:
                    untied_back.append((start, number))
            if place is None:
                place = len(notes)
                notes.append(Note(start, duration, pitch, written.velocity))
            else:
                notes[place] = notes[place]._replace(duration=notes[place].duration + duration)
            if written.goes_on:
                waiting.setdefault((pitch, start + duration), []).append((place, number))
    for number in sorted(number for ties in waiting.values() for _, number in ties):
        losses.add(UNTIED, number)
    untied = {moment for _, moment in waiting}
    for moment, number in untied_back:
        if moment not in untied:
            losses.add(UNTIED_BACK, number)
    return notes


def _above(
    parts: Sequence[list[ReadMeasure]], starts: list[Fraction], what: Callable[[ReadMeasure], list[tuple[Fraction, _T]]]
) -> list[tuple[Fraction, _T]]:
    """What stands above the music, by time; where several parts say it, the first of them."""
    found: dict[Fraction, _T] = {}
    for measures in parts:
        for measure, begin in zip(measures, starts, strict=False):
            for at, item in what(measure):
                found.setdefault(begin + at, item)
    return sorted(found.items(), key=lambda each: each[0])


def _changes(items: list[tuple[Fraction, _T]]) -> tuple[tuple[Fraction, _T], ...]:
    """Only those that say something new."""
    return tuple(each for place, each in enumerate(items) if place == 0 or items[place - 1][1] != each[1])
