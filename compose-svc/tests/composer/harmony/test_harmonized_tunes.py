"""Harmonizations of well-known tunes have no faults that a teacher would correct."""

import itertools
from bisect import bisect_right
from itertools import pairwise

import pytest

from consort_compose.composer.harmony.harmonize.models import Reharmonize
from consort_compose.composer.harmony.harmonize.reharmonize import Reharmonization, reharmonize
from consort_compose.composer.harmony.harmonize.service import describe_harmonizations, find_harmonizations
from consort_compose.composer.harmony.melody_grid import melody_grid
from consort_compose.composer.harmony.phrase_ends import find_phrases
from consort_compose.composer.tonality import harmonic_key
from consort_music.chords.grammar import parse_chord
from consort_music.keys import parse_key
from consort_music.notation.note_list import parse_note_list
from consort_music.notation.read_music import read_music

GRACE = "M:3/4\nL:1/4\nK:G\nD|G2B/G/|B2A|G2E|D2D|G2B/G/|B2A|d3-|d2B|d2B/G/|B2A|G2E|D2D|G2B/G/|B2A|G3-|G2|]"
GREENSLEEVES = "M:6/8\nL:1/8\nK:Am\nA|c2d e>fe|d2B G>AB|c2A A>^GA|B2^G E2A|c2d e>fe|d2B G>AB|c>BA ^G>^F^G|A3 A2|]"
TWINKLE = "C4:q C4 G4 G4 A4 A4 G4:h F4:q F4 E4 E4 D4 D4 C4:h G4:q G4 F4 F4 E4 E4 D4:h F4:q F4 E4 E4 D4 D4 C4:h"
BLUES = "R:q C5:q Eb5 C5 G5 F5 Eb5 C5 R:q F5:q Ab5 F5 G5:w R:q G5:q Bb5 G5 F5 Eb5 Eb5 C5 Bb4 G4 Eb5 Bb4 C5:w"


def harmonized(text: str, style: str, key: str | None = None, **options: object) -> Reharmonization:
    score, _ = read_music(text)
    tonic = parse_key(key) if key else harmonic_key(score)
    return reharmonize(score, tonic, style, **options)  # type: ignore[arg-type]


def symbols(found: Reharmonization) -> list[list[str]]:
    return [[symbol.name for _, _, symbol in option.chords] for option in found.options]


@pytest.mark.parametrize("rhythm", ["per_measure", "per_half", "per_beat"])
def test_chords_on_the_same_root_rarely_change_their_extensions(rhythm: str) -> None:
    """Most moves between chords on the same root repeat the chord. Gmaj7, Gmaj9, Gmaj7, Gmaj9 would be a fault."""
    for chords in symbols(harmonized(GRACE, "jazz", rhythm=rhythm)):
        same_root = [pair for pair in pairwise(chords) if len({parse_chord(name).root for name in pair}) == 1]
        assert sum(first != second for first, second in same_root) <= max(1, len(same_root) / 2)


def test_options_of_a_tune_differ_in_their_roots() -> None:
    found = harmonized(GRACE, "jazz")
    roots = [
        [next(chord.root for start, end, chord in option.chords if start <= beat < end) for beat in range(1, 46)]
        for option in found.options
    ]
    for index, one in enumerate(roots):
        for other in roots[:index]:
            assert sum(first != second for first, second in zip(one, other, strict=True)) >= 3


def test_a_chord_for_a_whole_bar_has_the_notes_of_the_bar() -> None:
    """The second bar of Greensleeves, d B G A B, is G major."""
    best = harmonized(GREENSLEEVES, "classical").options[0]
    names = {
        place.text: symbol.root_pitch_class for place, (_, _, symbol) in zip(best.places, best.chords, strict=True)
    }
    assert names["2:1"] == 7


@pytest.mark.parametrize("style", ["classical", "pop"])
def test_the_last_chord_is_reached_by_a_cadence(style: str) -> None:
    best = symbols(harmonized(TWINKLE, style))[0]
    assert best[-1] == "C" and parse_chord(best[-2]).root_pitch_class in (5, 7, 11)


@pytest.mark.parametrize("style", ["classical", "jazz", "pop", "modal"])
@pytest.mark.parametrize("tune", [GRACE, GREENSLEEVES, TWINKLE], ids=["grace", "greensleeves", "twinkle"])
def test_a_stepwise_bass_ends_on_the_root(tune: str, style: str) -> None:
    for chords in symbols(harmonized(tune, style, rhythm="per_half", bass_motion="stepwise")):
        assert parse_chord(chords[-1]).bass is None


