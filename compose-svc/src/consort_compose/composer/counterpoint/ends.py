"""How a counterpoint begins and closes: a perfect interval, and a step into the last note against the cantus.

The close is the old formula of a sixth that opens into an octave, or a third that closes into a unison. Its sixth is
major and its third minor, which is what raises the leading tone in dorian, mixolydian and minor and leaves it alone in
phrygian.
"""

from dataclasses import dataclass

from consort_compose.composer.counterpoint.slots import Slot
from consort_compose.composer.counterpoint.tones import CONSONANT, FIFTH, OCTAVE, Scale, Tone, interval_class


@dataclass(frozen=True, slots=True)
class Ends:
    first: frozenset[Tone]
    last: frozenset[Tone]
    cadence: frozenset[Tone]
    """Tones of the note before the last; empty where no formula fits."""
    approach: frozenset[Tone]
    """Sixth degrees raised to lead into a raised seventh, which no voice reaches by an augmented second."""


def find_ends(slots: list[Slot], tones: list[Tone], scale: Scale, above: bool, is_free: bool) -> Ends:
    opening, closing = slots[0].against, slots[-1].sounding_last
    first = _perfect(opening, tones, scale, above, opens=True)
    last = _perfect(closing, tones, scale, above, opens=False)
    if is_free:
        first = _at_home(slots[0], tones, scale, above) or first
        last = _at_home(slots[-1], tones, scale, above) or last
    cadence: frozenset[Tone] = frozenset()
    if len(slots) > 1 and closing and slots[-2].against and not slots[-1].later:
        cadence = frozenset(_cadence(slots[-2].against, closing, last, tones, above))
    raised = cadence - set(tones)
    approach = frozenset(Tone(tone.midi - 2, tone.step - 1) for tone in raised) - set(tones)
    return Ends(first, last, cadence, approach)


def _perfect(cantus: Tone | None, tones: list[Tone], scale: Scale, above: bool, opens: bool) -> frozenset[Tone]:
    if cantus is None:
        return frozenset(tones)
    tonic = scale[0][1]
    cantus_is_tonic = cantus.midi % 12 == tonic
    found = set()
    for tone in tones:
        if (tone.midi - cantus.midi) * (1 if above else -1) < 0:
            continue
        kind = interval_class(cantus, tone)
        at_home = not cantus_is_tonic and tone.midi % 12 == tonic and kind in CONSONANT
        if kind == OCTAVE or at_home or (kind == FIFTH and opens and above):
            found.add(tone)
    return frozenset(found)


def _at_home(slot: Slot, tones: list[Tone], scale: Scale, above: bool) -> frozenset[Tone]:
    """Where a free voice may begin and end: on the chord, or on the tonic's; below the other voice, on its root."""
    home = slot.chord or tuple(scale[degree] for degree in (0, 2, 4) if degree < len(scale))
    roots = home if above else home[:1]
    pitches = {pitch for _, pitch in roots}
    other = slot.sounding_last
    fits = (tone for tone in tones if other is None or _is_consonant(tone, other))
    return frozenset(tone for tone in fits if tone.midi % 12 in pitches)


def _cadence(cantus: Tone, closing: Tone, last: frozenset[Tone], tones: list[Tone], above: bool) -> list[Tone]:
    """Tones that step into a possible last note against the motion of the cantus."""
    found = []
    falls = closing.step - cantus.step
    for final in last:
        if interval_class(closing, final) != OCTAVE:
            continue
        if falls == -1:  # the new voice rises: a major sixth above, or a minor third below
            rising = (Tone(final.midi - semitones, final.step - 1) for semitones in (1, 2))
            found += [tone for tone in rising if _opens(tone, cantus, above)]
        elif falls == 1:
            found += [tone for tone in tones if tone.step == final.step + 1 and _is_consonant(tone, cantus)]
        else:
            leading = Tone(final.midi - 1, final.step - 1)
            near = [tone for tone in tones if abs(tone.step - final.step) == 1]
            if _half_step_above(final, tones):
                near = [tone for tone in near if tone.midi != leading.midi]
            else:
                near = [tone for tone in near if tone.step != leading.step] + [leading]
            found += [tone for tone in near if _is_consonant(tone, cantus)]
    return found


def _opens(tone: Tone, cantus: Tone, above: bool) -> bool:
    low, high = (cantus, tone) if above else (tone, cantus)
    wanted = (5, 9) if above else (2, 3)
    return ((high.step - low.step) % 7, (high.midi - low.midi) % 12) == wanted


def _half_step_above(final: Tone, tones: list[Tone]) -> bool:
    """Phrygian: the second degree leads down, so the seventh is not raised to lead up."""
    return Tone(final.midi + 1, final.step + 1) in tones


def _is_consonant(tone: Tone, cantus: Tone) -> bool:
    return interval_class(cantus, tone) in CONSONANT
