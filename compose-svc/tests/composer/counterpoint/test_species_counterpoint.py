"""Write every species against every cantus, above and below, and check it with `evaluation.checkers.counterpoint`."""

import pytest

from evaluation.corpora.cantus_firmi import CANTUS_FIRMI
from evaluation.engine_runs.species_counterpoint import judge


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("species", [1, 2, 3, 4, 5])
def test_voices_have_no_fault_and_no_relaxed_rule(species: int, seed: int) -> None:
    downbeats = 0
    for cantus in CANTUS_FIRMI:
        for above in (True, False):
            verdict = judge(cantus, species, above, seed)
            assert not verdict.faults, (cantus, above, verdict.faults)
            assert not verdict.relaxations, (cantus, above, verdict.relaxations)
            downbeats += verdict.downbeat_parallels
    assert downbeats <= 0.1 * len(CANTUS_FIRMI) * 2


def test_the_fourth_species_reports_each_new_note_on_a_downbeat() -> None:
    for cantus in CANTUS_FIRMI:
        for above in (True, False):
            verdict = judge(cantus, 4, above, seed=0)
            notes = verdict.voice.notes
            struck = {note.onset // 4 + 1 for note in notes[1:-1] if note.onset % 4 == 0}
            assert verdict.restarts == struck, (cantus, above)


def test_there_are_cantus_firmi_in_every_mode() -> None:
    modes = {cantus.key.split()[1] for cantus in CANTUS_FIRMI}
    assert modes == {"major", "dorian", "phrygian", "lydian", "mixolydian", "minor", "locrian"}
    assert len(set(CANTUS_FIRMI)) >= 30
