"""Faults of the intervals between marked voice and cantus: dissonances, suspensions, crossings, unisons, distance."""

from collections.abc import Iterator
from fractions import Fraction

from consort_compose.composer.counterpoint.spelled_tones import VoiceNote, is_consonant, widest_distance
from consort_compose.composer.species_marking.exercise import Exercise, ExerciseUnit
from consort_compose.composer.species_marking.exercise_fault import ExerciseFault, interval_name, is_step, note_name

_SUSPENSIONS = {True: {3, 6, 1}, False: {1, 3}}
"""By whether the voice is above the cantus: allowed suspensions, as letters from the cantus within the octave. They are
4-3, 7-6 and 9-8 above, 2-3 and 4-5 below."""
_STEP = 2
"""In semitones."""


def vertical_faults(exercise: Exercise) -> Iterator[ExerciseFault]:
    widest = _widest_distance(exercise)
    for place, note in enumerate(exercise.voice):
        onsets = (other.onset for other in exercise.cantus if note.onset < other.onset < note.end)
        for moment in (note.onset, *onsets):
            against = exercise.against(moment)
            if against is None:
                continue
            distance = (note.tone.midi - against.tone.midi) * exercise.sign
            pair = f"{note_name(note.tone)} against {note_name(against.tone)}"
            if distance < 0:
                yield ExerciseFault(moment, "voice_crossing", f"The voices cross: {pair}.")
            if distance == 0 and 0 < place < len(exercise.voice) - 1:
                yield ExerciseFault(moment, "unison", f"The voices meet in a unison on {note_name(note.tone)}.")
            if distance > widest:
                yield ExerciseFault(moment, "spacing", f"The voices are more than a twelfth apart: {pair}.")
            if not _is_consonant_with(note, against):
                yield from _dissonance_faults(exercise, place, moment, against)


def _widest_distance(exercise: Exercise) -> int:
    """Return how many semitones the voices may be apart.

    This is a twelfth, or more if the marked voice is always further away or its range is too far from the cantus.
    """
    distances = [
        (note.tone.midi - against.tone.midi) * exercise.sign
        for note in exercise.voice
        if (against := exercise.against(note.onset)) is not None
    ]
    nearest = min(distances, default=0)
    for low, high in exercise.ranges:
        edge = low if exercise.above else high
        furthest = max((edge - note.tone.midi) * exercise.sign for note in exercise.cantus)
        nearest = max(nearest, furthest + _STEP if furthest > 0 else 0)  # the first tone of the mode in the range
    return widest_distance(nearest)


def _dissonance_faults(exercise: Exercise, place: int, moment: Fraction, against: VoiceNote) -> Iterator[ExerciseFault]:
    note, unit = exercise.voice[place], exercise.unit_at(moment)
    interval = interval_name(note.tone, against.tone).capitalize()
    name = f"{interval} {note_name(note.tone)} against {note_name(against.tone)}"
    if moment > note.onset and moment > unit.start:  # a cantus of unequal notes moves while the note is held
        if not _cantus_moves_by_step(exercise, against):
            yield ExerciseFault(moment, "dissonance", f"{name}: the cantus neither enters nor leaves it by step.")
    elif moment > note.onset:
        fault = _suspension_fault(exercise, place, unit, against)
        if fault:
            kind, text = fault
            yield ExerciseFault(moment, kind, f"{name}: {text}.")
    elif moment == unit.start or exercise.species == 1:
        kind = "dissonance" if exercise.species == 1 else "dissonant_downbeat"
        yield ExerciseFault(moment, kind, f"{name} is struck where only consonances are allowed.")
    else:
        reason = _weak_dissonance_fault(exercise, place, unit)
        if reason:
            yield ExerciseFault(moment, "weak_dissonance", f"{name} {reason}.")


def _suspension_fault(exercise: Exercise, place: int, unit: ExerciseUnit, against: VoiceNote) -> tuple[str, str] | None:
    """Return the kind and the text of a fault in a suspension, or None if it is correct."""
    note = exercise.voice[place]
    prepared = exercise.against(note.onset)
    if exercise.species not in (4, 5):
        return "dissonant_downbeat", f"species {exercise.species} has no suspensions"
    if prepared is not None and not _is_consonant_with(note, prepared):
        return "suspension_not_prepared", "the suspension is not prepared by a consonance"
    resolution = _resolution(exercise, place, unit)
    if resolution is None:
        return "suspension_not_resolved", "the suspension does not step down to a consonance"
    letters = abs(note.tone.step - against.tone.step) % 7
    if letters not in _SUSPENSIONS[exercise.above] or resolution.tone.midi == against.tone.midi:
        usual = "7-6, 4-3 or 9-8" if exercise.above else "2-3 or 4-5"
        return "suspension_kind", f"{'above' if exercise.above else 'below'} the cantus a suspension is {usual}"
    return None


