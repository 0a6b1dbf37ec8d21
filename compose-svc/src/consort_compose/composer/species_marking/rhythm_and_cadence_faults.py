"""Faults of rhythm, tones outside the mode, and faults at the beginning, the cadence and the end."""

from collections.abc import Iterator
from itertools import pairwise

from consort_compose.composer.counterpoint.spelled_tones import (
    CONSONANT,
    FIFTH,
    OCTAVE,
    SpelledTone,
    VoiceNote,
    interval_class,
)
from consort_compose.composer.species_marking.exercise import (
    Exercise,
    ExerciseUnit,
    letter_and_pitch_class,
    raised_tones,
)
from consort_compose.composer.species_marking.exercise_fault import ExerciseFault, note_name

_COUNTS = {
    2: "two notes",
    3: "four notes (three in triple time)",
    4: "one tied note and one more",
}
"""By species: the notes against one cantus note, as part of a sentence."""
_FLATTENED = {"dorian": 5, "lydian": 3}
"""By mode: the degree, counted from 0, that may be flat as an upper neighbour."""
_MINOR = ("minor", "harmonic minor", "melodic minor")
"""Modes in which a raised sixth or seventh degree is allowed anywhere."""


def rhythm_and_cadence_faults(exercise: Exercise) -> Iterator[ExerciseFault]:
    yield from _rhythm_faults(exercise)
    yield from _tone_faults(exercise)
    yield from end_faults(exercise)


def _rhythm_faults(exercise: Exercise) -> Iterator[ExerciseFault]:
    """Yield rests, and units whose number of notes is wrong for the species."""
    voice, species = exercise.voice, exercise.species
    for one, other in pairwise(voice):
        if one.end < other.onset:
            yield ExerciseFault(one.end, "rest", "The voice rests before its last note.")
    for place, unit in enumerate(exercise.units):
        struck = [note for note in voice if unit.start <= note.onset < unit.end]
        is_last = place == len(exercise.units) - 1
        if species == 1 or is_last:
            if [note.onset for note in struck] != [unit.start]:
                which = "The last cantus note" if is_last else "Each cantus note"
                yield ExerciseFault(unit.start, "rhythm", f"{which} needs exactly one note that begins with it.")
        elif species in _COUNTS and exercise.has_equal_units and not _has_right_notes(exercise, place, unit, struck):
            yield ExerciseFault(
                unit.start, "rhythm", f"Species {species} has {_COUNTS[species]} against each cantus note."
            )


def _has_right_notes(exercise: Exercise, place: int, unit: ExerciseUnit, struck: list[VoiceNote]) -> bool:
    """Return whether the species allows this number of notes in a unit, and the onset of the first.

    `struck` are the notes that begin in the unit.
    """
    is_first, closes = place == 0, place == len(exercise.units) - 2
    count = len(struck)
    on_time = bool(struck) and struck[0].onset == unit.start
    if exercise.species == 4:
        return 1 <= count <= 2 and (count == 1 or on_time)
    if is_first:
        return count >= 1
    if closes and count == 1:
        return on_time and exercise.species == 2
    if exercise.species == 2:
        return on_time and (count == 2 or (count == 3 and not unit.is_binary))
    return on_time and (count == 4 if unit.is_binary else count >= 3)


def _tone_faults(exercise: Exercise) -> Iterator[ExerciseFault]:
    """Yield tones outside the mode.

    A raised sixth or seventh degree is allowed if it moves up, in the last two units or anywhere in minor.
    """
    voice, scale = exercise.voice, exercise.scale
    closing = exercise.units[-2].start if len(exercise.units) > 1 else exercise.units[-1].start
    for place, note in enumerate(voice):
        if letter_and_pitch_class(note.tone) in scale:
            continue
        after = voice[place + 1] if place + 1 < len(voice) else None
        rises = after is not None and after.tone.step == note.tone.step + 1
        is_raised = letter_and_pitch_class(note.tone) in raised_tones(scale)
        if is_raised and rises and (note.onset >= closing or exercise.key.mode in _MINOR):
            continue
        if _is_flat_neighbour(exercise, place):
            continue
        yield ExerciseFault(note.onset, "foreign_tone", f"{note_name(note.tone)} is not in {exercise.key.name}.")


