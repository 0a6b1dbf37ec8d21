"""Test generate_melody without HTTP: its output, its score and its errors."""

from fractions import Fraction
from itertools import pairwise

import music21
import pytest
from pydantic import ValidationError

from consort_compose.composer.melody.models import GeneratedMelody, GenerateMelody
from consort_compose.composer.melody.service import MAX_SECONDS, run_generate_melody
from consort_compose.composer.models import ComposedNote
from consort_music.errors import MusicError
from consort_music.notation.note_list import format_note_list, parse_note_list

FULL = {"include_musicxml": True, "include_notes": True}


def request_for(**arguments: object) -> GenerateMelody:
    return GenerateMelody.model_validate({"key": "C major", "length_measures": 4, "seed": 1} | FULL | arguments)


def notes_of(data: GeneratedMelody) -> list[ComposedNote]:
    assert data.melody is not None and data.melody.notes is not None
    return data.melody.notes


def test_the_output_describes_the_melody() -> None:
    data, score, warnings = run_generate_melody(request_for(key="eb major", length_measures=8, contour="arch"))
    assert warnings == []
    notes = notes_of(data)
    assert notes[0].measure == 1 and notes[0].beat == 1
    assert {note.pitch[:-1] for note in notes} <= {"Eb", "F", "G", "Ab", "Bb", "C", "D"}
    assert data.metadata.measures == 8 == notes[-1].measure
    assert data.metadata.note_count == len(notes) == score.note_count
    assert data.metadata.key == "Eb major" and data.metadata.seed_used == 1
    assert data.metadata.contour_fit is not None and data.metadata.contour_fit >= 0.5
    low, high = data.metadata.actual_range.split("-")
    assert {low, high} <= {note.pitch for note in notes}


@pytest.mark.parametrize("metre", ["4/4", "3/4", "6/8", "7/8", "5/4", "12/8", "2/2", "11/8", "3/16", "1/4", "13/32"])
@pytest.mark.parametrize("density", ["sparse", "medium", "dense"])
def test_music21_reads_the_same_notes_in_every_metre(metre: str, density: str) -> None:
    data, score, _ = run_generate_melody(request_for(time_signature=metre, rhythmic_density=density))
    assert data.melody is not None
    read = music21.converter.parseData(data.melody.musicxml, format="musicxml").stripTies()
    bars = list(read.recurse().getElementsByClass("Measure"))
    assert [bar.number for bar in bars] == [1, 2, 3, 4]
    assert [note.pitch.midi for note in read.recurse().notes] == [note.midi for note in score.parts[0].notes]
    assert [Fraction(note.quarterLength) for note in read.recurse().notes] == [
        note.duration for note in score.parts[0].notes
    ]
    assert score.length == 4 * score.metre.bar


def test_a_pickup_is_measure_0() -> None:
    data, score, _ = run_generate_melody(request_for(time_signature="3/4", pickup=1, start_note="G4"))
    assert (notes_of(data)[0].measure, notes_of(data)[0].pitch) == (0, "G4")
    assert notes_of(data)[-1].measure == 4 and len(score.bars) == 5
    assert score.length == 13


def test_swing_makes_the_first_eighth_longer_than_the_second() -> None:
    swung = {
        note.duration
        for seed in range(10)
        for note in run_generate_melody(request_for(swing=True, seed=seed))[1].parts[0].notes
    }
    assert Fraction(2, 3) in swung and Fraction(1, 3) in swung and Fraction(1, 2) not in swung
    data, score, _ = run_generate_melody(request_for(swing=True, seed=3, rhythmic_density="dense"))
    assert score.length == 16 and notes_of(data)[-1].measure == 4


def test_swing_delays_notes_by_a_sixth_of_a_quarter_or_not_at_all() -> None:
    for seed in range(6):
        plain, swung = (
            run_generate_melody(request_for(rhythmic_density="dense", swing=swing, seed=seed))[1]
            for swing in (False, True)
        )
        assert [note.pitch for note in swung.parts[0].notes] == [note.pitch for note in plain.parts[0].notes]
        moved = {b.start - a.start for a, b in zip(plain.parts[0].notes, swung.parts[0].notes, strict=True)}
        assert moved <= {Fraction(0), Fraction(1, 6)}


