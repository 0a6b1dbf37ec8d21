"""Cadences, split bars, jazz idioms, left hands and ideas of harmonizations, checked on plain notes and symbols."""

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


def test_bars_are_split_only_where_phrases_close() -> None:
    for style in STYLES:
        for option in harmonized(GRACE, style).options:
            inside = {place.measure for place in option.places if place.measure and place.beat != 1}
            assert inside <= {1, 3, 6, 9, 11, 14}
            starts = [start for start, _, _ in option.chords]
            assert starts == sorted(set(starts)) and starts[0] == Fraction(0)
