"""Compute the rules and weights of two successive notes against the existing voice: motion, dissonances, ties.

A transition is the move from the tone of the previous slot to a tone of a slot. It does not depend on earlier tones, so
it is computed once for each pair of tones. Tones are indices into the list of tones in use.
"""

from consort_compose.composer.counterpoint.engine import rules
from consort_compose.composer.counterpoint.engine.melodic_moves import to_weight
from consort_compose.composer.counterpoint.engine.note_slot import CAMBIATA, PASSING, NoteSlot, SlotEntry
from consort_compose.composer.counterpoint.engine.vertical_intervals import (
    PERFECT,
    RelationshipCosts,
    Vertical,
    VerticalTables,
)
from consort_compose.composer.counterpoint.spelled_tones import SIXTH, THIRD

RequiredMove = int
ANY_MOVE, CONTINUE, STEP_AWAY, STEP_OR_CAMBIATA, STEP_UP, RESOLVE = range(6)
"""The move that must follow a note.

    ANY_MOVE          any, because the note is consonant
    CONTINUE          a step in the same direction (after a passing note)
    STEP_AWAY         a step (after a passing or neighbour note)
    STEP_OR_CAMBIATA  a step, or a third down and then STEP_UP
    RESOLVE           a step down (after a suspension)
"""

_RESTART_COST = 0.8
"""The cost of a new note in a slot that may restart (see `NoteSlot.may_restart`)."""
_UNLIKELY = 0.05
"""Factor for a breach that should be rare even where rules are relaxed."""


Transition = tuple[float, int, int, bool, RequiredMove, bool]
"""Weight, broken rules, interval class of the new tone, whether it is consonant, the move that must follow, and whether
a run of thirds or sixths continues."""


class MotionWeights:
    """The costs of motion as weights, and the rules that must hold."""

    def __init__(self, costs: RelationshipCosts, avoid_parallels: bool) -> None:
        self.kept = costs.kept
        self.is_species = costs.is_species
        self.avoid_parallels = avoid_parallels
        self.contrary = to_weight(costs.contrary)
        self.similar = to_weight(costs.similar)
        self.parallel = to_weight(costs.parallel)
        self.oblique = to_weight(costs.oblique)
        self.hold = to_weight(costs.hold)
        self.strike = to_weight(costs.strike)
        self.restart = to_weight(_RESTART_COST)


