"""The features and the probabilities of the chord model."""

from dataclasses import replace
from fractions import Fraction

import pytest

from consort_compose.composer.harmony.harmonize.chord_scores.beat_features import COUNT, beat_features
from consort_compose.composer.harmony.harmonize.chord_scores.chord_model import chord_probabilities, load_model
from consort_compose.composer.harmony.melody_grid import melody_grid
from consort_music.metre import parse_metre
from consort_music.notation.note_list import parse_note_list

TUNE = "G4:q C5 C5 D5 D5 E5:e F5:e D5:q R:q E5:q C5 D5:h C5:h"


def test_there_is_one_row_of_weights_per_feature_and_a_bias() -> None:
    assert len(load_model().hidden) == COUNT + 1


@pytest.mark.parametrize("metre", ["4/4", "3/4", "6/8", "7/8", "1/4"])
@pytest.mark.parametrize("fermatas", [(), (Fraction(4), Fraction(8), Fraction(14))])
def test_the_probabilities_of_every_beat_add_up_to_one(metre: str, fermatas: tuple[Fraction, ...]) -> None:
    score = replace(parse_note_list(TUNE), metres=((Fraction(0), parse_metre(metre)),), fermatas=fermatas)
    grid = melody_grid(score)
    features = beat_features(grid, 0, minor=False)
    assert len(features) == len(grid.beats)
    assert all(0 <= feature < COUNT and len(set(beat)) == len(beat) for beat in features for feature in beat)
    for beat in chord_probabilities(grid, 0, minor=False):
        assert sum(beat.values()) == pytest.approx(1)


def test_a_fermata_on_the_second_degree_makes_the_dominant_likelier() -> None:
    score = parse_note_list("C5:q D5 E5 F5 E5 C5 D5 D5 E5 E5 D5 C5 B4 D5 C5 C5")
    marked = replace(score, fermatas=(Fraction(7), Fraction(15)))
    plain, with_fermata = (chord_probabilities(melody_grid(each), 0, minor=False)[7] for each in (score, marked))
    assert with_fermata[7, 0] > plain[7, 0] and with_fermata[7, 0] > 0.5
