"""Write every species against every cantus, above and below, and check it with `evaluation.checkers.counterpoint`."""

from itertools import pairwise

import pytest

from evaluation.checkers.counterpoint import cantus_notes, interval, simple, sounding
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


@pytest.mark.parametrize(("species", "fewest", "most"), [(2, 0.17, 0.28), (3, 0.09, 0.19), (5, 0.17, 0.29)])
def test_lines_leap_about_as_often_as_in_the_examples_of_fux(species: int, fewest: float, most: float) -> None:
    """Fux has moves of a fourth or more in 22%, 13% and 24% of the moves of species 2, 3 and 5."""
    leaps = [
        abs(after.midi - before.midi) >= 5
        for cantus in CANTUS_FIRMI[::2]
        for above in (True, False)
        for before, after in pairwise(judge(cantus, species, above, seed=3).sung)
    ]
    assert fewest <= sum(leaps) / len(leaps) <= most


@pytest.mark.parametrize("species", [1, 2, 3, 5])
def test_thirds_are_as_frequent_as_sixths_on_downbeats(species: int) -> None:
    found = []
    for cantus in CANTUS_FIRMI:
        voice = judge(cantus, species, above=len(cantus.degrees) % 2 == 0, seed=2).sung
        for bar in cantus_notes(cantus, octave=4)[1:-1]:
            note = sounding(voice, bar.onset)
            assert note is not None
            found.append(simple(interval(note, bar)[0]))
    assert found.count(3) >= 0.8 * found.count(6)


def test_half_of_the_bars_of_the_fifth_species_begin_with_a_tie() -> None:
    tied = []
    for cantus in CANTUS_FIRMI[::2]:
        voice = judge(cantus, 5, above=True, seed=4).sung
        for bar in cantus_notes(cantus, octave=4)[1:-1]:
            note = sounding(voice, bar.onset)
            tied.append(note is not None and note.onset < bar.onset)
    assert 0.42 <= sum(tied) / len(tied) <= 0.68


def test_the_seeds_of_the_fourth_species_differ() -> None:
    different = []
    for cantus in CANTUS_FIRMI[::4]:
        voices = [tuple((note.onset, note.midi) for note in judge(cantus, 4, True, seed).sung) for seed in range(8)]
        different.append(len(set(voices)))
    assert sum(different) >= 4 * len(different)


def test_there_are_cantus_firmi_in_every_mode() -> None:
    modes = {cantus.key.split()[1] for cantus in CANTUS_FIRMI}
    assert modes == {"major", "dorian", "phrygian", "lydian", "mixolydian", "minor", "locrian"}
    assert len(set(CANTUS_FIRMI)) >= 30