class SlotTransitions:
    """The transitions into a slot. `lead` is the first slot of the current or previous unit, or None."""

    def __init__(
        self,
        slots: list[NoteSlot],
        place: int,
        verticals: VerticalTables,
        weights: MotionWeights,
        lead: NoteSlot | None,
    ) -> None:
        slot = slots[place]
        self._slot = slot
        self._weights = weights
        self._table = verticals.table(slots, place)
        self._before = verticals.interval_classes(slot.before)
        self._is_crossing_before = verticals.is_crossing(slot.before)
        self._is_crossing_now = verticals.is_crossing(slot.against if slot.before else None)
        self._earlier = verticals.interval_classes(slot.earlier)
        self._cantus_motion = slot.against.midi - slot.before.midi if slot.against and slot.before else 0
        self._is_stepwise = slot.stepwise or (place > 0 and slots[place - 1].stepwise)
        self._strict_table = [vertical if vertical and not vertical.mask else None for vertical in self._table]
        self.known_transitions: tuple[dict[int, Transition | None], dict[int, Transition | None]] = ({}, {})
        """A cache of transitions: relaxed, then strict. A key is both tones in one number."""
        self._strike_mask = rules.SYNCOPATION if slot.syncopates and not slot.may_restart else 0
        self._strike_weight = weights.restart if slot.may_restart else weights.strike
        self.leads = slot.leads
        self.moved_since_lead = slot.leads and lead is not None and slot.against != lead.against
        self.is_last = place == len(slots) - 1

    def first_tones(self, strict: bool) -> list[tuple[float, int, int] | None]:
        """Return, for each tone as the first note, its weight, broken rules and interval class.

        An impossible tone has None.
        """
        found: list[tuple[float, int, int] | None] = []
        for vertical in self._table:
            mask = (
                0 if vertical is None else vertical.mask | (0 if vertical.consonant else self._kept(rules.DISSONANCE))
            )
            is_possible = vertical is not None and not (strict and mask)
            found.append((vertical.weight, mask, vertical.kind) if vertical is not None and is_possible else None)
        return found

    def tones(self, strict: bool) -> list[Vertical | None]:
        return self._strict_table if strict else self._table

    def hold(self, tone: int, required: RequiredMove, strict: bool) -> tuple[float, int, int, RequiredMove] | None:
        """Return the weight, broken rules, interval class and required next move of a held note.

        Return None if the note cannot be held.
        """
        vertical = self._table[tone]
        if self._slot.entry is not SlotEntry.MAY_TIE or vertical is None:
            return None
        mask = vertical.mask | (self._kept(rules.DISSONANCE) if required else 0)
        weight, required_after = vertical.weight, ANY_MOVE
        if vertical.consonant:
            weight *= self._weights.hold
        elif vertical.suspends and self._weights.is_species:
            required_after = RESOLVE
        else:
            mask |= self._kept(rules.DISSONANCE)
            weight *= _UNLIKELY
        if strict and mask:
            return None
        return weight, mask, vertical.kind if vertical.consonant else 0, required_after

    def check_required_move(
        self, required: RequiredMove, letters: int, direction: int, tone: int, kind: int, consonant: bool
    ) -> tuple[int, RequiredMove] | None:
        """Return the rules that a move breaks after a note that requires `required`, and the next required move.

        Return None if the move is forbidden.
        """
        required_after = ANY_MOVE
        if required == RESOLVE:
            if self._weights.avoid_parallels and kind in PERFECT and self._earlier[tone] == kind:
                return None  # the suspension would only delay parallel fifths or octaves
            is_right = letters == -1
        elif required == CONTINUE:
            is_right = letters == direction
        elif required == STEP_UP:
            is_right = letters == 1
        elif required == STEP_OR_CAMBIATA and letters == -2:
            is_right, required_after = True, STEP_UP
        else:
            is_right = letters in (1, -1)
        return (0, required_after) if is_right and consonant else (self._kept(rules.DISSONANCE), ANY_MOVE)

    def transition(self, tone: int, target: int, motion: int, letters: int, strict: bool) -> Transition | None:
        """Return the transition from `tone` to `target`, or None if it is not possible."""
        vertical = self.tones(strict)[target]
        may_tie = self._slot.entry is SlotEntry.MAY_TIE
        if vertical is None or (may_tie and not motion):
            return None
        kind, is_step = vertical.kind, letters in (1, -1)
        moved = self._judge_motion(tone, motion, kind)
        if moved is None:
            return None
        weight, mask = moved
        weight *= vertical.weight * (self._strike_weight if may_tie else 1.0)
        mask |= vertical.mask
        if self._is_crossing_before[target] or self._is_crossing_now[tone]:
            mask |= self._kept(rules.OVERLAP)
        required, allowed = ANY_MOVE, self._slot.dissonance
        if not vertical.consonant:
            if not allowed or not is_step:
                mask |= self._kept(rules.DISSONANCE)
                weight *= _UNLIKELY
            elif allowed == PASSING:
                required = CONTINUE
            else:
                required = STEP_OR_CAMBIATA if allowed & CAMBIATA and letters == -1 else STEP_AWAY
        if self._is_stepwise and not is_step:
            mask |= self._kept(rules.MELODIC_INTERVAL)
        if self.is_last and abs(letters) > 1:
            weight *= _UNLIKELY
        if strict and mask:
            return None
        continues_run = kind in (THIRD, SIXTH) and self._before[tone] == kind
        return weight, mask | self._strike_mask, kind, vertical.consonant, required, continues_run

    def _judge_motion(self, tone: int, motion: int, kind: int) -> tuple[float, int] | None:
        """Return the weight and the broken rules of the motion against the existing voice.

        Return None for forbidden parallels.
        """
        weights, cantus_motion = self._weights, self._cantus_motion
        if not cantus_motion:
            return 1.0, 0
        if not motion:
            return weights.oblique, 0
        if motion * cantus_motion < 0:
            weight = weights.contrary
        else:
            weight = weights.parallel if self._before[tone] == kind else weights.similar
        is_perfect = kind in PERFECT or self._before[tone] in PERFECT
        if is_perfect and not (motion - cantus_motion) % 12:  # compared by sound: B to G flat sounds like a fifth
            return None if weights.avoid_parallels else (0.5 * weight, 0)
        if kind not in PERFECT:
            return weight, 0
        if motion * cantus_motion > 0:
            return _UNLIKELY * weight, self._kept(rules.DIRECT_INTERVAL)
        return weight, 0

    def _kept(self, rule: int) -> int:
        """Return the rule if it is among those that must hold, otherwise 0."""
        return rule & self._weights.kept


def make_slot_transitions(
    slots: list[NoteSlot], verticals: VerticalTables, weights: MotionWeights
) -> list[SlotTransitions]:
    """Return the transitions into each slot. Slots with equal transitions share one object."""
    all_transitions, known = [], dict[object, SlotTransitions]()
    lead: NoteSlot | None = None
    for place, slot in enumerate(slots):
        from_end = len(slots) - place
        key = (
            (slot.against, slot.before, slot.earlier, slot.chord, slot.opens_chord, tuple(slot.later)),
            (
                slot.entry,
                slot.dissonance,
                slot.leads,
                slot.stepwise,
                slots[place - 1].stepwise,
                slot.closes,
                slot.syncopates,
                slot.may_restart,
            ),
            (place == 0, from_end if from_end <= 3 else 0, lead.against if lead and slot.leads else None),
        )
        if key not in known:
            known[key] = SlotTransitions(slots, place, verticals, weights, lead)
        all_transitions.append(known[key])
        if slot.leads:
            lead = slot
    return all_transitions
