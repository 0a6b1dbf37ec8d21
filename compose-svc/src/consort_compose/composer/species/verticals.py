"""The marked voice against the cantus, moment by moment."""

from collections.abc import Iterator
from fractions import Fraction

from consort_compose.composer.counterpoint.task import VoiceNote
from consort_compose.composer.counterpoint.tones import CONSONANT, interval_class, widest_distance
from consort_compose.composer.species.exercise import Exercise, Unit
from consort_compose.composer.species.faults import Fault, interval_name, is_step, note_name

_SUSPENSIONS = {True: {3, 6, 1}, False: {1, 3}}
"""Letters above or below the cantus, within the octave: 4-3, 7-6 and 9-8 above; 2-3 and 4-5 below."""
_STEP = 2


def vertical_faults(exercise: Exercise) -> Iterator[Fault]:
    reach = _reach(exercise)
    for place, note in enumerate(exercise.voice):
        onsets = (other.onset for other in exercise.cantus if note.onset < other.onset < note.end)
        for moment in (note.onset, *onsets):
            against = exercise.against(moment)
            if against is None:
                continue
            distance = (note.tone.midi - against.tone.midi) * exercise.sign
            pair = f"{note_name(note.tone)} against {note_name(against.tone)}"
            if distance < 0:
                yield Fault(moment, "voice_crossing", f"The voices cross: {pair}.")
            if distance == 0 and 0 < place < len(exercise.voice) - 1:
                yield Fault(moment, "unison", f"The voices meet in a unison on {note_name(note.tone)}.")
            if distance > reach:
                yield Fault(moment, "spacing", f"The voices are more than a twelfth apart: {pair}.")
            if not _is_consonant(note, against):
                yield from _dissonance(exercise, place, moment, against)


def _reach(exercise: Exercise) -> int:
    """A twelfth; more where the voices are never that close, or cannot be: a bass under a high soprano."""
    distances = [
        (note.tone.midi - against.tone.midi) * exercise.sign
        for note in exercise.voice
        if (against := exercise.against(note.onset)) is not None
    ]
    nearest = min(distances, default=0)
    for low, high in exercise.ranges:
        edge = low if exercise.above else high
        furthest = max((edge - note.tone.midi) * exercise.sign for note in exercise.cantus)
        nearest = max(nearest, furthest + _STEP if furthest > 0 else 0)  # the range's first tone of the mode
    return widest_distance(nearest)


def _dissonance(exercise: Exercise, place: int, moment: Fraction, against: VoiceNote) -> Iterator[Fault]:
    note, unit = exercise.voice[place], exercise.unit_at(moment)
    name = f"{interval_name(note.tone, against.tone).capitalize()} {note_name(note.tone)} against " + note_name(
        against.tone
    )
    if moment > note.onset and moment > unit.start:  # an uneven cantus moves under a held note
        if not _steps_through(exercise, against):
            yield Fault(moment, "dissonance", f"{name}: the cantus neither enters nor leaves it by step.")
    elif moment > note.onset:
        trouble = _suspension_trouble(exercise, place, unit, against)
        if trouble:
            kind, text = trouble
            yield Fault(moment, kind, f"{name}: {text}.")
    elif moment == unit.start or exercise.species == 1:
        kind = "dissonance" if exercise.species == 1 else "dissonant_downbeat"
        yield Fault(moment, kind, f"{name} is struck where only consonances are.")
    else:
        reason = _weak_trouble(exercise, place, unit)
        if reason:
            yield Fault(moment, "weak_dissonance", f"{name} {reason}.")


