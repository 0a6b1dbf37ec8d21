"""The nine transformations of a phrase. Each takes a score and returns a new one that begins at 0.

Rests at the start and the end are part of the phrase, so repetitions keep them. All parts are transformed in the same
way.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from consort_compose.composer.music_reading import MOST_NOTES
from consort_compose.composer.phrases.diatonic import check_midi_range, mirror_in_key, shift_in_key
from consort_music.errors import MusicError
from consort_music.intervals import Interval, interval_between, transpose
from consort_music.keys import Key
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score
from consort_music.transposition import fifths_of

MAJOR_SECOND = Interval(1, 2)
_MOST_SHARPS = 7


@dataclass(frozen=True)
class TransformOptions:
    key: Key
    repetitions: int = 1
    """Number of repetitions or sequence steps. For fragments, the number of notes to keep."""
    interval: Interval = MAJOR_SECOND
    """The step of a sequence."""
    upward: bool = True
    """Whether a sequence rises. For an inversion, whether the axis is the first note (otherwise the last)."""
    chromatic: bool = False
    """Whether an inversion is by exact semitones, not in the key."""
    tonal: bool = False
    """Whether a sequence stays in the key, not by the exact interval."""


def repeat(phrase: Score, options: TransformOptions) -> Score:
    return join_scores([phrase] * options.repetitions)


def sequence(phrase: Score, options: TransformOptions) -> Score:
    """Return copies of the phrase, moved by 1, 2, 3 … times the interval, without the original.

    They are moved by the exact interval, or inside the key (`tonal`).
    """
    interval = options.interval if options.upward else -options.interval
    shifts = [
        Interval(times * interval.steps, times * interval.semitones) for times in range(1, options.repetitions + 1)
    ]
    return join_scores([_transpose_phrase(phrase, shift, options) for shift in shifts])


def inversion(phrase: Score, options: TransformOptions) -> Score:
    """Invert the phrase around the first note of the first part, or around its last note if `upward` is False.

    Notes stay inside the key, or are mirrored by exact semitones (`chromatic`).
    """
    lines = [part for part in phrase.parts if part.notes]
    axis = (lines[0].notes[0] if options.upward else lines[0].notes[-1]).pitch

    def mirror(pitch: Pitch) -> Pitch:
        if options.chromatic:
            check_midi_range(2 * axis.midi - pitch.midi, "The inversion")
            return transpose(axis, -interval_between(axis, pitch))
        return mirror_in_key(pitch, axis, options.key)

    return _map_pitches(phrase, mirror)


def retrograde(phrase: Score, _: TransformOptions) -> Score:
    end = phrase.length
    return _map_notes(phrase, lambda note: note._replace(start=end - note.end), rest_to=end)


def retrograde_inversion(phrase: Score, options: TransformOptions) -> Score:
    return retrograde(inversion(phrase, options), options)


def augmentation(phrase: Score, _: TransformOptions) -> Score:
    return _scale_durations(phrase, Fraction(2))


def diminution(phrase: Score, _: TransformOptions) -> Score:
    return _scale_durations(phrase, Fraction(1, 2))


def fragment_first(phrase: Score, options: TransformOptions) -> Score:
    """Return the notes from the first n onsets of the phrase. `repetitions` is n."""
    starts = _onsets(phrase)
    end = starts[options.repetitions] if options.repetitions < len(starts) else phrase.length
    return _cut_out(phrase, starts[0], end)


def fragment_last(phrase: Score, options: TransformOptions) -> Score:
    """Return the notes from the last n onsets of the phrase. `repetitions` is n."""
    starts = _onsets(phrase)
    return _cut_out(phrase, starts[max(len(starts) - options.repetitions, 0)], phrase.length)


TRANSFORMATIONS: dict[str, Callable[[Score, TransformOptions], Score]] = {
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


def transform(phrase: Score, names: Iterable[str], options: TransformOptions) -> Score:
    """Apply the named transformations one after the other."""
    for name in names:
        phrase = TRANSFORMATIONS[name](phrase, options)
    return phrase


def join_scores(scores: list[Score]) -> Score:
    """Concatenate the scores. Metre and key are those of the first.

    Raise TOO_LARGE if the result would have more than MOST_NOTES notes.
    """
    if sum(score.note_count for score in scores) > MOST_NOTES:
        raise MusicError(
            "TOO_LARGE",
            f"The result would have more than {MOST_NOTES:,} notes. Give fewer repetitions, or a shorter phrase.",
            field="repetitions",
        )
    first = scores[0]
    lines: list[list[Note]] = [[] for _ in first.parts]
    at = Fraction(0)
    for score in scores:
        for line, part in zip(lines, score.parts, strict=True):
            line += [note._replace(start=note.start + at) for note in part.notes]
        at += score.length
    parts = [replace(part, notes=tuple(line), lyrics=()) for part, line in zip(first.parts, lines, strict=True)]
    return replace(first, parts=tuple(parts), rest_to=at, chords=(), fermatas=(), printed_measures=())


def _transpose_phrase(phrase: Score, interval: Interval, options: TransformOptions) -> Score:
    respelled = _respell(interval, options.key)

    def move(pitch: Pitch) -> Pitch:
        if options.tonal:
            return shift_in_key(pitch, interval.steps, options.key)
        check_midi_range(pitch.midi + interval.semitones, "The sequence")
        return transpose(pitch, respelled)

    return _map_pitches(phrase, move)


def _respell(interval: Interval, key: Key) -> Interval:
    """Return the interval, respelled enharmonically if the transposed key has more than seven sharps or flats.

    For example, D major is used instead of E double flat major.
    """
    steps, semitones = interval.steps, interval.semitones
    sharps = key.sharps + fifths_of(interval)
    if abs(sharps) > _MOST_SHARPS:
        steps += (sharps + _MOST_SHARPS - 1) // 12
    return Interval(steps, semitones)


def _scale_durations(phrase: Score, factor: Fraction) -> Score:
    return replace(
        _map_notes(
            phrase,
            lambda note: note._replace(start=note.start * factor, duration=note.duration * factor),
            rest_to=phrase.length * factor,
        ),
        pickup=(phrase.pickup * factor) % phrase.metre.bar,
        printed_measures=(),
    )


def _onsets(phrase: Score) -> list[Fraction]:
    return sorted({note.start for part in phrase.parts for note in part.notes})


def _cut_out(phrase: Score, begin: Fraction, end: Fraction) -> Score:
    parts = []
    for part in phrase.parts:
        kept = [note for note in part.notes if begin <= note.start < end]
        notes = [note._replace(start=note.start - begin, duration=min(note.end, end) - note.start) for note in kept]
        parts.append(replace(part, notes=tuple(notes), lyrics=()))
    shorter = replace(phrase, parts=tuple(parts), rest_to=end - begin, pickup=Fraction(0), chords=(), fermatas=())
    return replace(shorter, printed_measures=())


def _map_pitches(phrase: Score, change: Callable[[Pitch], Pitch]) -> Score:
    return _map_notes(phrase, lambda note: note._replace(pitch=change(note.pitch)), rest_to=phrase.length)


def _map_notes(phrase: Score, change: Callable[[Note], Note], rest_to: Fraction) -> Score:
    parts = [Part.of(part.name, map(change, part.notes), part.instrument) for part in phrase.parts]
    return replace(phrase, parts=tuple(parts), rest_to=rest_to, chords=(), fermatas=())
