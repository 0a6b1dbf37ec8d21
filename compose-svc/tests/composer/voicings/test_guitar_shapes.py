"""Guitar shapes can be held with four fingers, and progressions stay in one region of the neck."""

import random

import pytest

from consort_compose.composer.voicings.engine.progression import realize_progression
from consort_compose.composer.voicings.engine.single_chord import VoicingRequest, realize_chord
from consort_music.chords.grammar import parse_chord
from consort_music.chords.suggestions import USUAL_SUFFIXES
from consort_music.frets.chord_shapes import chord_shapes, press_shape
from consort_music.frets.fretboards import fretboard
from evaluation.checkers.guitar import is_playable, largest_shift

GUITAR = fretboard("guitar")
ROOTS = ["C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]
SONGS = [
    "C Am F G", "G D Em C G D C G", "Bb Gm Eb F", "Ab Fm Db Eb7", "B G#m E F#", "A E F#m D", "C#m A E B",
    "Ebmaj7 Cm7 Fm7 Bb7 Gm7 C7 Fm7 Bb7", "Em7 A7 Dmaj7 Bm7 E9 A13", "Dm7b5 G7alt Cm7 F7 Bbmaj7 Ebmaj7",
    "E7 A7 E7 E7 A7 A7 E7 E7 B7 A7 E7 B7",
]  # fmt: skip


@pytest.mark.parametrize("frets", ["355330", "214140", "424110"])
def test_shapes_that_need_five_fingers_are_not_offered(frets: str) -> None:
    shape = tuple(map(int, frets))
    assert not is_playable(shape) and press_shape(shape, GUITAR) is None


@pytest.mark.parametrize("suffix", USUAL_SUFFIXES)
def test_every_shape_of_the_dictionary_can_be_held(suffix: str) -> None:
    for root in ROOTS:
        chord = parse_chord(root + suffix)
        for shape in chord_shapes(chord, GUITAR, chord.bass_pitch_class or 0):
            assert is_playable(shape.frets), (chord.name, shape.frets)


def test_random_symbols_get_shapes_that_can_be_held() -> None:
    rng = random.Random(19)
    for _ in range(60):
        symbol = rng.choice(ROOTS) + rng.choice(USUAL_SUFFIXES) + rng.choice(["", "", f"/{rng.choice(ROOTS)}"])
        fingering = realize_chord(VoicingRequest(parse_chord(symbol), "guitar")).voicing.fingering
        assert fingering is not None and is_playable(fingering.frets), symbol


def test_progressions_stay_in_one_region_of_the_neck() -> None:
    rng = random.Random(5)
    suffixes = USUAL_SUFFIXES[:20]
    drawn = [" ".join(rng.choice(ROOTS) + rng.choice(suffixes) for _ in range(8)) for _ in range(12)]
    for text in (*SONGS, *drawn):
        steps = realize_progression([parse_chord(symbol) for symbol in text.split()], "guitar").steps
        shapes = [step.voicing.fingering.frets for step in steps if step.voicing and step.voicing.fingering]
        assert len(shapes) == len(steps) and all(map(is_playable, shapes))
        assert largest_shift(shapes) <= 4, (text, shapes)


def test_g_and_d_are_played_as_every_guitarist_plays_them() -> None:
    steps = realize_progression([parse_chord(symbol) for symbol in ("Em", "C", "G", "D")], "guitar").steps
    shapes = [step.voicing.fingering.frets for step in steps if step.voicing and step.voicing.fingering]
    assert shapes[1] == (None, 3, 2, 0, 1, 0) and shapes[3] == (None, None, 0, 2, 3, 2)
