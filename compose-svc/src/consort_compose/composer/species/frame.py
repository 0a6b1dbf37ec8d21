"""What frames an exercise: the rhythm of its species, the tones of the mode, beginning, cadence and end."""

from collections.abc import Iterator
from itertools import pairwise

from consort_compose.composer.counterpoint.task import VoiceNote
from consort_compose.composer.counterpoint.tones import CONSONANT, FIFTH, OCTAVE, Tone, interval_class
from consort_compose.composer.species.exercise import Exercise, Unit, raised_tones, spelled
from consort_compose.composer.species.faults import Fault, note_name

_COUNTS = {
    2: "two notes",
    3: "four notes (three in triple time)",
    4: "a note tied over and one more",
}
_SOFTENED = {"dorian": 5, "lydian": 3}
"""By mode: the degree that may be flattened, from 0."""
_MINOR = ("minor", "harmonic minor", "melodic minor")


def frame_faults(exercise: Exercise) -> Iterator[Fault]:
    yield from _rhythm(exercise)
    yield from _tones(exercise)
    yield from end_faults(exercise)


def _rhythm(exercise: Exercise) -> Iterator[Fault]:
    voice, species = exercise.voice, exercise.species
    for one, other in pairwise(voice):
        if one.end < other.onset:
            yield Fault(one.end, "rest", "The voice rests before it has ended.")
    for place, unit in enumerate(exercise.units):
        struck = [note for note in voice if unit.start <= note.onset < unit.end]
        is_last = place == len(exercise.units) - 1
        if species == 1 or is_last:
            if [note.onset for note in struck] != [unit.start]:
                which = "the last cantus note" if is_last else "each cantus note"
                yield Fault(unit.start, "rhythm", f"Against {which} stands one note, struck with it.")
        elif species in _COUNTS and exercise.is_even and not _fits(exercise, place, unit, struck):
            yield Fault(unit.start, "rhythm", f"Species {species} has {_COUNTS[species]} against each cantus note.")


def _fits(exercise: Exercise, place: int, unit: Unit, struck: list[VoiceNote]) -> bool:
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


def _tones(exercise: Exercise) -> Iterator[Fault]:
    """Tones outside of the mode; those that lead into the last note, or up in minor, are its own."""
    voice, scale = exercise.voice, exercise.scale
    closing = exercise.units[-2].start if len(exercise.units) > 1 else exercise.units[-1].start
    for place, note in enumerate(voice):
        if spelled(note.tone) in scale:
            continue
        after = voice[place + 1] if place + 1 < len(voice) else None
        rises = after is not None and after.tone.step == note.tone.step + 1
        is_raised = spelled(note.tone) in raised_tones(scale)
        if is_raised and rises and (note.onset >= closing or exercise.key.mode in _MINOR):
            continue
        if _is_fa_above_la(exercise, place):
            continue
        yield Fault(note.onset, "foreign_tone", f"{note_name(note.tone)} is not in {exercise.key.name}.")


def _is_fa_above_la(exercise: Exercise, place: int) -> bool:
    """B flat between two As in D dorian and F lydian, and what that is in other keys."""
    degree = _SOFTENED.get(exercise.key.mode)
    if degree is None or not 0 < place < len(exercise.voice) - 1:
        return False
    before, note, after = (other.tone for other in exercise.voice[place - 1 : place + 2])
    is_neighbour = before == after and note == Tone(before.midi + 1, before.step + 1)
    return is_neighbour and note.step % 7 == exercise.scale[degree][0]


def end_faults(exercise: Exercise) -> Iterator[Fault]:
    """Beginning, cadence and end."""
    voice, cantus = exercise.voice, exercise.cantus
    opening, closing = exercise.against(voice[0].onset), cantus[-1]
    side = "above" if exercise.above else "below"
    if opening is not None and not _is_perfect(exercise, opening, voice[0], opens=True):
        wanted = "a unison, fifth or octave" if exercise.above else "a unison or octave"
        text = f"The voice begins {side} the cantus on {wanted}, not on {note_name(voice[0].tone)}."
        yield Fault(voice[0].onset, "beginning", text)
    if voice[-1].onset == closing.onset and not _is_perfect(exercise, closing, voice[-1], opens=False):
        text = f"The voice ends on an octave or unison with the cantus, not on {note_name(voice[-1].tone)}."
        yield Fault(voice[-1].onset, "ending", text)
    if len(voice) > 1 and len(cantus) > 1:
        yield from _cadence(exercise)


def _is_perfect(exercise: Exercise, cantus: VoiceNote, note: VoiceNote, *, opens: bool) -> bool:
    """An octave, above the cantus also a fifth at the beginning; over another tone than the tonic, the tonic itself."""
    tonic = exercise.scale[0][1]
    kind = interval_class(cantus.tone, note.tone)
    at_home = cantus.tone.midi % 12 != tonic and note.tone.midi % 12 == tonic and kind in CONSONANT
    return kind == OCTAVE or at_home or (kind == FIFTH and opens and exercise.above)


def _cadence(exercise: Exercise) -> Iterator[Fault]:
    """A step into the last note against the cantus: a major sixth opens into an octave, a minor third closes."""
    closing, last = exercise.voice[-2:]
    before, final = exercise.cantus[-2:]
    falls, letters = final.tone.step - before.tone.step, last.tone.step - closing.tone.step
    leading = Tone(last.tone.midi - 1, last.tone.step - 1)
    moment, name = closing.onset, note_name(closing.tone)
    if abs(letters) != 1 or (abs(falls) == 1 and letters == falls):
        way = "up" if falls == -1 else "down" if falls == 1 else "by step"
        yield Fault(moment, "cadence", f"The cadence steps {way} into the last note; {name} does not.")
    elif interval_class(final.tone, last.tone) != OCTAVE:
        return  # the end itself is the fault
    elif not (_opens(exercise, before, closing) if falls == -1 else falls == 1 or _leads(exercise, closing, last)):
        yield Fault(moment, "leading_tone", f"The cadence needs the leading tone {note_name(leading)}, not {name}.")


def _leads(exercise: Exercise, closing: VoiceNote, last: VoiceNote) -> bool:
    """Steps into the last note from above, or from the leading tone; phrygian has none."""
    from_below = closing.tone.step < last.tone.step
    return not from_below or last.tone.midi - closing.tone.midi == 1 or _is_phrygian(exercise)


def _opens(exercise: Exercise, cantus: VoiceNote, closing: VoiceNote) -> bool:
    low, high = sorted((cantus.tone, closing.tone))
    wanted = (5, 9) if exercise.above else (2, 3)
    return ((high.step - low.step) % 7, (high.midi - low.midi) % 12) == wanted


def _is_phrygian(exercise: Exercise) -> bool:
    """The second degree leads down, so the seventh is not raised to lead up."""
    return (exercise.scale[1][1] - exercise.scale[0][1]) % 12 == 1
