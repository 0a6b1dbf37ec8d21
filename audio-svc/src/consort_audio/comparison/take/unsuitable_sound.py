"""Say why a recording cannot be judged as a take of one voice: it sounds like speech or percussion, or several play.

Only recordings that resemble the reference little are looked at, since singing may sound like speech, and a room like
several voices.
"""

from consort_audio.analysis.pitch.notes.find import find_notes
from consort_audio.analysis.pitch.polyphony import SEVERAL_FROM, polyphony
from consort_audio.comparison.faults.judging import JudgedTake
from consort_audio.signals.recording import Recording

LITTLE = 0.35
_NOT_MUSIC = (
    "This sounds like speech, percussion or noise rather than the reference, so nothing is judged. Record again."
)
_SEVERAL = (
    "Several notes sound at once, and the reference has one voice, so nothing is judged. "
    "Record one player alone, without accompaniment."
)
_FAULTS = ("wrong_note", "wrong_octave", "missing_note", "extra_note")


def unsuitable(recording: Recording, take: JudgedTake) -> str | None:
    """Return a remark if the recording cannot be judged, otherwise None."""
    if not take.notes or take.music.is_polyphonic or resemblance(take) >= LITTLE:
        return None
    voice = find_notes(recording)
    if sum(note.confidence for note in voice.notes) < sum(note.confidence for note in voice.notes_if_music):
        return _NOT_MUSIC
    several = polyphony(recording)
    return _SEVERAL if several is not None and several >= SEVERAL_FROM else None


def resemblance(take: JudgedTake) -> float:
    """Return (right notes - half of the wrong, missing and extra ones - restarts) / played notes."""
    right = sum(note.is_right for note in take.notes)
    faults = sum(fault.kind in _FAULTS for fault in take.faults)
    return (right - faults / 2 - (len(take.alignment.passes) - 1)) / max(len(take.alignment.played), 1)
