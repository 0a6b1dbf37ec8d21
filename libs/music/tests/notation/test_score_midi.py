"""Scores are converted to MIDI files and back, and performed notes are quantized."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings

from consort_music.errors import MusicError
from consort_music.keys import parse_key
from consort_music.metre import Metre
from consort_music.midi.model import MidiFile
from consort_music.midi.reader import read_midi
from consort_music.midi.writer import write_midi
from consort_music.notation.from_midi import score_from_midi
from consort_music.notation.note_list import parse_note_list
from consort_music.notation.to_midi import score_to_midi
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score
from tests.support.score_strategies import notated_scores


def numbers(score: Score) -> list[list[tuple[Fraction, Fraction, int, int]]]:
    return [sorted((n.start, n.duration, n.midi, n.velocity) for n in part.notes) for part in score.parts]


@settings(max_examples=25)
@given(notated_scores().filter(lambda score: all(part.notes for part in score.parts)))
def test_a_score_reads_back_from_midi(score: Score) -> None:
    back, warnings = score_from_midi(read_midi(write_midi(score_to_midi(score))))
    assert numbers(back) == numbers(score)
    assert [part.name for part in back.parts] == [part.name for part in score.parts]
    assert [bar.start for bar in back.bars] == [bar.start for bar in score.bars]
    assert back.title == score.title
    assert warnings == []


def test_titles_tempos_metres_and_keys_are_kept() -> None:
    keys = ((Fraction(0), parse_key("Eb major")), (Fraction(2), parse_key("C# minor")))
    score = Score(parse_note_list("Ab4 Eb4 G#4 E4").parts, keys=keys, tempos=((Fraction(0), Fraction(96)),))
    back, _ = score_from_midi(score_to_midi(score))
    assert (back.keys, back.tempos) == (score.keys, score.tempos)
    assert [note.pitch.name for note in back.parts[0].notes] == ["Ab4", "Eb4", "G#4", "E4"]


def test_without_a_signature_the_notes_determine_the_spelling() -> None:
    score = parse_note_list("Eb4 F4 G4 Ab4 Bb4 C5 D5 Eb5:w")
    back, _ = score_from_midi(score_to_midi(score))
    assert [note.pitch.name for note in back.parts[0].notes] == [note.pitch.name for note in score.parts[0].notes]
    assert back.keys == ()


def test_a_pickup_is_a_separate_bar() -> None:
    score = Score(parse_note_list("G4:q C5:hd D5:hd").parts, metres=((Fraction(0), Metre(3, 4)),), pickup=Fraction(1))
    back, _ = score_from_midi(score_to_midi(score))
    assert (back.pickup, back.metres) == (Fraction(1), ((Fraction(0), Metre(3, 4)),))


def test_a_key_beyond_seven_sharps_and_an_unknown_instrument_are_left_out() -> None:
    part = Part.of("solo", parse_note_list("C4").parts[0].notes, "nonesuch")
    back, _ = score_from_midi(score_to_midi(Score((part,), keys=((Fraction(0), parse_key("G# major")),))))
    assert back.keys == ()
    assert back.parts[0].instrument == "Acoustic Grand Piano"


def test_a_file_without_notes_is_rejected() -> None:
    with pytest.raises(MusicError, match="no notes"):
        score_from_midi(MidiFile(1, 480, []))


RHYTHM = "C4:q D4:e E4:e F4:e3 G4:e3 A4:e3 B4:h C5:s D5:s E5:s F5:s G5:qd F5:e E5:q3 D5:q3 C5:q3 C4:h"


@pytest.mark.parametrize("seed", range(5, 13))
def test_performed_notes_are_quantized(seed: int) -> None:
    """Triplets beside 16ths, each only once: no other bars tell which pattern is meant."""
    written = parse_note_list(RHYTHM).parts[0].notes
    rng = random.Random(seed)
    played = []
    for note in written:
        start = max(note.start + Fraction(rng.randint(-12, 12), 480), Fraction(0))
        played.append(Note(start, note.duration * Fraction(9, 10), note.pitch))
    back, warnings = score_from_midi(_file(played))
    assert [(note.start, note.duration) for note in back.parts[0].notes] == [(n.start, n.duration) for n in written]
    assert len(warnings) == 1 and "grid" in warnings[0]


def test_notes_are_quantized_only_if_requested_or_needed() -> None:
    written = parse_note_list(RHYTHM)
    assert score_from_midi(score_to_midi(written))[1] == []
    played = [Note(Fraction(n) + Fraction(7, 480), Fraction(1), Pitch.parse("C4")) for n in range(4)]
    exact, warnings = score_from_midi(_file(played), quantize=False)
    assert exact.parts[0].notes[0].start == Fraction(7, 480) and warnings == []


def _file(notes: list[Note]) -> MidiFile:
    return score_to_midi(Score((Part.of("played", notes),)))


def test_the_file_lasts_as_long_as_the_score() -> None:
    file = score_to_midi(parse_note_list('"a" C4:q R:h\n"b" R:e3 C4:e3'))
    assert max(track[-1][0] for track in file.tracks) == 3 * file.division


def test_a_contradicted_signature_does_not_determine_the_spelling() -> None:
    """A tune in E flat with the signature of C, which many programs write by default."""
    tune = parse_note_list("Eb4:q G4 Bb4 Eb5 C5 Ab4 Bb4 G4 F4 D4 F4 Ab4 Eb4:w")
    file = score_to_midi(replace(tune, keys=((Fraction(0), parse_key("C major")),)))
    back, _ = score_from_midi(file)
    assert [note.pitch for note in back.parts[0].notes] == [note.pitch for note in tune.parts[0].notes]
    assert back.key == parse_key("C major"), "what the file says is kept"