def _resolution(exercise: Exercise, place: int, unit: ExerciseUnit) -> VoiceNote | None:
    """Return the note that resolves a suspension, or None.

    It is the next note. In species 5 a lower consonance may come between the suspension and its resolution.
    """
    note = exercise.voice[place]
    following = [other for other in exercise.voice[place + 1 : place + 3] if other.onset < unit.end]
    if not following or not _is_consonant_at_onset(exercise, following[0]):
        return None
    if exercise.species == 4 or _steps_down(note, following[0]):
        following = following[:1]
    elif following[0].tone.midi > note.tone.midi or following[-1].onset != unit.start + unit.length / 2:
        return None
    resolution = following[-1]
    return resolution if _steps_down(note, resolution) and _is_consonant_at_onset(exercise, resolution) else None


def _weak_dissonance_fault(exercise: Exercise, place: int, unit: ExerciseUnit) -> str | None:
    """Return the reason why a dissonance on a weak beat is not allowed in its species, or None if it is allowed."""
    voice = exercise.voice
    if exercise.species == 4:
        return "is struck; the fourth species has dissonances only as suspensions"
    if place == 0 or place + 1 >= len(voice):
        return "has no note before or after it to pass between"
    before, note, after = voice[place - 1 : place + 2]
    if exercise.species in (3, 5) and _is_double_neighbour(exercise, place, unit):
        return None
    enters, leaves = is_step(before, note), is_step(note, after)
    is_cambiata = exercise.species in (3, 5) and _is_cambiata(exercise, place)
    if not enters or not (leaves or is_cambiata):
        how = "entered and left" if not enters and not leaves else "entered" if not enters else "left"
        return f"is {how} by leap"
    left = exercise.just_before(note.onset)
    if (left is not None and not _is_consonant_with(before, left)) or not _is_consonant_at_onset(exercise, after):
        return "is next to another dissonance"
    if exercise.species in (3, 5) and note.duration > unit.length / 3:
        return "is too long to be a passing or neighbour note"
    passes = (note.tone.midi - before.tone.midi) * (after.tone.midi - note.tone.midi) > 0
    returns = before.tone == after.tone
    if passes or is_cambiata or (returns and exercise.species in (3, 5)):
        return None
    return "is not a passing note"


def _is_cambiata(exercise: Exercise, place: int) -> bool:
    """Return whether a note is the second of a cambiata, which moves a step down, a third down and a step up."""
    if place + 2 >= len(exercise.voice):
        return False
    before, note, after, last = exercise.voice[place - 1 : place + 3]
    falls = note.tone.midi < before.tone.midi and after.tone.step == note.tone.step - 2
    return falls and is_step(after, last) and last.tone.midi > after.tone.midi


def _is_double_neighbour(exercise: Exercise, place: int, unit: ExerciseUnit) -> bool:
    """Return whether the note is in a double neighbour.

    These are four notes from the start of the unit: a tone, its two neighbours, and the tone again.
    """
    for start in (place - 1, place - 2):
        four = exercise.voice[start : start + 4] if start >= 0 else []
        if len(four) < 4 or four[0].onset != unit.start or four[3].onset >= unit.end or four[0].tone != four[3].tone:
            continue
        main = four[0]
        sides = [other.tone.step - main.tone.step for other in four[1:3]]
        if (
            sorted(sides) == [-1, 1]
            and _is_consonant_at_onset(exercise, main)
            and _is_consonant_at_onset(exercise, four[3])
        ):
            return True
    return False


def _cantus_moves_by_step(exercise: Exercise, note: VoiceNote) -> bool:
    """Return whether a cantus note is reached or left by step."""
    place = exercise.cantus.index(note)
    around = [exercise.cantus[other] for other in (place - 1, place + 1) if 0 <= other < len(exercise.cantus)]
    return any(is_step(note, other) for other in around)


def _is_consonant_at_onset(exercise: Exercise, note: VoiceNote) -> bool:
    against = exercise.against(note.onset)
    return against is None or _is_consonant_with(note, against)


def _is_consonant_with(note: VoiceNote, against: VoiceNote) -> bool:
    return is_consonant(note.tone, against.tone)


def _steps_down(one: VoiceNote, other: VoiceNote) -> bool:
    return is_step(one, other) and other.tone.midi < one.tone.midi
