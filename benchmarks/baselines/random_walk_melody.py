"""The baseline of `consort bench melody`: a weighted random walk over the notes of the scale.

The rhythm is random note values of the given density until the bar is full. The pitch moves by a step with the
probability `prefer_stepwise`, otherwise by a leap of two to four notes of the scale.
"""

import random
from fractions import Fraction

VALUES = {
    "sparse": (Fraction(2), Fraction(3), Fraction(4)),
    "medium": (Fraction(1), Fraction(2), Fraction(3, 2)),
    "dense": (Fraction(1, 2), Fraction(1), Fraction(3, 4)),
}


def walk(
    pitches: list[int], measures: int, bar: Fraction, density: str, seed: int, prefer_stepwise: float = 0.7
) -> list[tuple[Fraction, Fraction, int]]:
    """Return (onset, duration, pitch) of each note. `pitches` are the notes of the scale."""
    rng = random.Random(seed)
    place = rng.randrange(len(pitches))
    notes = []
    for onset, duration in _rhythm(measures, bar, density, rng):
        notes.append((onset, duration, pitches[place]))
        size = 1 if rng.random() < prefer_stepwise else rng.randint(2, 4)
        place = min(len(pitches) - 1, max(0, place + rng.choice((-size, size))))
    return notes


def _rhythm(measures: int, bar: Fraction, density: str, rng: random.Random) -> list[tuple[Fraction, Fraction]]:
    notes = []
    for measure in range(measures):
        filled = Fraction(0)
        while filled < bar:
            fitting = [value for value in VALUES[density] if value <= bar - filled] or [bar - filled]
            value = rng.choice(fitting)
            notes.append((measure * bar + filled, value))
            filled += value
    return notes
