"""How melodies end: with the last chord, on the tonic, and not on a blue note."""

from fractions import Fraction

import pytest

from consort_compose.composer.melody.engine.generate import generate
from consort_compose.composer.melody.engine.request_and_result import MelodyRequest
from consort_music.chords.grammar import parse_chord
from consort_music.chords.timed_chords import ChordSpan
from consort_music.keys import parse_key


@pytest.mark.parametrize("symbols", [["C", "F", "G7", "C"], ["Dm7", "G7", "Cmaj7", "C6"], ["C", "Am", "G", "C/E"]])
def test_a_melody_over_chords_that_end_on_the_tonic_ends_on_it(symbols: list[str]) -> None:
    spans = tuple(
        ChordSpan(Fraction(4 * bar), Fraction(4 * bar + 4), parse_chord(symbol)) for bar, symbol in enumerate(symbols)
    )
    for seed in range(30):
        assert generate(MelodyRequest(parse_key("C major"), 4, chords=spans), seed).pitches[-1] % 12 == 0


@pytest.mark.parametrize(("last", "start"), [(["E7", "Am"], 2), (["Dm", "E", "E", "Am"], 3)])
def test_a_last_chord_within_the_last_bar_has_a_note_of_its_own(last: list[str], start: int) -> None:
    whole = [(Fraction(4 * bar), Fraction(4), name) for bar, name in enumerate(["Am", "Dm", "G"])]
    whole += [(12 + place * Fraction(4, len(last)), Fraction(4, len(last)), name) for place, name in enumerate(last)]
    spans = tuple(ChordSpan(begin, begin + length, parse_chord(name)) for begin, length, name in whole)
    for seed in range(30):
        melody = generate(MelodyRequest(parse_key("A minor"), 4, chords=spans), seed)
        assert melody.timings[-1].onset >= 12 + start and melody.pitches[-1] % 12 == 9


@pytest.mark.parametrize(("key", "blue"), [("C blues", 6), ("C major blues", 3)])
def test_a_blues_does_not_end_on_its_blue_note(key: str, blue: int) -> None:
    assert all(generate(MelodyRequest(parse_key(key), 4), seed).pitches[-1] % 12 != blue for seed in range(60))
