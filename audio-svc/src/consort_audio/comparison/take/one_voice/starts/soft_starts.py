"""Let soft notes begin when they were due, if the sound does not say otherwise.

Where an instrument with soft attacks repeats a pitch without a rest, the sound may show no beginning at all, and what
looks like one may be a beat of a choir or the vibrato. So a repeated note is early or late only if the level falls
clearly where it was heard to begin.

A note that follows another pitch may be heard late too, while that pitch, or an earlier note of the same pitch, dies
away; or early, if its pitch is not heard yet. It began when it was due if the sound rises there more than where the
note was heard to begin.
"""

from consort_audio.comparison.align.alignment import Alignment, due_times
from consort_audio.comparison.align.note_pairs import NotePair
from consort_audio.comparison.align.tempo_curve import TempoCurve
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.comparison.take.one_voice.evidence.take_evidence import TakeEvidence
from consort_audio.signals.played_notes import PlayedNote

_ON_TIME_S = 0.06
_TOUCHES_S = 0.08
_SAME_PITCH = 0.7
_CLEAR_DIP_DB = 7.0
_SHORTEST_S = 0.09
_HIDDEN_S = 0.2
"""For how long a note that dies away may hide the start of the next one."""
_NEAR_S = 0.05
_HEARD = 0.5
_FEWEST_CERTAIN = 4


def settle_starts(music: ExpectedMusic, alignment: Alignment, evidence: TakeEvidence) -> list[PlayedNote]:
    """Return the notes of a take with soft attacks, with those that begin unclearly moved to their time."""
    notes = list(alignment.played)
    for index, due in sorted(_certain_due_times(music, alignment).items()):
        note = notes[index]
        if not index or abs(note.start - due) <= _ON_TIME_S:
            continue
        before = notes[index - 1]
        if not before.start + _SHORTEST_S <= due <= note.end - _SHORTEST_S or note.start - before.end > _TOUCHES_S:
            continue
        if abs(before.pitch - note.pitch) < _SAME_PITCH:
            begins_when_due = _dip(evidence, note.start) < _CLEAR_DIP_DB
        else:
            may_hide = abs(note.start - due) < _HIDDEN_S and (
                note.start > due or evidence.sounding_share(note.start, due, note.pitch) < _HEARD
            )
            begins_when_due = may_hide and _rise(evidence, due) > _rise(evidence, note.start)
        if begins_when_due:
            notes[index] = note._replace(start=due)
            notes[index - 1] = before._replace(end=due)
    return notes


def _certain_due_times(music: ExpectedMusic, alignment: Alignment) -> dict[int, float]:
    """Return when each paired note was due, by those that begin with a change of pitch or a rest, if there are enough.

    The starts of soft repeats are uncertain, and would bend the curve towards themselves.
    """
    found = due_times(music, alignment)
    for each in alignment.passes:
        certain = [
            pair for pair in each.pairs if _is_right(music, alignment, pair) and not _repeats(alignment, pair.played)
        ]
        if _FEWEST_CERTAIN <= len(certain) < len(each.pairs):
            curve = TempoCurve(
                [music.notes[pair.expected].start for pair in certain],
                [alignment.played[pair.played].start for pair in certain],
            )
            found |= {pair.played: curve.at(music.notes[pair.expected].start) for pair in each.pairs}
    return found


def _is_right(music: ExpectedMusic, alignment: Alignment, pair: NotePair) -> bool:
    return alignment.pitches[pair.played] == music.notes[pair.expected].pitch


def _repeats(alignment: Alignment, played: int) -> bool:
    if not played:
        return False
    before, note = alignment.played[played - 1], alignment.played[played]
    return abs(before.pitch - note.pitch) < _SAME_PITCH and note.start - before.end <= _TOUCHES_S


def _rise(evidence: TakeEvidence, time: float) -> float:
    return max((each.strength for each in evidence.beginnings(time - _NEAR_S, time + _NEAR_S)), default=0.0)


def _dip(evidence: TakeEvidence, time: float) -> float:
    return max([evidence.dip(time), *(each.dip_db for each in evidence.beginnings(time - 0.05, time + 0.05))])
