"""Mark an exercise: every fault, in the order of time."""

from consort_compose.composer.species.exercise import Exercise, read_exercise
from consort_compose.composer.species.faults import Fault
from consort_compose.composer.species.frame import end_faults, frame_faults
from consort_compose.composer.species.melody import melody_faults
from consort_compose.composer.species.motion import motion_faults
from consort_compose.composer.species.verticals import vertical_faults
from consort_music.keys import Key
from consort_music.score import Score


def mark(score: Score, species: int, key: Key | None) -> tuple[Exercise, list[Fault]]:
    """Find the cantus and judge the other voice; raises INVALID_INPUT where there are not two lines."""
    exercise = read_exercise(score, species, key, _lacks_leading_tone)
    rules = (frame_faults, melody_faults, vertical_faults, motion_faults)
    faults = {fault for rule in rules for fault in rule(exercise)}
    return exercise, sorted(faults)


def _lacks_leading_tone(exercise: Exercise) -> bool:
    return any(fault.kind == "leading_tone" for fault in end_faults(exercise))
