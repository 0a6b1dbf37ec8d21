"""Compute how good a harmonization is. All scores are from 0 to 1.

chord_melody_fit   the share of the melody's time on chord tones; jazz also counts tensions of the chords
style_adherence    the mean of:
                     - the share of moves between chords that are common in the style
                     - the share of strong notes that are in their chord or resolve to it by step
                     - 1 if the end is a cadence of the style, otherwise 0
                     - the likelihood of the chords: 1 for the best path of the search, less for the others
                     - the share of bass moves with the requested motion, if one is requested
voice_leading      1 minus the penalties (`composer/voice_leading.py`) of the four voices, per eight bars
overall            0.4 chord_melody_fit + 0.3 style_adherence + 0.3 voice_leading
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from consort_compose.composer.harmony.degree_chords import DegreeChord
from consort_compose.composer.harmony.harmonize.search.harmony_task import ChordWithBass, HarmonyTask
from consort_compose.composer.harmony.harmonize.slots.melody_demands import MelodyDemand, overlap
from consort_compose.composer.harmony.harmonize.styles.style_chords import HarmonyStyle
from consort_compose.composer.harmony.harmonize.styles.style_rules import ends_well, is_common, keeps_motion
from consort_compose.composer.harmony.melody_grid import ChordSlot

TENSIONS = {"maj7": (2, 6, 9), "maj9": (6, 9), "7": (2, 9), "9": (9,), "m7": (2, 5), "m9": (5,)}
"""Tensions that jazz counts as chord tones although the symbol does not name them, in semitones above the root."""
BARS = 8
"""The penalties of the voice leading are averaged over this many bars."""


@dataclass(frozen=True)
class HarmonizationScores:
    voice_leading: float
    chord_melody_fit: float
    style_adherence: float

    @property
    def overall(self) -> float:
        return 0.4 * self.chord_melody_fit + 0.3 * self.style_adherence + 0.3 * self.voice_leading


def is_in_chord(style: HarmonyStyle, degree: int, chord: DegreeChord) -> bool:
    """Return whether a degree (semitones above the tonic) counts as a chord tone."""
    if degree in chord.tones:
        return True
    return style == "jazz" and (degree - chord.root) % 12 in TENSIONS.get(chord.suffix, ())


def chord_melody_fit(task: HarmonyTask, slots: Sequence[ChordSlot], choices: Sequence[ChordWithBass]) -> float:
    inside = total = 0
    for slot, choice in zip(slots, choices, strict=True):
        for note in task.grid.within(slot.start, slot.end):
            sounding = overlap(note, slot)
            total += sounding
            inside += sounding * is_in_chord(task.style, (note.midi - task.key.tonic) % 12, choice.chord)
    return inside / total if total else 1.0


def style_adherence(
    task: HarmonyTask, demands: Sequence[MelodyDemand], choices: Sequence[ChordWithBass], likelihood: float
) -> float:
    minor = task.key.is_minor
    chords = [choice.chord for choice in choices]
    moves = list(pairwise(choices))
    parts = [_share([is_common(task.style, minor, first.chord, second.chord) for first, second in moves])]
    parts.append(_share([
        note.fits(choice.chord) for demand, choice in zip(demands, choices, strict=True) for note in demand.strong
    ]))  # fmt: skip
    different = [chord for index, chord in enumerate(chords) if index == 0 or chord != chords[index - 1]]
    parts.append(float(ends_well(task.style, different[-2] if len(different) > 1 else None, chords[-1])))
    parts.append(likelihood)
    if task.bass_motion != "any":
        parts.append(_share([keeps_motion(task.bass_motion, first.bass, second.bass) for first, second in moves]))
    return sum(parts) / len(parts)


def _share(kept: Sequence[bool]) -> float:
    return sum(kept) / len(kept) if kept else 1.0
