"""Harmonizations of many melodies, tested with an independent checker (`evaluation/checkers/harmony.py`)."""

import random
from collections.abc import Container
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from consort_compose.composer.harmony.degree_chords import symbol_of
from consort_compose.composer.harmony.harmonize.reharmonize import Option, Reharmonization, reharmonize
from consort_compose.composer.harmony.harmonize.search.find_harmonies import harmonize
from consort_compose.composer.harmony.harmonize.search.harmony_task import HarmonyTask
from consort_compose.composer.harmony.harmonize.styles.style_chords import HarmonyStyle, style_vocabulary
from consort_compose.composer.harmony.melody_grid import melody_grid
from consort_music.keys import MODES, Key, parse_key
from consort_music.metre import parse_metre
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score
from evaluation.checkers.harmony import (
    CLASSICAL,
    METRES,
    POP,
    SCALES,
    SEVENTHS,
    TRIADS,
    CheckedChord,
    CheckedMetre,
    TimedPitch,
    chord_points,
    crossings,
    is_expected,
    parallels,
    read_symbol,
    unresolved_degrees,
)

STYLES = ("classical", "jazz", "pop", "modal")
RHYTHMS = ("per_measure", "per_beat", "per_half")
CHURCH_MODES = ("dorian", "mixolydian", "phrygian")
RANGES = ((60, 81), (53, 74), (48, 69), (40, 64))


class RandomMelody:
    """A random melody in a key. It moves mostly by step and sometimes has rests and a pickup."""

    def __init__(self, seed: int, modes: tuple[str, ...] = ("major", "minor"), bars: int = 6) -> None:
        rng = random.Random(seed)
        self.metre: CheckedMetre = rng.choice(METRES)
        self.mode = rng.choice(modes)
        self.key: Key = parse_key(f"{rng.choice(['C', 'D', 'Eb', 'F#', 'G', 'A', 'Bb'])} {self.mode}")
        self.pickup = rng.choice([Fraction(0), Fraction(0), Fraction(1, 2), Fraction(1)])
        scale = [midi for midi in range(62, 80) if (midi - self.key.tonic) % 12 in SCALES[self.mode]]
        place, at = rng.randrange(len(scale)), Fraction(0)
        self.end = self.pickup + bars * self.metre.bar
        self.events: list[TimedPitch] = []
        while at < self.end:
            length = min(
                rng.choice([Fraction(1, 2), Fraction(1), Fraction(1), Fraction(3, 2), Fraction(2)]), self.end - at
            )
            if rng.random() > 0.08 or not self.events:
                self.events.append((at, at + length, scale[place]))
            place = min(max(place + rng.choice([-2, -1, -1, 0, 1, 1, 2]), 0), len(scale) - 1)
            at += length
        self.score = self._score()

    def _score(self) -> Score:
        notes = [Note(start, end - start, self.key.spell(midi)) for start, end, midi in self.events]
        metres = ((Fraction(0), parse_metre(self.metre.name)),)
        return Score((Part.of("melody", notes),), metres, ((Fraction(0), self.key),), pickup=self.pickup)

    @property
    def last(self) -> Fraction:
        return max(end for _, end, _ in self.events)

    def points(self, rhythm: str) -> list[Fraction]:
        return chord_points(self.metre, self.pickup, self.last, rhythm)

    def unresolved(self, start: Fraction, end: Fraction, tones: Container[int]) -> list[int]:
        """Return the strong notes between two times that are not among the tones and do not resolve to one."""
        return unresolved_degrees(self.events, self.metre, self.pickup, start, min(end, self.last), tones)


def chords_of(option: Option) -> list[CheckedChord]:
    return [read_symbol(symbol.name) for _, _, symbol in option.chords]


def harmonies(tune: RandomMelody, style: str, **options: Any) -> Reharmonization:
    return reharmonize(tune.score, tune.key, style, **options)  # type: ignore[arg-type]


def degrees(tune: RandomMelody, chord: CheckedChord) -> tuple[int, str]:
    return (chord.root - tune.key.tonic) % 12, chord.suffix


