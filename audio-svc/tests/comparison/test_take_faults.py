"""Faults that are put into a take are found, and nothing else."""

import random

import pytest

from consort_audio.comparison.align.alignment import align
from consort_audio.comparison.faults.judging import judge
from consort_audio.comparison.faults.limits import MIDI_TAKE
from consort_audio.comparison.faults.scores import score
from consort_audio.comparison.outcome import outcome
from consort_audio.comparison.played_octave import in_played_octave
from consort_audio.signals.played_notes import PlayedNote
from tests.support.played_takes import TUNE, judged, kinds, play, scale, tune

CHORDS = "C4+E4+G4:q G3+D4+B4:q A3+C4+A4:q F3+C4+A4:h C4+G4+E5:q F4+A4:q G4+B4+D5:h C4+E4+C5:h"


@pytest.mark.parametrize("stretch", [0.6, 1.0, 1.7])
@pytest.mark.parametrize("text", [TUNE, CHORDS], ids=["tune", "chords"])
def test_a_perfect_take_has_no_faults_at_any_tempo(stretch: float, text: str) -> None:
    music = tune(text)
    take = judged(music, play(music, stretch=stretch, start=3.3))
    assert kinds(take) == []
    found = score(take)
    assert found.pitch_accuracy == found.rhythm_accuracy == 1
    assert found.tempo_match == pytest.approx(min(stretch, 1 / stretch), abs=0.01)
    assert found.bpm == pytest.approx(100 / stretch, rel=0.01)


def test_drift_and_human_timing_are_no_faults() -> None:
    music = tune()
    for seed in range(5):
        notes = play(music, jitter_s=0.03, seed=seed)
        slower = [
            note._replace(start=note.start * (1 + 0.01 * note.start), end=note.end * (1 + 0.01 * note.end))
            for note in notes
        ]
        assert kinds(judged(music, slower)) == []


def one_fault(kind: str, notes: list[PlayedNote], place: int) -> tuple[list[PlayedNote], float]:
    """Return the notes with one fault, and its time."""
    changed = list(notes)
    note, after = notes[place], notes[place + 1]
    gap = after.start - note.start
    match kind:
        case "wrong_note":
            changed[place] = note._replace(pitch=note.pitch + 1)
        case "wrong_octave":
            changed[place] = note._replace(pitch=note.pitch + 12)
        case "missing_note":
            del changed[place]
        case "extra_note":
            changed[place] = note._replace(end=note.start + gap / 2)
            changed.append(PlayedNote(note.start + gap / 2, after.start, note.pitch + 3, 1.0))
            return sorted(changed), note.start + gap / 2
        case "late" | "early":
            moved = 0.22 if kind == "late" else -0.22
            changed[place] = note._replace(start=note.start + moved)
            return changed, note.start + moved
        case "too_short":
            changed[place] = note._replace(end=note.start + 0.25 * (note.end - note.start))
        case "sharp":
            changed[place] = note._replace(pitch=note.pitch + 0.4)
        case "flat":
            changed[place] = note._replace(pitch=note.pitch - 0.52)
    return changed, note.start


@pytest.mark.parametrize(
    "kind",
    ["wrong_note", "wrong_octave", "missing_note", "extra_note", "late", "early", "too_short", "sharp", "flat"],
)
@pytest.mark.parametrize("place", [2, 9, 12, 20])
def test_a_single_fault_is_found_at_its_place(kind: str, place: int) -> None:
    music = tune()
    notes, time = one_fault(kind, play(music, stretch=1.3, jitter_s=0.01), place)
    take = judged(music, notes, is_audio=kind in ("sharp", "flat"))
    assert kinds(take) == [kind]
    fault = take.faults[0]
    assert fault.time == pytest.approx(time, abs=0.06)
    expected = music.notes[place]
    assert fault.bar == expected.bar
    if kind != "extra_note":
        assert (fault.expected, fault.beat) == (expected.name, expected.beat)


def test_the_amounts_of_faults_are_measured() -> None:
    music = tune()
    late = judged(music, one_fault("late", play(music), 12)[0]).faults[0]
    assert late.amount == pytest.approx(220, abs=15)
    assert late.severity == "major"
    sharp = judged(music, one_fault("sharp", play(music), 12)[0], is_audio=True).faults[0]
    assert sharp.amount == pytest.approx(40, abs=2)
    assert sharp.severity == "moderate"
    short = judged(music, one_fault("too_short", play(music), 12)[0]).faults[0]
    assert short.amount == pytest.approx(0.25, abs=0.02)


def test_a_note_missing_from_a_chord_is_named() -> None:
    music = tune(CHORDS)
    notes = play(music)
    gone = next(index for index, note in enumerate(music.notes) if note.name == "A4" and note.bar == 1)
    take = judged(music, notes[:gone] + notes[gone + 1 :])
    assert [(fault.kind, fault.expected) for fault in take.faults] == [("missing_note", "A4")]


def test_a_hesitation_is_one_late_note() -> None:
    music = tune()
    notes = [
        note if index < 14 else note._replace(start=note.start + 0.7, end=note.end + 0.7)
        for index, note in enumerate(play(music))
    ]
    take = judged(music, notes)
    assert kinds(take) == ["late"]
    assert take.faults[0].amount == pytest.approx(700, abs=40)


