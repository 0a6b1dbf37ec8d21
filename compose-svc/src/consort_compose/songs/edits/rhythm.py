"""Quantize, swing and humanize the notes of a song, with the rules of `transform_midi` but in exact beats.

The engines of `consort_music.timing` count ticks. Here a beat has at least 960 ticks, and as many as make every note
exact. So only notes that move part of the way to a grid, or are humanized, are rounded.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from random import Random

from consort_compose.songs.document.song import SongNote
from consort_compose.songs.models.notes import EditNotes
from consort_music.beats import exact_fraction, to_ticks
from consort_music.errors import in_field
from consort_music.note_sequence.resolution import MAX_PPQ
from consort_music.timing.grid import Grid, parse_grid
from consort_music.timing.humanize import jitter_beats, vary_velocity
from consort_music.timing.overlaps import REMOVED, MovedNotes
from consort_music.timing.time_warp import TimeWarp

MAX_SHIFT = 8
"""Beats. No grid, swing or humanize moves a note this far."""
_MIN_PPQ, _MAX_PPQ = 960, 1 << 62
"""Bounds of the ticks per beat."""

TempoMap = Sequence[tuple[Fraction, Fraction]]
"""Beats and the tempo from each on, in beats per minute."""


@dataclass(frozen=True)
class RhythmEdit:
    """Changes of rhythm, applied in the order of the fields. A field that is None changes nothing."""

    quantize: Grid | None
    strength: float
    swing: Grid | None
    humanize: Fraction | None
    """Largest shift in milliseconds."""
    humanize_velocity: int
    seed: int

    def apply(self, notes: list[SongNote], near: list[SongNote], tempos: TempoMap, track: int) -> "RhythmResult":
        """Change sorted notes of a track. `near` are other notes of the same pitches that they could collide with."""
        moved = notes
        if self.quantize:
            moved = _warped(moved, self.quantize, lambda grid, ppq: TimeWarp.quantizing(grid, ppq, self.strength))
        if self.swing:
            moved = _warped(moved, self.swing, TimeWarp.swinging)
        if self.humanize is not None:
            moved = self._humanized(moved, tempos, track)
        return _resolve_collisions(notes, moved, near)

    def _humanized(self, notes: list[SongNote], tempos: TempoMap, track: int) -> list[SongNote]:
        ppq = _resolution(notes)
        ppq = ppq if ppq <= MAX_PPQ else _MIN_PPQ
        starts, moved = jitter_beats(
            [note.start for note in notes],
            [note.pitch for note in notes],
            tempos,
            ppq,
            self.humanize or Fraction(0),
            Random(f"{self.seed}/{track}/time"),
        )
        random = Random(f"{self.seed}/{track}/velocity")
        return [
            note._replace(
                start=note.start if new == was else Fraction(new, ppq),
                velocity=vary_velocity(note.velocity, random, self.humanize_velocity),
            )
            for note, was, new in zip(notes, starts, moved, strict=True)
        ]


@dataclass(frozen=True)
class RhythmResult:
    """`notes`: the changed notes and the near notes, after the change. `changed_near`: the near notes that were
    shortened or removed, as they were before. `counts`: numbers of notes by kind of change.
    """

    notes: list[SongNote]
    changed_near: list[SongNote]
    counts: Counter[str]


def read_rhythm_edit(request: EditNotes) -> RhythmEdit | None:
    """Return the change of rhythm that a request describes; None if it has none. Raise INVALID_GRID."""
    if request.quantize is None and request.swing is None and request.humanize is None:
        return None
    with in_field("quantize"):
        quantize = parse_grid(request.quantize) if request.quantize else None
    with in_field("swing_grid"):
        swing = parse_grid(request.swing_grid, request.swing) if request.swing is not None else None
    humanize = exact_fraction(request.humanize) if request.humanize is not None else None
    return RhythmEdit(quantize, request.strength, swing, humanize, request.humanize_velocity, request.seed)


def _warped(notes: list[SongNote], grid: Grid, make_warp: Callable[[Grid, int], TimeWarp]) -> list[SongNote]:
    ppq = _resolution(notes, grid.step.denominator * grid.swing.denominator) * grid.swing.denominator
    starts = [to_ticks(note.start, ppq) for note in notes]
    ends = [to_ticks(note.end, ppq) for note in notes]
    return [
        note._replace(
            start=note.start if start == was else Fraction(start, ppq),
            duration=note.duration if end - start == until - was else Fraction(end - start, ppq),
        )
        for note, was, until, start, end in zip(
            notes, starts, ends, *make_warp(grid, ppq).apply(starts, ends), strict=True
        )
    ]


def _resolve_collisions(old: list[SongNote], new: list[SongNote], near: list[SongNote]) -> RhythmResult:
    """Remove the collisions that the change caused, as transform_midi does: shorten notes, remove duplicates."""
    ppq = _resolution([*old, *new, *near])
    rows = [(to_ticks(after.start, ppq), before, after, True) for before, after in zip(old, new, strict=True)]
    rows += [(to_ticks(note.start, ppq), note, note, False) for note in near]
    rows.sort(key=lambda row: row[0])
    ends = [max(to_ticks(after.end, ppq), start + 1) for start, _, after, _ in rows]
    moved = MovedNotes(
        starts=[row[0] for row in rows],
        ends=ends,
        old_starts=[to_ticks(before.start, ppq) for _, before, _, _ in rows],
        old_ends=[to_ticks(before.end, ppq) for _, before, _, _ in rows],
        keys=[after.pitch for _, _, after, _ in rows],
        velocity=lambda number: rows[number][2].velocity,
    )
    moved.resolve()
    counts = Counter(shortened=moved.shortened, duplicates_removed=moved.duplicates)
    kept: list[SongNote] = []
    changed_near: list[SongNote] = []
    for (start, before, after, is_chosen), wanted, end in zip(rows, ends, moved.ends, strict=True):
        if end != wanted and not is_chosen:
            changed_near.append(before)
        if end == REMOVED:
            continue
        kept.append(after if end == wanted else after._replace(duration=Fraction(end - start, ppq)))
        counts["moved"] += after.start != before.start
        counts["resized"] += after.duration != before.duration
        counts["velocity_changed"] += after.velocity != before.velocity
    return RhythmResult(kept, changed_near, +counts)


def _resolution(notes: Iterable[SongNote], *more: int) -> int:
    """Return ticks per beat that make these notes exact, or nearly exact if that needs too many ticks."""
    needed = lcm(_MIN_PPQ, *more)
    denominators = {note.start.denominator for note in notes} | {note.duration.denominator for note in notes}
    for denominator in sorted(denominators):
        wanted = lcm(needed, denominator)
        needed = wanted if wanted <= _MAX_PPQ else needed
    return needed
