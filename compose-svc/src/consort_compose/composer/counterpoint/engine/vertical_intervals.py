"""Compute for each tone in a slot its interval with the existing voice, the rules that it breaks, and its weight."""

from dataclasses import dataclass
from typing import NamedTuple

from consort_compose.composer.counterpoint.engine import rules
from consort_compose.composer.counterpoint.engine.melodic_moves import to_weight
from consort_compose.composer.counterpoint.engine.note_slot import NoteSlot
from consort_compose.composer.counterpoint.engine.opening_and_cadence import OpeningAndCadence
from consort_compose.composer.counterpoint.spelled_tones import (
    CONSONANT,
    DISSONANT,
    FIFTH,
    OCTAVE,
    SIXTH,
    THIRD,
    ScaleTones,
    SpelledTone,
    interval_class,
)

PERFECT = (FIFTH, OCTAVE)
PARALLEL_INTERVALS = {"parallel_thirds": THIRD, "parallel_sixths": SIXTH}
"""By relationship: the interval that the voices keep."""


class Vertical(NamedTuple):
    """A tone against the existing voice in a slot."""

    mask: int
    """The broken rules."""
    weight: float
    kind: int
    """The interval class."""
    consonant: bool
    suspends: bool
    """Whether the tone may be held into this slot as a suspension, which resolves by a step down."""


@dataclass(frozen=True, slots=True)
class RelationshipCosts:
    """The costs of intervals and motion in a relationship."""

    kept: int
    """The mask of rules that must hold."""
    is_species: bool
    wanted: int = 0
    """THIRD or SIXTH if the voices move in parallel, otherwise 0."""
    contrary: float = 0.0
    similar: float = 0.0
    parallel: float = 0.0
    oblique: float = 0.0
    hold: float = 0.0
    """For a note that is held where it may be tied."""
    strike: float = 0.0
    """For a new note where the last note may be tied."""
    sixth: float = 0.0
    """For a sixth at the start of a unit."""
    comfortable: int = 12
    """Up to this distance of the voices, in semitones, there is no cost for distance."""
    is_bass: bool = False
    """Whether the new voice should play the bass note of each chord where the chord begins."""
    letters: int = 0
    """Distance of parallel voices in letters, including octaves: 9 for a tenth."""


