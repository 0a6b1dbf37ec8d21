"""Takes made from expected music, for the tests of comparison."""

import random
from collections.abc import Sequence

from consort_audio.analysis.played_notes import PlayedNote
from consort_audio.comparison.align.alignment import align
from consort_audio.comparison.faults.judging import JudgedTake, judge
from consort_audio.comparison.faults.limits import AUDIO_TAKE, MIDI_TAKE
from consort_audio.comparison.reference.build import build_reference
from consort_audio.comparison.reference.expected_music import ExpectedMusic

TUNE = (
    "C4:q C4:q G4:q G4:q A4:q A4:q G4:h F4:q F4:q E4:q E4:q D4:q D4:q C4:h "
    "G4:e A4:e B4:q G4:q E4:qd F4:e D4:h E4:e D4:e C4:e E4:e D4:q G3:q C4:h"
)


def tune(text: str = TUNE, tempo: float = 100) -> ExpectedMusic:
    return build_reference("exercise", {"kind": "notes", "notes": text, "tempo": tempo}, None, 10**6)


def scale(name: str = "D major", **parameters: object) -> ExpectedMusic:
    return build_reference("scale", {"scale": name, **parameters}, None, 10**6)


def play(
    music: ExpectedMusic, *, stretch: float = 1.0, start: float = 0.5, jitter_s: float = 0.0, seed: int = 1
) -> list[PlayedNote]:
    """Return the notes as written, `stretch` times as slow, from `start` seconds on."""
    rng = random.Random(seed)
    found = []
    for note in music.notes:
        at = start + note.start * stretch + rng.uniform(-jitter_s, jitter_s)
        found.append(PlayedNote(at, at + 0.9 * (note.end - note.start) * stretch, float(note.pitch), 1.0, 80))
    return found


def judged(music: ExpectedMusic, notes: Sequence[PlayedNote], *, is_audio: bool = False) -> JudgedTake:
    return judge(music, align(music, notes), AUDIO_TAKE if is_audio else MIDI_TAKE)


def kinds(take: JudgedTake) -> list[str]:
    return [fault.kind for fault in take.faults]
