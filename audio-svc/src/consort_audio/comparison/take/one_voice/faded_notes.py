"""Let notes that fade end when they were due to end.

Marimbas, kalimbas and short strings fade long before a written long note ends, and the pitch tracker loses them. Such a
note is not too short: nobody damped it.
"""

from consort_audio.comparison.align.alignment import Alignment
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.comparison.take.one_voice.evidence.take_evidence import TakeEvidence
from consort_audio.signals.played_notes import PlayedNote


def with_faded_ends(music: ExpectedMusic, alignment: Alignment, evidence: TakeEvidence) -> list[PlayedNote]:
    """Return the notes of an instrument that rings, longer where they fade before they were due to end."""
    notes = list(alignment.played)
    for each in alignment.passes:
        for pair in each.pairs:
            note, due = notes[pair.played], each.expected_time(music.notes[pair.expected].end)
            following = notes[pair.played + 1].start if pair.played + 1 < len(notes) else due
            end = min(due, following)
            if end > note.end and evidence.fades(note):
                notes[pair.played] = note._replace(end=end)
    return notes
