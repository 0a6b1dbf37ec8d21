"""Quartal voicings: notes of the chord's scale in fourths, perfect, augmented or diminished as the scale has them.

Four notes in fourths from the bass up, as long as they say the chord: D G C F is Dm7. Where a tone is missing without
which it would be another chord, the bass stands apart, and the fourths above it begin where they have that tone: C E A
D is C6, C Bb E A is C13. Where three fourths do not have them all, more are stacked, if there is room.
"""

from functools import lru_cache
from typing import NamedTuple

from consort_compose.composer.voicings.tones import characteristic, weights
from consort_music.chords import ChordSymbol
from consort_music.chords.symbol import DEGREE_SEMITONES, Degree
from consort_music.pitch import STEPS

Shape = tuple[int, ...]

_FEWEST, _MOST = 4, 6
_THIRD = 50.0
"""What a third costs in a chord that has none."""
_NEAREST, _OCTAVE = 3, 12
"""The fourths begin at least a third above a bass that stands apart."""
_SCALES = {
    "ionian": (0, 0, 0, 0, 0, 0, 0),
    "lydian": (0, 0, 0, 1, 0, 0, 0),
    "mixolydian": (0, 0, 0, 0, 0, 0, -1),
    "dorian": (0, 0, -1, 0, 0, 0, -1),
    "melodic_minor": (0, 0, -1, 0, 0, 0, 0),
    "locrian": (0, -1, -1, 0, -1, -1, -1),
    "diminished": (0, 0, -1, 0, -1, -1, -2),
}
"""Alterations of the seven degrees of the major scale."""


class _Stack(NamedTuple):
    """A candidate; the least is the best."""

    missing: float
    stands_apart: bool
    strange: float
    notes: Shape


@lru_cache(maxsize=1024)
def quartal_shape(chord: ChordSymbol, bass: int, most: int = _MOST) -> Shape:
    """Notes above a bass of 0 to 11, at least four and at most so many."""
    costs = weights(chord).missing
    root = chord.root_pitch_class or 0
    needed = {tone: costs[tone] for tone in {*characteristic(chord), root} - {bass}}
    found: list[_Stack] = []
    for count in range(_FEWEST, most + 1):
        found.append(min(_stacks(chord, bass, count, needed)))
        if not found[-1].missing:
            break
    return min(found, key=lambda stack: (stack.missing, len(stack.notes))).notes


def _stacks(chord: ChordSymbol, bass: int, count: int, needed: dict[int, float]) -> list[_Stack]:
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
        _Stack(_missing(chord, notes, needed), stands_apart, _strangeness(chord, notes), notes)
        for stands_apart, notes in shapes
    ]


def _missing(chord: ChordSymbol, notes: Shape, needed: dict[int, float]) -> float:
    """What it costs that tones are not there, or that there is a third where the symbol has none."""
    present = {note % 12 for note in notes}
    root = chord.root_pitch_class or 0
    thirds = {(root + third) % 12 for third in (3, 4)} - chord.pitch_classes
    has_no_third = not any(number == 3 for number, _ in chord.degrees)
    absent = sum(cost for tone, cost in needed.items() if tone not in present)
    return absent + _THIRD if has_no_third and thirds & present else absent


def _strangeness(chord: ChordSymbol, notes: Shape) -> float:
    """What the notes of a stack say that the symbol does not."""
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
    """Notes, each three steps of the scale above the last; where altered tones make that another interval than a
    fourth of some kind, the tone of the scale that is nearest to a fourth."""
    notes = [0]
    for place in range(1, count):
        above = (scale[(start + 3 * place) % 7] - scale[start] - notes[-1]) % 12
        if not 4 <= above <= 6:
            steps = [(tone - scale[start] - notes[-1]) % 12 for tone in scale]
            above = min((step for step in steps if step), key=lambda step: abs(step - 5))
        notes.append(notes[-1] + above)
    return notes


def chord_scale(chord: ChordSymbol) -> list[Degree]:
    """The seven notes of the scale that players take for a chord; its own tones and its bass come before
    the scale's."""
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
