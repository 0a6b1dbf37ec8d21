"""Recognize the chords of a score from its notes: template matching per slot, smoothed by Viterbi.

A slot is the time of one chord: a beat, half a bar or a bar.

- Each slot has a weight for each pitch class. A note that sounds at the start of a beat adds 1, or 3 if it lasts the
  whole beat. A note of a broken chord (`broken_chords.py`) adds 3 wherever it begins, and 1/2 while it rings. A bass
  that is struck before chords adds 3 in each beat over which it counts.
- A template is a root and a quality. Its fit is the weight of its tones minus the weight of all other tones. Penalties
  are subtracted if the root or the fifth is missing, if the bass is not the root, and for a seventh. In music for two
  voices tones are often missing, so a triad has a penalty for other missing tones only if they are not in the key.
- Viterbi maximizes the sum of the fits. A chord that continues from the previous slot gets a bonus. All changes have
  the same score, so a step needs only the best previous score: the running time is O(slots * templates).

The constants were chosen with Roman-numeral analyses of Bach's chorales by musicians. The penalties alone, without the
key and the bonus, find the root of 96% of the beats (`evaluation/corpora/chorales/roots.py`). For a similar method see
B. Pardo and W. P. Birmingham, "Algorithms for Chordal Analysis", Computer Music Journal 26 (2002).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from consort_compose.composer.harmony.broken_chords import RingingNote, ringing_notes
from consort_compose.composer.harmony.degree_chords import QUALITIES
from consort_compose.composer.harmony.melody_grid import ChordRhythm, melody_grid
from consort_music.score import Part, Score

_SUFFIXES = ("", "m", "dim", "7", "m7", "maj7", "m7b5", "dim7", "aug", "sus4", "7b5")
"""Suffixes of the chords that can be recognized. If two chords fit equally well, the first one is chosen."""
_HELD, _AT_START, _RINGING = 3.0, 1.0, 0.5
"""Weights of a note that lasts the whole beat, of one that only sounds at its start, and of one that has ended."""
_NO_ROOT, _NO_FIFTH, _SEVENTH, _FIFTH_IN_BASS, _NOT_IN_BASS = 1.0, 2.0, 2.0, 1.5, 1.5
_NO_THIRD = 1.0
"""Penalty of a seventh chord without its third. The benchmark does not use it; it changes one root in 1,000 beats."""
_BARE_SIXTH = 3.0
"""Penalty of an augmented triad without its third, because the other two tones are only a minor sixth."""
_NOT_IN_KEY = 0.75
"""Penalty of each tone of a triad that neither sounds nor is in the key. So D and A are D minor in D minor."""
_RARE = {"aug": 1.0, "sus4": 2.5, "7b5": 1.0}
"""Penalties of rare qualities."""
_CONTINUES = 1.5
"""Bonus of the same chord as in the previous slot."""
_ALL = frozenset(range(12))
_CHORDS = tuple(
    (root, suffix, tuple((root + tone) % 12 for tone in QUALITIES[suffix].tones))
    for suffix in _SUFFIXES
    for root in range(12)
)


class StretchSound(NamedTuple):
    """What sounds in a slot."""

    weights: tuple[float, ...]
    """The weight of each pitch class."""
    later: frozenset[int]
    """Pitch classes of notes that begin inside a beat."""
    bass: int | None
    """The lowest MIDI note at the start of the slot; if none sounds there, the lowest in the slot; None in silence."""


_SILENCE = StretchSound((0.0,) * 12, frozenset(), None)


@dataclass(frozen=True)
class RecognizedChord:
    """A chord from `start` to `end`, in quarter notes; `root` and `bass` are pitch classes."""

    start: Fraction
    end: Fraction
    root: int
    suffix: str
    bass: int


def _stretch_sound(notes: Sequence[RingingNote], beats: Sequence[tuple[Fraction, Fraction]]) -> StretchSound:
    """Return what sounds in a slot of these beats (start, end). `notes` are all notes that ring in the slot."""
    weights, later = [0.0] * 12, set()
    at_start = 128
    begin, finish = beats[0][0], beats[-1][1]
    for start, end in beats:
        for note in notes:
            pitch_class = note.midi % 12
            if note.start <= start:
                if start < note.end:
                    is_held = note.end >= end or _is_figure(note, end - start)
                    weights[pitch_class] += _HELD if is_held else _AT_START
                    if start == begin:
                        at_start = min(at_start, note.midi)
                elif start < note.rings_to and note.is_struck_bass:
                    weights[pitch_class] += _HELD
                    if start == begin:
                        at_start = min(at_start, note.midi)
                elif start < note.rings_to and _is_figure(note, end - start):
                    weights[pitch_class] += _RINGING
            elif note.start < end:
                later.add(pitch_class)
                if _is_figure(note, end - start):
                    weights[pitch_class] += _HELD
    own = [note for note in notes if note.end > begin and note.start < finish]
    if not any(weights):
        for note in own:
            weights[note.midi % 12] += _AT_START
    bass = at_start if at_start < 128 else min((note.midi for note in own), default=128)
    return StretchSound(tuple(weights), frozenset(later), None if bass == 128 else bass)


def _is_figure(note: RingingNote, beat: Fraction) -> bool:
    """Return whether the note is one of several in a beat and leaps."""
    return note.is_leaping and 2 * (note.end - note.start) <= beat


def _ringing_in(
    notes: Sequence[RingingNote], stretches: Sequence[tuple[Fraction, Fraction]]
) -> Iterator[list[RingingNote]]:
    """Yield the notes that ring in each stretch. Both must be in order."""
    ringing: list[RingingNote] = []
    place = 0
    for start, end in stretches:
        ringing = [note for note in ringing if note.rings_to > start]
        while place < len(notes) and notes[place].start < end:
            if notes[place].rings_to > start:
                ringing.append(notes[place])
            place += 1
        yield ringing


def recognize_chords(score: Score, rhythm: ChordRhythm, scale: frozenset[int] = _ALL) -> list[RecognizedChord]:
    """Return the chord of all parts together in each slot of the rhythm. Silent slots are left out.

    `scale` has the pitch classes of the key.
    """
    together = Part.of("all", [note for part in score.parts for note in part.notes])
    grid = melody_grid(score.with_parts([together]))
    moments = [(grid.moment(beat.start), grid.moment(beat.end)) for beat in grid.beats]
    slots = [moments[slot.first : slot.last] for slot in grid.slots(rhythm)]
    sounding = _ringing_in(ringing_notes(score), [(beats[0][0], beats[-1][1]) for beats in slots])
    sounds = [_stretch_sound(notes, beats) for notes, beats in zip(sounding, slots, strict=True)]
    sounds = [sound if sound.bass is not None else _SILENCE for sound in sounds]
    fits = [_fits(sound, len(beats), scale) for sound, beats in zip(sounds, slots, strict=True)]
    chosen = _best_chords(fits)
    found = []
    for sound, beats, choice in zip(sounds, slots, chosen, strict=True):
        if choice is not None and sound.bass is not None:
            root, suffix, _ = _CHORDS[choice]
            found.append(RecognizedChord(beats[0][0], beats[-1][1], root, suffix, sound.bass % 12))
    return found


def _fits(sound: StretchSound, beats: int, scale: frozenset[int]) -> list[float] | None:
    """Return the fit of each chord in `_CHORDS` to a slot of `beats` beats, or None if nothing sounds.

    Weights are averaged over the beats.
    """
    if not any(sound.weights):
        return None
    weights = [weight / beats for weight in sound.weights]
    total = sum(weights)
    bass = (sound.bass or 0) % 12
    unheard = [not weight and tone not in sound.later for tone, weight in enumerate(weights)]
    foreign = [missing and tone not in scale for tone, missing in enumerate(unheard)]
    found = []
    for root, suffix, tones in _CHORDS:
        fit = 2 * sum([weights[tone] for tone in tones]) - total
        if unheard[root]:
            fit -= _NO_ROOT
        if unheard[tones[2]]:
            fit -= _NO_FIFTH
        if len(tones) == 4:
            fit -= _SEVENTH
            if unheard[tones[1]]:
                fit -= _NO_THIRD
        else:
            fit -= _NOT_IN_KEY * sum([foreign[tone] for tone in tones])
            if suffix == "aug" and unheard[tones[1]]:
                fit -= _BARE_SIXTH
        if bass != root:
            fit -= _NOT_IN_BASS + (_FIFTH_IN_BASS if bass == tones[2] else 0.0)
        found.append(fit - _RARE.get(suffix, 0.0))
    return found


def _best_chords(fits: Sequence[list[float] | None]) -> list[int | None]:
    """Return the index of the best chord in each slot (Viterbi), or None where nothing sounds.

    Each block of slots between silences is a separate search.
    """
    chosen: list[int | None] = [None] * len(fits)
    scores: list[float] | None = None
    parents: list[list[int]] = []
    block = 0
    for index, fit in enumerate([*fits, None]):
        if fit is None:
            if scores is not None:
                state = max(range(len(scores)), key=scores.__getitem__)
                for place in range(index - 1, block - 1, -1):
                    chosen[place] = state
                    if place > block:
                        state = parents[place - block - 1][state]
            scores, parents, block = None, [], index + 1
        elif scores is None:
            scores, block = fit, index
        else:
            best = max(range(len(scores)), key=scores.__getitem__)
            row, following = [], []
            for state, own in enumerate(fit):
                stays = scores[state] + _CONTINUES >= scores[best]
                row.append(state if stays else best)
                following.append(own + (scores[state] + _CONTINUES if stays else scores[best]))
            parents.append(row)
            scores = following
    return chosen
