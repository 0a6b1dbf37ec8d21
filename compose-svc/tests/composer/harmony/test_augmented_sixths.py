"""Augmented sixth chords in all keys, with spelling and as MIDI. In MIDI only their resolution identifies them."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from consort_compose.composer.harmony.analyze.analysis import analyze_harmony
from consort_compose.composer.harmony.analyze.named_chord import NamedChord
from consort_music.chords.timed_chords import ChordMark
from consort_music.keys import Key, parse_key
from consort_music.midi.reader import read_midi
from consort_music.midi.writer import write_midi
from consort_music.notation.from_midi import score_from_midi
from consort_music.notation.musicxml.reader import read_musicxml
from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.notation.to_midi import score_to_midi
from consort_music.pitch import STEPS, Pitch
from consort_music.score import Note, Part, Score
from consort_music.score_json import score_from_json, score_to_json

TONICS = ("C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")
KEYS = [f"{tonic} {mode}" for mode in ("major", "minor") for tonic in TONICS]
SIXTHS = {"It+6": "It6", "Fr+6": "Fr43", "Ger+6": "Ger65"}
"""Consort's names, and the figures of music21."""


TONES = {
    "It+6": ((5, 8), (0, 12), (3, 18)),
    "Fr+6": ((5, 8), (0, 12), (1, 14), (3, 18)),
    "Ger+6": ((5, 8), (0, 12), (2, 15), (3, 18)),
    "I": ((0, 0), (2, 4), (4, 7), (0, 12)),
    "i": ((0, 0), (2, 3), (4, 7), (0, 12)),
    "I64": ((4, 7), (0, 12), (2, 16), (4, 19)),
    "i64": ((4, 7), (0, 12), (2, 15), (4, 19)),
    "V": ((4, 7), (6, 11), (1, 14), (4, 19)),
}
"""For each numeral, its notes as (letters, semitones) above the tonic."""


def spelled(numeral: str, key: str) -> list[Pitch]:
    """Return the pitches of a chord from its bass up, with the tonic in the third octave."""
    tonic = Pitch.parse(key.split()[0] + "3")
    found = []
    for letters, semitones in TONES[numeral]:
        step = STEPS[(STEPS.index(tonic.step) + letters) % 7]
        midi = tonic.midi + semitones
        octave = round((midi - Pitch(step, 0, 4).midi) / 12) + 4
        found.append(Pitch(step, midi - Pitch(step, 0, octave).midi, octave))
    return found


@pytest.mark.parametrize("key", ["Eb major", "F# minor"])
def test_the_chords_have_the_pitches_of_music21(key: str) -> None:
    from music21.key import Key as OracleKey
    from music21.roman import RomanNumeral

    tonic, mode = key.replace("b ", "- ").split()
    for kind, figure in SIXTHS.items():
        oracle = RomanNumeral(figure, OracleKey(tonic if mode == "major" else tonic.lower()))
        names = {f"{pitch.step}{'b' * -pitch.alter}{'#' * pitch.alter}" for pitch in spelled(kind, key)}
        assert {pitch.name.replace("-", "b") for pitch in oracle.pitches} == names


def voiced_near(after: Sequence[Pitch], before: Sequence[Pitch]) -> list[Pitch]:
    """Return the chord `after`, voiced near the notes of the chord `before`.

    Its bass is near the bass of `before`; each other note of `before` gets the nearest tone of the chord.
    """
    bass = min(
        (Pitch(after[0].step, after[0].alter, octave) for octave in (2, 3, 4)),
        key=lambda pitch: abs(pitch.midi - before[0].midi),
    )
    others = [Pitch(pitch.step, pitch.alter, octave) for pitch in after for octave in (3, 4, 5)]
    return [bass, *(min(others, key=lambda pitch: abs(pitch.midi - old.midi)) for old in before[1:]), *after[1:3]]


def music(*chords: Sequence[Pitch]) -> Score:
    notes = [Note(Fraction(4 * bar), Fraction(4), pitch) for bar, chord in enumerate(chords) for pitch in set(chord)]
    return Score((Part.of("piano", notes),))