def _is_flat_neighbour(exercise: Exercise, place: int) -> bool:
    """Return whether a note is an allowed flat upper neighbour, such as B flat between two As in D dorian."""
    degree = _FLATTENED.get(exercise.key.mode)
    if degree is None or not 0 < place < len(exercise.voice) - 1:
        return False
    before, note, after = (other.tone for other in exercise.voice[place - 1 : place + 2])
    is_neighbour = before == after and note == SpelledTone(before.midi + 1, before.step + 1)
    return is_neighbour and note.step % 7 == exercise.scale[degree][0]


def end_faults(exercise: Exercise) -> Iterator[ExerciseFault]:
    """Yield faults at the beginning, the cadence and the end."""
    voice, cantus = exercise.voice, exercise.cantus
    opening, closing = exercise.against(voice[0].onset), cantus[-1]
    side = "above" if exercise.above else "below"
    if opening is not None and not _is_right_end(exercise, opening, voice[0], is_opening=True):
        wanted = "a unison, fifth or octave" if exercise.above else "a unison or octave"
        text = f"The voice must begin {side} the cantus on {wanted}, not on {note_name(voice[0].tone)}."
        yield ExerciseFault(voice[0].onset, "beginning", text)
    if voice[-1].onset == closing.onset and not _is_right_end(exercise, closing, voice[-1], is_opening=False):
        text = f"The voice must end on an octave or unison with the cantus, not on {note_name(voice[-1].tone)}."
        yield ExerciseFault(voice[-1].onset, "ending", text)
    if len(voice) > 1 and len(cantus) > 1:
        yield from _cadence_faults(exercise)


def _is_right_end(exercise: Exercise, cantus: VoiceNote, note: VoiceNote, *, is_opening: bool) -> bool:
    """Return whether the first or last interval is correct: an octave or unison, or a fifth at the opening above.

    If the cantus note is not the tonic, a consonant tonic in the voice is correct too.
    """
    tonic = exercise.scale[0][1]
    kind = interval_class(cantus.tone, note.tone)
    is_tonic = cantus.tone.midi % 12 != tonic and note.tone.midi % 12 == tonic and kind in CONSONANT
    return kind == OCTAVE or is_tonic or (kind == FIFTH and is_opening and exercise.above)


def _cadence_faults(exercise: Exercise) -> Iterator[ExerciseFault]:
    """Yield a fault if the voice does not step to its last note in the opposite direction to the cantus.

    Yield a fault too if the leading tone is missing: a falling cantus needs a major sixth before the octave, or a minor
    third before the unison.
    """
    closing, last = exercise.voice[-2:]
    before, final = exercise.cantus[-2:]
    falls, letters = final.tone.step - before.tone.step, last.tone.step - closing.tone.step
    leading = SpelledTone(last.tone.midi - 1, last.tone.step - 1)
    moment, name = closing.onset, note_name(closing.tone)
    if abs(letters) != 1 or (abs(falls) == 1 and letters == falls):
        direction = "up " if falls == -1 else "down " if falls == 1 else ""
        yield ExerciseFault(
            moment, "cadence", f"The cadence must move {direction}by step into the last note; {name} does not."
        )
    elif interval_class(final.tone, last.tone) != OCTAVE:
        return  # the end is the fault, and it is reported separately
    elif not (
        _is_cadence_interval(exercise, before, closing)
        if falls == -1
        else falls == 1 or _leads_to_last(exercise, closing, last)
    ):
        yield ExerciseFault(
            moment, "leading_tone", f"The cadence needs the leading tone {note_name(leading)}, not {name}."
        )


def _leads_to_last(exercise: Exercise, closing: VoiceNote, last: VoiceNote) -> bool:
    """Return whether the last note is reached from above or from the leading tone. Phrygian needs no leading tone."""
    from_below = closing.tone.step < last.tone.step
    return not from_below or last.tone.midi - closing.tone.midi == 1 or _is_phrygian(exercise)


def _is_cadence_interval(exercise: Exercise, cantus: VoiceNote, closing: VoiceNote) -> bool:
    low, high = sorted((cantus.tone, closing.tone))
    wanted = (5, 9) if exercise.above else (2, 3)
    return ((high.step - low.step) % 7, (high.midi - low.midi) % 12) == wanted


def _is_phrygian(exercise: Exercise) -> bool:
    """Return whether the second degree is a half step above the tonic. Then the seventh is not raised."""
    return (exercise.scale[1][1] - exercise.scale[0][1]) % 12 == 1
