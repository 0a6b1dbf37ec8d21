"""What each tone would mean in each slot: its interval with the existing voice, the rules it breaks, its weight."""

from dataclasses import dataclass
from typing import NamedTuple

from consort_compose.composer.counterpoint import rules
from consort_compose.composer.counterpoint.ends import Ends
from consort_compose.composer.counterpoint.line import weight
from consort_compose.composer.counterpoint.slots import Slot
from consort_compose.composer.counterpoint.tones import (
    CONSONANT,
    DISSONANT,
    FIFTH,
    OCTAVE,
    SIXTH,
    THIRD,
    Scale,
    Tone,
    interval_class,
)

PERFECT = (FIFTH, OCTAVE)


class Vertical(NamedTuple):
    mask: int
    weight: float
    kind: int
    consonant: bool
    suspends: bool
    """May be held into this slot as a dissonance, because stepping down from it resolves."""


@dataclass(frozen=True, slots=True)
class Taste:
    """What a relationship wants of intervals and motion, as costs."""

    kept: int
    is_species: bool
    wanted: int = 0
    """THIRD or SIXTH, where the voices run in parallel."""
    contrary: float = 0.0
    similar: float = 0.0
    parallel: float = 0.0
    oblique: float = 0.0
    hold: float = 0.0
    """For a note held where it could be struck again."""
    strike: float = 0.0
    comfortable: int = 12
    """Semitones between the voices beyond which distance costs."""
    is_bass: bool = False
    """Has the bass of a chord where that begins."""
    letters: int = 0
    """Of `wanted`, with its octaves: 9 for a tenth."""


