"""The scores of `consort bench audio` are right for answers whose score is known."""

import math

import numpy as np
import pytest

from benchmarks.listening import scores
from benchmarks.listening.baselines import LOCK
from benchmarks.listening.calibration import calibration_row
from benchmarks.listening.fault_scores import FaultCounts, TimedFault
from benchmarks.listening.table import MeasuredRow
from consort_cli import bootstrap
from consort_cli.commands.lock import machine_specific_line
from evaluation.sounds import TrueChord, TrueNote, Truth

NOTES = [TrueNote(0.0, 0.9, 60.2), TrueNote(1.0, 1.9, 64.2), TrueNote(2.0, 2.9, 67.2)]


def test_notes_count_when_onset_and_pitch_are_near() -> None:
    heard = [(0.04, 0.5, 60.0), (1.06, 1.9, 64.2), (2.0, 2.1, 67.8)]
    assert scores.note_f(NOTES, heard) == pytest.approx(1 / 3)
    assert scores.note_f(NOTES, [note[:3] for note in NOTES]) == 1
    assert scores.note_f(NOTES, []) == 0


def test_frame_pitch_is_the_share_of_right_frames_of_notes() -> None:
    truth = Truth(duration=3, notes=NOTES)
    times, hz = scores.frames_of_notes([(0.0, 0.45, 60.2), (1.0, 1.9, 64.2), (2.0, 2.9, 68.0)], 3)
    assert scores.frame_pitch(truth, times, hz) == pytest.approx(0.5, abs=0.02)


def test_tempo_may_be_an_octave_away_in_acc2_only() -> None:
    assert scores.tempo_is_right(120, 61) == 0
    assert scores.tempo_is_right(120, 61, scores.OCTAVES) == 1
    assert scores.tempo_is_right(120, 124) == 1
    assert scores.tempo_is_right(120, None, scores.OCTAVES) == 0


@pytest.mark.parametrize(
    ("name", "label"), [("Bbmin7/F", "Bb:min7"), ("Cmaj", "C:maj"), ("F#7", "F#:7"), ("Bmin7b5", "B:hdim7"), ("N", "N")]
)
def test_chord_names_in_the_syntax_of_mir_eval(name: str, label: str) -> None:
    assert scores.harte_label(name) == label


def test_chords_score_the_share_of_the_time() -> None:
    truth = [TrueChord(0, 2, "C:maj7"), TrueChord(2, 4, "A:min")]
    assert scores.chord_scores(truth, [(0, 2, "C:maj"), (2, 3, "A:min"), (3, 4, "F:maj")]) == pytest.approx(
        (0.75, 0.25)
    )


def test_phrases_score_the_starts_after_the_first() -> None:
    truth = [(0.0, 4.0), (4.2, 8.0), (8.3, 12.0)]
    assert scores.phrase_f(truth, [(0.5, 4.0), (5.0, 11.0)]) == pytest.approx(2 / 3)


def test_faults_are_found_by_kind_and_place() -> None:
    counts = FaultCounts()
    counts.add(
        [TimedFault("wrong", 1.0), TimedFault("missing", 3.0), TimedFault("late/early", 5.0)],
        [TimedFault("wrong", 1.09), TimedFault("extra", 3.0), TimedFault("late/early", 5.2), TimedFault("long", 9.0)],
    )
    assert (counts.precision(), counts.recall()) == pytest.approx((1 / 4, 1 / 3))
    assert (counts.precision(["wrong"]), counts.recall(["missing"])) == (1, 0)
    assert counts.places_found == 2


def test_a_confidence_that_is_the_share_of_right_answers_is_calibrated() -> None:
    numbers = np.random.default_rng(1)
    stated = numbers.uniform(0, 1, 5000)
    right = numbers.uniform(0, 1, 5000) < stated
    honest = calibration_row("honest", [(float(a), bool(b)) for a, b in zip(stated, right, strict=True)])
    boaster = calibration_row("boaster", [(0.95, bool(b)) for b in right])
    assert (honest.verdict(), boaster.verdict()) == ("ok", "BELOW FLOOR")
    assert boaster.ours == pytest.approx(0.45, abs=0.03)


def test_a_missing_tool_counts_as_missed() -> None:
    row = MeasuredRow("task", 0, None, 0.9)
    requirement = row.requirement()
    assert row.verdict() == "not measured"
    assert requirement is not None
    assert math.isnan(requirement.measured)
    assert not requirement.ok


def test_the_lock_of_the_baselines_is_valid_on_every_machine() -> None:
    lock = (bootstrap.ROOT / LOCK).read_text()
    assert machine_specific_line(lock) is None
    assert "librosa==" in lock
    assert "basic-pitch==" in lock
    assert "parangonar==" in lock
    assert all("--hash=" in line or line.rstrip().endswith("\\") for line in lock.splitlines())
