"""The chords that given music makes: for each beat the chord that fits best what sounds, the chords before and after
considered.

What sounds at the start of a beat makes its chord: a note counts 1 for its pitch class, and 3 if it is held for the
whole beat. A chord fits by the weight of its tones less the weight of all others; a chord whose root or fifth is
missing, whose bass is not its root, or that has a seventh, must fit better; one that goes on from the beat before may
fit worse. Two voices leave tones out: those of a triad are thought of as tones of the key. The figures were set on
Roman-numeral analyses that people made of Bach's chorales; without the last two rules they give the root of 96% of the
beats. See `benchmarks/chorales/roots.py`.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from consort_compose.composer.harmony.chords import QUALITIES
from consort_compose.composer.harmony.line import ChordRhythm, read_line
from consort_music.score import Note, Part, Score

_HEARD = ("", "m", "dim", "7", "m7", "maj7", "m7b5", "dim7", "aug", "sus4", "7b5")
"""Suffixes of the chords that are told apart; of those that fit as well the first is taken."""
_HELD, _AT_START = 3.0, 1.0
_NO_ROOT, _NO_FIFTH, _SEVENTH, _FIFTH_IN_BASS, _NOT_IN_BASS = 1.0, 2.0, 2.0, 1.5, 1.5
_NO_THIRD = 1.0
"""For a seventh chord; not one of the benchmark's figures, and it changes one root in a thousand beats."""
_BARE_SIXTH = 3.0
"""For an augmented triad without its third, which is but a minor sixth."""
_NOT_IN_KEY = 0.75
"""For each tone of a triad that neither sounds nor is in the key: a bare fifth on D is minor in D minor."""
_RARE = {"aug": 1.0, "sus4": 2.5, "7b5": 1.0}
_GOING_ON = 1.5
_ALL = frozenset(range(12))
_CHORDS = tuple(
    (root, suffix, tuple((root + tone) % 12 for tone in QUALITIES[suffix].tones))
    for suffix in _HEARD
    for root in range(12)
)


class Sounding(NamedTuple):
    """What a stretch of music sounds like."""

    weights: tuple[float, ...]
    """Of each pitch class."""
    later: frozenset[int]
    """Pitch classes that enter after the start."""
    bass: int | None
    """The lowest note at the start, else the lowest of all; MIDI."""


@dataclass(frozen=True)
class Segment:
    """A chord from its start to its end; `root` and `bass` are pitch classes."""

    start: Fraction
    end: Fraction
    root: int
    suffix: str
    bass: int


def sounding(notes: Sequence[Note], starts: Sequence[Fraction], beats: Sequence[tuple[Fraction, Fraction]]) -> Sounding:
    """What some beats sound like together. `starts` are those of the notes, which are in order."""
    weights, later = [0.0] * 12, set()
    at_start = 128
    begin, finish = beats[0][0], beats[-1][1]
    near = [note for note in notes[: bisect_left(starts, finish)] if note.end > begin]
    for start, end in beats:
        for note in near:
            if note.start <= start < note.end:
                weights[note.midi % 12] += _HELD if note.end >= end else _AT_START
                if start == begin:
                    at_start = min(at_start, note.midi)
            elif start < note.start < end:
                later.add(note.midi % 12)
    lowest = min((note.midi for note in near), default=128)
    if not any(weights):
        for note in near:
            weights[note.midi % 12] += _AT_START
    bass = at_start if at_start < 128 else lowest
    return Sounding(tuple(weights), frozenset(later), None if bass == 128 else bass)


def segments(score: Score, rhythm: ChordRhythm, scale: frozenset[int] = _ALL) -> list[Segment]:
    """The chords that all parts make together, one for each span of this rhythm in which something sounds; `scale` has
    the pitch classes of the key."""
    together = Part.of("all", [note for part in score.parts for note in part.notes])
    line, notes = read_line(score.with_parts([together])), together.notes
    moments = [(line.moment(beat.start), line.moment(beat.end)) for beat in line.beats]
    spans = [moments[span.first : span.last] for span in line.spans(rhythm)]
    starts = [note.start for note in notes]
    longest = max((note.duration for note in notes), default=Fraction(0))
    heard = []
    for beats in spans:
        first = bisect_left(starts, beats[0][0] - longest)
        heard.append(sounding(notes[first:], starts[first:], beats))
    fits = [_fits(stretch, len(beats), scale) for stretch, beats in zip(heard, spans, strict=True)]
    chosen = _smoothest(fits)
    found = []
    for stretch, beats, choice in zip(heard, spans, chosen, strict=True):
        if choice is not None and stretch.bass is not None:
            root, suffix, _ = _CHORDS[choice]
            found.append(Segment(beats[0][0], beats[-1][1], root, suffix, stretch.bass % 12))
    return found


def _fits(stretch: Sounding, beats: int, scale: frozenset[int]) -> list[float] | None:
    """How well each chord fits, on the scale of one beat; None where nothing sounds."""
    if not any(stretch.weights):
        return None
    weights = [weight / beats for weight in stretch.weights]
    total = sum(weights)
    bass = (stretch.bass or 0) % 12
    unheard = [not weight and tone not in stretch.later for tone, weight in enumerate(weights)]
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


def _smoothest(fits: Sequence[list[float] | None]) -> list[int | None]:
    """The chords whose fits, with what going on is worth, add up to most."""
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
                stays = scores[state] + _GOING_ON >= scores[best]
                row.append(state if stays else best)
                following.append(own + (scores[state] + _GOING_ON if stays else scores[best]))
            parents.append(row)
            scores = following
    return chosen


def spelling_of(notes: Sequence[Note], pitch_class: int) -> tuple[str, int] | None:
    """How the music mostly spells a pitch class."""
    names = Counter((note.pitch.step, note.pitch.alter) for note in notes if note.midi % 12 == pitch_class)
    return names.most_common(1)[0][0] if names else None