def test_the_blues_has_dominant_sevenths_on_three_degrees() -> None:
    for chords in symbols(harmonized(BLUES, "jazz", "C blues")):
        assert {parse_chord(name).root_pitch_class for name in chords} <= {0, 5, 7}
        assert all(parse_chord(name).quality.startswith("dominant") for name in chords)


def test_applied_dominants_are_named_after_their_goal() -> None:
    score = parse_note_list("C5:w Eb5:h F#5:h E5:h B4:h Eb5:h B4:h E5:w C#5:h E5:h D5:w B4:w C5:w")
    named = set()
    for seed in range(6):
        body = Reharmonize(melody="x", style="jazz", key="C major", seed=seed)
        for option in describe_harmonizations(find_harmonizations(score, body), body).harmonizations:
            steps = zip(option.chords, option.chords[1:], option.roman_numerals, option.functions, strict=False)
            named |= {(chord, after, numeral, function) for chord, after, numeral, function in steps}
    assert {(numeral, function) for chord, after, numeral, function in named if (chord, after) == ("B7", "Em7")} == {
        ("V7/iii", "D")
    }
    assert ("G7", "C6", "V7", "D") in named


def test_strong_notes_outside_the_style_are_reported_once_with_their_spelling() -> None:
    found = harmonized("C5:h Eb5:h F5:h Ab5:h G5:h Eb5:h C5:w", "classical", "C major")
    messages = [remark.message for remark in found.remarks if "in no chord" in remark.message]
    assert len(messages) == 1
    assert "Eb5 (measures 1, 3)" in messages[0] and "Ab5 (measure 2)" in messages[0] and "G#" not in messages[0]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Eb4:q Gb4 Bb4 Cb5 Ab4 F4 D4 Eb4:h", "Eb minor"),
        ("D#4:q F#4 A#4 B4 G#4 E#4 C##4 D#4:h", "D# minor"),
        ("Gb4:q Ab4 Bb4 Cb5 Db5 F4 Gb4:h", "Gb major"),
        ("C#4:q D#4 E#4 F#4 G#4 B#3 C#4:h", "C# major"),
        ("C#4:q D#4 F4 F#4 G#4 C4 C#4:h", "Db major"),
    ],
)
def test_a_key_has_the_spelling_of_its_notes(text: str, key: str) -> None:
    score = parse_note_list(text)
    assert harmonic_key(score).name == key


ODE = "E4:q E4 F4 G4 G4 F4 E4 D4 C4 C4 D4 E4 E4:qd D4:e D4:h E4:q E4 F4 G4 G4 F4 E4 D4 C4 C4 D4 E4 D4:qd C4:e C4:h"
JOSEPH = (
    "C5:qd D5:e E5:q C5 D5 G4:q G4:h C5:qd D5:e E5:q F5 E5 D5 C5:h E5:q G5 F5 E5 D5 E5 D5:h C5:q D5 E5 F5 E5 D5 C5:h"
)


@pytest.mark.parametrize("style", ["classical", "jazz", "pop"])
def test_phrases_within_a_tune_end_in_cadences(style: str) -> None:
    """At least nine of ten phrase ends are a cadence: perfect, plagal, half or deceptive."""
    rests = total = 0
    for tune, rhythm in itertools.product((ODE, JOSEPH, TWINKLE, GRACE), ("per_half", "per_beat")):
        found = harmonized(tune, style, rhythm=rhythm, count=1)
        grid = melody_grid(read_music(tune)[0])
        starts = [start for start, _, _ in found.options[0].chords]
        for phrase in find_phrases(grid)[:-1]:
            place = bisect_right(starts, grid.moment(phrase.last.start)) - 1
            roots = [choice.chord.root for choice in found.options[0].choices[: place + 1]]
            before = next((root for root in reversed(roots) if root != roots[-1]), None)
            total += before is not None
            rests += before is not None and (
                roots[-1] == 7 or (before, roots[-1]) in ((7, 0), (5, 0), (11, 0), (1, 0), (7, 9))
            )
    assert total >= 8 and rests >= 0.9 * total, (rests, total)


def test_a_dominant_on_the_tonic_of_a_minor_key_leads_away_from_it() -> None:
    """D7 followed by Dm7 would be an unresolved applied dominant."""
    walk = "M:3/4\nL:1/8\nK:Dm\nA2|d4 e2|f4 e2|d2 ^c2 d2|A4 A2|B4 A2|G2 A2 B2|A2 G2 E2|D4||"
    for chords in symbols(harmonized(walk, "jazz")):
        assert all(not (one[:2] == "D7" and after[:2] == "Dm") for one, after in pairwise(chords)), chords