@pytest.mark.parametrize("back", [1, 2, 4, 8])
def test_a_restart_is_no_fault(back: int) -> None:
    music = tune()
    notes = play(music)
    stop = 17
    moved = notes[stop].start + 0.8 - notes[stop - back].start
    again = [note._replace(start=note.start + moved, end=note.end + moved) for note in notes[stop - back :]]
    take = judged(music, notes[:stop] + again)
    assert kinds(take) == []
    restarts = outcome(take, "test", is_audio=False)["restarts"]
    assert [each["time"] for each in restarts] == [pytest.approx(again[0].start, abs=0.01)]


def test_a_take_may_be_played_twice() -> None:
    music = scale("A minor", pattern="up_down")
    once = play(music)
    length = once[-1].end + 1
    take = judged(music, once + [note._replace(start=note.start + length, end=note.end + length) for note in once])
    assert kinds(take) == []
    assert len(take.alignment.passes) == 2


@pytest.mark.parametrize("semitones", [-12, 12, 24])
def test_a_take_in_another_octave_is_one_remark(semitones: int) -> None:
    music = tune()
    take = judged(music, [note._replace(pitch=note.pitch + semitones) for note in play(music)])
    assert kinds(take) == []
    assert "octave" in outcome(take, "test", is_audio=False)["remarks"][0]


def test_a_scale_without_a_start_note_may_be_in_any_octave() -> None:
    music = scale("C major")
    take = judged(music, [note._replace(pitch=note.pitch - 24) for note in play(music)])
    assert kinds(take) == []
    assert outcome(take, "test", is_audio=False)["remarks"] == []


def test_the_tuning_of_the_whole_take_is_one_remark() -> None:
    music = tune()
    take = judged(music, [note._replace(pitch=note.pitch + 0.3) for note in play(music)], is_audio=True)
    assert kinds(take) == []
    assert take.tuning_cents == pytest.approx(30, abs=1)
    assert "30 cents sharp" in outcome(take, "test", is_audio=True)["remarks"][0]


def test_only_the_played_bars_are_judged() -> None:
    music = tune()
    take = judged(music, play(music)[:14])
    assert kinds(take) == []
    found = outcome(take, "test", is_audio=False)
    assert found["completeness"] == pytest.approx(14 / len(music.notes), abs=0.001)
    assert "Only bars 1 to" in found["remarks"][0]


def test_another_tune_is_not_judged_note_by_note() -> None:
    rng = random.Random(5)
    music = tune()
    notes = [PlayedNote(0.5 * place, 0.5 * place + 0.4, float(rng.randint(40, 90)), 1.0) for place in range(30)]
    found = outcome(judged(music, notes), "test", is_audio=True)
    assert found["errors"] == []
    assert "hardly resembles" in found["remarks"][0]
    assert set(found["comparison"].values()) == {0.0}, "chance matches are no merit"
    assert "tempo" not in found
    assert found["confidence"] < 0.5


def test_an_empty_take_has_scores_of_zero() -> None:
    found = outcome(judged(tune(), []), "test", is_audio=True)
    assert found["comparison"]["overall"] == 0
    assert found["remarks"] == ["No notes were heard in this take."]


def test_the_worst_spot_names_bar_notes_and_tempo() -> None:
    music = tune()
    notes = play(music, stretch=1.25)
    for place in (16, 17, 18):
        notes[place] = notes[place]._replace(pitch=notes[place].pitch + 1)
    spot = outcome(judged(music, notes), "test", is_audio=False)["worst_spots"][0]
    assert spot["bars"] == str(music.notes[17].bar)
    assert music.notes[17].name in spot["advice"]
    assert "48 BPM" in spot["advice"]  # 60% of 80


def test_a_take_that_is_too_fast_is_practised_up_to_the_asked_tempo() -> None:
    music = tune(tempo=100)
    notes = play(music, stretch=0.8)
    notes[16] = notes[16]._replace(pitch=notes[16].pitch + 1)
    spot = outcome(judged(music, notes), "test", is_audio=False)["worst_spots"][0]
    assert "at 60 BPM, then 5 BPM faster until 100" in spot["advice"]


def test_mistakes_that_are_far_apart_are_different_spots() -> None:
    music = scale("D major", tempo=90)
    notes = play(music)
    for place in (2, 6):
        notes[place] = notes[place]._replace(pitch=notes[place].pitch - 1)
    spots = outcome(judged(music, notes), "test", is_audio=False)["worst_spots"]
    assert [spot["bars"] for spot in spots] == ["1", "2"]
    assert "play E4 F#4 G4 three times" in spots[0]["advice"]


def test_a_scale_in_another_octave_is_named_in_that_octave() -> None:
    music = scale("D major")
    notes = [note._replace(pitch=note.pitch - 12) for note in play(music)]
    notes[2] = notes[2]._replace(pitch=notes[2].pitch - 1)
    take = judge(*in_played_octave(music, align(music, notes)), MIDI_TAKE)
    assert [(fault.expected, fault.played) for fault in take.faults] == [("F#3", "F3")]
    assert take.alignment.semitones == 0
