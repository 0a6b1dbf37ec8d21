"""Write a voice against another: choose the rhythm, search, draw a few voices, and keep the best of them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random

from consort_compose.composer.counterpoint import rules
from consort_compose.composer.counterpoint.columns import Conduct, make_columns
from consort_compose.composer.counterpoint.countermelody import free_slots
from consort_compose.composer.counterpoint.ends import find_ends
from consort_compose.composer.counterpoint.line import Manners, Moves
from consort_compose.composer.counterpoint.search import Choice, Search
from consort_compose.composer.counterpoint.slots import Existing, Slot, species_slots, units_of
from consort_compose.composer.counterpoint.task import (
    NewVoice,
    Relationship,
    Relaxation,
    Task,
    Unsatisfiable,
    VoiceNote,
)
from consort_compose.composer.counterpoint.tones import (
    TWELFTH,
    Tone,
    interval_class,
    tones_between,
    tones_of_chord,
    widest_distance,
)
from consort_compose.composer.counterpoint.verticals import WANTED, Taste, Verticals
from consort_music.collector import collector_paused

_DRAWS = 16
"""Voices drawn from one search; the one with the best shape is kept."""
_RHYTHMS = {1: 1, 2: 2, 3: 1, 4: 2, 5: 12}
"""By species: how many rhythms are tried at most before a rule is relaxed. A florid voice chooses its own; for the
others the second is the one with a plain close."""
_FREE_RHYTHMS = 3

_SOFT_WHEN_FREE = (
    rules.OUTLINE
    | rules.REPEAT
    | rules.LEAP_PAIR
    | rules.PARALLEL_RUN
    | rules.RECOVERY
    | rules.OVERLAP
    | rules.CADENCE
    | rules.DIRECT
    | rules.DOWNBEATS
    | rules.UNISON
)


def write_voice(task: Task) -> NewVoice:
    """The new voice, with the rules that had to be relaxed; raises Unsatisfiable where nothing would help."""
    _check(task)
    with collector_paused():  # the search makes many small objects, and no cycles
        return _write(task)


def _write(task: Task) -> NewVoice:
    existing, rng = Existing(task), Random(task.seed)
    known: dict[tuple[Tone, ...], Moves] = {}
    units, remark = units_of(existing, task.species) if task.species else ([], None)
    rhythms = max(1, min(task.attempts, _rhythms(task)))
    for attempt in range(1, rhythms + 1):
        if task.species:
            slots = species_slots(units, task.species, existing, rng, plain_close=attempt % 2 == 0)
        else:
            slots = free_slots(existing, task.relationship, rng)
        palette, search = _prepare(task, slots, known)
        if search.solve(relax=False) or (attempt == rhythms and search.solve(relax=True)):
            break
    else:
        raise Unsatisfiable(f"No voice in the range fits {_side(task)} the existing one, even with every rule relaxed.")
    drawn = [search.draw(rng) for _ in range(_DRAWS)]
    best = min(drawn, key=lambda choices: _shape_cost([palette[one.tone] for one in choices if not one.is_tied]))
    chosen = zip(slots, best, strict=True)
    masks = [choice.mask | _departure(task, slot, palette[choice.tone]) for slot, choice in chosen]
    return NewVoice(_notes(slots, best, palette), _relaxations(slots, masks), [remark] if remark else [])


def _departure(task: Task, slot: Slot, tone: Tone) -> int:
    """That a free voice leaves its parallel is told; it opens no other rule, so the search knows it as a cost only."""
    wanted = WANTED.get(task.relationship, 0)
    if task.species or not wanted or slot.against is None:
        return 0
    kind = interval_class(slot.against, tone)
    return 0 if kind == wanted else rules.RELATION


def _rhythms(task: Task) -> int:
    if task.species == 5:
        return max(2, min(_RHYTHMS[5], 240 // len(task.existing)))
    if task.species:
        return _RHYTHMS[task.species]
    return _FREE_RHYTHMS if task.relationship is Relationship.FREE else 1


def _side(task: Task) -> str:
    return "above" if task.above else "below"


def _check(task: Task) -> None:
    """Ranges in which there is nothing to search."""
    if not tones_between(task.scale, task.lowest, task.highest):
        raise Unsatisfiable("The range has no note of the key.")
    sounding = [note.tone.midi for note in task.existing]
    if task.above and task.highest < min(sounding):
        raise Unsatisfiable("The range is below the existing voice, and the new voice must be above it.")
    if not task.above and task.lowest > max(sounding):
        raise Unsatisfiable("The range is above the existing voice, and the new voice must be below it.")


def _prepare(task: Task, slots: list[Slot], known: dict[tuple[Tone, ...], Moves]) -> tuple[list[Tone], Search]:
    """The tones that are used, and the search over them; moves that an earlier rhythm made known are kept."""
    in_scale = tones_between(task.scale, task.lowest, task.highest)
    ends = find_ends(slots, in_scale, task.scale, task.above, is_free=not task.species)
    palette = {tone for tone in (*in_scale, *ends.cadence, *ends.approach) if task.lowest <= tone.midi <= task.highest}
    for chord in task.chords:
        palette.update(tones_between(tones_of_chord(chord.chord), task.lowest, task.highest))
    tones = sorted(palette)
    taste = replace(_taste(task), comfortable=task.comfortable, is_bass=task.is_bass)
    taste = replace(taste, letters=_parallel_letters(task, tones, taste.wanted))
    verticals = Verticals(tones, task.scale, task.above, taste, _reach(task, tones), ends)
    moves = known.setdefault(tuple(tones), Moves(tones, _manners(task, taste.kept)))
    counts_runs = task.species == 1 and not taste.wanted
    conduct = Conduct(taste, task.avoid_parallels)
    return tones, Search(make_columns(slots, verticals, conduct), moves, conduct, counts_runs)


def _reach(task: Task, tones: list[Tone]) -> int:
    """A twelfth, or what the ranges make necessary: a bass under a high soprano is further away."""
    sign = 1 if task.above else -1
    nearest = []
    for note in task.existing:
        distances = [sign * (tone.midi - note.tone.midi) for tone in tones]
        nearest.append(min((distance for distance in distances if distance >= 0), default=0))
    return widest_distance(max(nearest)) if task.species else max(TWELFTH, max(nearest) + 12)


def _parallel_letters(task: Task, tones: list[Tone], wanted: int) -> int:
    """How far away parallel voices run: a third or a tenth, a sixth or a thirteenth; whichever has room more often."""
    if not wanted:
        return 0
    steps = {tone.step for tone in tones}
    sign = 1 if task.above else -1

    def room(letters: int) -> int:
        return sum(note.tone.step + sign * letters in steps for note in task.existing)

    return max((wanted - 1 + 7 * octaves for octaves in range(4)), key=room)


def _taste(task: Task) -> Taste:
    relationship, is_species = task.relationship, task.species > 0
    kept = (rules.EVERY if is_species else rules.EVERY & ~_SOFT_WHEN_FREE) & ~rules.RELATION
    wanted = WANTED.get(relationship, 0)
    if wanted and not is_species:
        kept &= ~(rules.LEAP | rules.CHORD | rules.ENDS)
    taste = Taste(kept, is_species, wanted, strike=5.0 if is_species else 1.5, hold=0.8 if is_species else 0.0)
    match relationship:
        case Relationship.CONTRARY:
            return replace(taste, contrary=-0.6, similar=0.5, parallel=0.7, oblique=0.2)
        case Relationship.OBLIQUE:
            return replace(taste, contrary=0.3, similar=0.5, parallel=0.5, oblique=-0.6, strike=1.0, hold=0.1)
        case Relationship.FREE:
            return replace(taste, contrary=-0.2, similar=0.2, parallel=0.2)
        case _:
            return taste


def _manners(task: Task, kept: int) -> Manners:
    match task.species:
        case 0:
            return Manners(kept, most_repeats=2, turn_cost=0.1)
        case 1:
            return Manners(kept, most_repeats=1)
        case 3 | 5:
            return Manners(kept, widest=4, recover_from=3, turn_cost=0.3)
        case _:
            return Manners(kept)


def _shape_cost(line: list[Tone]) -> float:
    """What only the whole line shows: one summit, room to move, no figure over and over."""
    pitches = [tone.midi for tone in line]
    summits = sum(1 for before, pitch in zip([-1, *pitches], pitches, strict=False) if pitch == max(pitches) != before)
    figures = Counter(tuple(pitches[place : place + 3]) for place in range(len(pitches) - 2))
    trills = sum(1 for place in range(len(pitches) - 3) if pitches[place : place + 2] == pitches[place + 2 : place + 4])
    narrow = max(0, 7 - (max(pitches) - min(pitches)))
    return 0.8 * (summits - 1) + 0.4 * sum(count - 1 for count in figures.values()) + trills + 0.5 * narrow


def _notes(slots: list[Slot], choices: Iterable[Choice], palette: list[Tone]) -> list[VoiceNote]:
    notes: list[VoiceNote] = []
    for slot, choice in zip(slots, choices, strict=True):
        if choice.is_tied:
            notes[-1] = replace(notes[-1], duration=slot.onset + slot.duration - notes[-1].onset)
        else:
            notes.append(VoiceNote(slot.onset, slot.duration, palette[choice.tone]))
    return notes


def _relaxations(slots: list[Slot], masks: Iterable[int]) -> list[Relaxation]:
    found: dict[tuple[int, int], Relaxation] = {}
    for slot, mask in zip(slots, masks, strict=True):
        for rule in rules.rules_in(mask):
            relaxed = Relaxation(rules.NAMES[rule], rules.MESSAGES[rule], slot.measure)
            found.setdefault((slot.measure, rule), relaxed)
    return [found[key] for key in sorted(found)]
