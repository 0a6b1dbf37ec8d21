"""Join what was heard as two notes but played as one.

Noise, a room and the beats of a choir cut held notes in two. A note that nobody expects, and that touches one of the
same pitch, is a part of it, unless the level falls clearly between them.
"""

from collections.abc import Sequence

from consort_audio.comparison.align.alignment import Alignment
from consort_audio.comparison.take.evidence import TakeEvidence
from consort_audio.signals.played_notes import PlayedNote

_TOUCHES_S = 0.08
_SAME_PITCH = 0.6
_CLEAR_DIP_DB = 9.0
_STRUCK = 0.6


def join_splits(alignment: Alignment, evidence: TakeEvidence) -> list[PlayedNote]:
    """Return the notes of a take, with unexpected parts of notes joined to their other part."""
    paired = {pair.played for each in alignment.passes for pair in each.pairs}
    found: list[PlayedNote] = []
    is_expected: list[bool] = []
    for index, note in enumerate(alignment.played):
        expected = index in paired
        if found and not (expected and is_expected[-1]) and _is_one_note(found[-1], note, evidence):
            found[-1] = _joined(found[-1], note)
            is_expected[-1] = expected or is_expected[-1]
        else:
            found.append(note)
            is_expected.append(expected)
    return found


def _is_one_note(note: PlayedNote, after: PlayedNote, evidence: TakeEvidence) -> bool:
    if abs(note.pitch - after.pitch) >= _SAME_PITCH or after.start - note.end > _TOUCHES_S:
        return False
    near = evidence.beginnings(after.start - 0.05, after.start + 0.05)
    if evidence.is_plucked:
        return all(each.strength < _STRUCK for each in near)
    return max([evidence.dip(after.start), *(each.dip_db for each in near)]) < _CLEAR_DIP_DB


def _joined(note: PlayedNote, after: PlayedNote) -> PlayedNote:
    parts: Sequence[PlayedNote] = (note, after)
    longer = max(parts, key=lambda part: part.end - part.start)
    return longer._replace(
        start=note.start, end=max(note.end, after.end), confidence=max(note.confidence, after.confidence)
    )
