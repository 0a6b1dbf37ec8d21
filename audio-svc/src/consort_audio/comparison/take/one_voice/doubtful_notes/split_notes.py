"""Join what was heard as two notes but played as one.

Noise, a room and the beats of a choir cut held notes in two. A note that nobody expects, and that touches one of the
same pitch, is a part of it, unless the level falls clearly between them. The whole begins with the part that is nearer
to the time at which the note was due: what comes before may be the end of the note before.

A short note that nobody expects inside another one is a trace of its soft attack, and is left out.
"""

from collections.abc import Sequence

from consort_audio.comparison.align.alignment import Alignment, due_times
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.comparison.take.one_voice.evidence.take_evidence import TakeEvidence
from consort_audio.signals.played_notes import PlayedNote

_TOUCHES_S = 0.08
_SAME_PITCH = 0.6
_CLEAR_DIP_DB = 9.0
_STRUCK = 0.6
_NEARER_S = 0.05
_TRACE_S = 0.12
_STUTTER_S = 0.12
"""Nobody plays a note that is so short before or after one of the same pitch."""


def join_splits(music: ExpectedMusic, alignment: Alignment, evidence: TakeEvidence) -> list[PlayedNote]:
    """Return the notes of a take, with unexpected parts of notes joined to their other part."""
    due_of = due_times(music, alignment)
    found: list[PlayedNote] = []
    dues: list[float | None] = []
    for index, note in enumerate(alignment.played):
        due = due_of.get(index)
        if found and due is None and not evidence.is_plucked and _is_inside(note, found[-1]):
            continue
        if found and (due is None or dues[-1] is None) and _is_one_note(found[-1], note, evidence):
            dues[-1] = due if dues[-1] is None else dues[-1]
            found[-1] = _joined(found[-1], note, dues[-1])
        else:
            found.append(note)
            dues.append(due)
    return found


def _is_inside(note: PlayedNote, other: PlayedNote) -> bool:
    return note.end - note.start < _TRACE_S and note.end < other.end


def _is_one_note(note: PlayedNote, after: PlayedNote, evidence: TakeEvidence) -> bool:
    if abs(note.pitch - after.pitch) >= _SAME_PITCH or after.start - note.end > _TOUCHES_S:
        return False
    if min(note.end - note.start, after.end - after.start) < _STUTTER_S and not evidence.is_plucked:
        return True
    near = evidence.beginnings(after.start - 0.05, after.start + 0.05)
    if evidence.is_plucked:
        return all(each.strength < _STRUCK for each in near)
    return max([evidence.dip(after.start), *(each.dip_db for each in near)]) < _CLEAR_DIP_DB


def _joined(note: PlayedNote, after: PlayedNote, due: float | None) -> PlayedNote:
    parts: Sequence[PlayedNote] = (note, after)
    longer = max(parts, key=lambda part: part.end - part.start)
    is_later = due is not None and abs(after.start - due) < abs(note.start - due) - _NEARER_S
    return longer._replace(
        start=after.start if is_later else note.start,
        end=max(note.end, after.end),
        confidence=max(note.confidence, after.confidence),
    )
