"""Two notes in a row against the existing voice: motion, dissonance and its resolution, and ties.

What two tones mean in a slot does not depend on how the line came there, so it is worked out once for each pair.
"""

from consort_compose.composer.counterpoint import rules
from consort_compose.composer.counterpoint.line import weight
from consort_compose.composer.counterpoint.slots import CAMBIATA, PASSING, Entry, Slot
from consort_compose.composer.counterpoint.tones import SIXTH, THIRD
from consort_compose.composer.counterpoint.verticals import PERFECT, Taste, Vertical, Verticals

Debt = int
NOTHING, CONTINUE, STEP_AWAY, STEP_OR_CAMBIATA, STEP_UP, RESOLVE = range(6)
"""What a note owes: a passing dissonance goes on by step, a suspension steps down, and so on."""

_UNLIKELY = 0.05
"""Weight of what is allowed where rules are not kept, and not wanted."""


Leading = tuple[float, int, int, bool, Debt, bool]
"""From one tone to another in a slot: weight, broken rules, interval, whether it is consonant, what the second then
owes, and whether a run of thirds or sixths goes on."""


class Conduct:
    """How voices are led against each other."""

    def __init__(self, taste: Taste, avoid_parallels: bool) -> None:
        self.kept = taste.kept
        self.is_species = taste.is_species
        self.avoid_parallels = avoid_parallels
        self.contrary = weight(taste.contrary)
        self.similar = weight(taste.similar)
        self.parallel = weight(taste.parallel)
        self.oblique = weight(taste.oblique)
        self.hold = weight(taste.hold)
        self.strike = weight(taste.strike)


