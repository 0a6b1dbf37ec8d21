"""Let softly repeated notes begin when they were due, if the sound does not say otherwise.

Where an instrument with soft attacks repeats a pitch without a rest, the sound may show no beginning at all, and what
looks like one may be a beat of a choir or the vibrato. So a repeated note is early or late only if the level falls
clearly where it was heard to begin.
"""

from consort_audio.comparison.align.alignment import Alignment, due_times
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.comparison.take.one_voice.evidence.take_evidence import TakeEvidence
from consort_audio.signals.played_notes import PlayedNote

_ON_TIME_S = 0.06
_TOUCHES_S = 0.08
_SAME_PITCH = 0.7
_CLEAR_DIP_DB = 7.0
_SHORTEST_S = 0.09


def settle_repeats(music: ExpectedMusic, alignment: Alignment, evidence: TakeEvidence) -> list[PlayedNote]:
    """Return the notes of a take with soft attacks, with repeated ones moved to their time."""
    notes = list(alignment.played)
    for index, due in sorted(due_times(music, alignment).items()):
        note = notes[index]
        if not index or abs(note.start - due) <= _ON_TIME_S:
            continue
        before = notes[index - 1]
        is_repeat = abs(before.pitch - note.pitch) < _SAME_PITCH and note.start - before.end <= _TOUCHES_S
        fits = before.start + _SHORTEST_S <= due <= note.end - _SHORTEST_S
        if is_repeat and fits and _dip(evidence, note.start) < _CLEAR_DIP_DB:
            notes[index] = note._replace(start=due)
            notes[index - 1] = before._replace(end=due)
    return notes


def _dip(evidence: TakeEvidence, time: float) -> float:
    return max([evidence.dip(time), *(each.dip_db for each in evidence.beginnings(time - 0.05, time + 0.05))])
