"""Move the notes of parts to a grid, and say what that changed.

A part whose notes are all short (staccato) keeps the lengths of its steps, and a factor says for how much of them its
notes sound: `.clip(.2)`.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median_low
from typing import NamedTuple

from consort_music.instruments import DRUMS, INSTRUMENTS, Instrument, known_instrument
from consort_music.score import Part
from consort_music.texts.plurals import counted
from consort_strudel.transcribing.grid import (
    StartEndGrid,
    are_ends_free,
    choose_grid,
    length_on_grid,
    nearest,
)
from consort_strudel.transcribing.read_performance import PlayedMusic

_SHORT = Fraction(3, 5)
"""The notes of a staccato part sound for less than this part of their steps."""
_ALIKE = Fraction(3, 2)
"""The longest of them, relative to the shortest."""
_CLIP_STEP = Fraction(1, 20)
_FEWEST_SHORT = 3
_TIED = Fraction(1, 4)
"""A played note that ends within this part of its length beside the start of another one ends there."""
_SAME = Fraction(1, 100)
"""Quarter notes that are too little to report."""


@dataclass(frozen=True)
class NoteOnGrid:
    start: Fraction
    length: Fraction
    pitch: int
    velocity: int


@dataclass(frozen=True)
class GridTrack:
    name: str
    instrument: Instrument
    notes: tuple[NoteOnGrid, ...]
    clip: Fraction = Fraction(1)
    """For which part of its length each note sounds."""


class PlacedParts(NamedTuple):
    tracks: list[GridTrack]
    grid: StartEndGrid


class PlacementChanges(NamedTuple):
    moved: int
    """Notes whose start or length is not that of the file."""
    warnings: list[str]


def instrument_of(part: Part) -> Instrument:
    if part.instrument == DRUMS.name:
        return DRUMS
    return known_instrument(part.instrument) or INSTRUMENTS[0]


def place_parts(parts: Sequence[Part], grid_name: str | None, is_played: bool) -> PlacedParts:
    """Return the parts on the grid with this name, or on the one that fits them."""
    starts = [note.start for part in parts for note in part.notes]
    step = choose_grid(starts, [], grid_name).starts
    clips = [_clip(part, step) for part in parts]
    long = [(part, note) for part, clip in zip(parts, clips, strict=True) if clip == 1 for note in part.notes]
    spans = [(note.start, note.end) for part, note in long if not instrument_of(part).is_drums]
    grid = choose_grid(starts, [note.end for _, note in long], grid_name, spans)
    tracks = [
        _track(part, grid if clip == 1 else StartEndGrid(step, step), clip, is_played)
        for part, clip in zip(parts, clips, strict=True)
    ]
    return PlacedParts(tracks, grid)


def _clip(part: Part, step: Fraction) -> Fraction:
    """Return for which part of their steps the notes of a staccato part sound, or 1 for other parts."""
    if instrument_of(part).is_drums or len(part.notes) < _FEWEST_SHORT:
        return Fraction(1)
    if not are_ends_free([note.end for note in part.notes], step):
        return Fraction(1)
    grid = StartEndGrid(step, step)
    shares = [note.duration / length_on_grid(note.start, note.end, grid) for note in part.notes]
    if max(shares) > _SHORT or max(shares) > _ALIKE * min(shares):
        return Fraction(1)
    return max(nearest(median_low(shares), _CLIP_STEP), _CLIP_STEP)


def _track(part: Part, grid: StartEndGrid, clip: Fraction, is_played: bool) -> GridTrack:
    starts = sorted({nearest(note.start, grid.starts) for note in part.notes}) if is_played and clip == 1 else []
    placed: dict[tuple[Fraction, int], NoteOnGrid] = {}
    for note in part.notes:
        start = nearest(note.start, grid.starts)
        tied = _nearest_of(starts, note.end) if starts else start
        if tied > start and abs(tied - note.end) <= _TIED * note.duration:
            length = tied - start
        else:
            length = length_on_grid(note.start, note.end, grid)
        known = placed.get((start, note.midi))
        if known is None or known.length < length:
            placed[start, note.midi] = NoteOnGrid(start, length, note.midi, note.velocity)
    return GridTrack(part.name, instrument_of(part), tuple(placed[place] for place in sorted(placed)), clip)


def _nearest_of(moments: Sequence[Fraction], moment: Fraction) -> Fraction:
    place = bisect_left(moments, moment)
    return min(moments[max(place - 1, 0) : place + 1], key=lambda each: abs(each - moment))


def changes_of(
    parts: Sequence[Part], placed: PlacedParts, played: PlayedMusic | None, shift: Fraction
) -> PlacementChanges:
    """Return how many notes differ from the file, and how, as warnings. `shift` is how much later all notes are."""
    moved = merged = 0
    starts: list[Fraction] = []
    longer: list[Fraction] = []
    shorter: list[Fraction] = []
    for part, track in zip(parts, placed.tracks, strict=True):
        by_place = {(note.start, note.pitch): note for note in track.notes}
        merged += len(part.notes) - len(track.notes)
        for note in part.notes:
            new = by_place[nearest(note.start, placed.grid.starts), note.midi]
            earlier = played.moved_by.get((note.start - shift, note.midi), Fraction(0)) if played else Fraction(0)
            by, old, length = new.start - note.start + earlier, note.duration + earlier, new.length * track.clip
            moved += bool(by or length != old)
            if abs(by) > _SAME:
                starts.append(abs(by))
            if not track.instrument.is_drums and abs(length - old) > _SAME:
                (longer if length > old else shorter).append(abs(length - old))
    warnings = []
    if played:
        found = "found from the notes" if played.are_beats_found else "taken from the file"
        warnings.append(f"This was played by hand: notes were moved to a grid. Beats were {found}.")
    if starts:
        warnings.append(f"{counted(len(starts), 'note')} moved by up to {_beats(starts)} from where the file has them.")
    for changed, word in ((longer, "longer"), (shorter, "shorter")):
        if changed:
            warnings.append(f"{counted(len(changed), 'note')} became up to {_beats(changed)} {word} than in the file.")
    if merged:
        warnings.append(f"{counted(merged, 'note')} fell together with the same pitch at the same start.")
    return PlacementChanges(moved, warnings)


def _beats(changes: list[Fraction]) -> str:
    return f"{float(max(changes)):.2f} beats"
