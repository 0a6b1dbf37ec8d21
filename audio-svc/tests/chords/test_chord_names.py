"""Names of chords are read by the composer's parser as the same chord, and follow the key."""

import pytest

from consort_audio.analysis.chords.naming import chord_name, roman_numeral
from consort_audio.analysis.chords.vocabulary import KINDS, STATES, ChordState
from consort_music.chords.grammar import parse_chord
from consort_music.keys import parse_key

KIND = {kind.suffix: kind for kind in KINDS}
KEYS = ("C major", "F major", "E major", "Gb major", "A minor", "Eb minor", "G# minor", "C# major")


@pytest.mark.parametrize("key", KEYS)
def test_every_name_is_read_as_the_same_chord(key: str) -> None:
    for state in STATES:
        read = parse_chord(chord_name(state, parse_key(key)))
        assert read.root_pitch_class == state.root
        assert read.bass_pitch_class == state.bass
        assert read.pitch_classes == state.pitch_classes


@pytest.mark.parametrize(
    ("root", "suffix", "bass", "key", "name"),
    [
        (0, "maj", 0, "C major", "Cmaj"),
        (9, "min", 9, "C major", "Amin"),
        (7, "7", 7, "C major", "G7"),
        (10, "maj", 10, "F major", "Bbmaj"),
        (10, "maj", 2, "F major", "Bbmaj/D"),
        (6, "min", 6, "E major", "F#min"),
        (1, "maj", 5, "Db major", "Dbmaj/F"),
        (8, "maj", 8, "C minor", "Abmaj"),
        (11, "min7b5", 11, "C minor", "Bmin7b5"),
    ],
)
def test_roots_and_basses_follow_the_key(root: int, suffix: str, bass: int, key: str, name: str) -> None:
    assert chord_name(ChordState(root, KIND[suffix], bass), parse_key(key)) == name


@pytest.mark.parametrize(
    ("root", "suffix", "key", "numeral"),
    [
        (0, "maj", "C major", "I"),
        (7, "7", "C major", "V7"),
        (9, "min7", "C major", "vi7"),
        (10, "maj", "C major", "bVII"),
        (11, "dim", "C major", "vii°"),
        (4, "7", "A minor", "V7"),
        (7, "maj", "A minor", "VII"),
        (8, "dim7", "A minor", "#vii°7"),
        (10, "maj", "F major", "IV"),
    ],
)
def test_roman_numerals(root: int, suffix: str, key: str, numeral: str) -> None:
    assert roman_numeral(ChordState(root, KIND[suffix], root), parse_key(key)) == numeral
