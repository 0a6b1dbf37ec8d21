"""Find the key of a melody that sounds alone.

The model is that of `evidence.py`. The tables count on which degrees the melody's time is spent, which degrees are
on the beats and which are reached by a falling whole tone, and which degrees the first note, the first note on a
downbeat, the last, the one before it, the one at the end of the first half, if it is long, the lowest and the long
notes are on. Beats count only if the metre is known.

`benchmarks/training/fit_melody_keys.py` fitted the weights (`melody_weights.py`). The running time is O(n log n) in
the number of notes.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from consort_music.key_finding.evidence import RESTING, EvidenceForKeys, general_evidence, rank_by_evidence
from consort_music.key_finding.melody_weights import WEIGHTS
from consort_music.key_finding.pitch_classes import KeyGuess, pitch_class_weights
from consort_music.metre import BEAT, DOWNBEAT

MELODY_TABLES = (
    "length",
    "held",
    "first",
    "last",
    "before the last",
    "lowest",
    "end of the first half",
    "from above",
    "on beats",
    "first downbeat",
)
"""What is counted for each pitch class, in the order of the rows of the weights."""
_BEFORE_THE_MIDDLE = 63 / 128
"""The first half of a melody ends a little before its middle, where the second half may begin with a pickup."""
_LONG = 1.5
"""The note at the end of the first half counts if it is this many times as long as the notes are on average."""
_WHOLE_TONE = 2


class MelodyNote(NamedTuple):
    start: float
    end: float
    midi: int
    strength: int | None = None
    """The metrical strength of its start, as in `consort_music.metre`, if the metre is known."""


def rank_keys_of_melody(notes: Sequence[MelodyNote], sharps: int | None = None) -> list[KeyGuess]:
    """Return all 24 keys, the best first. `sharps` are those of the key signature.

    The difference of two scores is the logarithm of how many times likelier one key is.
    """
    return rank_by_evidence(melody_evidence(notes), WEIGHTS, sharps)


def melody_evidence(notes: Sequence[MelodyNote]) -> EvidenceForKeys:
    """Return what is known of a melody, which must have notes."""
    ordered = sorted(notes, key=lambda note: note[:3])
    total = sum(note.end - note.start for note in ordered)
    length = _shares(ordered)
    count = pitch_class_weights([(note.midi, 1 / len(ordered)) for note in ordered])
    mean = total / len(ordered)
    held = [note for note in ordered[:-1] if note.end - note.start >= RESTING * mean]
    end = ordered[0].start + _BEFORE_THE_MIDDLE * (ordered[-1].end - ordered[0].start)
    single = [
        ordered[0].midi,
        ordered[-1].midi,
        ordered[-2:][0].midi,
        min(note.midi for note in ordered),
    ]
    middle = max((note for note in ordered if note.start <= end), key=lambda note: note.start)
    falls = [(after.midi, 1 / len(ordered)) for before, after in pairwise(ordered)
             if before.midi - after.midi == _WHOLE_TONE]  # fmt: skip
    tables = [
        length,
        _shares(held),
        *(pitch_class_weights([(midi, 1.0)]) for midi in single),
        pitch_class_weights([(middle.midi, float(middle.end - middle.start >= _LONG * mean))]),
        pitch_class_weights(falls),
        _shares([note for note in ordered if note.strength is not None and note.strength >= BEAT]),
        pitch_class_weights([(note.midi, 1.0) for note in ordered if note.strength == DOWNBEAT][:1]),
    ]
    return EvidenceForKeys(tables, general_evidence(length, count, length), length)


def _shares(notes: Sequence[MelodyNote]) -> list[float]:
    """Return the share of each pitch class in the time that these notes sound."""
    total = sum(note.end - note.start for note in notes) or 1.0
    return pitch_class_weights([(note.midi, (note.end - note.start) / total) for note in notes])
