"""Return several harmonizations of a melody, each with its chords, music and scores, and remarks about them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from consort_compose.composer.harmony.harmonize.scoring import (
    BARS,
    HarmonizationScores,
    chord_melody_fit,
    style_adherence,
)
from consort_compose.composer.harmony.harmonize.search.find_harmonies import FoundHarmony, harmonize
from consort_compose.composer.harmony.harmonize.search.harmony_task import ChordWithBass, HarmonyTask
from consort_compose.composer.harmony.harmonize.slots.harmony_slots import HarmonySlot, merge_halves
from consort_compose.composer.harmony.harmonize.slots.melody_demands import MelodyDemand
from consort_compose.composer.harmony.harmonize.slots.pickups import begin_at_pickups
from consort_compose.composer.harmony.harmonize.styles.style_chords import HarmonyStyle, style_vocabulary
from consort_compose.composer.harmony.harmonize.styles.style_rules import BassMotion, keeps_motion
from consort_compose.composer.harmony.harmonize.writing.textures import Texture, best_octave, four_voices, with_texture
from consort_compose.composer.harmony.melody_grid import ChordRhythm, melody_grid, melody_of
from consort_compose.composer.voice_leading import analyze_voice_leading
from consort_compose.composer.voicings.engine.satb_voicings import RANGES
from consort_music.bars import BarPosition
from consort_music.chords.timed_chords import ChordSpan
from consort_music.keys import Key
from consort_music.measure_ranges import list_first, measures_in_words
from consort_music.score import Part, Score

_EXTRA_OPTIONS = 3
"""Number of extra harmonizations to find, because some may have no four voices without parallels."""


@dataclass(frozen=True)
class Remark:
    """A request that could not be fulfilled, or a change that was made, and its first measure if there is one."""

    message: str
    measure: int | None = None
    code: str = "CONSTRAINT_RELAXED"


@dataclass(frozen=True)
class Option:
    """One harmonization."""

    idea: str
    """In a few words, what distinguishes this option from the others."""
    choices: list[ChordWithBass]
    demands: list[MelodyDemand]
    """What the melody requires of each chord."""
    chords: list[ChordSpan]
    places: list[BarPosition]
    """The start of each chord."""
    score: Score
    scores: HarmonizationScores
    parallels: list[int]
    """The measures in which two of the four voices move in parallel fifths or octaves."""
    out_of_range: dict[str, int]
    """The voices that leave their range, each with the first measure where this happens."""


@dataclass(frozen=True)
class Reharmonization:
    key: Key
    options: list[Option]
    """The best first."""
    remarks: list[Remark]


def reharmonize(
    score: Score,
    key: Key,
    style: HarmonyStyle,
    *,
    rhythm: ChordRhythm = "per_measure",
    count: int = 3,
    allow_extended: bool | None = None,
    bass_motion: BassMotion = "any",
    texture: Texture = "satb",
    seed: int | None = None,
) -> Reharmonization:
    """Return up to `count` different harmonizations of a score's melody, ranked by their overall score."""
    grid = melody_grid(score)
    task = HarmonyTask(grid, key, style, rhythm, allow_extended, bass_motion, seed, texture == "satb")
    found = harmonize(task, count + (_EXTRA_OPTIONS if texture == "satb" else 0))
    options = _choose((_option(score, task, found.slots, harmony, texture) for harmony in found.options), count)
    names = {note.midi: note.pitch.name for note in melody_of(score)}
    remarks = [*_melody_remarks(task, options[0], names), *_bass_remarks(task, options[0])]
    if texture == "satb" and (octave := best_octave([note.midi for note in grid.notes])):
        where = "up" if octave > 0 else "down"
        remarks.append(
            Remark(f"The melody was moved {_octaves(octave)} {where}, into the range of a soprano.", code="TRANSPOSED")
        )
    if texture == "satb":
        remarks += [*_parallel_remarks(options), *_range_remarks(options)]
    if len(options) < count:
        remarks.append(Remark(_why_fewer(len(options), count, found.exhausted), code="FEWER_OPTIONS"))
    return Reharmonization(key, options, remarks)


def _octaves(semitones: int) -> str:
    count = abs(semitones) // 12
    return "an octave" if count == 1 else f"{count} octaves"


def _parallel_remarks(options: Sequence[Option]) -> Iterator[Remark]:
    places = {rank: option.parallels for rank, option in enumerate(options, 1) if option.parallels}
    if places:
        listing = ", ".join(f"option {rank} in {measures_in_words(measures)}" for rank, measures in places.items())
        first = min(measure for measures in places.values() for measure in measures)
        yield Remark(f"There are parallel fifths or octaves that no other voicing avoids: {listing}.", first)


def _range_remarks(options: Sequence[Option]) -> Iterator[Remark]:
    for rank, option in enumerate(options, 1):
        for voice, measure in option.out_of_range.items():
            if voice != "soprano":
                yield Remark(
                    f"In option {rank} the {voice} leaves its range, because the melody allows no other voicing.",
                    measure,
                )
            elif rank == 1:
                yield Remark("The melody leaves the range of a soprano.", measure)