@pytest.mark.parametrize("rhythm", RHYTHMS)
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", range(6))
def test_chords_are_of_the_style_and_begin_in_rhythm(seed: int, style: str, rhythm: str) -> None:
    tune = RandomMelody(seed)
    found = harmonies(tune, style, rhythm=rhythm)
    assert 1 <= len(found.options) <= 3
    for option in found.options:
        starts = [start for start, _, _ in option.chords]
        assert set(tune.points(rhythm)) <= set(starts) and starts == sorted(set(starts))
        assert set(starts) <= set(tune.points("per_half" if rhythm == "per_measure" else rhythm))
        is_pedal = option.idea.startswith("pedal on")
        for chord in chords_of(option):
            if is_pedal:
                assert chord.bass == tune.key.tonic
            if style == "classical":
                assert degrees(tune, chord) in CLASSICAL[tune.mode]
                assert is_pedal or chord.bass in chord.tones
            elif style == "pop":
                assert degrees(tune, chord) in POP[tune.mode]
                assert is_pedal or chord.bass in (chord.tones if option.idea == "stepwise bass" else {chord.root})
            elif style == "modal":
                assert chord.suffix in TRIADS
                assert all((tone - tune.key.tonic) % 12 in SCALES[tune.mode] for tone in chord.tones)
                assert not any((tone + 6) % 12 in chord.tones for tone in chord.tones)
            else:
                assert len(chord.tones) >= 4


@pytest.mark.parametrize("rhythm", RHYTHMS)
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", range(100, 106))
def test_strong_notes_are_chord_tones(seed: int, style: str, rhythm: str) -> None:
    """If some chord of the style contains all strong notes of a slot, the chosen chord contains them too.

    Suspensions and appoggiaturas, which resolve by step within the chord, need not be. If no chord of the style fits,
    the chosen chord contains the first strong note, and there is a remark.
    """
    tune = RandomMelody(seed)
    found = harmonies(tune, style, rhythm=rhythm, count=2)
    own = {"classical": CLASSICAL, "pop": POP}.get(style)
    for option in found.options:
        missed = False
        for (start, end, _), chord in zip(option.chords, chords_of(option), strict=True):
            if not tune.unresolved(start, end, chord.tones):
                continue
            missed = True
            if own is not None:
                possible = [{(tune.key.tonic + root + tone) % 12 for tone in (TRIADS | SEVENTHS)[suffix]}
                            for root, suffix in own[tune.mode]]  # fmt: skip
                assert all(tune.unresolved(start, end, tones) for tones in possible), (start, chord)
        if missed and option is found.options[0]:
            assert any("strong beats" in remark.message for remark in found.remarks)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", range(200, 206))
def test_without_extended_chords_all_are_triads(seed: int, style: str) -> None:
    tune = RandomMelody(seed)
    for option in harmonies(tune, style, allow_extended=False, rhythm="per_half").options:
        assert all(chord.suffix in TRIADS for chord in chords_of(option))


@pytest.mark.parametrize("mode", CHURCH_MODES)
@pytest.mark.parametrize("seed", range(300, 306))
def test_modal_chords_are_of_the_mode_and_have_no_tritone(seed: int, mode: str) -> None:
    tune = RandomMelody(seed, (mode,))
    for extended in (None, True):
        for option in harmonies(tune, "modal", allow_extended=extended, rhythm="per_half").options:
            for chord in chords_of(option):
                assert all((tone - tune.key.tonic) % 12 in SCALES[mode] for tone in chord.tones)
                assert not any((tone + 6) % 12 in chord.tones for tone in chord.tones)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("extended", [None, True, False])
def test_every_vocabulary_has_only_known_chords_and_one_for_each_note(
    style: HarmonyStyle, extended: bool | None
) -> None:
    """Together with the reserve, there is a chord for every note that a melody can have."""
    for mode in MODES:
        vocabulary = style_vocabulary(style, mode, extended)
        chords = [*vocabulary.chords, *vocabulary.reserve]
        unknown = [chord.degree + chord.suffix for chord in chords if not is_expected(mode, chord.root, chord.suffix)]
        assert not unknown, (mode, unknown)
        assert set(range(12)) == {tone for chord in chords for tone in chord.tones}


@pytest.mark.parametrize("key", ["A minor", "C major", "D dorian", "E phrygian", "F lydian", "G mixolydian", "A blues"])
@pytest.mark.parametrize("style", STYLES)
def test_chromatic_melodies_get_known_chords(style: HarmonyStyle, key: str) -> None:
    """The melody has all twelve notes on strong beats, from the tonic up, and then returns to it."""
    tonic = parse_key(key)
    home = 60 + tonic.tonic
    notes = [
        Note(Fraction(2 * place), Fraction(2), tonic.spell(midi))
        for place, midi in enumerate([*range(home, home + 13), home + 7, home])
    ]
    line = melody_grid(Score((Part.of("melody", notes),)))
    for extended in (None, True):
        for option in harmonize(HarmonyTask(line, tonic, style, "per_half", extended), 3).options:
            for chord in [read_symbol(choice.symbol(tonic).name) for choice in option.choices]:
                assert is_expected(tonic.mode, (chord.root - tonic.tonic) % 12, chord.suffix), chord


