"""Harmonisations of a melody, each with its chords, its music and what it is worth: the engine of `reharmonize`."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from consort_compose.composer.harmony.harmonize import Setting, Task, harmonize
from consort_compose.composer.harmony.line import ChordRhythm, Span, melody_of, read_line
from consort_compose.composer.harmony.realization import Texture, best_octave, four_voices, realize
from consort_compose.composer.harmony.scoring import BARS, Scores, chord_melody_fit, style_adherence
from consort_compose.composer.harmony.styles import BassMotion, keeps_motion
from consort_compose.composer.harmony.vocabulary import Style, vocabulary
from consort_compose.composer.measures import in_words, listed
from consort_compose.composer.voice_leading import analyse_voice_leading
from consort_compose.composer.voicings.satb import RANGES
from consort_music.bars import Place
from consort_music.chords.layout import ChordSpan
from consort_music.keys import Key
from consort_music.score import Part, Score

_SPARE = 3
"""Harmonisations that are looked for beyond those asked for, should some not be singable without parallels."""


@dataclass(frozen=True)
class Remark:
    """Something that was not done quite as asked, and in which measure."""

    message: str
    measure: int | None = None
    code: str = "CONSTRAINT_RELAXED"


@dataclass(frozen=True)
class Option:
    settings: list[Setting]
    chords: list[ChordSpan]
    score: Score
    scores: Scores
    parallels: list[int]
    """The measures in which two of its four voices go in fifths or octaves."""
    beyond: dict[str, int]
    """Voices that leave their range, and the measure in which each first does."""


@dataclass(frozen=True)
class Reharmonization:
    key: Key
    options: list[Option]
    """The best first."""
    places: list[Place]
    """Where each chord begins."""
    remarks: list[Remark]


def reharmonize(
    score: Score,
    key: Key,
    style: Style,
    *,
    rhythm: ChordRhythm = "per_measure",
    count: int = 3,
    allow_extended: bool | None = None,
    bass_motion: BassMotion = "any",
    texture: Texture = "satb",
    seed: int | None = None,
) -> Reharmonization:
    """Up to `count` different harmonisations of a score's melody, ranked by their overall score."""
    line = read_line(score)
    task = Task(line, key, style, rhythm, allow_extended, bass_motion, seed)
    found = harmonize(task, count + _SPARE)
    options = _chosen((_option(score, task, found.spans, settings, texture) for settings in found.options), count)
    places = [score.place(line.moment(span.start)) for span in found.spans]
    names = {note.midi: note.pitch.name for note in melody_of(score)}
    remarks = [*_melody_remarks(task, found.spans, options[0], names), *_bass_remarks(task, options[0], places)]
    if texture == "satb" and (octave := best_octave([note.midi for note in line.notes])):
        where = "up" if octave > 0 else "down"
        remarks.append(
            Remark(f"The melody was moved {_octaves(octave)} {where}, into the range of a soprano.", code="TRANSPOSED")
        )
    if texture == "satb":
        remarks += [*_parallel_remarks(options), *_range_remarks(options)]
    if len(options) < count:
        remarks.append(Remark(_why_fewer(len(options), count, found.exhausted), code="FEWER_OPTIONS"))
    return Reharmonization(key, options, places, remarks)


def _octaves(semitones: int) -> str:
    count = abs(semitones) // 12
    return "an octave" if count == 1 else f"{count} octaves"


def _parallel_remarks(options: Sequence[Option]) -> Iterator[Remark]:
    places = {rank: option.parallels for rank, option in enumerate(options, 1) if option.parallels}
    if places:
        told = ", ".join(f"option {rank} in {in_words(measures)}" for rank, measures in places.items())
        first = min(measure for measures in places.values() for measure in measures)
        yield Remark(f"There are parallel fifths or octaves that no other voicing avoids: {told}.", first)


def _range_remarks(options: Sequence[Option]) -> Iterator[Remark]:
    for rank, option in enumerate(options, 1):
        for voice, measure in option.beyond.items():
            if voice != "soprano":
                yield Remark(
                    f"In option {rank} the {voice} leaves its range, because the melody allows no other voicing.",
                    measure,
                )
            elif rank == 1:
                yield Remark("The melody leaves the range of a soprano.", measure)


def _chosen(candidates: Iterable[Option], count: int) -> list[Option]:
    """The first ones whose four voices have no parallels, filled up with others where there are too few; ranked."""
    clean: list[Option] = []
    others: list[Option] = []
    for candidate in candidates:
        (others if candidate.parallels else clean).append(candidate)
        if len(clean) == count:
            break
    chosen = [*clean, *others][:count]
    return sorted(chosen, key=lambda option: -round(option.scores.overall, 6))


