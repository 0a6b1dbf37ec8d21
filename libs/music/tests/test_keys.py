"""Keys and scales, with music21 as the oracle."""

import music21
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consort_music.errors import MusicError
from consort_music.keys import MODES, Key, Spelling, parse_key
from consort_music.pitch import Pitch

CHURCH = ["major", "minor", "dorian", "phrygian", "lydian", "mixolydian", "locrian"]
TONICS = [(step, alter) for step in "CDEFGAB" for alter in (-1, 0, 1)]
keys = st.builds(Key, st.sampled_from("CDEFGAB"), st.integers(-1, 1), st.sampled_from(sorted(MODES)))


@pytest.mark.parametrize("mode", CHURCH)
@pytest.mark.parametrize("tonic", TONICS)
def test_signature_and_scale(tonic: tuple[str, int], mode: str) -> None:
    key = Key(*tonic, mode)
    oracle = music21.key.Key(key.tonic_name.replace("b", "-"), mode)
    assert key.sharps == oracle.sharps
    names = [pitch.name.replace("-", "b") for pitch in oracle.getPitches()[:7]]
    assert [step + {-2: "bb", -1: "b", 0: "", 1: "#", 2: "##"}[alter] for step, alter in key.scale] == names
    for step, alter in key.scale:
        assert key.signature_alter(step) == alter


@given(keys, st.integers(12, 115))
def test_spelling_sounds_the_same_and_keeps_the_scale(key: Key, midi: int) -> None:
    pitch = key.spell(midi)
    assert pitch.midi == midi
    if midi % 12 in key.pitch_classes:
        assert (pitch.step, pitch.alter) in key.scale


@given(keys)
def test_names_read_back_the_same(key: Key) -> None:
    assert parse_key(key.name) == key


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("C", "C major"),
        ("Dm", "D minor"),
        ("a", "A minor"),
        ("F# dorian", "F# dorian"),
        ("B♭ Major", "Bb major"),
        ("bb minor", "Bb minor"),
        ("E harmonic minor", "E harmonic minor"),
        ("G pentatonic", "G major pentatonic"),
        ("Cmaj", "C major"),
        ("A_minor", "A minor"),
        ("G Blues", "G blues"),
        ("CM", "C major"),
    ],
)
def test_other_ways_to_write_keys(text: str, name: str) -> None:
    assert parse_key(text).name == name


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("H major", "B major"),
        ("H minor", "B minor"),
        ("C majr", "C major"),
        ("", "C major"),
        ("D dorain", "D dorian"),
        ("C" * 100, "C major"),
    ],
)
def test_invalid_keys_are_rejected(text: str, suggestion: str) -> None:
    with pytest.raises(MusicError) as raised:
        parse_key(text)
    assert raised.value.code == "INVALID_KEY"
    assert suggestion in raised.value.suggestions


def test_chromatic_notes_are_spelled_as_usual() -> None:
    assert parse_key("A minor").spell(68).name == "G#4"
    assert parse_key("C major").spell(70).name == "Bb4"
    assert parse_key("C major").spell(66).name == "F#4"
    assert parse_key("F minor").spell(64).name == "E4"
    assert parse_key("C minor").spell(61).name == "Db4"


@given(st.integers(0, 127), st.sampled_from(sorted(MODES)), st.sampled_from("ABCDEFG"), st.integers(-1, 1))
def test_every_note_is_spelled_and_its_name_can_be_typed(midi: int, mode: str, step: str, alter: int) -> None:
    key = Key(step, alter, mode)
    assert key.spell(midi).midi == midi
    name = Spelling([(0, key)]).name(midi, 0)
    assert (int(name) if name.isdecimal() else Pitch.parse(name).midi) == midi