def test_the_raised_seventh_of_a_minor_mode_is_in_its_dominant() -> None:
    notes = [
        Note(Fraction(4 * place), Fraction(4), Pitch.parse(name)) for place, name in enumerate(["A4", "G#4", "A4"])
    ]
    found = reharmonize(Score((Part.of("melody", notes),)), parse_key("A minor"), "modal", count=2)
    assert {option.chords[1][2].name for option in found.options} <= {"E", "E/A", "G#dim"}


@pytest.mark.parametrize(
    ("style", "key", "needed", "outside"),
    [
        ("pop", "G mixolydian", {"F", "C", "G"}, {"D"}),
        ("pop", "D dorian", {"Dm", "G"}, {"A", "Gm"}),
        ("jazz", "D dorian", {"Dm7", "G7"}, {"Em7b5", "Gm7"}),
        ("classical", "D dorian", {"Dm", "G", "A"}, {"Edim", "Gm"}),
    ],
)
def test_styles_follow_the_mode(style: HarmonyStyle, key: str, needed: set[str], outside: set[str]) -> None:
    tonic = parse_key(key)
    names = {
        symbol_of(tonic, chord.number, chord.alteration, chord.suffix, chord.root).name
        for chord in style_vocabulary(style, tonic.mode, None).chords
    }
    assert needed <= names and not outside & names


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", range(400, 408))
def test_the_bass_has_the_requested_motion(seed: int, style: str) -> None:
    tune = RandomMelody(seed)
    pedal = harmonies(tune, style, bass_motion="pedal", rhythm="per_half")
    for option in pedal.options:
        assert {chord.bass for chord in chords_of(option)} == {tune.key.tonic}
    moves = {}
    for motion, steps in (("stepwise", {0, 1, 2, 10, 11}), ("fifths", {0, 5, 7})):
        found = harmonies(tune, style, bass_motion=motion, rhythm="per_half")
        for option in found.options:
            basses = [chord.bass for chord in chords_of(option)]
            other = sum((after - before) % 12 not in steps for before, after in pairwise(basses))
            moves[motion] = other / max(1, len(basses) - 1)
            if option is found.options[0]:
                assert bool(other) == any("bass cannot" in remark.message for remark in found.remarks)
    free = [chord.bass for chord in chords_of(harmonies(tune, style, rhythm="per_half").options[0])]
    leaps = [(after - before) % 12 not in {0, 1, 2, 10, 11} for before, after in pairwise(free)]
    assert moves["stepwise"] <= sum(leaps) / max(1, len(leaps))


@pytest.mark.parametrize("seed", range(500, 508))
def test_a_stepwise_bass_has_the_fewest_possible_leaps(seed: int) -> None:
    """The test finds the fewest leaps by trying all pop chords with the strong notes of each slot, in any inversion."""
    tune = RandomMelody(seed, bars=5)
    option = harmonies(tune, "pop", bass_motion="stepwise", rhythm="per_half", count=1).options[0]
    least: dict[int, int] | None = None
    for (start, end, _), chosen in zip(option.chords, chords_of(option), strict=True):
        missed = tune.unresolved(start, end, chosen.tones)
        basses = set()
        for root, suffix in POP[tune.mode]:
            tones = {(tune.key.tonic + root + tone) % 12 for tone in TRIADS[suffix]}
            if set(tune.unresolved(start, end, tones)) <= set(missed):
                basses |= tones
        if least is None:
            least = dict.fromkeys(basses, 0)
        else:
            before = least
            least = {
                bass: min(count + ((bass - old) % 12 not in {0, 1, 2, 10, 11}) for old, count in before.items())
                for bass in basses
            }
    assert least is not None
    basses_chosen = [chord.bass for chord in chords_of(option)]
    leaps = sum((after - before) % 12 not in {0, 1, 2, 10, 11} for before, after in pairwise(basses_chosen))
    assert leaps == min(least.values())


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", range(600, 606))
def test_options_are_distinct_ranked_and_the_same_each_time(seed: int, style: str) -> None:
    tune = RandomMelody(seed)
    found = harmonies(tune, style, count=5)
    names = [tuple(symbol.name for _, _, symbol in option.chords) for option in found.options]
    assert len(set(names)) == len(names)
    overall = [round(option.scores.overall, 6) for option in found.options]
    assert overall == sorted(overall, reverse=True)
    for option in found.options:
        scores = option.scores
        parts = (scores.voice_leading, scores.chord_melody_fit, scores.style_adherence)
        assert all(0 <= part <= 1 for part in parts)
        assert scores.overall == pytest.approx(0.3 * parts[0] + 0.4 * parts[1] + 0.3 * parts[2])
    assert any("of 5 options" in remark.message for remark in found.remarks) == (len(found.options) < 5)
    again = harmonies(tune, style, count=5)
    assert names == [tuple(symbol.name for _, _, symbol in option.chords) for option in again.options]