class Column:
    """A slot with the tones that it may have."""

    def __init__(
        self, slots: list[Slot], place: int, verticals: Verticals, conduct: Conduct, lead: Slot | None
    ) -> None:
        slot = slots[place]
        self._slot = slot
        self._conduct = conduct
        self._table = verticals.table(slots, place)
        self._before = verticals.classes(slot.before)
        self._past_before = verticals.crossing(slot.before)
        self._past_now = verticals.crossing(slot.against if slot.before else None)
        self._earlier = verticals.classes(slot.earlier)
        self._cantus_motion = slot.against.midi - slot.before.midi if slot.against and slot.before else 0
        self._stepwise = slot.stepwise or (place > 0 and slots[place - 1].stepwise)
        self._strict_table = [vertical if vertical and not vertical.mask else None for vertical in self._table]
        self.leadings: tuple[dict[int, Leading | None], dict[int, Leading | None]] = ({}, {})
        """What is known already of moves, relaxed and strict; by both tones in one number."""
        self._break = rules.SYNCOPATION if slot.syncopates else 0
        self.leads = slot.leads
        self.moved_since_lead = slot.leads and lead is not None and slot.against != lead.against
        self.is_last = place == len(slots) - 1

    def entries(self, strict: bool) -> list[tuple[float, int, int] | None]:
        """For the first slot: weight, broken rules and interval of each tone."""
        found: list[tuple[float, int, int] | None] = []
        for vertical in self._table:
            mask = (
                0 if vertical is None else vertical.mask | (0 if vertical.consonant else self._kept(rules.DISSONANCE))
            )
            possible = vertical is not None and not (strict and mask)
            found.append((vertical.weight, mask, vertical.kind) if vertical is not None and possible else None)
        return found

    def tones(self, strict: bool) -> list[Vertical | None]:
        return self._strict_table if strict else self._table

    def hold(self, tone: int, debt: Debt, strict: bool) -> tuple[float, int, int, Debt] | None:
        """A note held into this slot: weight, broken rules, interval, and what it then owes."""
        vertical = self._table[tone]
        if self._slot.entry is not Entry.MAY_TIE or vertical is None:
            return None
        mask = vertical.mask | (self._kept(rules.DISSONANCE) if debt else 0)
        share, debt_after = vertical.weight, NOTHING
        if vertical.consonant:
            share *= self._conduct.hold
        elif vertical.suspends and self._conduct.is_species:
            debt_after = RESOLVE
        else:
            mask |= self._kept(rules.DISSONANCE)
            share *= _UNLIKELY
        if strict and mask:
            return None
        return share, mask, vertical.kind if vertical.consonant else 0, debt_after

    def pay(
        self, debt: Debt, letters: int, direction: int, tone: int, kind: int, consonant: bool
    ) -> tuple[int, Debt] | None:
        """A move that is to pay what the note before owes: broken rules and the new debt; None where it is barred."""
        debt_after = NOTHING
        if debt == RESOLVE:
            if self._conduct.avoid_parallels and kind in PERFECT and self._earlier[tone] == kind:
                return None  # fifths or octaves that a suspension only delays
            pays = letters == -1
        elif debt == CONTINUE:
            pays = letters == direction
        elif debt == STEP_UP:
            pays = letters == 1
        elif debt == STEP_OR_CAMBIATA and letters == -2:
            pays, debt_after = True, STEP_UP
        else:
            pays = letters in (1, -1)
        return (0, debt_after) if pays and consonant else (self._kept(rules.DISSONANCE), NOTHING)

    def leading(self, tone: int, target: int, motion: int, letters: int, strict: bool) -> Leading | None:
        """What the move from one tone to another means; None where it is out of the question."""
        vertical = self.tones(strict)[target]
        may_tie = self._slot.entry is Entry.MAY_TIE
        if vertical is None or (may_tie and not motion):
            return None
        kind, is_step = vertical.kind, letters in (1, -1)
        moved = self._motion(tone, motion, kind)
        if moved is None:
            return None
        share, mask = moved
        share *= vertical.weight * (self._conduct.strike if may_tie else 1.0)
        mask |= vertical.mask
        if self._past_before[target] or self._past_now[tone]:
            mask |= self._kept(rules.OVERLAP)
        debt, allowed = NOTHING, self._slot.dissonance
        if not vertical.consonant:
            if not allowed or not is_step:
                mask |= self._kept(rules.DISSONANCE)
                share *= _UNLIKELY
            elif allowed == PASSING:
                debt = CONTINUE
            else:
                debt = STEP_OR_CAMBIATA if allowed & CAMBIATA and letters == -1 else STEP_AWAY
        if self._stepwise and not is_step:
            mask |= self._kept(rules.LEAP)
        if self.is_last and abs(letters) > 1:
            share *= _UNLIKELY
        if strict and mask:
            return None
        continues_run = kind in (THIRD, SIXTH) and self._before[tone] == kind
        return share, mask | self._break, kind, vertical.consonant, debt, continues_run

    def _motion(self, tone: int, motion: int, kind: int) -> tuple[float, int] | None:
        """Weight and broken rules of moving with the existing voice; None for parallels that are to be avoided."""
        conduct, cantus_motion = self._conduct, self._cantus_motion
        if not cantus_motion:
            return 1.0, 0
        if not motion:
            return conduct.oblique, 0
        if motion * cantus_motion < 0:
            share = conduct.contrary
        else:
            share = conduct.parallel if self._before[tone] == kind else conduct.similar
        is_perfect = kind in PERFECT or self._before[tone] in PERFECT
        if is_perfect and not (motion - cantus_motion) % 12:  # by sound: G flat over B is a fifth to the ear
            return None if conduct.avoid_parallels else (0.5 * share, 0)
        if kind not in PERFECT:
            return share, 0
        if motion * cantus_motion > 0:
            return _UNLIKELY * share, self._kept(rules.DIRECT)
        return share, 0

    def _kept(self, rule: int) -> int:
        return rule & self._conduct.kept


def make_columns(slots: list[Slot], verticals: Verticals, conduct: Conduct) -> list[Column]:
    """A column for each slot; slots that are alike share one."""
    columns, known = [], dict[object, Column]()
    lead: Slot | None = None
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
            ),
            (place == 0, from_end if from_end <= 3 else 0, lead.against if lead and slot.leads else None),
        )
        if key not in known:
            known[key] = Column(slots, place, verticals, conduct, lead)
        columns.append(known[key])
        if slot.leads:
            lead = slot
    return columns
