"""Roman numerals. Both harmony tools give a chord the same name."""

import itertools
from dataclasses import replace
from typing import get_args

import pytest

from consort_compose.composer.harmony.analyze.models import AnalyzeHarmony, HarmonyAnalysis
from consort_compose.composer.harmony.analyze.service import analyze
from consort_compose.composer.harmony.degree_chords import chord_on
from consort_compose.composer.harmony.harmonize.models import Reharmonize
from consort_compose.composer.harmony.harmonize.reharmonize import Reharmonization
from consort_compose.composer.harmony.harmonize.service import describe_harmonizations, find_harmonizations
from consort_compose.composer.harmony.harmonize.styles.style_chords import HarmonyStyle
from consort_compose.composer.harmony.harmonize.styles.style_rules import BassMotion
from consort_compose.composer.harmony.harmonize.writing.textures import Texture
from consort_compose.composer.harmony.numerals import name_chords
from consort_music.keys import parse_key
from consort_music.notation.note_list import parse_note_list

MOTIONS: tuple[BassMotion, ...] = get_args(BassMotion)
TUNES = (
    "E5:q E5 F5 G5 G5 F5 E5 D5 C5 C5 D5 E5 E5:qd D5:e D5:h E5:q E5 F5 G5 G5 F5 E5 D5 C5 C5 D5 E5 D5:qd C5:e C5:h",
    "A4:q C5 E5 D5 C5 B4 A4:h C5:q D5 E5 F5 E5:h D5:q C5 B4:h C5:q A4 D5 B4 G#4:q B4 A4:h",
)
Name = tuple[str, str, str]
"""Symbol, numeral and function."""


@pytest.mark.parametrize(
    ("suffix", "numerals"),
    [
        ("", ["V", "V6", "V64"]),
        ("7", ["V7", "V65", "V43", "V42"]),
        ("m7b5", ["vø7", "vø65", "vø43", "vø42"]),
        ("dim7", ["vo7", "vo65", "vo43", "vo42"]),
        ("dim", ["vo", "vo6", "vo64"]),
        ("maj7", ["Vmaj7", "Vmaj65", "Vmaj43", "Vmaj42"]),
        ("9", ["V9", "V9", "V9", "V9"]),
        ("6", ["Vadd6", "Vadd6", "Vadd6"]),
    ],
)
def test_figured_bass(suffix: str, numerals: list[str]) -> None:
    chord = chord_on(5, suffix, minor=False)
    key = parse_key("C major")
    assert [name_chords(key, [(chord, bass)])[0].numeral for bass in chord.basses] == numerals
    assert name_chords(key, [(chord, 8)])[0].numeral == numerals[0]


def test_a_cadential_six_four_is_a_dominant() -> None:
    tonic, dominant, fourth = (chord_on(degree, "", minor=False) for degree in (1, 5, 4))
    key = parse_key("C major")
    assert name_chords(key, [(tonic, 7), (dominant, 7)])[0] == ("I64", "D")
    assert name_chords(key, [(tonic, 7), (fourth, 5)])[0] == ("I64", "T")


def analyzed_names(found: Reharmonization, analysis: HarmonyAnalysis) -> list[Name | None]:
    """Return the name of the chord in the analysis at each place where the harmonization has a chord.

    If no new chord begins there, it is the name of the chord before.
    """
    assert analysis.chords is not None
    by_place = {(chord.measure, chord.beat): chord for chord in analysis.chords}
    names: list[Name | None] = []
    for place in found.options[0].places:
        chord = by_place.get((place.measure, float(place.beat)))
        names.append((chord.chord, chord.roman_numeral, chord.function) if chord else names[-1] if names else None)
    return names


@pytest.mark.parametrize(
    ("style", "texture"),
    [*itertools.product(["classical", "jazz", "pop"], ["satb", "keyboard"]), ("modal", "satb")],
)
def test_an_analyzed_harmonization_has_the_same_names(style: HarmonyStyle, texture: Texture) -> None:
    """With chord symbols and a key all names are equal. Without symbols most are: some have several possible names."""
    pairs: list[tuple[Name | None, Name]] = []
    for tune, motion in itertools.product(TUNES, MOTIONS[:2]):
        body = Reharmonize(
            melody="…", style=style, chord_rhythm="per_half", bass_motion=motion, texture=texture, num_options=1
        )
        found = find_harmonizations(parse_note_list(tune), body)
        option = describe_harmonizations(found, body).harmonizations[0]
        meant = list(zip(option.chords, option.roman_numerals, option.functions, strict=True))
        score = found.options[0].score
        read, heard = (
            analyze(music, AnalyzeHarmony(music="…", chord_rhythm="per_half", key=found.key))[0]
            for music in (score, replace(score, chords=()))
        )
        assert analyze(score, AnalyzeHarmony(music="…", include_chords=False))[0].key == found.key.name
        assert analyzed_names(found, read) == meant
        pairs += zip(analyzed_names(found, heard), meant, strict=True)
    same = sum(one == other for one, other in pairs)
    assert same >= (0.9 if style != "jazz" else 0.6) * len(pairs)
