"""Quartal voicings: notes of the chord's scale, stacked in perfect, augmented or diminished fourths.

The simplest voicing is four notes in fourths from the bass up: D G C F is Dm7. If a characteristic tone of the chord is
missing there, the bass is separate, and the fourths above it start on a note from which they include that tone: C E A D
is C6, C Bb E A is C13. If four notes cannot include all such tones, more notes are added, up to a limit.
"""

from functools import lru_cache
from typing import NamedTuple

from consort_music.chords.symbol import DEGREE_SEMITONES, ChordSymbol, Degree
from consort_music.chords.tone_weights import characteristic_tones, tone_weights
from consort_music.pitch import STEPS

VoicingShape = tuple[int, ...]

_FEWEST, _MOST = 4, 6
"""The smallest and the largest number of notes."""
_ADDED_THIRD = 50.0
"""The cost of a third in a chord whose symbol has none."""
_NEAREST, _OCTAVE = 3, 12
"""The fourths above a separate bass start at least a minor third (3 semitones) above it."""
_SCALES = {
    "ionian": (0, 0, 0, 0, 0, 0, 0),
    "lydian": (0, 0, 0, 1, 0, 0, 0),
    "mixolydian": (0, 0, 0, 0, 0, 0, -1),
    "dorian": (0, 0, -1, 0, 0, 0, -1),
    "melodic_minor": (0, 0, -1, 0, 0, 0, 0),
    "locrian": (0, -1, -1, 0, -1, -1, -1),
    "diminished": (0, 0, -1, 0, -1, -1, -2),
}
"""For each scale, the alterations of the seven degrees of the major scale, in semitones."""


class _Candidate(NamedTuple):
    """A possible shape. Candidates are compared as tuples; the smallest is the best."""

    missing: float
    """The cost of missing tones and of an added third."""
    has_separate_bass: bool
    added: float
    """The cost of tones that the symbol does not name."""
    notes: VoicingShape


@lru_cache(maxsize=1024)
def quartal_shape(chord: ChordSymbol, bass: int, most: int = _MOST) -> VoicingShape:
    """Return a shape of at least four and at most `most` notes, whose lowest note is the pitch class `bass`."""
    costs = tone_weights(chord).missing
    root = chord.root_pitch_class or 0
    needed = {tone: costs[tone] for tone in {*characteristic_tones(chord), root} - {bass}}
    found: list[_Candidate] = []
    for count in range(_FEWEST, most + 1):
        found.append(min(_candidates(chord, bass, count, needed)))
        if not found[-1].missing:
            break
    return min(found, key=lambda candidate: (candidate.missing, len(candidate.notes))).notes


def _candidates(chord: ChordSymbol, bass: int, count: int, needed: dict[int, float]) -> list[_Candidate]:
    root = chord.root_pitch_class or 0
    scale = [(root + DEGREE_SEMITONES[number] + alteration) % 12 for number, alteration in chord_scale(chord)]
    shapes = []
    if bass in scale:
        shapes.append((False, tuple(bass + note for note in _fourths(scale, scale.index(bass), count))))
    for start, lowest in enumerate(scale):
        gap = (lowest - bass) % 12
        gap += _OCTAVE if gap < _NEAREST else 0
        shapes.append((True, (bass, *(bass + gap + note for note in _fourths(scale, start, count - 1)))))
    return [
        _Candidate(_missing_cost(chord, notes, needed), has_separate_bass, _added_cost(chord, notes), notes)
        for has_separate_bass, notes in shapes
    ]


def _missing_cost(chord: ChordSymbol, notes: VoicingShape, needed: dict[int, float]) -> float:
    """Return the cost of the missing tones, plus that of a third if the symbol has none."""
    present = {note % 12 for note in notes}
    root = chord.root_pitch_class or 0
    thirds = {(root + third) % 12 for third in (3, 4)} - chord.pitch_classes
    has_no_third = not any(number == 3 for number, _ in chord.degrees)
    absent = sum(cost for tone, cost in needed.items() if tone not in present)
    return absent + _ADDED_THIRD if has_no_third and thirds & present else absent


def _added_cost(chord: ChordSymbol, notes: VoicingShape) -> float:
    """Return the cost of tones that the symbol does not name, plus a small cost for doubled tones."""
    own = {tone.pitch_class for tone in chord.tones}
    degrees = {number for number, _ in chord.degrees}
    root = chord.root_pitch_class or 0
    cost = 0.0
    for tone in {note % 12 for note in notes[1:]} - own:
        above = (tone - root) % 12
        if (tone - 1) % 12 in own:
            cost += 3  # a semitone above one of the chord's tones
        elif 6 in degrees and above in (10, 11):
            cost += 2
        else:
            cost += 1
    return cost + (len(notes) - len({note % 12 for note in notes})) / 2


def _fourths(scale: list[int], start: int, count: int) -> list[int]:
    """Return `count` notes, in semitones above the first. Each is three scale steps above the one before.

    If altered tones make that interval no fourth (4 to 6 semitones), the scale tone nearest to a perfect fourth is
    used.
    """
    notes = [0]
    for place in range(1, count):
        above = (scale[(start + 3 * place) % 7] - scale[start] - notes[-1]) % 12
        if not 4 <= above <= 6:
            steps = [(tone - scale[start] - notes[-1]) % 12 for tone in scale]
            above = min((step for step in steps if step), key=lambda step: abs(step - 5))
        notes.append(notes[-1] + above)
    return notes


def chord_scale(chord: ChordSymbol) -> list[Degree]:
    """Return the seven degrees of the scale that players use over a chord.

    The degrees of the chord, and its bass if that is a free degree, replace the degrees of the scale.
    """
    if chord.quality == "altered_dominant":
        return [(1, 0), *((number, -1) for number in range(2, 8))]
    degrees = set(chord.degrees)
    seventh = next((alteration for number, alteration in degrees if number == 7), None)
    if (3, -1) in degrees:
        if (5, -1) in degrees:
            base = "diminished" if seventh == -2 else "locrian"
        else:
            base = "melodic_minor" if seventh == 0 else "dorian"
    elif seventh == 0 and not degrees & {(11, 0), (4, 0)}:
        base = "lydian"
    else:
        base = "mixolydian" if seventh == -1 or degrees & {(4, 0), (2, 0)} else "ionian"
    alterations = list(_SCALES[base])
    for number, alteration in sorted(degrees, reverse=True):
        alterations[(number - 1) % 7] = alteration
    semitones = {(DEGREE_SEMITONES[number] + alteration) % 12 for number, alteration in enumerate(alterations, start=1)}
    if chord.bass and chord.root and (chord.bass.pitch_class - chord.root.pitch_class) % 12 not in semitones:
        number = (STEPS.index(chord.bass.step) - STEPS.index(chord.root.step)) % 7 + 1
        alteration = (chord.bass.pitch_class - chord.root.pitch_class - DEGREE_SEMITONES[number] + 6) % 12 - 6
        if abs(alteration) <= 1 and number not in {(number - 1) % 7 + 1 for number, _ in degrees}:
            alterations[number - 1] = alteration
    return list(enumerate(alterations, start=1))
