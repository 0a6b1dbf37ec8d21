"""Keys of melodies: the plain method against music21's, and what the first and last note and a signature add."""

import random
from typing import Any

import music21
import pytest

from consort_music.key_finding import pitch_class_weights, rank_keys, sharps_of
from consort_music.keys import Key
from consort_music.note_list import parse_note_list
from consort_music.score import Note


def notes_of(text: str) -> tuple[Note, ...]:
    return parse_note_list(text).parts[0].notes


@pytest.mark.parametrize("seed", range(40))
def test_without_hints_it_is_the_method_that_music21_has(seed: int) -> None:
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
def test_melodies_that_everyone_hears_alike(text: str, key: str) -> None:
    notes = notes_of(text)
    weights = pitch_class_weights([(note.midi, float(note.duration)) for note in notes])
    found = rank_keys(weights, notes[0].midi % 12, notes[-1].midi % 12)[0]
    assert found.key.name == key


def test_a_signature_decides_between_relatives() -> None:
    weights = pitch_class_weights([(note.midi, 1.0) for note in notes_of("A4 B4 C5 D5 E5 G5 E5 D5 C5 A4")])
    assert rank_keys(weights, sharps=0)[0].sharps == 0
    assert rank_keys(weights, sharps=4)[0].score < rank_keys(weights, sharps=0)[0].score


def test_signatures_of_all_keys() -> None:
    for tonic in range(12):
        for mode in ("major", "minor"):
            guess = next(guess for guess in rank_keys([1.0] + [0.0] * 11) if (guess.tonic, guess.mode) == (tonic, mode))
            assert guess.key.tonic == tonic and isinstance(guess.key, Key)
            assert guess.key.sharps == sharps_of(tonic, guess.mode)


def test_silence_has_no_key_but_an_answer() -> None:
    assert rank_keys([0.0] * 12)[0].key.name == "C major"