def resolved(key: str, kind: str, *goals: str) -> Score:
    sixth = spelled(kind, key)
    home = "I" if key.endswith("major") else "i"
    return music(spelled(home, key), sixth, *(voiced_near(spelled(goal, key), sixth) for goal in goals))


def as_midi(score: Score, key: Key) -> Score:
    """Return the score as it is read back from a MIDI file."""
    in_key = replace(score, keys=((Fraction(0), key),)) if abs(key.sharps) <= 7 else score
    found, _ = score_from_midi(read_midi(write_midi(score_to_midi(in_key))))
    return found


def second_chord(score: Score, key: str) -> NamedChord:
    return analyze_harmony(score, parse_key(key)).chords[1]


@pytest.mark.parametrize("key", KEYS)
def test_augmented_sixths_have_their_names(key: str) -> None:
    six_four = "I64" if key.endswith("major") else "i64"
    for kind in SIXTHS:
        to_dominant, to_six_four = resolved(key, kind, "V"), resolved(key, kind, six_four, "V")
        written = read_musicxml(write_musicxml(to_dominant))[0]
        unspelled = as_midi(to_dominant, parse_key(key)), as_midi(to_six_four, parse_key(key))
        for heard in (written, to_six_four, *unspelled):
            chord = second_chord(heard, key)
            assert (chord.numeral, chord.function) == (kind, "S")


@pytest.mark.parametrize("key", KEYS)
def test_without_resolution_only_the_spelling_counts_and_midi_has_none(key: str) -> None:
    home = "I" if key.endswith("major") else "i"
    flat_seventh = "bVI7" if key.endswith("major") else "VI7"
    for kind in SIXTHS:
        score = resolved(key, kind, home)
        assert second_chord(score, key).numeral == kind
        kept = score_from_json(score_to_json(as_midi(score, parse_key(key))))
        assert "+6" not in second_chord(kept, key).numeral
    assert second_chord(as_midi(resolved(key, "Ger+6", home), parse_key(key)), key).numeral == flat_seventh


@pytest.mark.parametrize(
    ("chords", "numerals"),
    [
        pytest.param("C4 E4 G4|Ab3 C4 Eb4 Gb4|C4 E4 G4", ["I", "bVI7", "I"], id="going home"),
        pytest.param("C4 E4 G4|Ab3 C4 Eb4 Gb4|G3 B3 D4 F4", ["I", "bVI7", "V7"], id="its seventh falls"),
        pytest.param("C4 E4 G4|Ab3 C4 Eb4 F#4|Db3 Ab3 Db4 F4", ["I", "V7/bII", "bII"], id="resolves as a dominant"),
        pytest.param("C4 E4 G4|D3 C4 F#4 Ab4|G3 B3 D4 G4", ["I", "V7b5/V", "V"], id="over the second degree"),
        pytest.param("C4 E4 G4|F#3 C4 Eb4 Ab4|G3 B3 D4 G4", ["I", "Ger+6", "V"], id="raised fourth in the bass"),
        pytest.param("C4 E4 G4|G#3 C4 D#4 F#4|G3 C4 E4 G4|G3 B3 D4 G4", ["I", "Ger+6", "I64", "V"], id="sharps"),
    ],
)
def test_which_chords_are_augmented_sixths(chords: str, numerals: list[str]) -> None:
    score = music(*([Pitch.parse(name) for name in chord.split()] for chord in chords.split("|")))
    assert [chord.numeral for chord in analyze_harmony(score, parse_key("C major")).chords] == numerals


def test_under_a_symbol_the_spelling_decides() -> None:
    for third, numeral in (("F#4", "Ger+6"), ("Gb4", "bVI7")):
        chords = (("C4", "E4", "G4"), ("Ab3", "C4", "Eb4", third), ("G3", "B3", "D4", "G4"))
        score = music(*([Pitch.parse(name) for name in chord] for chord in chords))
        marks = tuple(ChordMark(Fraction(4 * bar), name) for bar, name in enumerate(("C", "Ab7", "G")))
        found = analyze_harmony(replace(score, chords=marks), parse_key("C major")).chords[1]
        assert (found.symbol.name, found.numeral) == ("Ab7", numeral)