class VerticalTables:
    """Makes tables of all tones for a slot. `widest` is the largest distance of the voices, in semitones."""

    def __init__(
        self,
        tones: list[SpelledTone],
        scale: ScaleTones,
        above: bool,
        costs: RelationshipCosts,
        widest: int,
        ends: OpeningAndCadence,
    ) -> None:
        self._tones = tones
        self._in_scale = {(letter, pitch_class) for letter, pitch_class in scale}
        self._above = above
        self._costs = costs
        self._widest = widest
        self._ends = ends

    def interval_classes(self, cantus: SpelledTone | None) -> list[int]:
        """Return the interval class of each tone with `cantus`, a tone of the existing voice."""
        if cantus is None:
            return [DISSONANT] * len(self._tones)
        return [interval_class(cantus, tone) for tone in self._tones]

    def is_crossing(self, cantus: SpelledTone | None) -> list[bool]:
        """Return for each tone whether it is on the wrong side of `cantus`, a tone of the existing voice."""
        if cantus is None:
            return [False] * len(self._tones)
        return [tone.midi < cantus.midi if self._above else tone.midi > cantus.midi for tone in self._tones]

    def table(self, slots: list[NoteSlot], place: int) -> list[Vertical | None]:
        """Return a Vertical for each tone, or None for a tone that is not allowed in the slot.

        A tone must be in the scale, the chord or the cadence. A free parallel voice has only tones at its interval, if
        there are any.
        """
        table = [self._vertical(slots, place, tone) for tone in self._tones]
        wanted = self._costs.wanted
        if wanted and not self._costs.is_species:
            parallel = [entry if entry and not entry.mask and entry.kind == wanted else None for entry in table]
            return parallel if any(parallel) else table
        return table

    def _vertical(self, slots: list[NoteSlot], place: int, tone: SpelledTone) -> Vertical | None:
        slot, costs, ends = slots[place], self._costs, self._ends
        is_last, closes = place == len(slots) - 1, place == len(slots) - 2
        spelled = tone.step % 7, tone.midi % 12
        in_chord = self._is_in_chord(slot, tone)
        is_raised = (closes and tone in ends.cadence) or (place == len(slots) - 3 and tone in ends.approach)
        if spelled not in self._in_scale and not (is_raised and slot.closes) and not in_chord:
            return None
        if slot.closes and not closes and any(_is_chromatic_variant(tone, leading) for leading in ends.cadence):
            return None
        mask, cost, kind, consonant, distance = 0, 0.0, DISSONANT, True, 0
        if slot.against is not None:
            distance = (tone.midi - slot.against.midi) * (1 if self._above else -1)
            kind = interval_class(slot.against, tone)
            consonant = kind in CONSONANT
            if distance < 0:
                mask |= rules.VOICE_CROSSING
                cost += 2.0
            if distance == 0 and place and not is_last:
                mask |= rules.UNISON
                cost += 1.5
            if distance > self._widest:
                mask |= rules.SPACING
            cost += (0.12 if costs.is_species else 0.35) * max(0, distance - costs.comfortable)
            if costs.wanted and kind != costs.wanted:
                mask |= rules.RELATIONSHIP
                cost += 2.5 if costs.is_species else 6.0
            elif costs.wanted and abs(tone.step - slot.against.step) != costs.letters:
                cost += 2.5
        if slot.chord is not None:
            in_chord_pitches = {pitch for _, pitch in slot.chord}
            if costs.is_bass and slot.opens_chord and tone.midi % 12 != slot.chord[0][1]:
                cost += 3.5
            if not in_chord:
                cost += 1.2
                if slot.dissonance == 0:
                    mask |= rules.CHORD_TONE
                elif not costs.is_species:
                    consonant = False
            elif not costs.is_species and slot.against is not None:
                melody_in_chord = slot.against.midi % 12 in in_chord_pitches
                clashes = abs(distance) % 12 in (1, 11)
                cost += 0.0 if consonant else 0.4 if melody_in_chord else 0.8
                consonant = consonant or melody_in_chord or not clashes
        around = (slot.before, slot.against, *(sounding for sounding, _ in slot.later))
        if any(other is not None and _is_chromatic_variant(tone, other) for other in around):
            cost += 2.5
        later_mask, later_cost = self._judge_later_tones(slot, tone)
        mask, cost = mask | later_mask, cost + later_cost
        if not place and tone not in ends.first:
            mask |= rules.FIRST_OR_LAST_INTERVAL if costs.is_species else 0
            cost += 1.5
        if is_last and tone not in ends.last:
            mask |= rules.FIRST_OR_LAST_INTERVAL
            cost += 1.5
        if closes and ends.cadence and tone not in ends.cadence:
            mask |= rules.CADENCE
            lowers = any(_is_chromatic_variant(tone, leading) for leading in ends.cadence)
            cost += 2.5 if lowers else 0.8  # the seventh degree without its accidental sounds like a mistake
        if slot.leads and kind in PERFECT and place and not is_last:
            cost += 0.6
        if slot.leads and kind == SIXTH and not costs.wanted:
            cost += costs.sixth
        return Vertical(mask & costs.kept, to_weight(cost), kind, consonant, self._can_suspend(slot.against, tone))

    @staticmethod
    def _is_in_chord(slot: NoteSlot, tone: SpelledTone) -> bool:
        return slot.chord is not None and any(pitch == tone.midi % 12 for _, pitch in slot.chord)

    def _judge_later_tones(self, slot: NoteSlot, tone: SpelledTone) -> tuple[int, float]:
        """Return the broken rules and the cost of holding a tone while the existing voice moves."""
        mask, cost, before = 0, 0.0, slot.against
        for sounding, is_strong in slot.later:
            if interval_class(sounding, tone) not in CONSONANT:
                by_step = before is not None and abs(before.step - sounding.step) <= 1
                cost += 0.4 if by_step else 1.2
                if is_strong and not self._is_in_chord(slot, tone):
                    mask |= rules.DISSONANCE
                    cost += 1.5
            if (tone.midi - sounding.midi) * (1 if self._above else -1) < 0:
                mask |= rules.VOICE_CROSSING
                cost += 1.5
            before = sounding
        return mask, cost

    def _can_suspend(self, cantus: SpelledTone | None, tone: SpelledTone) -> bool:
        """Return whether a suspension may have this interval.

        Suspensions above the existing voice are 7-6, 4-3 and 9-8; below it they are 2-3, 9-10 and 4-5.
        """
        if cantus is None:
            return False
        letters = (tone.step - cantus.step) * (1 if self._above else -1)
        if not self._above:
            return letters % 7 in (1, 3) and letters > 0
        return letters % 7 in (3, 6) or (letters % 7 == 1 and letters > 7)


def _is_chromatic_variant(tone: SpelledTone, other: SpelledTone) -> bool:
    """Return whether two tones have the same letter but another accidental, such as C and C sharp, in any octave."""
    return tone.step % 7 == other.step % 7 and tone.midi % 12 != other.midi % 12
