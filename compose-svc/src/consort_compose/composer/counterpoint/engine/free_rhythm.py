"""Choose the slots of a free voice. It moves while the existing voice holds a note, and holds while that moves."""

from fractions import Fraction
from itertools import pairwise
from random import Random

from consort_compose.composer.counterpoint.engine.existing_voice import ExistingVoice
from consort_compose.composer.counterpoint.engine.note_slot import NEIGHBOUR, PASSING, NoteSlot, SlotEntry
from consort_compose.composer.counterpoint.engine.task_and_result import Relationship
from consort_music.metre import DOWNBEAT, OFFBEAT, STRONG


def make_free_slots(existing: ExistingVoice, relationship: Relationship, rng: Random) -> list[NoteSlot]:
    """Return slots that cover the existing voice, except rests of a beat or more."""
    if relationship in (Relationship.PARALLEL_THIRDS, Relationship.PARALLEL_SIXTHS):
        return [existing.make_slot(note.onset, note.duration, SlotEntry.STRIKE) for note in existing.notes]
    slots = []
    for start, end in _phrases(existing):
        onsets = sorted({start, *_onsets(existing, relationship, start, end, rng)})
        for onset, following in pairwise([*onsets, end]):
            slot = existing.make_slot(onset, following - onset, SlotEntry.STRIKE)
            if relationship is Relationship.OBLIQUE and onset != start:
                slot.entry = SlotEntry.MAY_TIE
            slot.stepwise = existing.strength(onset) == OFFBEAT and onset != start
            is_weak = existing.strength(onset) < STRONG and slot.duration <= existing.beat_length(onset)
            if onset != start and is_weak:
                slot.dissonance = PASSING | NEIGHBOUR
            slots.append(slot)
    if len(slots) > 1:
        slots[-2].closes = True
    return slots


def _phrases(existing: ExistingVoice) -> list[tuple[Fraction, Fraction]]:
    """Return the start and end of each phrase. Rests of a beat or more separate phrases."""
    phrases: list[tuple[Fraction, Fraction]] = []
    for note in existing.notes:
        if phrases and note.onset - phrases[-1][1] < existing.beat_length(note.onset):
            phrases[-1] = phrases[-1][0], note.end
        else:
            phrases.append((note.onset, note.end))
    return phrases


def _onsets(
    existing: ExistingVoice, relationship: Relationship, start: Fraction, end: Fraction, rng: Random
) -> list[Fraction]:
    """Return the onsets in a phrase, except the first. Both voices begin the last note of the phrase together."""
    closing = existing.just_before(end)
    ends_on_beat = closing is not None and closing.duration >= existing.beat_length(closing.onset)
    until = closing.onset if closing and ends_on_beat else end
    onsets: list[Fraction] = []
    last = start
    for beat in existing.beats_between(start, until):
        length = existing.beat_length(beat)
        if _has_note(existing, relationship, beat, beat - last >= 2 * length, rng):
            onsets.append(beat)
            last = beat
            holds = not existing.beginning_from(beat, beat + length)
            if relationship is Relationship.FREE and holds and rng.random() < 0.3 and beat + length < until:
                onsets.append(beat + (length * 2 / 3 if length.numerator == 3 else length / 2))
    return [*onsets, until] if start < until < end else onsets


def _has_note(existing: ExistingVoice, relationship: Relationship, beat: Fraction, is_due: bool, rng: Random) -> bool:
    """Return whether a note begins on a beat. `is_due` is true if the last note began at least two beats ago."""
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
