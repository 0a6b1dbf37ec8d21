"""From which deviation something is a fault, and how severe it is.

    kind                    no fault up to                 minor      moderate   major from
    early, late             the timing tolerance (below)   -          100 ms     200 ms, or half of the note
    too_short, too_long     ratio 0.55 and 1.8 (below)     -          0.4, 2.2   0.25, 3
    sharp, flat             27 cents (below)               -          35 cents   50 cents
    wrong_note              -                              -          -          always
    wrong_octave            -                              -          always     -
    missing_note            -                              -          short      half a beat or longer
    extra_note              -                              shorter than 0.12 s   longer   -

- The time of a note is compared with the player's own tempo curve. The timing tolerance is 3.2 times the usual scatter
  of the take's onsets (1.4826 times the median of the absolute deviations), but at least `least` and at most 120 ms:
  65 ms for MIDI, 90 ms for audio, where soft attacks are located less exactly, 100 ms for chords, and 120 ms for notes
  that swell (voices, strings, flutes). It is 40 ms more where an instrument with soft attacks repeats a pitch without a
  rest, or plays below E2 (MIDI number 40).
- The length of a note is compared with its written length at the player's tempo, and with the player's usual
  articulation: the ratio is divided by the median ratio of the take. A difference under 90 ms is no fault. A note is
  not too short if similar notes of the take are as short, because breath or string last no longer (see `judging`). A
  note that follows the one before without a gap is measured from when it was due, if it began late: its beginning may
  be hidden.
- The pitch of a note is compared with the tuning of the take: the median of its deviations. The limit is 2.5 times the
  usual scatter of the take's pitches, but at least 27 (30 for notes that swell) and at most 45 cents: the notes of a
  choir scatter more. It is higher for notes shorter than 0.25 s, whose pitch is heard less exactly: by the factor
  0.26 s / length, at least 1.2 and at most 1.5. The tuning of a short note with a confidence of 0.5 or less is not
  judged.
"""

from math import inf
from typing import Literal, NamedTuple, TypeAlias

Severity: TypeAlias = Literal["minor", "moderate", "major"]

MOST_TOLERANCE_S = 0.12
SCATTERS = 3.2
TOO_SHORT, TOO_LONG = 0.55, 1.8
LEAST_LENGTH_DIFFERENCE_S = 0.09
OUT_OF_TUNE_CENTS, MOST_CENTS = 27.0, 45.0
SWELLING_CENTS = 30.0
TUNING_SCATTERS = 2.5
SHORT_NOTE_S, SHORT_NOTE_FACTOR = 0.25, 1.2
SHORTER_NOTE_S, SHORTEST_NOTE_FACTOR = 0.26, 1.5
HARDLY_HEARD = 0.5
"""The tuning of a short note with at most this confidence is not judged."""
WRONG_CENTS = 72.0
"""A note that is farther from the expected one is a wrong note, not one out of tune."""
SHORT_EXTRA_S = 0.12
LOW_PITCH = 39.5
"""The starts of soft notes below this MIDI number are heard less exactly."""


class Judgement(NamedTuple):
    """How strictly a take is judged."""

    least_tolerance_s: float
    repeat_tolerance_s: float
    """How much more is tolerated where soft notes are low, or repeat a pitch without a rest: these are less exact."""
    judges_lengths: bool
    judges_tuning: bool
    least_cents: float = OUT_OF_TUNE_CENTS


MIDI_TAKE = Judgement(0.065, 0.0, True, False)
PLUCKED_TAKE = Judgement(0.09, 0.0, True, True)
"""A recording of one voice with hard attacks."""
SOFT_TAKE = Judgement(0.09, 0.04, True, True)
"""A recording of one voice with soft attacks."""
SWELLING_TAKE = SOFT_TAKE._replace(least_tolerance_s=MOST_TOLERANCE_S, least_cents=SWELLING_CENTS)
"""A recording of one voice whose notes swell, so that it is not certain where they begin."""
CHORDS_TAKE = Judgement(0.1, 0.0, False, False)
"""A recording in which several notes sound together."""


def tuning_factor(seconds: float, confidence: float) -> float:
    """Return the factor of the tuning limit for a note of this length; infinite if its tuning is not judged."""
    if seconds >= SHORT_NOTE_S:
        return 1.0
    if confidence <= HARDLY_HEARD:
        return inf
    return min(max(SHORT_NOTE_FACTOR, SHORTER_NOTE_S / max(seconds, 0.01)), SHORTEST_NOTE_FACTOR)


def timing_severity(seconds: float, length: float) -> Severity:
    away = abs(seconds)
    if away >= 0.2 or away >= max(0.5 * length, 0.12):
        return "major"
    return "moderate" if away >= 0.1 else "minor"


def length_severity(ratio: float) -> Severity:
    if ratio <= 0.25 or ratio >= 3:
        return "major"
    return "moderate" if ratio <= 0.4 or ratio >= 2.2 else "minor"


def tuning_severity(cents: float) -> Severity:
    return "major" if abs(cents) >= 50 else "moderate" if abs(cents) >= 35 else "minor"
