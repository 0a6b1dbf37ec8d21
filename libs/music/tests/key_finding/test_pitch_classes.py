"""Keys of melodies: the plain algorithm against music21, and the effect of first note, last note and signature."""

import random
from typing import Any

import music21
import pytest

from consort_music.key_finding.pitch_classes import contradicts, pitch_class_weights, rank_keys, sharps_of
from consort_music.keys import Key, parse_key
from consort_music.notation.note_list import parse_note_list
from consort_music.score import Note


def notes_of(text: str) -> tuple[Note, ...]:
    return parse_note_list(text).parts[0].notes


@pytest.mark.parametrize("seed", range(40))
def test_without_hints_the_result_is_that_of_music21(seed: int) -> None:
    chance = random.Random(seed)
    tonic, scale = chance.randrange(12), chance.choice([(0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 11)])
    melody = [(60 + tonic + chance.choice(scale), chance.choice([0.5, 1.0, 2.0])) for _ in range(20)]
    stream: Any = music21.stream.Stream()
    for midi, duration in melody:
        note = music21.note.Note(quarterLength=duration)
        note.pitch.midi = midi
        stream.append(note)
    theirs: Any = music21.analysis.discrete.analyzeStream(stream, "key.temperley")
    ranked = rank_keys(pitch_class_weights(melody))
    best = [guess for guess in ranked if guess.score > ranked[0].score - 1e-6]
    assert (theirs.tonic.pitchClass, theirs.mode) in [(guess.tonic, guess.mode) for guess in best]
    assert ranked[0].score == pytest.approx(theirs.correlationCoefficient, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("E4:q E4 F4 G4 G4 F4 E4 D4 C4 C4 D4 E4 E4:qd D4:e D4:h", "C major"),
        ("C4:q C4 G4 G4 A4 A4 G4:h F4:q F4 E4 E4 D4 D4 C4:h", "C major"),
        ("D4:q D4 A4 A4 Bb4 A4 G4:h F4:q F4 E4 C#4 D4:w", "D minor"),
        ("Bb4:q D5 F5 D5 Eb5 C5 Bb4:h", "Bb major"),
        ("F#4:q A4 C#5 F#5 E5 C#5 A4 G#4 F#4:w", "F# minor"),
        ("C4:q D4 E4 G4", "C major"),
    ],
)
def test_well_known_melodies(text: str, key: str) -> None:
    notes = notes_of(text)
    weights = pitch_class_weights([(note.midi, float(note.duration)) for note in notes])
    found = rank_keys(weights, notes[0].midi % 12, notes[-1].midi % 12)[0]
    assert found.key.name == key


def test_a_signature_decides_between_relative_keys() -> None:
    weights = pitch_class_weights([(note.midi, 1.0) for note in notes_of("A4 B4 C5 D5 E5 G5 E5 D5 C5 A4")])
    assert rank_keys(weights, sharps=0)[0].sharps == 0
    assert rank_keys(weights, sharps=4)[0].score < rank_keys(weights, sharps=0)[0].score


TUNES = {
    "major": [
        "E4:q E4 F4 G4 G4 F4 E4 D4 C4 C4 D4 E4 E4:qd D4:e D4:h E4:q E4 F4 G4 G4 F4 E4 D4 C4 C4 D4 E4 D4:qd C4:e C4:h",
        "C4:q C4 G4 G4 A4 A4 G4:h F4:q F4 E4 E4 D4 D4 C4:h G4:q G4 F4 F4 E4 E4 D4:h C4:q C4 G4 G4 A4 A4 G4:h C4:w",
        "C4:q E4 G4 C5 B4 A4 G4 F4 E4 D4 B3 D4 C4:w",
    ],
    "minor": [
        "C4:q C4 G4 G4 Ab4 G4 F4:h Eb4:q Eb4 D4 B3 C4:w",
        "C5:q D5 Eb5 G5 F5 Eb5 D5 B4 C5:w Ab4:q G4 F4 Eb4 D4 B3 C4:h",
        "G4:q C5 Eb5 D5 C5 Bb4 Ab4 G4 F4 Eb4 D4 Eb4 C4:w",
    ],
}
KEYS = [(tonic, mode) for tonic in range(12) for mode in TUNES]