def _choose(candidates: Iterable[Option], count: int) -> list[Option]:
    """Return up to `count` options, ranked by score.

    The first ones without parallels are chosen. If there are too few of them, the first ones with parallels are added.
    """
    clean: list[Option] = []
    others: list[Option] = []
    for candidate in candidates:
        (others if candidate.parallels else clean).append(candidate)
        if len(clean) == count:
            break
    chosen = [*clean, *others][:count]
    return sorted(chosen, key=lambda option: -round(option.scores.overall, 6))


def _option(
    score: Score, task: HarmonyTask, slots: Sequence[HarmonySlot], harmony: FoundHarmony, texture: Texture
) -> Option:
    grid = task.grid
    spans, choices = merge_halves(slots, harmony.choices)
    spans = begin_at_pickups(grid, task.key.tonic, slots, spans, [choice.chord for choice in choices])
    demands = [MelodyDemand(grid, task.key.tonic, span) for span in spans]
    chords = [
        ChordSpan(grid.moment(span.start), grid.moment(span.end), choice.symbol(task.key))
        for span, choice in zip(spans, choices, strict=True)
    ]
    melody = melody_of(score)
    voices = four_voices(melody, chords)
    analysis = analyze_voice_leading(voices, score.position_at)
    eights = max(1.0, len({beat.bar for beat in grid.beats}) / BARS)
    scores = HarmonizationScores(
        voice_leading=max(0.0, 1 - float(analysis.penalty(given="soprano")) / eights),
        chord_melody_fit=chord_melody_fit(task, spans, choices),
        style_adherence=style_adherence(task, demands, choices, harmony.likelihood),
    )
    music = with_texture(score, melody, chords, texture, voices, task.key, task.style)
    music = _with_key(music, task.key)
    parallels = [fault.place.measure for fault in (*analysis.parallel_fifths, *analysis.parallel_octaves)]
    return Option(
        harmony.idea,
        choices,
        demands,
        chords,
        [score.position_at(start) for start, _, _ in chords],
        music,
        scores,
        sorted(set(parallels)) if texture == "satb" else [],
        _voices_out_of_range(voices, score),
    )


def _voices_out_of_range(voices: Sequence[Part], score: Score) -> dict[str, int]:
    """Return the voices that leave their range, each with the first measure where this happens."""
    found: dict[str, int] = {}
    for part, (low, high) in zip(voices, RANGES, strict=True):
        outside = (note.start for note in part.notes if not low <= note.midi <= high)
        if (moment := next(outside, None)) is not None:
            found[part.name] = score.position_at(moment).measure
    return found


def _with_key(music: Score, key: Key) -> Score:
    """Return the music with `key` as its first key. If it states a key with another signature, return it unchanged."""
    if not music.keys:
        return replace(music, keys=((Fraction(0), key),))
    (start, stated), *later = music.keys
    return replace(music, keys=((start, key), *later)) if stated.sharps == key.sharps else music


def _melody_remarks(task: HarmonyTask, option: Option, names: dict[int, str]) -> Iterator[Remark]:
    """Yield remarks about strong notes that are in no chord of the style, and about strong notes outside their chord.

    `names` has the melody's spelling of each MIDI note.
    """
    own = {
        tone
        for chord in style_vocabulary(task.style, task.key.mode, task.allow_extended).chords
        for tone in chord.tones
    }
    foreign: dict[str, list[int]] = {}
    outside: dict[str, None] = {}
    unmatched = []
    degree_names = {(midi - task.key.tonic) % 12: name for midi, name in names.items()}
    for demand, choice, place, (_, _, symbol) in zip(
        option.demands, option.choices, option.places, option.chords, strict=True
    ):
        for note in demand.strong:
            if note.degree not in own:
                foreign.setdefault(degree_names[note.degree], []).append(place.measure)
                if note.degree in choice.chord.tones:
                    outside[symbol.name] = None
            if not note.fits(choice.chord):
                unmatched.append(place.measure)
    if foreign:
        notes = ", ".join(f"{name} ({measures_in_words(places)})" for name, places in foreign.items())
        used = f"; chords from outside the style were used: {list_first(outside)}" if outside else ""
        first = min(measure for places in foreign.values() for measure in places)
        yield Remark(f"Some strong notes are in no chord of the {task.style} style: {notes}{used}.", first)
    if unmatched:
        finer = {"per_measure": "per_half or per_beat", "per_half": "per_beat"}.get(task.rhythm)
        hint = f" Try more chords: chord_rhythm {finer}." if finer else ""
        yield Remark(
            f"In {measures_in_words(unmatched)} no chord of the style has the notes of all strong beats. The "
            f"chord was chosen for the first of them (at the end, for the last).{hint}",
            min(unmatched),
        )


def _bass_remarks(task: HarmonyTask, option: Option) -> Iterator[Remark]:
    if task.bass_motion in ("any", "pedal"):
        return
    leaps = [
        place.measure
        for (first, second), place in zip(pairwise(option.choices), option.places[1:], strict=True)
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
