"""What the model sees of a melody, and what it makes of it."""

from dataclasses import replace
from fractions import Fraction

import pytest

from consort_compose.composer.harmony.features import COUNT, beat_features
from consort_compose.composer.harmony.line import read_line
from consort_compose.composer.harmony.model import chord_probabilities, load_model
from consort_music.metre import parse_metre
from consort_music.note_list import parse_note_list

TUNE = "G4:q C5 C5 D5 D5 E5:e F5:e D5:q R:q E5:q C5 D5:h C5:h"


def test_the_weights_are_those_of_the_features() -> None:
    assert len(load_model().hidden) == COUNT + 1


@pytest.mark.parametrize("metre", ["4/4", "3/4", "6/8", "7/8", "1/4"])
@pytest.mark.parametrize("fermatas", [(), (Fraction(4), Fraction(8), Fraction(14))])
def test_every_beat_has_probabilities(metre: str, fermatas: tuple[Fraction, ...]) -> None:
    score = replace(parse_note_list(TUNE), metres=((Fraction(0), parse_metre(metre)),), fermatas=fermatas)
    line = read_line(score)
    features = beat_features(line, 0, minor=False)
    assert len(features) == len(line.beats)
    assert all(0 <= feature < COUNT and len(set(beat)) == len(beat) for beat in features for feature in beat)
    for beat in chord_probabilities(line, 0, minor=False):
        assert sum(beat.values()) == pytest.approx(1)


def test_a_phrase_that_ends_on_the_second_degree_ends_on_the_dominant() -> None:
    """As likely as it is by itself, a fermata makes it likelier."""
    score = parse_note_list("C5:q D5 E5 F5 E5 C5 D5 D5 E5 E5 D5 C5 B4 D5 C5 C5")
    marked = replace(score, fermatas=(Fraction(7), Fraction(15)))
    plain, told = (chord_probabilities(read_line(each), 0, minor=False)[7] for each in (score, marked))
    assert told[7, 0] > plain[7, 0] and told[7, 0] > 0.5
