"""The harmony of given music: chords, Roman numerals, functions, cadences; the engine of `analyze_harmony`.

Music in several voices is heard as it is (`segments.py`). A melody alone has no chords, only likely ones: those of the
best classical harmonisation, and the answer says so. Chord symbols that the music has already come first
(`written.py`).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from consort_compose.composer.harmony.augmented_sixths import Stretch, augmented_sixths
from consort_compose.composer.harmony.chords import (
    DIMINISHED,
    MAJOR,
    MAJOR_SCALE,
    MINOR,
    QUALITIES,
    Chord,
    Function,
    chord_on,
    symbol_of,
)
from consort_compose.composer.harmony.harmonize import Task, harmonize
from consort_compose.composer.harmony.line import ChordRhythm, read_line
from consort_compose.composer.harmony.numerals import applied_to, name_chords
from consort_compose.composer.harmony.phrases import phrases
from consort_compose.composer.harmony.segments import Segment, segments, spelling_of
from consort_compose.composer.harmony.written import Written, in_key, written_chords
from consort_music.bars import Place
from consort_music.chords import ChordSymbol
from consort_music.keys import Key
from consort_music.pitch import STEPS
from consort_music.score import Note, Part, Score

CadenceKind = Literal["perfect", "imperfect", "plagal", "half", "deceptive"]

_USUAL_DEGREES = ((1, 0), (2, -1), (2, 0), (3, -1), (3, 0), (4, 0), (4, 1), (5, 0), (6, -1), (6, 0), (7, -1), (7, 0))
_RAISED = {(2, -1): (1, 1), (3, -1): (2, 1), (6, -1): (5, 1)}
"""In major, where nothing is spelled: a diminished chord leads upward."""
_POLYPHONIC = Fraction(5, 4)
"""Where on average more notes than this sound at once, the music has chords of its own."""


@dataclass(frozen=True)
class Analysed:
    """A chord, its place, and what it is in the key."""

    start: Fraction
    end: Fraction
    place: Place
    symbol: ChordSymbol
    numeral: str
    function: Function
    chord: Chord
    bass: int
    """Semitones above the tonic."""


@dataclass(frozen=True)
class Cadence:
    kind: CadenceKind
    place: Place
    numerals: tuple[str, str]


@dataclass(frozen=True)
class Analysis:
    key: Key
    chords: list[Analysed]
    """Neighbours differ; where nothing sounds there is no chord."""
    cadences: list[Cadence]
    is_implied: bool
    """Whether the chords are only likely ones, under a melody without accompaniment."""


def analyze_harmony(score: Score, key: Key, rhythm: ChordRhythm = "per_beat") -> Analysis:
    is_melody = not has_chords(score)
    written = written_chords(score, has_chords=not is_melody)
    is_implied = is_melody and not written
    found: list[_Found] = []
    if is_implied or not is_melody:
        found = _implied(score, key, rhythm) if is_implied else _heard(score, key, rhythm)
    found = _with_written(found, written, key)
    if not is_melody:
        found = _with_augmented_sixths(score, key, found)
    chords = _named(score, key, _merged(found))
    return Analysis(key, chords, _cadences(score, key, chords), is_implied)


def has_chords(score: Score) -> bool:
    """Whether the music has more than one voice most of the time."""
    notes = [note for part in score.parts for note in part.notes]
    changes = sorted([(note.start, 1) for note in notes] + [(note.end, -1) for note in notes])
    sounding, silent_until, covered = 0, Fraction(0), Fraction(0)
    for moment, change in changes:
        if sounding:
            covered += moment - silent_until
        sounding += change
        silent_until = moment
    return sum(note.duration for note in notes) > _POLYPHONIC * covered


@dataclass(frozen=True)
class _Found:
    start: Fraction
    end: Fraction
    chord: Chord
    bass: int
    symbol: ChordSymbol | None = None
    """As it is written above the music."""


def _with_written(found: Sequence[_Found], written: Sequence[Written], key: Key) -> list[_Found]:
    """The written chords, and what was found where there are none."""
    whole = [_Found(one.start, one.end, *in_key(one, key), one.symbol) for one in written]
    ends = [one.end for one in written]
    for other in found:
        start = other.start
        for one in written[bisect_right(ends, start) :]:
            if one.start >= other.end:
                break
            if one.start > start:
                whole.append(replace(other, start=start, end=one.start))
            start = one.end
        if start < other.end:
            whole.append(replace(other, start=start))
    return sorted(whole, key=lambda one: one.start)


def _heard(score: Score, key: Key, rhythm: ChordRhythm) -> list[_Found]:
    leading = {(key.tonic + 11) % 12} if key.mode == "minor" else set()
    heard = segments(score, rhythm, frozenset(leading.union(key.pitch_classes)))
    inside = _inside(score, [(segment.start, segment.end) for segment in heard])
    return [
        _in_key(segment, key, notes if score.is_spelled else ()) for segment, notes in zip(heard, inside, strict=True)
    ]


def _inside(score: Score, stretches: Sequence[tuple[Fraction, Fraction]]) -> list[list[Note]]:
    """The notes of all parts that sound in each stretch."""
    notes = Part.of("all", [note for part in score.parts for note in part.notes]).notes
    starts = [note.start for note in notes]
    longest = max((note.duration for note in notes), default=Fraction(0))
    found = []
    for start, end in stretches:
        near = notes[bisect_left(starts, start - longest) : bisect_left(starts, end)]
        found.append([note for note in near if note.end > start])
    return found


def _with_augmented_sixths(score: Score, key: Key, found: Sequence[_Found]) -> list[_Found]:
    inside = _inside(score, [(one.start, one.end) for one in found])
    stretches = [
        Stretch(one.start, notes, one.chord.root, one.bass, one.symbol is not None)
        for one, notes in zip(found, inside, strict=True)
    ]
    sixths = augmented_sixths(stretches, key, score.is_spelled)
    return [replace(one, chord=sixth) if sixth else one for one, sixth in zip(found, sixths, strict=True)]


def _in_key(segment: Segment, key: Key, inside: Sequence[Note]) -> _Found:
    """What a segment is in the key; `inside` are its notes, if somebody spelled them."""
    number, alteration = _degree(key, segment.root, spelling_of(inside, segment.root))
    if not inside and not key.is_minor and QUALITIES[segment.suffix].family == DIMINISHED:
        number, alteration = _RAISED.get((number, alteration), (number, alteration))
    chord = chord_on(number, segment.suffix, minor=key.is_minor, alteration=alteration)
    return _Found(segment.start, segment.end, chord, (segment.bass - key.tonic) % 12)


def _degree(key: Key, root: int, spelling: tuple[str, int] | None) -> tuple[int, int]:
    """The degree that a root is, by its spelling where that is sensible."""
    semitones = (root - key.tonic) % 12
    if spelling is not None:
        letters = (STEPS.index(spelling[0]) - STEPS.index(key.step)) % 7
        alteration = (semitones - MAJOR_SCALE[letters] + 6) % 12 - 6
        if abs(alteration) <= 1:
            return letters + 1, alteration
    return _USUAL_DEGREES[semitones]


def _implied(score: Score, key: Key, rhythm: ChordRhythm) -> list[_Found]:
    line = read_line(score)
    best = harmonize(Task(line, key, "classical", rhythm), 1)
    return [
        _Found(line.moment(span.start), line.moment(span.end), setting.chord, setting.bass)
        for span, setting in zip(best.spans, best.options[0], strict=True)
    ]


def _merged(found: Sequence[_Found]) -> list[_Found]:
    merged: list[_Found] = []
    for one in found:
        last = merged[-1] if merged else None
        if last and (last.chord, last.bass, last.end, last.symbol) == (one.chord, one.bass, one.start, one.symbol):
            merged[-1] = replace(last, end=one.end)
        else:
            merged.append(one)
    return merged


def _named(score: Score, key: Key, found: Sequence[_Found]) -> list[Analysed]:
    named = []
    names = name_chords(key, [(one.chord, one.bass) for one in found])
    for one, (numeral, function) in zip(found, names, strict=True):
        chord = one.chord
        symbol = one.symbol or symbol_of(key, chord.number, chord.alteration, chord.suffix, one.bass)
        named.append(Analysed(one.start, one.end, score.place(one.start), symbol, numeral, function, chord, one.bass))
    return named


def _cadences(score: Score, key: Key, chords: Sequence[Analysed]) -> list[Cadence]:
    """How each phrase ends: by the first chord under its last note that makes a cadence with one of the same phrase."""
    line = read_line(score)
    found = []
    for phrase in phrases(line):
        begin, start = line.moment(phrase.first.start), line.moment(phrase.last.start)
        end = line.moment(phrase.last.end)
        top = (phrase.last.midi - key.tonic) % 12
        said = [chord for chord in chords if chord.start < end and chord.end > begin]
        under = [index for index, chord in enumerate(said) if chord.end > start]
        if not phrase.is_certain and not _rests([said[index] for index in under]):
            continue
        for index in under:
            here = said[index]
            before = next((chord for chord in said[:index][::-1] if chord.chord.root != here.chord.root), None)
            kind = _kind(key, before, here, top) if before else None
            if before is not None and kind is not None:
                found.append(Cadence(kind, here.place, (before.numeral, here.numeral)))
                break
    return found


def _rests(chords: Sequence[Analysed]) -> bool:
    """Whether the harmony under a long note comes to rest with it: the bass stays, and no seventh enters."""
    is_still = len({chord.bass for chord in chords}) == 1
    return is_still and not (len(chords) > 1 and chords[-1].chord.is_extended)


def _kind(key: Key, before: Analysed, here: Analysed, top: int) -> CadenceKind | None:
    """What the step from one chord to another is at the end of a phrase. A dominant has the leading tone, unless the
    mode has none; one that is applied, or that of the relative major, makes a cadence on its own degree."""
    first, last = before.chord, here.chord
    is_stable = here.bass == last.root
    is_modal = key.mode != "minor" and (key.tonic + 11) % 12 not in key.pitch_classes
    if last.root == 7:
        return "half" if is_stable and (last.family == MAJOR or is_modal) else None
    leads_home = last.root == 0 and first.root in (7, 11) and (first.family != MINOR or is_modal)
    is_relative = key.is_minor and (first.root, last.root) == (10, 3)
    if leads_home or is_relative or applied_to(key, first, last) is not None:
        at_root = before.bass == first.root == (last.root + 7) % 12 and is_stable
        return "perfect" if at_root and top == last.root else "imperfect"
    if last.root == 0:
        return "plagal" if first.root == 5 and is_stable else None
    is_deceptive = first.root == 7 and first.family == MAJOR and last.root in (8, 9)
    return "deceptive" if is_deceptive and is_stable else None