def test_seeds_vary_the_chords_and_repeat_them() -> None:
    tune = RandomMelody(7)
    answers = [
        [symbol.name for _, _, symbol in harmonies(tune, "jazz", rhythm="per_beat", seed=seed).options[0].chords]
        for seed in (1, 1, 2, 3)
    ]
    assert answers[0] == answers[1]
    assert len({tuple(answer) for answer in answers}) >= 2


def test_fewer_options_are_explained() -> None:
    """The melody is one note, so each option is one chord. Pop has exactly three chords that contain the tonic."""
    key = parse_key("C major")
    score = Score((Part.of("melody", [Note(Fraction(0), Fraction(4), Pitch.parse("C5"))]),))
    found = reharmonize(score, key, "pop", count=10)
    assert sorted(symbol.name for option in found.options for _, _, symbol in option.chords) == ["Am", "C", "F"]
    assert any("3 of 10 options" in remark.message for remark in found.remarks)


def test_chromatic_strong_notes_get_a_chord_from_outside_with_a_remark() -> None:
    """Classical style and jazz need no remark, because their secondary dominants contain the note."""
    key = parse_key("C major")
    notes = [
        Note(Fraction(4 * index), Fraction(4), Pitch.parse(name))
        for index, name in enumerate(("C5", "F#5", "G5", "C5"))
    ]
    for style in STYLES:
        found = reharmonize(Score((Part.of("melody", notes),)), key, style)  # type: ignore[arg-type]
        for option in found.options:
            assert 6 in chords_of(option)[1].tones
        remarks = [remark.measure for remark in found.remarks if "F#5" in remark.message]
        assert remarks == ([] if style in ("classical", "jazz") else [2])


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", range(700, 712))
def test_four_voices_have_no_parallels_no_crossings_and_stay_in_range(seed: int, style: str) -> None:
    tune = RandomMelody(seed)
    for option in harmonies(tune, style, texture="satb", rhythm="per_half").options:
        voices = [[(note.start, note.end, note.midi) for note in part.notes] for part in option.score.parts]
        assert [part.name for part in option.score.parts] == ["soprano", "alto", "tenor", "bass"]
        assert voices[0] == tune.events
        assert not parallels(voices)
        assert not crossings(voices)
        for voice, (low, high) in zip(voices, RANGES, strict=True):
            assert all(low <= midi <= high for _, _, midi in voice)


@pytest.mark.parametrize("texture", ["keyboard", "lead_sheet"])
def test_other_textures_keep_the_melody(texture: str) -> None:
    tune = RandomMelody(11)
    for option in harmonies(tune, "jazz", texture=texture).options:
        melody = option.score.parts[0]
        assert [(note.start, note.end, note.midi) for note in melody.notes] == tune.events
        assert len(option.score.parts) == (2 if texture == "keyboard" else 1)
        assert option.score.chords


def test_voices_out_of_range_are_reported() -> None:
    wide = Score(
        (
            Part.of(
                "melody",
                [
                    Note(Fraction(4 * bar), Fraction(4), Pitch.parse(name))
                    for bar, name in enumerate(("C4", "G5", "C6", "G5", "C4"))
                ],
            ),
        )
    )
    found = reharmonize(wide, parse_key("C major"), "classical", texture="satb")
    assert [(remark.message, remark.measure) for remark in found.remarks] == [
        ("The melody leaves the range of a soprano.", 3)
    ]
    assert not reharmonize(wide, parse_key("C major"), "classical", texture="lead_sheet").remarks
