"""Build a score from the measures that a reader has collected: find the starts of measures, and merge tied notes.

A measure is as long as in the part where it is longest. A first measure that is shorter than its metre is a pickup.
After a later measure that is shorter or longer than its metre, the metre is stated again, which is how a `Score` marks
the start of a bar.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple, TypeVar

from consort_music.chords.timed_chords import ChordMark
from consort_music.keys import Key
from consort_music.metre import COMMON_TIME, Metre
from consort_music.notation.limits import check_bar_count, check_common_divisor
from consort_music.notation.omissions import UNTIED, UNTIED_BACK, Omissions
from consort_music.pitch import Pitch
from consort_music.printed_measures import MeasureName, is_counted, read_printed_measures
from consort_music.score import DEFAULT_VELOCITY, Lyric, Note, Part, Score, TimedLyrics

_T = TypeVar("_T")


class ReadNote(NamedTuple):
    """A note as written. `start` is the time since the start of the measure."""

    start: Fraction
    duration: Fraction
    pitch: Pitch
    velocity: int = DEFAULT_VELOCITY
    tied_to_next: bool = False
    tied_to_previous: bool = False


@dataclass(slots=True)
class ReadMeasure:
    """One measure of a part as it was read. Times are quarter notes since its start."""

    length: Fraction = Fraction(0)
    notes: list[ReadNote] = field(default_factory=list)
    metre: Metre | None = None
    keys: list[tuple[Fraction, Key]] = field(default_factory=list)
    tempos: list[tuple[Fraction, Fraction]] = field(default_factory=list)
    chords: list[tuple[Fraction, str]] = field(default_factory=list)
    fermatas: list[tuple[Fraction, bool]] = field(default_factory=list)
    """Pairs (time, True), so that `_collect` can handle them like the other lists."""
    lyrics: list[tuple[Fraction, Lyric]] = field(default_factory=list)


@dataclass(slots=True)
class ReadPart:
    name: str
    measures: list[ReadMeasure] = field(default_factory=list)
    instrument: str | None = None


def build_score(
    parts: Sequence[ReadPart], title: str | None, omissions: Omissions, names: Sequence[MeasureName] = ()
) -> Score:
    """Return the score of these parts. `names` are the printed names of the measures; empty if they have none.

    Ties without a second note are left out and added to `omissions`.
    Raise PARSE_ERROR if times have no common divisor, and TOO_LARGE if there are too many bars.
    """
    measures = [part.measures for part in parts]
    columns = _columns(measures)
    starts, metres, pickup = _bar_lines(columns)
    end = starts[-1] if starts else Fraction(0)
    score = Score(
        parts=tuple(
            Part.of(
                part.name,
                _merge_tied_notes(part.measures, starts, omissions),
                part.instrument,
                _lyrics(part.measures, starts),
            )
            for part in parts
        ),
        metres=metres,
        keys=_without_repeats(_collect(measures, starts, lambda measure: measure.keys)),
        tempos=_without_repeats(_collect(measures, starts, lambda measure: measure.tempos)),
        chords=tuple(
            ChordMark(at, symbol) for at, symbol in _collect(measures, starts, lambda measure: measure.chords)
        ),
        pickup=pickup,
        title=title,
        rest_to=end,
        fermatas=tuple(at for at, _ in _collect(measures, starts, lambda measure: measure.fermatas)),
    )
    printed = read_printed_measures(names, starts, score.bar_lines)
    if not is_counted(printed, score.bar_lines):
        score = replace(score, printed_measures=printed)
    return check_bar_count(score)


def _columns(parts: Sequence[list[ReadMeasure]]) -> list[list[ReadMeasure]]:
    """Return, for each measure number, the measures of all parts."""
    longest = max(map(len, parts), default=0)
    return [[part[place] for part in parts if place < len(part)] for place in range(longest)]


def _bar_lines(
    columns: list[list[ReadMeasure]],
) -> tuple[list[Fraction], tuple[tuple[Fraction, Metre], ...], Fraction]:
    """Return the starts of all measures and the end of the last, the metres, and the length of the pickup."""
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
        check_common_divisor(now, place + 1)
    return [*starts, now], tuple(metres) or ((Fraction(0), COMMON_TIME),), pickup


def _merge_tied_notes(measures: Iterable[ReadMeasure], starts: list[Fraction], omissions: Omissions) -> list[Note]:
    """Return the notes of a part in score time, with tied notes merged."""
    notes: list[Note] = []
    waiting: dict[tuple[Pitch, Fraction], list[tuple[int, int]]] = {}
    """For each pitch and end: the notes that are tied to a next note, and the measure of the tie."""
    untied_back: list[tuple[Fraction, int]] = []
    for number, (measure, begin) in enumerate(zip(measures, starts, strict=False), start=1):
        written_notes = measure.notes
        if any(first.start > second.start for first, second in pairwise(written_notes)):
            written_notes = sorted(written_notes, key=lambda note: note.start)
        for written in written_notes:
            start = begin + written.start
            duration, pitch = written.duration, written.pitch
            place = None
            if written.tied_to_previous:
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
            if written.tied_to_next:
                waiting.setdefault((pitch, start + duration), []).append((place, number))
    for number in sorted(number for ties in waiting.values() for _, number in ties):
        omissions.add(UNTIED, number)
    untied = {moment for _, moment in waiting}
    for moment, number in untied_back:
        if moment not in untied:
            omissions.add(UNTIED_BACK, number)
    return notes


def _lyrics(measures: Iterable[ReadMeasure], starts: list[Fraction]) -> TimedLyrics:
    """Return the syllables of a part in score time. If two of a verse stand at one time, the first is used."""
    found: dict[tuple[Fraction, int], Lyric] = {}
    for measure, begin in zip(measures, starts, strict=False):
        for at, lyric in measure.lyrics:
            found.setdefault((begin + at, lyric.verse), lyric)
    return tuple((at, lyric) for (at, _), lyric in sorted(found.items(), key=lambda each: each[0]))


def _collect(
    parts: Sequence[list[ReadMeasure]], starts: list[Fraction], what: Callable[[ReadMeasure], list[tuple[Fraction, _T]]]
) -> list[tuple[Fraction, _T]]:
    """Return the items of all measures, sorted by time. If several parts have one, that of the first part is used."""
    found: dict[Fraction, _T] = {}
    for measures in parts:
        for measure, begin in zip(measures, starts, strict=False):
            for at, item in what(measure):
                found.setdefault(begin + at, item)
    return sorted(found.items(), key=lambda each: each[0])


def _without_repeats(items: list[tuple[Fraction, _T]]) -> tuple[tuple[Fraction, _T], ...]:
    """Return the items without those that are equal to the previous one."""
    return tuple(each for place, each in enumerate(items) if place == 0 or items[place - 1][1] != each[1])
