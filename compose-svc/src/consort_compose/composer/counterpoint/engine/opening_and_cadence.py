"""Find the allowed tones of the first note, of the note before the last (the cadence), and of the last note.

A counterpoint begins and ends with a perfect interval. It reaches the last note by a step in the opposite direction to
the cantus: from a sixth to an octave, or from a third to a unison. The sixth is major and the third is minor. This rule
raises the leading tone in dorian, mixolydian and minor, but not in phrygian.
"""

from dataclasses import dataclass

from consort_compose.composer.counterpoint.engine.note_slot import NoteSlot
from consort_compose.composer.counterpoint.spelled_tones import (
    CONSONANT,
    FIFTH,
    OCTAVE,
    ScaleTones,
    SpelledTone,
    interval_class,
    is_consonant,
)


@dataclass(frozen=True, slots=True)
class OpeningAndCadence:
    first: frozenset[SpelledTone]
    last: frozenset[SpelledTone]
    cadence: frozenset[SpelledTone]
    """Tones of the note before the last. Empty if no cadence is possible."""
    approach: frozenset[SpelledTone]
    """Raised sixth degrees. Before a raised seventh degree they avoid an augmented second."""


def find_opening_and_cadence(
    slots: list[NoteSlot], tones: list[SpelledTone], scale: ScaleTones, above: bool, is_free: bool
) -> OpeningAndCadence:
    """Return the tones for these slots. `tones` are the tones of the scale within the range."""
    opening, closing = slots[0].against, slots[-1].sounding_last
    first = _perfect_tones(opening, tones, scale, above, is_opening=True)
    last = _perfect_tones(closing, tones, scale, above, is_opening=False)
    if is_free:
        first = _tones_of_tonic_chord(slots[0], tones, scale, above) or first
        last = _tones_of_tonic_chord(slots[-1], tones, scale, above) or last
    cadence: frozenset[SpelledTone] = frozenset()
    if len(slots) > 1 and closing and slots[-2].against and not slots[-1].later:
        cadence = frozenset(_cadence_tones(slots[-2].against, closing, last, tones, above))
    raised = cadence - set(tones)
    approach = frozenset(SpelledTone(tone.midi - 2, tone.step - 1) for tone in raised) - set(tones)
    return OpeningAndCadence(first, last, cadence, approach)


def _perfect_tones(
    cantus: SpelledTone | None, tones: list[SpelledTone], scale: ScaleTones, above: bool, is_opening: bool
) -> frozenset[SpelledTone]:
    if cantus is None:
        return frozenset(tones)
    tonic = scale[0][1]
    cantus_is_tonic = cantus.midi % 12 == tonic
    found = set()
    for tone in tones:
        if (tone.midi - cantus.midi) * (1 if above else -1) < 0:
            continue
        kind = interval_class(cantus, tone)
        is_tonic = not cantus_is_tonic and tone.midi % 12 == tonic and kind in CONSONANT
        if kind == OCTAVE or is_tonic or (kind == FIFTH and is_opening and above):
            found.add(tone)
    return frozenset(found)


def _tones_of_tonic_chord(
    slot: NoteSlot, tones: list[SpelledTone], scale: ScaleTones, above: bool
) -> frozenset[SpelledTone]:
    """Return the tones for the first or last note of a free voice: consonant tones of the slot's chord.

    A slot without a chord gets the tonic chord. Below the existing voice only the bass note of the chord is allowed.
    """
    chord = slot.chord or tuple(scale[degree] for degree in (0, 2, 4) if degree < len(scale))
    allowed = chord if above else chord[:1]
    pitches = {pitch for _, pitch in allowed}
    other = slot.sounding_last
    consonant = (tone for tone in tones if other is None or is_consonant(other, tone))
    return frozenset(tone for tone in consonant if tone.midi % 12 in pitches)


def _cadence_tones(
    cantus: SpelledTone, closing: SpelledTone, last: frozenset[SpelledTone], tones: list[SpelledTone], above: bool
) -> list[SpelledTone]:
    """Return the tones from which a step leads to a possible last note, in the opposite direction to the cantus."""
    found = []
    falls = closing.step - cantus.step
    for final in last:
        if interval_class(closing, final) != OCTAVE:
            continue
        if falls == -1:  # the new voice rises: a major sixth above, or a minor third below
            rising = (SpelledTone(final.midi - semitones, final.step - 1) for semitones in (1, 2))
            found += [tone for tone in rising if _is_cadence_interval(tone, cantus, above)]
        elif falls == 1:
            found += [tone for tone in tones if tone.step == final.step + 1 and is_consonant(cantus, tone)]
        else:
            leading = SpelledTone(final.midi - 1, final.step - 1)
            near = [tone for tone in tones if abs(tone.step - final.step) == 1]
            if _has_half_step_above(final, tones):
                near = [tone for tone in near if tone.midi != leading.midi]
            else:
                near = [tone for tone in near if tone.step != leading.step] + [leading]
            found += [tone for tone in near if is_consonant(cantus, tone)]
    return found


def _is_cadence_interval(tone: SpelledTone, cantus: SpelledTone, above: bool) -> bool:
    low, high = (cantus, tone) if above else (tone, cantus)
    wanted = (5, 9) if above else (2, 3)
    return ((high.step - low.step) % 7, (high.midi - low.midi) % 12) == wanted


def _has_half_step_above(final: SpelledTone, tones: list[SpelledTone]) -> bool:
    """Return whether the scale has a half step above the last note, as phrygian has. Then the seventh is not raised."""
    return SpelledTone(final.midi + 1, final.step + 1) in tones
