"""Let notes that fade end when they were due to end.

Marimbas, kalimbas and short strings fade long before a written long note ends, and the pitch tracker loses them. A koto
or a banjo rings on through a written rest. Such notes are neither too short nor too long: nobody damped them.
"""

from consort_audio.comparison.align.alignment import Alignment
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.comparison.take.one_voice.evidence.take_evidence import TakeEvidence
from consort_audio.signals.played_notes import PlayedNote

_SAME_S = 0.01


def with_faded_ends(music: ExpectedMusic, alignment: Alignment, evidence: TakeEvidence) -> list[PlayedNote]:
    """Return the notes; those that fade end when they were due to end, or when the next one starts."""
    notes = list(alignment.played)
    for each in alignment.passes:
        for pair in each.pairs:
            note, due = notes[pair.played], each.expected_time(music.notes[pair.expected].end)
            following = notes[pair.played + 1].start if pair.played + 1 < len(notes) else due
            end = min(due, following)
            if abs(end - note.end) > _SAME_S and evidence.fades(note):
                notes[pair.played] = note._replace(end=end)
    return notes