def ranked(text: str, up: int, sharps: int | None) -> tuple[int, str]:
    """Return the key of a tune that is transposed by semitones."""
    notes = notes_of(text)
    weights = pitch_class_weights([(note.midi + up, float(note.duration)) for note in notes])
    found = rank_keys(weights, (notes[0].midi + up) % 12, (notes[-1].midi + up) % 12, sharps)[0]
    return found.tonic, found.mode


@pytest.mark.parametrize(("tonic", "mode"), KEYS)
def test_no_signature_changes_the_key_of_a_plain_tune(tonic: int, mode: str) -> None:
    for text in TUNES[mode]:
        for sharps in (None, *range(-7, 8)):
            assert ranked(text, tonic, sharps) == (tonic, mode), (text, sharps)


@pytest.mark.parametrize("tonic", range(12))
def test_the_signature_decides_if_the_third_is_missing(tonic: int) -> None:
    bare = "C4:q F4 G4 C5 D5 C5 G4 F4 G4 D4 C4:w"
    for mode in ("major", "minor"):
        guess = next(guess for guess in rank_keys([0.0] * 12) if (guess.tonic, guess.mode) == (tonic, mode))
        assert ranked(bare, tonic, guess.sharps) == (tonic, mode)


@pytest.mark.parametrize("tonic", range(12))
def test_modal_tunes_with_and_without_their_signature(tonic: int) -> None:
    dorian = "C4:q D4 Eb4 F4 G4 A4 Bb4 G4 F4 Eb4 D4 Bb3 C4:w"
    mixolydian = "C4:q D4 E4 F4 G4 A4 Bb4 G4 E4 D4 Bb3 D4 C4:w"
    fifths = 7 * tonic % 12
    for text, mode, sharps in ((dorian, "minor", fifths - 2), (mixolydian, "major", fifths - 1)):
        for stated in (None, sharps, 0):
            assert ranked(text, tonic, stated) == (tonic, mode)


def weights_of(text: str) -> list[float]:
    return pitch_class_weights([(note.midi, float(note.duration)) for note in notes_of(text)])


@pytest.mark.parametrize(
    ("text", "key", "expected"),
    [
        (TUNES["major"][0], "C major", False),
        (TUNES["major"][0], "A minor", False),
        (TUNES["major"][0], "D major", True),
        (TUNES["major"][0], "C minor", True),
        (TUNES["minor"][0], "C major", True),
        (TUNES["minor"][0], "C minor", False),
        (TUNES["minor"][1], "C harmonic minor", False),
        (TUNES["minor"][1], "Eb major", False),
        ("C4:q F4 G4 C5 D5 C5 G4 F4 G4 D4 C4:w", "C minor", False),
        ("C4:q Eb4 F4 F#4 G4 Bb4 G4 Eb4 C4:w", "C blues", False),
        ("C4:q D4 F4 G4 Eb4:e D4 C4:w", "C major", True),
    ],
)
def test_notes_contradict_a_wrong_key(text: str, key: str, expected: bool) -> None:
    assert contradicts(weights_of(text), parse_key(key)) == expected


def test_silence_contradicts_nothing() -> None:
    assert not contradicts([0.0] * 12, parse_key("E major"))


def test_signatures_of_all_keys() -> None:
    for tonic in range(12):
        for mode in ("major", "minor"):
            guess = next(guess for guess in rank_keys([1.0] + [0.0] * 11) if (guess.tonic, guess.mode) == (tonic, mode))
            assert guess.key.tonic == tonic and isinstance(guess.key, Key)
            assert guess.key.sharps == sharps_of(tonic, guess.mode)


def test_silence_gets_an_answer_too() -> None:
    assert rank_keys([0.0] * 12)[0].key.name == "C major"