def _option(score: Score, task: Task, spans: Sequence[Span], settings: list[Setting], texture: Texture) -> Option:
    line = task.line
    chords = [
        ChordSpan(line.moment(span.start), line.moment(span.end), setting.symbol(task.key))
        for span, setting in zip(spans, settings, strict=True)
    ]
    melody = melody_of(score)
    voices = four_voices(melody, chords)
    analysis = analyse_voice_leading(voices, score.place)
    eights = max(1.0, len({beat.bar for beat in line.beats}) / BARS)
    scores = Scores(
        voice_leading=max(0.0, 1 - float(analysis.lost(given="soprano")) / eights),
        chord_melody_fit=chord_melody_fit(task, spans, settings),
        style_adherence=style_adherence(task, spans, settings),
    )
    music = realize(score, melody, chords, texture, voices)
    music = _in_key(music, task.key)
    parallels = [fault.place.measure for fault in (*analysis.parallel_fifths, *analysis.parallel_octaves)]
    return Option(settings, chords, music, scores, sorted(set(parallels)), _beyond(voices, score))


def _beyond(voices: Sequence[Part], score: Score) -> dict[str, int]:
    found: dict[str, int] = {}
    for part, (low, high) in zip(voices, RANGES, strict=True):
        outside = (note.start for note in part.notes if not low <= note.midi <= high)
        if (moment := next(outside, None)) is not None:
            found[part.name] = score.place(moment).measure
    return found


def _in_key(music: Score, key: Key) -> Score:
    """The music with the key that it was harmonised in: where it says none, or only the same signature."""
    if not music.keys:
        return replace(music, keys=((Fraction(0), key),))
    (start, stated), *later = music.keys
    return replace(music, keys=((start, key), *later)) if stated.sharps == key.sharps else music


def _melody_remarks(task: Task, spans: Sequence[Span], option: Option, names: dict[int, str]) -> Iterator[Remark]:
    """Strong notes that are in none of the style's chords, and those that share none with the other strong notes.
    `names` has how the melody spells its notes."""
    own = {tone for chord in vocabulary(task.style, task.key.mode, task.allow_extended).chords for tone in chord.tones}
    foreign: dict[str, list[int]] = {}
    outside: dict[str, None] = {}
    left_outside = []
    for span, setting, (start, _, symbol) in zip(spans, option.settings, option.chords, strict=True):
        measure = option.score.place(start).measure
        for note in task.line.strong_notes(span):
            degree = (note.midi - task.key.tonic) % 12
            if degree not in own:
                foreign.setdefault(names[note.midi], []).append(measure)
                if degree in setting.chord.tones:
                    outside[symbol.name] = None
            if degree not in setting.chord.tones:
                left_outside.append(measure)
    if foreign:
        notes = ", ".join(f"{name} ({in_words(places)})" for name, places in foreign.items())
        used = f"; chords from outside the style were used: {listed(outside)}" if outside else ""
        first = min(measure for places in foreign.values() for measure in places)
        yield Remark(f"Some strong notes are in no chord of the {task.style} style: {notes}{used}.", first)
    if left_outside:
        finer = {"per_measure": "per_half or per_beat", "per_half": "per_beat"}.get(task.rhythm)
        hint = f" More chords (chord_rhythm {finer}) leave room for them." if finer else ""
        yield Remark(
            f"In {in_words(left_outside)} no chord of the style has the notes of all strong beats. It was chosen for "
            "the "
            f"first of them (at the end, the last).{hint}",
            min(left_outside),
        )


def _bass_remarks(task: Task, option: Option, places: Sequence[Place]) -> Iterator[Remark]:
    if task.bass_motion in ("any", "pedal"):
        return
    leaps = [
        place.measure
        for (first, second), place in zip(pairwise(option.settings), places[1:], strict=True)
        if not keeps_motion(task.bass_motion, first.bass, second.bass)
    ]
    if leaps:
        wanted = "by step" if task.bass_motion == "stepwise" else "by fourths and fifths"
        yield Remark(
            f"The bass cannot always move {wanted} under this melody; option 1 has {len(leaps)} other moves, the first "
            f"in measure {leaps[0]}.",
            leaps[0],
        )


def _why_fewer(found: int, wanted: int, exhausted: bool) -> str:
    why = (
        "no other chords of the style keep the melody's strong notes in the chord"
        if exhausted
        else "the others break too many rules of the style"
    )
    return f"Only {found} of {wanted} options were found: {why}. Try another style, chord_rhythm or bass_motion."
