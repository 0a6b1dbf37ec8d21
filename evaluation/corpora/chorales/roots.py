"""Find the root of each beat of a chorale by template matching.

The notes that sound at the start of a beat decide. Each voice gives its pitch class the weight 1, or 3 if it holds the
note for the whole beat. Notes that begin later have no weight. The candidates are the chords of `TEMPLATES` (three
triads and five seventh chords) on all twelve roots. The score of a chord is the weight of its tones, minus the weight
of all other tones, minus `PENALTIES`. The root of the chord with the highest score is the root of the beat. If scores
are equal, the chord that is first in `TEMPLATES` wins, then the lower root. If nothing sounds at the start of a beat,
it gets the root of the beat before.

The weights and penalties were set once, before any model was trained, with published Roman-numeral analyses of 17
chorales of music21's corpus. On 96% of 964 beats the result is the analysis's root (the one that lasts longest in the
beat). It is 93% or more if any one of the numbers is halved or doubled.
"""

from collections.abc import Sequence

from evaluation.corpora.chorales.scores import VOICES, Chorale

TEMPLATES: tuple[tuple[int, ...], ...] = (
    (0, 4, 7),
    (0, 3, 7),
    (0, 3, 6),
    (0, 4, 7, 10),
    (0, 3, 7, 10),
    (0, 4, 7, 11),
    (0, 3, 6, 10),
    (0, 3, 6, 9),
)
PENALTIES = {
    "the root does not sound in the beat": 1.0,
    "the fifth does not sound in the beat": 2.0,
    "it has a seventh": 2.0,
    "its fifth is in the bass": 1.5,
    "its root is not in the bass": 1.5,
}
_NO_ROOT, _NO_FIFTH, _SEVENTH, _FIFTH_IN_BASS, _NOT_IN_BASS = PENALTIES.values()


def roots(chorale: Chorale) -> list[int | None]:
    """Return the pitch class of the root of each beat in `chorale.beats`, or None before the first sound."""
    return [None if chord is None else chord[0] for chord in chords(chorale)]


def chords(chorale: Chorale) -> list[tuple[int, int] | None]:
    """Return, for each beat, the root and the index of the chord in TEMPLATES, or None before the first sound."""
    found: list[tuple[int, int] | None] = []
    for start, end, _ in chorale.beats:
        weights, later = [0.0] * 12, set()
        bass = 128
        for voice in VOICES:
            for onset, duration, pitch in chorale.voices[voice]:
                if onset <= start < onset + duration:
                    weights[pitch % 12] += 3 if onset + duration >= end else 1
                    bass = min(bass, pitch)
                elif start < onset < end:
                    later.add(pitch % 12)
        found.append(best_chord(weights, later, bass % 12) if bass < 128 else found[-1] if found else None)
    return found


def best_chord(weights: Sequence[float], later: set[int], bass: int) -> tuple[int, int]:
    """Return the root and the template index of the best chord.

    `weights` has a weight for each pitch class. `later` are the pitch classes that begin after the start of the beat.
    """
    best = (float("-inf"), 0, 0)
    for kind, template in enumerate(TEMPLATES):
        for root in range(12):
            tones = [(root + tone) % 12 for tone in template]
            fit = 2 * sum(weights[tone] for tone in tones) - sum(weights)
            fit -= _NO_ROOT * (not weights[root] and root not in later)
            fit -= _NO_FIFTH * (not weights[tones[2]] and tones[2] not in later)
            fit -= _SEVENTH * (len(tones) == 4) + _FIFTH_IN_BASS * (bass == tones[2]) + _NOT_IN_BASS * (bass != root)
            if fit > best[0]:
                best = (fit, root, kind)
    return best[1], best[2]
