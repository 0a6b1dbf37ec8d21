"""The nine transformations of a phrase. Each takes a score and gives a new one that begins at 0.

Rests count: a phrase lasts from its beginning to its end, and what is repeated follows at once. Where the phrase has
several parts, all are transformed alike.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from consort_compose.composer.phrases.diatonic import in_range, mirrored, shifted
from consort_music.errors import MusicError
from consort_music.intervals import Interval, between, transpose
from consort_music.keys import Key
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score
from consort_music.transposition import fifths

MAX_NOTES = 20_000
MAJOR_SECOND = Interval(1, 2)
_MOST_SHARPS = 7


@dataclass(frozen=True)
class Wish:
    """How to transform, in numbers and keys instead of names."""

    key: Key
    repetitions: int = 1
    interval: Interval = MAJOR_SECOND
    upward: bool = True
    chromatic: bool = False
    tonal: bool = False


def repeat(phrase: Score, wish: Wish) -> Score:
    return joined([phrase] * wish.repetitions)


def sequence(phrase: Score, wish: Wish) -> Score:
    """The phrase again and again, each time moved by one more interval: exactly, or (tonal) inside of the key."""
    interval = wish.interval if wish.upward else -wish.interval
    ways = [Interval(times * interval.steps, times * interval.semitones) for times in range(1, wish.repetitions + 1)]
    return joined([_moved(phrase, way, wish) for way in ways])


def inversion(phrase: Score, wish: Wish) -> Score:
    """Mirrored around the first note (`upward`) or the last: inside of the key, or exactly (chromatic)."""
    lines = [part for part in phrase.parts if part.notes]
    axis = (lines[0].notes[0] if wish.upward else lines[0].notes[-1]).pitch

    def turned(pitch: Pitch) -> Pitch:
        if wish.chromatic:
            in_range(2 * axis.midi - pitch.midi, "The inversion")
            return transpose(axis, -between(axis, pitch))
        return mirrored(pitch, axis, wish.key)

    return _each_pitch(phrase, turned)


def retrograde(phrase: Score, _: Wish) -> Score:
    end = phrase.length
    return _each_note(phrase, lambda note: note._replace(start=end - note.end), rest_to=end)


def retrograde_inversion(phrase: Score, wish: Wish) -> Score:
    return retrograde(inversion(phrase, wish), wish)


def augmentation(phrase: Score, _: Wish) -> Score:
    return _scaled(phrase, Fraction(2))


def diminution(phrase: Score, _: Wish) -> Score:
    return _scaled(phrase, Fraction(1, 2))


def fragment_first(phrase: Score, wish: Wish) -> Score:
    starts = _starts(phrase)
    end = starts[wish.repetitions] if wish.repetitions < len(starts) else phrase.length
    return _cut(phrase, starts[0], end)


def fragment_last(phrase: Score, wish: Wish) -> Score:
    starts = _starts(phrase)
    return _cut(phrase, starts[max(len(starts) - wish.repetitions, 0)], phrase.length)


TRANSFORMATIONS: dict[str, Callable[[Score, Wish], Score]] = {
    "repeat": repeat,
    "sequence": sequence,
    "inversion": inversion,
    "retrograde": retrograde,
    "retrograde_inversion": retrograde_inversion,
    "augmentation": augmentation,
    "diminution": diminution,
    "fragment_first": fragment_first,
    "fragment_last": fragment_last,
}


def transform(phrase: Score, names: Iterable[str], wish: Wish) -> Score:
    """One transformation after the other, each of what the one before made."""
    for name in names:
        phrase = TRANSFORMATIONS[name](phrase, wish)
    return phrase


def joined(scores: list[Score]) -> Score:
    """One after the other. Metre and key are the first's."""
    if sum(score.note_count for score in scores) > MAX_NOTES:
        raise MusicError(
            "TOO_LARGE",
            f"The result would have more than {MAX_NOTES:,} notes. Give fewer repetitions, or a shorter phrase.",
            field="repetitions",
        )
    first = scores[0]
    lines: list[list[Note]] = [[] for _ in first.parts]
    at = Fraction(0)
    for score in scores:
        for line, part in zip(lines, score.parts, strict=True):
            line += [note._replace(start=note.start + at) for note in part.notes]
        at += score.length
    parts = [replace(part, notes=tuple(line)) for part, line in zip(first.parts, lines, strict=True)]
    return replace(first, parts=tuple(parts), rest_to=at, chords=(), fermatas=())


def _moved(phrase: Score, interval: Interval, wish: Wish) -> Score:
    readable = _readable(interval, wish.key)

    def moved(pitch: Pitch) -> Pitch:
        if wish.tonal:
            return shifted(pitch, interval.steps, wish.key)
        in_range(pitch.midi + interval.semitones, "The sequence")
        return transpose(pitch, readable)

    return _each_pitch(phrase, moved)


def _readable(interval: Interval, key: Key) -> Interval:
    """The interval, or where it leads to a key of more than seven sharps or flats, as many semitones by other letters:
    D major instead of E double flat major."""
    steps, semitones = interval.steps, interval.semitones
    sharps = key.sharps + fifths(interval)
    if abs(sharps) > _MOST_SHARPS:
        steps += (sharps + _MOST_SHARPS - 1) // 12
    return Interval(steps, semitones)


def _scaled(phrase: Score, factor: Fraction) -> Score:
    return replace(
        _each_note(
            phrase,
            lambda note: note._replace(start=note.start * factor, duration=note.duration * factor),
            rest_to=phrase.length * factor,
        ),
        pickup=(phrase.pickup * factor) % phrase.metre.bar,
    )


def _starts(phrase: Score) -> list[Fraction]:
    return sorted({note.start for part in phrase.parts for note in part.notes})


def _cut(phrase: Score, begin: Fraction, end: Fraction) -> Score:
    parts = []
    for part in phrase.parts:
        kept = [note for note in part.notes if begin <= note.start < end]
        notes = [note._replace(start=note.start - begin, duration=min(note.end, end) - note.start) for note in kept]
        parts.append(replace(part, notes=tuple(notes)))
    return replace(phrase, parts=tuple(parts), rest_to=end - begin, pickup=Fraction(0), chords=(), fermatas=())


def _each_pitch(phrase: Score, change: Callable[[Pitch], Pitch]) -> Score:
    return _each_note(phrase, lambda note: note._replace(pitch=change(note.pitch)), rest_to=phrase.length)


def _each_note(phrase: Score, change: Callable[[Note], Note], rest_to: Fraction) -> Score:
    parts = [Part.of(part.name, map(change, part.notes), part.instrument) for part in phrase.parts]
    return replace(phrase, parts=tuple(parts), rest_to=rest_to, chords=(), fermatas=())
