"""Put notes that were heard in seconds on beats.

The tempo is the given one, that of the beat tracker if it is sure enough, or 120. A player who keeps the tempo within
3% gets one tempo, by a straight line through the beats; another gets a tempo for every beat, so that the MIDI file
sounds like the recording and its bars are those of the music. The file begins with a bar at or before the first note.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.tempo.track import BeatTrack
from consort_audio.signals.played_notes import PlayedNote

TICKS = 480
"""Beats are rounded to this part of a beat."""
DEFAULT_BPM = 120.0
STEADY = 0.03
FINEST_STEP = Fraction(1, 8)
"""In beats."""
_SLOWEST_BPM, _FASTEST_BPM = 20.0, 400.0
_PHASES = 48


class PlacedNote(NamedTuple):
    start: Fraction
    """In beats."""
    duration: Fraction
    pitch: int
    velocity: int


class NoteGrid(NamedTuple):
    """The beats of a piece: beat k is at `beats[k]` seconds."""

    beats: NDArray[np.float64]
    tempos: list[tuple[Fraction, Fraction]]
    beats_per_bar: int
    is_known: bool
    """Whether the tempo was given or heard."""

    def place(self, seconds: float) -> float:
        """Return the beat at a time; before the first and after the last beat by the tempo there."""
        index = int(np.clip(np.searchsorted(self.beats, seconds, side="right") - 1, 0, len(self.beats) - 2))
        return float(index + (seconds - self.beats[index]) / (self.beats[index + 1] - self.beats[index]))


def given_grid(bpm: float, notes: list[PlayedNote], step: Fraction | None) -> NoteGrid:
    """Return a grid of a given tempo, in the phase in which most notes begin on it. The first note begins bar 1."""
    beat = 60 / bpm
    unit = beat * float(step or Fraction(1, 4))
    starts = np.array([note.start for note in notes]) if notes else np.zeros(1)
    phases = np.arange(_PHASES) * unit / _PHASES
    distance = np.abs((starts[:, None] - phases + unit / 2) % unit - unit / 2).mean(axis=0)
    phase = float(phases[distance.argmin()])
    first = float(starts.min())
    origin = phase + round((first - phase) / unit) * unit
    return NoteGrid(np.array([origin, origin + beat]), [(Fraction(0), _tempo(bpm))], 4, is_known=True)


def unknown_grid() -> NoteGrid:
    beat = 60 / DEFAULT_BPM
    return NoteGrid(np.array([0.0, beat]), [(Fraction(0), _tempo(DEFAULT_BPM))], 4, is_known=False)


def heard_grid(track: BeatTrack, first_note: float) -> NoteGrid:
    """Return the grid of a tracked tempo, with beat 0 at a bar line at or before the first note."""
    beats = np.array(track.beats)
    length = np.median(np.diff(beats))
    per_bar = track.beats_per_bar or 4
    numbers = np.arange(len(beats))
    slope, start = np.polyfit(numbers, beats, 1)
    is_steady = bool(
        np.abs(np.diff(beats) / length - 1).mean() < STEADY and np.abs(beats - start - slope * numbers).max() < 0.1
    )
    if is_steady:
        beats = start + slope * numbers
        length = slope
    line = int(np.argmin(np.abs(beats - track.downbeats[0]))) if track.downbeats else 0
    earlier = int(np.ceil(max(beats[line] - first_note - 0.25 * length, 0) / length / per_bar)) * per_bar
    added = earlier - line
    beats = np.concatenate([beats[0] - length * np.arange(added, 0, -1), beats]) if added > 0 else beats[-added:]
    if is_steady:
        return NoteGrid(beats[:2], [(Fraction(0), _tempo(60 / length))], per_bar, is_known=True)
    tempos = [(Fraction(index), _tempo(60 / gap)) for index, gap in enumerate(np.diff(beats))]
    return NoteGrid(beats, tempos, per_bar, is_known=True)


def put_on_grid(notes: list[PlayedNote], grid: NoteGrid, step: Fraction | None) -> list[PlacedNote]:
    """Return the notes in beats, rounded to multiples of `step` if it is given. Notes start at beat 0 or later."""
    unit = step or Fraction(1, TICKS)
    found: dict[tuple[Fraction, int], PlacedNote] = {}
    for note in notes:
        start = max(_rounded(grid.place(note.start), unit), Fraction(0))
        end = _rounded(grid.place(note.end), unit)
        placed = PlacedNote(start, max(end - start, unit), round(note.pitch), note.velocity or 80)
        earlier = found.get((start, placed.pitch))
        if earlier is None or earlier.duration < placed.duration:
            found[start, placed.pitch] = placed
    return _without_overlap(sorted(found.values()))


def step_for_one_voice(notes: list[PlayedNote], grid: NoteGrid, step: Fraction) -> Fraction:
    """Return the step, halved until no two notes of a melody begin together, but not below a 32nd note."""
    while step / 2 >= FINEST_STEP:
        starts = [_rounded(grid.place(note.start), step) for note in notes]
        if len(set(starts)) == len(starts):
            break
        step /= 2
    return step


def _without_overlap(notes: list[PlacedNote]) -> list[PlacedNote]:
    """Return the notes, each ended where the same pitch begins again."""
    following: dict[int, Fraction] = {}
    result = []
    for note in reversed(notes):
        after = following.get(note.pitch)
        duration = note.duration if after is None else min(note.duration, after - note.start)
        following[note.pitch] = note.start
        result.append(note._replace(duration=duration))
    return result[::-1]


def _rounded(beat: float, unit: Fraction) -> Fraction:
    return round(beat / float(unit)) * unit


def _tempo(bpm: float) -> Fraction:
    return Fraction(round(100 * min(max(bpm, _SLOWEST_BPM), _FASTEST_BPM)), 100)