def _suspension_trouble(
    exercise: Exercise, place: int, unit: Unit, against: VoiceNote
) -> tuple[str, str] | None:  # fmt: skip
    note = exercise.voice[place]
    prepared = exercise.against(note.onset)
    if exercise.species not in (4, 5):
        return "dissonant_downbeat", f"species {exercise.species} has no suspensions"
    if prepared is not None and not _is_consonant(note, prepared):
        return "suspension_not_prepared", "the suspension is not prepared by a consonance"
    resolution = _resolution(exercise, place, unit)
    if resolution is None:
        return "suspension_not_resolved", "the suspension does not step down to a consonance"
    letters = abs(note.tone.step - against.tone.step) % 7
    if letters not in _SUSPENSIONS[exercise.above] or resolution.tone.midi == against.tone.midi:
        usual = "7-6, 4-3 or 9-8" if exercise.above else "2-3 or 4-5"
        return "suspension_kind", f"{'above' if exercise.above else 'below'} the cantus a suspension is {usual}"
    return None


def _resolution(exercise: Exercise, place: int, unit: Unit) -> VoiceNote | None:
    """The note a step below the suspension: the next one, or in florid counterpoint after another consonance below."""
    note = exercise.voice[place]
    following = [other for other in exercise.voice[place + 1 : place + 3] if other.onset < unit.end]
    if not following or not _sounds_well(exercise, following[0]):
        return None
    if exercise.species == 4 or _steps_down(note, following[0]):
        following = following[:1]
    elif following[0].tone.midi > note.tone.midi or following[-1].onset != unit.start + unit.length / 2:
        return None
    resolution = following[-1]
    return resolution if _steps_down(note, resolution) and _sounds_well(exercise, resolution) else None


def _weak_trouble(exercise: Exercise, place: int, unit: Unit) -> str | None:
    """Why a dissonance on a weak beat is no figure of its species; None where it is one."""
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
    if (left is not None and not _is_consonant(before, left)) or not _sounds_well(exercise, after):
        return "is next to another dissonance"
    if exercise.species in (3, 5) and note.duration > unit.length / 3:
        return "is too long to be a passing or neighbour note"
    passes = (note.tone.midi - before.tone.midi) * (after.tone.midi - note.tone.midi) > 0
    returns = before.tone == after.tone
    if passes or is_cambiata or (returns and exercise.species in (3, 5)):
        return None
    return "is not a passing note"


def _is_cambiata(exercise: Exercise, place: int) -> bool:
    """A step down, a third down, a step up: the second note may be dissonant."""
    if place + 2 >= len(exercise.voice):
        return False
    before, note, after, last = exercise.voice[place - 1 : place + 3]
    falls = note.tone.midi < before.tone.midi and after.tone.step == note.tone.step - 2
    return falls and is_step(after, last) and last.tone.midi > after.tone.midi


def _is_double_neighbour(exercise: Exercise, place: int, unit: Unit) -> bool:
    """Four notes from the beginning of the unit: a tone, one neighbour, the other neighbour, the tone again."""
    for start in (place - 1, place - 2):
        four = exercise.voice[start : start + 4] if start >= 0 else []
        if len(four) < 4 or four[0].onset != unit.start or four[3].onset >= unit.end or four[0].tone != four[3].tone:
            continue
        home = four[0]
        sides = [other.tone.step - home.tone.step for other in four[1:3]]
        if sorted(sides) == [-1, 1] and _sounds_well(exercise, home) and _sounds_well(exercise, four[3]):
            return True
    return False


def _steps_through(exercise: Exercise, note: VoiceNote) -> bool:
    place = exercise.cantus.index(note)
    around = [exercise.cantus[other] for other in (place - 1, place + 1) if 0 <= other < len(exercise.cantus)]
    return any(is_step(note, other) for other in around)


def _sounds_well(exercise: Exercise, note: VoiceNote) -> bool:
    against = exercise.against(note.onset)
    return against is None or _is_consonant(note, against)


def _is_consonant(note: VoiceNote, against: VoiceNote) -> bool:
    return interval_class(note.tone, against.tone) in CONSONANT


def _steps_down(one: VoiceNote, other: VoiceNote) -> bool:
    return is_step(one, other) and other.tone.midi < one.tone.midi
