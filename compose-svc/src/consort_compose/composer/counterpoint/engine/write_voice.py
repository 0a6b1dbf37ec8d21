"""Write a voice against another: choose a rhythm, search, draw several voices, and return the best of them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random

from consort_compose.composer.counterpoint.engine import rules
from consort_compose.composer.counterpoint.engine.existing_voice import ExistingVoice
from consort_compose.composer.counterpoint.engine.free_rhythm import make_free_slots
from consort_compose.composer.counterpoint.engine.melodic_moves import MelodicMoves, MelodicRules
from consort_compose.composer.counterpoint.engine.note_slot import NoteSlot
from consort_compose.composer.counterpoint.engine.opening_and_cadence import find_opening_and_cadence
from consort_compose.composer.counterpoint.engine.species_rhythm import divide_into_units, make_species_slots
from consort_compose.composer.counterpoint.engine.task_and_result import (
    CounterpointTask,
    NewVoice,
    NoVoiceFits,
    Relationship,
    Relaxation,
)
from consort_compose.composer.counterpoint.engine.transitions import MotionWeights, make_slot_transitions
from consort_compose.composer.counterpoint.engine.vertical_intervals import (
    PARALLEL_INTERVALS,
    RelationshipCosts,
    VerticalTables,
)
from consort_compose.composer.counterpoint.engine.voice_search import SlotChoice, VoiceSearch
from consort_compose.composer.counterpoint.spelled_tones import (
    TWELFTH,
    SpelledTone,
    VoiceNote,
    interval_class,
    tones_between,
    tones_of_chord,
    widest_distance,
)
from consort_music.gc_pause import gc_paused

_DRAWS = 16
"""Number of voices drawn from one search. The one with the best shape is returned."""
_DRAWS_OF_SUSPENSIONS = 2
"""The same for the fourth species: it has fewer voices, and seeds should not all lead to the best of them."""
_RHYTHMS = {1: 1, 2: 2, 3: 1, 4: 2, 5: 12}
"""By species: the number of rhythms that are tried before a rule is relaxed. Species 2 and 4 have a second rhythm, with
a single note in the second-to-last unit. The rhythms of species 5 are random."""
_FREE_RHYTHMS = 3
"""The same for a free voice with the relationship `free`."""

_SIXTH_COSTS = {2: 0.4, 3: 0.15, 4: 1.6, 5: 0.4}
"""By species: the cost of a sixth on a downbeat. Without it, sixths would be more frequent there than thirds."""

_NOT_KEPT_WHEN_FREE = (
    rules.TRITONE_OUTLINE
    | rules.REPEATED_NOTE
    | rules.CONSECUTIVE_LEAPS
    | rules.PARALLEL_RUN
    | rules.LEAP_RECOVERY
    | rules.OVERLAP
    | rules.CADENCE
    | rules.DIRECT_INTERVAL
    | rules.DOWNBEAT_PARALLEL
    | rules.UNISON
)
"""Rules that a free voice may break."""


def write_voice(task: CounterpointTask) -> NewVoice:
    """Return the new voice with the rules that it breaks. Raise NoVoiceFits if no voice exists."""
    _check_range(task)
    with gc_paused():  # the search makes many small objects and no cycles
        return _write(task)


def _write(task: CounterpointTask) -> NewVoice:
    existing, rng = ExistingVoice(task), Random(task.seed)
    known_moves: dict[tuple[SpelledTone, ...], MelodicMoves] = {}
    units, remark = divide_into_units(existing, task.species) if task.species else ([], None)
    rhythms = max(1, min(task.attempts, _most_rhythms(task)))
    for attempt in range(1, rhythms + 1):
        if task.species:
            slots = make_species_slots(units, task.species, existing, rng, plain_close=attempt % 2 == 0)
        else:
            slots = make_free_slots(existing, task.relationship, rng)
        tones, search = _make_search(task, slots, known_moves)
        if search.solve(relax=False) or (attempt == rhythms and search.solve(relax=True)):
            break
    else:
        raise NoVoiceFits(f"No voice in the range fits {_side(task)} the existing one, even with every rule relaxed.")
    drawn = [search.draw(rng) for _ in range(_DRAWS_OF_SUSPENSIONS if task.species == 4 else _DRAWS)]
    best = min(drawn, key=lambda choices: _shape_cost([tones[one.tone] for one in choices if not one.is_tied]))
    chosen = zip(slots, best, strict=True)
    masks = [
        choice.mask | _relationship_breach(task, slot, tones[choice.tone]) | _restart(slot, choice)
        for slot, choice in chosen
    ]
    return NewVoice(_notes(slots, best, tones), _relaxations(slots, masks), [remark] if remark else [])


def _relationship_breach(task: CounterpointTask, slot: NoteSlot, tone: SpelledTone) -> int:
    """Return RELATIONSHIP if a free voice leaves its parallel interval. The search treats this only as a cost."""
    wanted = PARALLEL_INTERVALS.get(task.relationship, 0)
    if task.species or not wanted or slot.against is None:
        return 0
    kind = interval_class(slot.against, tone)
    return 0 if kind == wanted else rules.RELATIONSHIP


def _restart(slot: NoteSlot, choice: SlotChoice) -> int:
    """Return SYNCOPATION if a note is struck where one should be tied. The search does not report all of these."""
    return rules.SYNCOPATION if slot.syncopates and not choice.is_tied else 0


def _most_rhythms(task: CounterpointTask) -> int:
    """Return the number of rhythms that are tried before a rule is relaxed."""
    if task.species == 5:
        return max(2, min(_RHYTHMS[5], 240 // len(task.existing)))
    if task.species:
        return _RHYTHMS[task.species]
    return _FREE_RHYTHMS if task.relationship is Relationship.FREE else 1


def _side(task: CounterpointTask) -> str:
    return "above" if task.above else "below"


def _check_range(task: CounterpointTask) -> None:
    """Raise NoVoiceFits if the range has no note of the key or is on the wrong side of the existing voice."""
    if not tones_between(task.scale, task.lowest, task.highest):
        raise NoVoiceFits("The range has no note of the key.")
    sounding = [note.tone.midi for note in task.existing]
    if task.above and task.highest < min(sounding):
        raise NoVoiceFits("The range is below the existing voice, and the new voice must be above it.")
    if not task.above and task.lowest > max(sounding):
        raise NoVoiceFits("The range is above the existing voice, and the new voice must be below it.")


def _make_search(
    task: CounterpointTask, slots: list[NoteSlot], known_moves: dict[tuple[SpelledTone, ...], MelodicMoves]
) -> tuple[list[SpelledTone], VoiceSearch]:
    """Return the tones that the voice may use, and the search over them.

    `known_moves` caches the melodic moves by tones, so that they are computed once for all rhythms.
    """
    in_scale = tones_between(task.scale, task.lowest, task.highest)
    ends = find_opening_and_cadence(slots, in_scale, task.scale, task.above, is_free=not task.species)
    in_use = {tone for tone in (*in_scale, *ends.cadence, *ends.approach) if task.lowest <= tone.midi <= task.highest}
    for chord in task.chords:
        in_use.update(tones_between(tones_of_chord(chord.chord), task.lowest, task.highest))
    tones = sorted(in_use)
    costs = replace(_relationship_costs(task), comfortable=task.comfortable, is_bass=task.is_bass)
    costs = replace(costs, letters=_parallel_letters(task, tones, costs.wanted))
    verticals = VerticalTables(tones, task.scale, task.above, costs, _widest_distance(task, tones), ends)
    moves = known_moves.setdefault(tuple(tones), MelodicMoves(tones, _melodic_rules(task, costs.kept)))
    counts_runs = task.species == 1 and not costs.wanted
    weights = MotionWeights(costs, task.avoid_parallels)
    return tones, VoiceSearch(make_slot_transitions(slots, verticals, weights), moves, weights, counts_runs)


def _widest_distance(task: CounterpointTask, tones: list[SpelledTone]) -> int:
    """Return how many semitones the voices may be apart: a twelfth, or more if their ranges are far apart."""
    sign = 1 if task.above else -1
    nearest = []
    for note in task.existing:
        distances = [sign * (tone.midi - note.tone.midi) for tone in tones]
        nearest.append(min((distance for distance in distances if distance >= 0), default=0))
    return widest_distance(max(nearest)) if task.species else max(TWELFTH, max(nearest) + 12)


def _parallel_letters(task: CounterpointTask, tones: list[SpelledTone], wanted: int) -> int:
    """Return the distance of parallel voices in letters, or 0 if they need not be parallel.

    Octaves are added to the interval so that most notes of the new voice are within its range.
    """
    if not wanted:
        return 0
    steps = {tone.step for tone in tones}
    sign = 1 if task.above else -1

    def notes_in_range(letters: int) -> int:
        return sum(note.tone.step + sign * letters in steps for note in task.existing)

    return max((wanted - 1 + 7 * octaves for octaves in range(4)), key=notes_in_range)


def _relationship_costs(task: CounterpointTask) -> RelationshipCosts:
    relationship, is_species = task.relationship, task.species > 0
    kept = (rules.ALL_RULES if is_species else rules.ALL_RULES & ~_NOT_KEPT_WHEN_FREE) & ~rules.RELATIONSHIP
    wanted = PARALLEL_INTERVALS.get(relationship, 0)
    if wanted and not is_species:
        kept &= ~(rules.MELODIC_INTERVAL | rules.CHORD_TONE | rules.FIRST_OR_LAST_INTERVAL)
    costs = RelationshipCosts(
        kept,
        is_species,
        wanted,
        strike=5.0 if is_species else 1.5,
        hold=0.8 if is_species else 0.0,
        sixth=_SIXTH_COSTS.get(task.species, 0.0),
    )
    match relationship:
        case Relationship.CONTRARY:
            return replace(costs, contrary=-0.6, similar=0.5, parallel=0.7, oblique=0.2)
        case Relationship.OBLIQUE:
            return replace(costs, contrary=0.3, similar=0.5, parallel=0.5, oblique=-0.6, strike=1.0, hold=0.1)
        case Relationship.FREE:
            return replace(costs, contrary=-0.2, similar=0.2, parallel=0.2)
        case _:
            return costs


def _melodic_rules(task: CounterpointTask, kept: int) -> MelodicRules:
    match task.species:
        case 0:
            return MelodicRules(kept, most_repeats=2, turn_cost=0.1)
        case 1:
            return MelodicRules(kept, most_repeats=1)
        case 2:
            return MelodicRules(kept, fourths_cheaper=1.4)
        case 3:
            return MelodicRules(kept, recover_from=4, fourths_cheaper=1.3, turn_cost=0.3)
        case 5:
            return MelodicRules(kept, recover_from=4, fourths_cheaper=2.3, turn_cost=0.3)
        case _:
            return MelodicRules(kept)


def _shape_cost(line: list[SpelledTone]) -> float:
    """Return a cost for several highest points, repeated figures, trills, and a range narrower than a fifth."""
    pitches = [tone.midi for tone in line]
    summits = sum(1 for before, pitch in zip([-1, *pitches], pitches, strict=False) if pitch == max(pitches) != before)
    figures = Counter(tuple(pitches[place : place + 3]) for place in range(len(pitches) - 2))
    trills = sum(1 for place in range(len(pitches) - 3) if pitches[place : place + 2] == pitches[place + 2 : place + 4])
    narrow = max(0, 7 - (max(pitches) - min(pitches)))
    return 0.8 * (summits - 1) + 0.4 * sum(count - 1 for count in figures.values()) + trills + 0.5 * narrow


def _notes(slots: list[NoteSlot], choices: Iterable[SlotChoice], tones: list[SpelledTone]) -> list[VoiceNote]:
    notes: list[VoiceNote] = []
    for slot, choice in zip(slots, choices, strict=True):
        if choice.is_tied:
            notes[-1] = replace(notes[-1], duration=slot.onset + slot.duration - notes[-1].onset)
        else:
            notes.append(VoiceNote(slot.onset, slot.duration, tones[choice.tone]))
    return notes


def _relaxations(slots: list[NoteSlot], masks: Iterable[int]) -> list[Relaxation]:
    """Return each broken rule once per measure, in order of measures."""
    found: dict[tuple[int, int], Relaxation] = {}
    for slot, mask in zip(slots, masks, strict=True):
        for rule in rules.rules_in(mask):
            relaxed = Relaxation(rules.NAMES[rule], rules.BREACHES[rule], slot.measure)
            found.setdefault((slot.measure, rule), relaxed)
    return [found[key] for key in sorted(found)]
