"""Takes made from expected music, for the tests of comparison."""

import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from consort_audio.comparison.align.alignment import align
from consort_audio.comparison.faults.judging import JudgedTake, judge
from consort_audio.comparison.faults.limits import MIDI_TAKE, SOFT_TAKE
from consort_audio.comparison.reference.build import build_reference
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.signals.played_notes import PlayedNote

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
    return judge(music, align(music, notes), SOFT_TAKE if is_audio else MIDI_TAKE)


def kinds(take: JudgedTake) -> list[str]:
    return [fault.kind for fault in take.faults]


def tones(notes: Sequence[PlayedNote], rate: int = 22_050) -> NDArray[np.float32]:
    """Return the sound of notes: five partials with a short attack and release, and a second of silence at the end."""
    sound = np.zeros(round((max(note.end for note in notes) + 1) * rate))
    for note in notes:
        times = np.arange(round((note.end - note.start) * rate)) / rate
        hertz = 440 * 2 ** ((note.pitch - 69) / 12)
        tone = sum(np.sin(2 * np.pi * hertz * number * times) / number**1.5 for number in range(1, 6))
        edge = np.minimum(1, np.minimum(times, times[::-1]) / 0.015)
        begin = round(note.start * rate)
        sound[begin : begin + len(times)] += tone * edge
    return (0.2 * sound).astype(np.float32)
