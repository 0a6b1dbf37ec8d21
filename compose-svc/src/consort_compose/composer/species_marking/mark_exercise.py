"""Mark an exercise: find every fault, in order of time."""

from consort_compose.composer.species_marking.exercise import Exercise
from consort_compose.composer.species_marking.exercise_fault import ExerciseFault
from consort_compose.composer.species_marking.melodic_faults import melodic_faults
from consort_compose.composer.species_marking.motion_faults import motion_faults
from consort_compose.composer.species_marking.read_exercise import read_exercise
from consort_compose.composer.species_marking.rhythm_and_cadence_faults import end_faults, rhythm_and_cadence_faults
from consort_compose.composer.species_marking.vertical_faults import vertical_faults
from consort_music.keys import Key
from consort_music.score import Score


def mark_exercise(score: Score, species: int, key: Key | None) -> tuple[Exercise, list[ExerciseFault]]:
    """Return the exercise, and the faults of its marked voice in order of time.

    If `key` is None, it is found. Raise INVALID_INPUT if the score does not have exactly two voices of single notes.
    """
    exercise = read_exercise(score, species, key, _lacks_leading_tone)
    checks = (rhythm_and_cadence_faults, melodic_faults, vertical_faults, motion_faults)
    faults = {fault for check in checks for fault in check(exercise)}
    return exercise, sorted(faults)


def _lacks_leading_tone(exercise: Exercise) -> bool:
    return any(fault.kind == "leading_tone" for fault in end_faults(exercise))
