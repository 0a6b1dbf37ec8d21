"""Cadences, split bars, jazz idioms, left hands and ideas of harmonizations, checked on plain notes and symbols."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest

from consort_compose.composer.harmony.harmonize.models import Reharmonize
from consort_compose.composer.harmony.harmonize.reharmonize import Option, Reharmonization
from consort_compose.composer.harmony.harmonize.service import find_harmonizations
from consort_music.notation.read_music import read_music
from evaluation.checkers.harmony import CheckedChord, read_symbol

GRACE = "M:3/4\nL:1/4\nK:G\nD|G2B/G/|B2A|G2E|D2D|G2B/G/|B2A|d3-|d2B|d2B/G/|B2A|G2E|D2D|G2B/G/|B2A|G3-|G2|]"
RISING_SUN = (
    "M:6/8\nL:1/8\nK:Am\nE|A3 A2B|c3 e3|d3 A3|A3- A2a|a3 g3|e2e e2d|e6-|e5e|a3 a2g|e3 e3|d3 A3|A3- A2A|A2A A2A|^G3 B3|"
    "A6-|A5|]"
)
ODE = "M:4/4\nL:1/4\nK:D\nFFGA|AGFE|DDEF|F>EE2|FFGA|AGFE|DDEF|E>DD2|]"
SUSPENSIONS = "M:4/4\nL:1/2\nK:C\ncG|c B|cA|G2|cG|f e|dB|c2|]"
LOW = "M:4/4\nL:1/4\nK:C\nC,E,G,E,|F,A,G,F,|E,G,F,D,|C,4|]"
STYLES = ("classical", "jazz", "pop", "modal")
MINOR_FAMILY = ("m", "m7", "m9", "m11", "m7b5", "dim")
DOMINANTS = ("7", "9", "13", "7b9", "7#9")


def harmonized(tune: str, style: str, **options: object) -> Reharmonization:
    body = Reharmonize.model_validate({"melody": "abc", "style": style, **options})
    return find_harmonizations(read_music(tune)[0], body)


def root_at(option: Option, measure: int, beat: float = 1.0) -> int:
    """Return the root of the chord that sounds at a place."""
    found = [
        symbol
        for place, (_, _, symbol) in zip(option.places, option.chords, strict=True)
        if (place.measure, float(place.beat)) <= (measure, beat)
    ]
    return read_symbol(found[-1].name).root


@pytest.mark.parametrize("style", ["classical", "pop"])
def test_known_tunes_have_their_cadences(style: str) -> None:
    grace = harmonized(GRACE, style).options[0]
    assert [root_at(grace, 7), root_at(grace, 14, 3.0), root_at(grace, 15)] == [2, 2, 7]
    sun = harmonized(RISING_SUN, style).options[0]
    assert [root_at(sun, 7), root_at(sun, 14), root_at(sun, 15)] == [4, 4, 9]
    ode = harmonized(ODE, style).options[0]
    assert [root_at(ode, 4, 3.0), root_at(ode, 8), root_at(ode, 8, 3.0)] == [9, 9, 2]


def test_a_suspension_is_not_a_chord_tone_but_resolves() -> None:
    """In bar 6 the f is a suspension over C, or the seventh or root of another chord: no remark is needed."""
    found = harmonized(SUSPENSIONS, "classical")
    assert not any("strong beats" in remark.message for remark in found.remarks)


def chords_of(option: Option) -> list[CheckedChord]:
    return [read_symbol(symbol.name) for _, _, symbol in option.chords]


def test_most_dominants_of_jazz_come_after_their_ii() -> None:
    prepared = total = 0
    for tune in (GRACE, ODE, RISING_SUN, SUSPENSIONS):
        for before, chord in pairwise(chords_of(harmonized(tune, "jazz", num_options=1).options[0])):
            if chord.suffix in DOMINANTS and before.root != chord.root:
                total += 1
                steps = (chord.root - before.root) % 12
                prepared += before.suffix in MINOR_FAMILY and steps in (5, 11)
    assert total >= 8 and prepared >= 0.4 * total, (prepared, total)


def test_no_held_note_clashes_with_a_jazz_chord() -> None:
    """No note of half a chord or more is a semitone above a chord tone, except b9 and b13 of a dominant."""
    for tune in (GRACE, ODE, SUSPENSIONS):
        option = harmonized(tune, "jazz", num_options=1).options[0]
        melody = option.score.parts[0].notes
        for (start, end, _), chord in zip(option.chords, chords_of(option), strict=True):
            for note in melody:
                sounding = min(note.end, end) - max(note.start, start)
                above = (note.midi - chord.root) % 12
                if 2 * sounding >= end - start and not (chord.suffix in DOMINANTS and above in (1, 8)):
                    assert (note.midi - 1) % 12 not in chord.tones, (chord, note.pitch.name)


@pytest.mark.parametrize("style", ["jazz", "pop", "modal"])
@pytest.mark.parametrize("tune", [GRACE, ODE, RISING_SUN])
def test_the_left_hand_stays_below_the_melody_and_is_clear(tune: str, style: str) -> None:
    for option in harmonized(tune, style).options:
        melody, keyboard = option.score.parts
        for start, end, symbol in option.chords:
            notes = sorted(note.midi for note in keyboard.notes if note.start == start)
            sounding = [note.midi for note in melody.notes if note.start < end and note.end > start]
            assert notes and notes[0] % 12 == read_symbol(symbol.name).bass
            assert notes[-1] < min(sounding, default=127)
            assert all(high - low >= 3 for low, high in pairwise(notes) if low < 48)


def test_a_low_melody_has_a_left_hand_too() -> None:
    option = harmonized(LOW, "jazz").options[0]
    assert {note.start for note in option.score.parts[1].notes} == {start for start, _, _ in option.chords}


def test_modal_voicings_are_stacks_of_fourths() -> None:
    option = harmonized("M:4/4\nL:1/4\nK:Ddor\ndefg|a2 g2|fedc|d4|agfe|d2 c2|edce|d4|]", "modal").options[0]
    scale = {2, 4, 5, 7, 9, 11, 0}
    for start, _, _ in option.chords:
        notes = sorted(note.midi for note in option.score.parts[1].notes if note.start == start)
        assert len(notes) >= 3 and {high - low for low, high in pairwise(notes[1:])} == {5}
        assert {note % 12 for note in notes} <= scale


@pytest.mark.parametrize("style", STYLES)
def test_options_say_their_ideas(style: str) -> None:
    for tune in (GRACE, ODE, RISING_SUN):
        found = harmonized(tune, style, num_options=4)
        ideas = [option.idea for option in found.options]
        assert all(0 < len(idea) <= 40 for idea in ideas) and len(set(ideas)) == len(ideas)
        for option in found.options:
            chords = chords_of(option)
            roots = [chord.root for chord in chords]
            falls = [(after - before) % 12 == 5 for before, after in pairwise(roots) if before != after]
            if option.idea == "circle of fifths":
                assert "111" in "".join("01"[fall] for fall in falls)
            if option.idea.startswith("pedal on"):
                assert {chord.bass for chord in chords} == {found.key.tonic}
            if option.idea == "relative minor opening":
                assert (found.key.tonic + 9) % 12 in roots[:2]
            if option.idea == "stepwise bass":
                moves = [(after.bass - before.bass) % 12 for before, after in pairwise(chords)]
                assert sum(move in (1, 2, 10, 11) for move in moves) >= 0.5 * sum(move != 0 for move in moves)


def test_most_options_have_an_idea_of_harmony() -> None:
    """At least nine of ten options differ in more than which chord is more frequent."""
    ideas = [
        option.idea
        for tune in (GRACE, ODE, RISING_SUN, SUSPENSIONS)
        for style in STYLES
        for option in harmonized(tune, style).options
    ]
    plain = [idea for idea in ideas if idea.startswith(("more ", "fewer ")) or " as chord " in idea]
    assert len(plain) <= len(ideas) / 10, plain


def test_bars_are_split_only_where_phrases_close() -> None:
    for style in STYLES:
        for option in harmonized(GRACE, style).options:
            inside = {place.measure for place in option.places if place.measure and place.beat != 1}
            assert inside <= {1, 3, 6, 9, 11, 14}
            starts = [start for start, _, _ in option.chords]
            assert starts == sorted(set(starts)) and starts[0] == Fraction(0)


GOD_REST = (
    "M:4/4\nL:1/8\nK:Em\nE2|E2B2B2A2|G2F2E2D2|E2F2G2A2|B6E2|E2B2B2A2|G2F2E2D2|E2F2G2A2|B6B2|c2A2B2c2|d2e2B2A2|"
    "G2E2F2G2|A4G2A2|B4c2B2|B2A2G2F2|E4GFE2|A4G2A2|B2c2d2e2|B2A2G2F2|E6|]"
)
SCALES = {"C": (60, 62, 64, 65, 67, 69, 71), "Am": (57, 59, 60, 62, 64, 65, 67)}


def random_tune(seed: int) -> str:
    """Return 16 bars of 4/4 in note-list text: phrases of four bars that end on a whole note, the last on the tonic."""
    rng = random.Random(seed)
    key = rng.choice(list(SCALES))
    steps = ["CDEFGAB"["CDEFGAB".index(key[0]) + degree - 7] for degree in range(7)]
    lines = []
    for phrase in range(4):
        at, bars = rng.randrange(7), []
        for _ in range(3):
            notes = []
            for _ in range(4):
                notes.append(steps[at])
                at = (at + rng.choice([-2, -1, -1, 1, 1, 2])) % 7
            bars.append("".join(notes))
        bars.append((steps[0] if phrase == 3 else rng.choice(steps)) + "4")
        lines.append("|".join(bars))
    return f"M:4/4\nL:1/4\nK:{key}\n" + "|".join(lines) + "|]"


@pytest.mark.parametrize("style", ["classical", "pop"])
def test_a_long_fifth_at_a_phrase_end_in_minor_gets_the_dominant(style: str) -> None:
    option = harmonized(GOD_REST, style, num_options=1).options[0]
    assert [root_at(option, bar) for bar in (4, 8)] == [11, 11]


@pytest.mark.parametrize("style", ["classical", "pop", "jazz"])
def test_the_same_cadence_has_the_same_chords(style: str) -> None:
    option = harmonized(GOD_REST, style, num_options=1).options[0]
    assert root_at(option, 18, 3.0) == 11 and root_at(option, 19) == 4
    if style != "jazz":
        assert root_at(option, 14) == 11


@pytest.mark.parametrize("style", ["classical", "pop"])
def test_a_bar_whose_halves_spell_two_chords_is_split(style: str) -> None:
    """In D major, `E E F# D` is A and D; in G major, the jig bar `ege dBG` is C and G."""
    ode = harmonized("M:4/4\nL:1/4\nK:D\nFFGA|AGFE|DDEF|F>EE2|EEFD|EF/G/FD|EF/G/FE|DEA,2|FFGA|AGFE|DDEF|E>DD2|]", style)
    assert [root_at(ode.options[0], 5), root_at(ode.options[0], 5, 3.0)] == [9, 2]
    jig = harmonized(
        "M:6/8\nL:1/8\nK:G\nG2GGAB|A2AABd|edd gdd|edBdBA|G2GGAB|A2AABd|edd gdB|AGFG3|B2BdBd|ege dBG|B2BdBG|ABAAGA|"
        "B2BdBd|ege dBd|g3aga|bggg3|]",
        style,
    )
    for bar in (10, 14):
        assert [root_at(jig.options[0], bar), root_at(jig.options[0], bar, 2.0)] == [0, 7]


@pytest.mark.parametrize("style", STYLES)
def test_no_chord_has_the_other_third_than_the_melody(style: str) -> None:
    """No chord has the major third where the melody has only the minor one, except a sharp ninth of jazz dominants."""
    for seed in range(12):
        option = harmonized(random_tune(seed), style, num_options=1).options[0]
        for (start, end, _), chord in zip(option.chords, chords_of(option), strict=True):
            sung = {note.midi % 12 for note in option.score.parts[0].notes if note.start < end and note.end > start}
            minor, major = (chord.root + 3) % 12, (chord.root + 4) % 12
            is_sharp_ninth = style == "jazz" and chord.suffix in DOMINANTS
            if major in chord.tones and minor not in chord.tones and not is_sharp_ninth:
                assert minor not in sung or major in sung, (seed, chord)


@pytest.mark.parametrize("style", STYLES)
def test_the_last_note_gets_the_tonic_after_another_chord(style: str) -> None:
    """In jazz this chord is a dominant in at least two of three tunes: elsewhere it would clash with the melody."""
    dominants = 0
    for seed in range(12):
        found = harmonized(random_tune(seed), style, num_options=1)
        roots = [chord.root for chord in chords_of(found.options[0])]
        before = next(root for root in reversed(roots[:-1]) if root != roots[-1])
        assert roots[-1] == found.key.tonic and root_at(found.options[0], 16) == found.key.tonic
        dominants += (before - roots[-1]) % 12 in (1, 7, 11)
    assert style != "jazz" or dominants >= 8, dominants


def test_dominants_of_jazz_resolve() -> None:
    """V7 moves to the tonic, to another chord on its root, or, once a phrase at most, to vi; X7 is not followed by Xm7.

    Only II7 of a major key may be followed by its own minor seventh.
    """
    kept = total = 0
    for seed in range(16):
        found = harmonized(random_tune(seed), "jazz", num_options=1)
        option, tonic = found.options[0], found.key.tonic
        deceptive = [0] * 4
        for (before, after), place in zip(pairwise(chords_of(option)), option.places[1:], strict=True):
            if before.suffix not in DOMINANTS or before.root == after.root:
                is_ii = (before.root - tonic) % 12 == 2 and not found.key.is_minor
                assert before.suffix not in DOMINANTS or after.suffix not in ("m7", "m9", "m11") or is_ii
                continue
            total += 1
            steps = (after.root - before.root) % 12
            kept += steps in (5, 11) or (after.root - tonic) % 12 == 0
            is_deceptive = (before.root - tonic) % 12 == 7 and (after.root - tonic) % 12 in (8, 9)
            deceptive[(place.measure - 1) // 4] += is_deceptive
        assert max(deceptive) <= 1, (seed, [chord for chord in chords_of(option)])
    assert total >= 30 and kept >= 0.9 * total, (kept, total)


def test_classical_cadences_have_the_dominant_seventh_and_pop_does_not() -> None:
    for tune in (GRACE, ODE):
        names = {style: [chord.suffix for chord in chords_of(harmonized(tune, style).options[0])] for style in STYLES}
        assert "7" in names["classical"] and "7" not in names["pop"]
