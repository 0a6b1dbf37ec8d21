"""Rhythm of a free voice: it answers the existing one, moving where that holds and holding where that runs."""

from fractions import Fraction
from itertools import pairwise
from random import Random

from consort_compose.composer.counterpoint.slots import NEIGHBOUR, PASSING, Entry, Existing, Slot
from consort_compose.composer.counterpoint.task import Relationship
from consort_music.metre import DOWNBEAT, OFFBEAT, STRONG


def free_slots(existing: Existing, relationship: Relationship, rng: Random) -> list[Slot]:
    """Slots that cover the existing voice except its longer rests."""
    if relationship in (Relationship.PARALLEL_THIRDS, Relationship.PARALLEL_SIXTHS):
        return [existing.slot(note.onset, note.duration, Entry.STRIKE) for note in existing.notes]
    slots = []
    for start, end in _phrases(existing):
        onsets = sorted({start, *_onsets(existing, relationship, start, end, rng)})
        for onset, following in pairwise([*onsets, end]):
            slot = existing.slot(onset, following - onset, Entry.STRIKE)
            if relationship is Relationship.OBLIQUE and onset != start:
                slot.entry = Entry.MAY_TIE
            slot.stepwise = existing.strength(onset) == OFFBEAT and onset != start
            is_light = existing.strength(onset) < STRONG and slot.duration <= existing.beat_length(onset)
            if onset != start and is_light:
                slot.dissonance = PASSING | NEIGHBOUR
            slots.append(slot)
    if len(slots) > 1:
        slots[-2].closes = True
    return slots


def _phrases(existing: Existing) -> list[tuple[Fraction, Fraction]]:
    """Stretches of the existing voice between rests of a beat or more."""
    phrases: list[tuple[Fraction, Fraction]] = []
    for note in existing.notes:
        if phrases and note.onset - phrases[-1][1] < existing.beat_length(note.onset):
            phrases[-1] = phrases[-1][0], note.end
        else:
            phrases.append((note.onset, note.end))
    return phrases


def _onsets(
    existing: Existing, relationship: Relationship, start: Fraction, end: Fraction, rng: Random
) -> list[Fraction]:
    """Where notes begin after the first; both voices end together, on the last note of the phrase."""
    closing = existing.just_before(end)
    ends_on_beat = closing is not None and closing.duration >= existing.beat_length(closing.onset)
    until = closing.onset if closing and ends_on_beat else end
    onsets: list[Fraction] = []
    last = start
    for beat in existing.beats_between(start, until):
        length = existing.beat_length(beat)
        if _wants_note(existing, relationship, beat, beat - last >= 2 * length, rng):
            onsets.append(beat)
            last = beat
            holds = not existing.beginning_from(beat, beat + length)
            if relationship is Relationship.FREE and holds and rng.random() < 0.3 and beat + length < until:
                onsets.append(beat + (length * 2 / 3 if length.numerator == 3 else length / 2))
    return [*onsets, until] if start < until < end else onsets


def _wants_note(existing: Existing, relationship: Relationship, beat: Fraction, is_due: bool, rng: Random) -> bool:
    sounding = existing.at(beat)
    if existing.strength(beat) == DOWNBEAT or existing.chord_begins(beat):
        return True
    if sounding is None:
        return False
    if relationship is Relationship.OBLIQUE:
        return existing.strength(beat) == STRONG
    if relationship is Relationship.CONTRARY:
        return is_due or sounding.onset == beat
    activity = len(existing.beginning_from(beat, beat + existing.beat_length(beat)))
    if activity == 1:
        return is_due or rng.random() < 0.55
    return is_due or activity == 0 or existing.strength(beat) >= STRONG