class Verticals:
    def __init__(self, tones: list[Tone], scale: Scale, above: bool, taste: Taste, reach: int, ends: Ends) -> None:
        self._tones = tones
        self._in_scale = {(letter, pitch_class) for letter, pitch_class in scale}
        self._above = above
        self._taste = taste
        self._reach = reach
        self._ends = ends

    def classes(self, cantus: Tone | None) -> list[int]:
        """The interval class of each tone with a tone of the existing voice."""
        if cantus is None:
            return [DISSONANT] * len(self._tones)
        return [interval_class(cantus, tone) for tone in self._tones]

    def crossing(self, cantus: Tone | None) -> list[bool]:
        """Whether each tone is on the wrong side of a tone of the existing voice."""
        if cantus is None:
            return [False] * len(self._tones)
        return [tone.midi < cantus.midi if self._above else tone.midi > cantus.midi for tone in self._tones]

    def table(self, slots: list[Slot], place: int) -> list[Vertical | None]:
        """None where a tone is out of the question: neither in the scale nor in the chord nor the cadence's own."""
        table = [self._vertical(slots, place, tone) for tone in self._tones]
        wanted = self._taste.wanted
        if wanted and not self._taste.is_species:
            parallel = [entry if entry and not entry.mask and entry.kind == wanted else None for entry in table]
            return parallel if any(parallel) else table
        return table

    def _vertical(self, slots: list[Slot], place: int, tone: Tone) -> Vertical | None:
        slot, taste, ends = slots[place], self._taste, self._ends
        is_last, closes = place == len(slots) - 1, place == len(slots) - 2
        spelled = tone.step % 7, tone.midi % 12
        in_chord = self._in_chord(slot, tone)
        is_raised = (closes and tone in ends.cadence) or (place == len(slots) - 3 and tone in ends.approach)
        if spelled not in self._in_scale and not (is_raised and slot.closes) and not in_chord:
            return None
        if slot.closes and not closes and any(_is_other_form(tone, leading) for leading in ends.cadence):
            return None
        mask, cost, kind, consonant, distance = 0, 0.0, DISSONANT, True, 0
        if slot.against is not None:
            distance = (tone.midi - slot.against.midi) * (1 if self._above else -1)
            kind = interval_class(slot.against, tone)
            consonant = kind in CONSONANT
            if distance < 0:
                mask |= rules.CROSSING
                cost += 2.0
            if distance == 0 and place and not is_last:
                mask |= rules.UNISON
                cost += 1.5
            if distance > self._reach:
                mask |= rules.SPACING
            cost += (0.12 if taste.is_species else 0.35) * max(0, distance - taste.comfortable)
            if taste.wanted and kind != taste.wanted:
                mask |= rules.RELATION
                cost += 2.5 if taste.is_species else 6.0
            elif taste.wanted and abs(tone.step - slot.against.step) != taste.letters:
                cost += 2.5
        if slot.chord is not None:
            in_chord_pitches = {pitch for _, pitch in slot.chord}
            if taste.is_bass and slot.opens_chord and tone.midi % 12 != slot.chord[0][1]:
                cost += 3.5
            if not in_chord:
                cost += 1.2
                if slot.dissonance == 0:
                    mask |= rules.CHORD
                elif not taste.is_species:
                    consonant = False
            elif not taste.is_species and slot.against is not None:
                melody_in_chord = slot.against.midi % 12 in in_chord_pitches
                clashes = abs(distance) % 12 in (1, 11)
                cost += 0.0 if consonant else 0.4 if melody_in_chord else 0.8
                consonant = consonant or melody_in_chord or not clashes
        around = (slot.before, slot.against, *(sounding for sounding, _ in slot.later))
        if any(other is not None and _is_other_form(tone, other) for other in around):
            cost += 2.5
        later_mask, later_cost = self._later(slot, tone)
        mask, cost = mask | later_mask, cost + later_cost
        if not place and tone not in ends.first:
            mask |= rules.ENDS if taste.is_species else 0
            cost += 1.5
        if is_last and tone not in ends.last:
            mask |= rules.ENDS
            cost += 1.5
        if closes and ends.cadence and tone not in ends.cadence:
            mask |= rules.CADENCE
            lowers = any(_is_other_form(tone, leading) for leading in ends.cadence)
            cost += 2.5 if lowers else 0.8  # a leading tone that is not raised is heard as a slip
        if slot.leads and kind in PERFECT and place and not is_last:
            cost += 0.6
        return Vertical(mask & taste.kept, weight(cost), kind, consonant, self._suspends(slot.against, tone))

    @staticmethod
    def _in_chord(slot: Slot, tone: Tone) -> bool:
        return slot.chord is not None and any(pitch == tone.midi % 12 for _, pitch in slot.chord)

    def _later(self, slot: Slot, tone: Tone) -> tuple[int, float]:
        mask, cost, before = 0, 0.0, slot.against
        for sounding, is_strong in slot.later:
            if interval_class(sounding, tone) not in CONSONANT:
                by_step = before is not None and abs(before.step - sounding.step) <= 1
                cost += 0.4 if by_step else 1.2
                if is_strong and not self._in_chord(slot, tone):
                    mask |= rules.DISSONANCE
                    cost += 1.5
            if (tone.midi - sounding.midi) * (1 if self._above else -1) < 0:
                mask |= rules.CROSSING
                cost += 1.5
            before = sounding
        return mask, cost

    def _suspends(self, cantus: Tone | None, tone: Tone) -> bool:
        """7-6, 4-3 and 9-8 above; 2-3, 9-10 and 4-5 below."""
        if cantus is None:
            return False
        letters = (tone.step - cantus.step) * (1 if self._above else -1)
        if not self._above:
            return letters % 7 in (1, 3) and letters > 0
        return letters % 7 in (3, 6) or (letters % 7 == 1 and letters > 7)


def _is_other_form(tone: Tone, leading: Tone) -> bool:
    """C beside C sharp, in any octave."""
    return tone.step % 7 == leading.step % 7 and tone.midi % 12 != leading.midi % 12


WANTED = {"parallel_thirds": THIRD, "parallel_sixths": SIXTH}
