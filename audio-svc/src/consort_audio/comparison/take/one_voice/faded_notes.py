"""Let notes that fade end when they were due to end.

Marimbas, kalimbas and short strings fade long before a written long note ends, and the pitch tracker loses them. A koto
or a banjo rings on through a written rest. Such notes are neither too short nor too long: nobody damped them. Nor is a
note of another instrument too short that still sounds, and fell no more than the usual decay explains.
"""

from consort_audio.comparison.align.alignment import Alignment
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.comparison.take.one_voice.doubtful_notes.second_look import is_there
from consort_audio.comparison.take.one_voice.evidence.take_evidence import TakeEvidence
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import Recording

_SAME_S = 0.01
_EARLY_SHARE = 0.25
_LONG_ENOUGH = 0.8
"""A note that sounds for this share of its time is not too short."""
_SOUNDS = 0.7
_RINGING_DB_S = 15.0
"""What falls so fast by itself is not held, though the attacks may be soft in a room."""


def with_faded_ends(
    recording: Recording, music: ExpectedMusic, alignment: Alignment, evidence: TakeEvidence
) -> list[PlayedNote]:
    """Return the notes; those that fade end when they were due to end, or when the next one starts."""
    notes = list(alignment.played)
    for each in alignment.passes:
        for pair in each.pairs:
            note, due = notes[pair.played], each.expected_time(music.notes[pair.expected].end)
            following = notes[pair.played + 1].start if pair.played + 1 < len(notes) else due
            end = min(due, following)
            if abs(end - note.end) <= _SAME_S:
                continue
            may_fade = evidence.is_plucked or (end < note.end and evidence.decay >= _RINGING_DB_S)
            if may_fade and evidence.fades(note):
                notes[pair.played] = note._replace(end=end)
                continue
            end = note.start + _LONG_ENOUGH * (end - note.start)
            if _goes_on(recording, note, end, evidence):
                notes[pair.played] = note._replace(end=end)
    return notes


def _goes_on(recording: Recording, note: PlayedNote, end: float, evidence: TakeEvidence) -> bool:
    """Return whether a note that seems to end early still sounds at a later time."""
    if end - note.end < _EARLY_SHARE * (end - note.start) or not evidence.holds(note, end):
        return False
    return evidence.sounding_share(note.end, end, note.pitch) >= _SOUNDS or is_there(
        recording, evidence, (note.end + end) / 2, end, note.pitch, evidence.level(note.start, note.end)
    )
