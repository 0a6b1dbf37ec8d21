"""How good a harmonisation is, from 0 to 1.

chord_melody_fit   the share of the melody's time that is in its chord; jazz counts the tensions of its chords
style_adherence    the mean of: successions that are common in the style; strong beats whose note is in the chord;
                   the end, 1 for a cadence of the style, else 0; and bass steps of the motion asked for, if one was
voice_leading      1 less the penalties (`voice_leading`) of its setting for four voices, for each eight bars
overall            0.4 chord_melody_fit + 0.3 style_adherence + 0.3 voice_leading
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from consort_compose.composer.harmony.chords import Chord
from consort_compose.composer.harmony.harmonize import Setting, Task, overlap
from consort_compose.composer.harmony.line import Span
from consort_compose.composer.harmony.styles import ends_well, is_common, keeps_motion
from consort_compose.composer.harmony.vocabulary import Style

TENSIONS = {"maj7": (2, 6, 9), "maj9": (6, 9), "7": (2, 9), "9": (9,), "m7": (2, 5), "m9": (5,)}
"""What jazz hears as belonging to a chord without naming it, in semitones above the root."""
BARS = 8
"""Penalties of the voice leading are counted for so many bars."""


@dataclass(frozen=True)
class Scores:
    voice_leading: float
    chord_melody_fit: float
    style_adherence: float

    @property
    def overall(self) -> float:
        return 0.4 * self.chord_melody_fit + 0.3 * self.style_adherence + 0.3 * self.voice_leading


def belongs(style: Style, degree: int, chord: Chord) -> bool:
    """Whether a degree (semitones above the tonic) is heard as part of the chord."""
    if degree in chord.tones:
        return True
    return style == "jazz" and (degree - chord.root) % 12 in TENSIONS.get(chord.suffix, ())


def chord_melody_fit(task: Task, spans: Sequence[Span], settings: Sequence[Setting]) -> float:
    inside = total = 0
    for span, setting in zip(spans, settings, strict=True):
        for note in task.line.within(span.start, span.end):
            sounding = overlap(note, span)
            total += sounding
            inside += sounding * belongs(task.style, (note.midi - task.key.tonic) % 12, setting.chord)
    return inside / total if total else 1.0


def style_adherence(task: Task, spans: Sequence[Span], settings: Sequence[Setting]) -> float:
    minor = task.key.is_minor
    chords = [setting.chord for setting in settings]
    moves = list(pairwise(settings))
    parts = [_share([is_common(task.style, minor, first.chord, second.chord) for first, second in moves])]
    parts.append(_share([
        (note.midi - task.key.tonic) % 12 in setting.chord.tones
        for span, setting in zip(spans, settings, strict=True)
        for note in task.line.strong_notes(span)
    ]))  # fmt: skip
    different = [chord for index, chord in enumerate(chords) if index == 0 or chord != chords[index - 1]]
    parts.append(float(ends_well(task.style, different[-2] if len(different) > 1 else None, chords[-1])))
    if task.bass_motion != "any":
        parts.append(_share([keeps_motion(task.bass_motion, first.bass, second.bass) for first, second in moves]))
    return sum(parts) / len(parts)


def _share(kept: Sequence[bool]) -> float:
    return sum(kept) / len(kept) if kept else 1.0