def test_a_melody_without_wishes_is_singable() -> None:
    """Leaps of more than a fifth are rare. None is followed by a move in the same direction or by another such leap."""
    wide = 0
    for seed in range(60):
        pitches = [
            note.midi for note in run_generate_melody(request_for(length_measures=8, seed=seed))[1].parts[0].notes
        ]
        moves = [after - before for before, after in pairwise(pitches)]
        assert max(map(abs, moves)) <= 12
        for move, after in pairwise(moves):
            if abs(move) > 7:
                wide += 1
                assert move * after <= 0 and abs(after) <= 7, (seed, pitches)
    assert wide <= 30


def test_chords_are_followed_and_are_in_the_score() -> None:
    _, score, warnings = run_generate_melody(request_for(chords="C | F G | Am7 | %", rhythmic_density="dense"))
    assert [mark.symbol for mark in score.chords] == ["C", "F", "G", "Am7"]
    assert warnings == []
    tones = [{0, 4, 7}, {5, 9, 0}, {9, 0, 4, 7}, {9, 0, 4, 7}]
    assert all(note.midi % 12 in tones[int(note.start // 4)] for note in score.parts[0].notes if note.start % 4 == 0)


def test_reading_the_note_list_gives_the_same_notes() -> None:
    for metre in ("4/4", "7/8", "12/8"):
        _, score, _ = run_generate_melody(request_for(time_signature=metre, rhythmic_density="dense", swing=True))
        again = parse_note_list(format_note_list(score)).parts[0].notes
        assert [(note.start, note.duration, note.pitch) for note in again] == [
            (note.start, note.duration, note.pitch) for note in score.parts[0].notes
        ]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"key": "H major"}, "INVALID_KEY"),
        ({"range_low": "X4"}, "INVALID_NOTE"),
        ({"end_note": "C-4"}, "INVALID_NOTE"),
        ({"avoid_leaps_greater_than": "X5"}, "INVALID_INTERVAL"),
        ({"time_signature": "4/5"}, "INVALID_TIME_SIGNATURE"),
    ],
)
def test_invalid_fields_are_rejected_with_their_code(arguments: dict[str, object], code: str) -> None:
    with pytest.raises(ValidationError) as caught:
        request_for(**arguments)
    assert caught.value.errors()[0]["type"] == code


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ({"range_low": "C6", "range_high": "C4"}, "INVALID_RANGE", "range_low"),
        ({"start_note": "F#4"}, "UNSATISFIABLE_CONSTRAINTS", "start_note"),
        ({"end_note": "C3"}, "UNSATISFIABLE_CONSTRAINTS", "end_note"),
        (
            {"start_note": "C4", "end_note": "G4", "avoid_leaps_greater_than": "m2"},
            "UNSATISFIABLE_CONSTRAINTS",
            "avoid_leaps_greater_than",
        ),
        ({"chords": "C | Hx"}, "INVALID_CHORD_SYMBOL", "chords"),
        ({"chords": " | "}, "EMPTY_INPUT", "chords"),
        ({"pickup": 4}, "INVALID_INPUT", "pickup"),
        ({"time_signature": "64/1", "length_measures": 64}, "TOO_LARGE", "length_measures"),
    ],
)
def test_impossible_requests_are_rejected_with_their_code(arguments: dict[str, object], code: str, field: str) -> None:
    with pytest.raises(MusicError) as caught:
        run_generate_melody(request_for(**arguments))
    assert (caught.value.code, caught.value.field) == (code, field)
    assert caught.value.message


def test_a_conflict_has_a_melody_without_it_as_partial_result() -> None:
    with pytest.raises(MusicError) as caught:
        run_generate_melody(request_for(start_note="C4", end_note="G4", avoid_leaps_greater_than="m2"))
    partial = caught.value.partial_result
    assert isinstance(partial, dict)
    assert partial["melody"]["notes"][0]["pitch"] == "C4"
    assert partial["note_list"].startswith("C4:")
    assert caught.value.suggestions == ["M2"]


def test_a_melody_not_found_in_time_is_an_error() -> None:
    times = iter([0.0, MAX_SECONDS + 1, MAX_SECONDS + 1])
    with pytest.raises(MusicError) as caught:
        run_generate_melody(request_for(), clock=lambda: next(times))
    assert caught.value.code == "GENERATION_FAILED"


def test_chords_outside_the_key_give_one_warning() -> None:
    _, _, warnings = run_generate_melody(
        request_for(chords="F#", avoid_leaps_greater_than="M2", rhythmic_density="dense")
    )
    found = [warning for warning in warnings if "strong beat" in warning.message]
    assert [warning.measure for warning in found] == [1]
    assert "measures 1" in found[0].message and "over F#" in found[0].message
