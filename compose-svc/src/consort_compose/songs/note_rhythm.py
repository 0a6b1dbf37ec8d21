"""Quantising, swinging and humanising notes of a song, by the rules of `transform_midi` and in exact beats.

The engines of `consort_music` count ticks. Here a beat has as many ticks as make every note exact, and 960 at least, so
that only what moves part of the way to a grid, or is humanised, is rounded.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from random import Random

from consort_compose.songs.note_models import EditNotes
from consort_compose.songs.song import Note
from consort_music.beats import to_ticks
from consort_music.bend import Bend
from consort_music.errors import in_field
from consort_music.humanize import jittered, reach_in_ticks, varied
from consort_music.midi.build import MICROSECONDS_A_MINUTE
from consort_music.midi.resolution import MAX_PPQ
from consort_music.quantize import Grid, exact, parse_grid
from consort_music.settling import REMOVED, MovedNotes

FARTHEST = 8
"""Beats: more than the widest grid, the widest swing and the longest time of humanize can move a note."""
_LEAST, _MOST = 960, 1 << 62

Tempos = Sequence[tuple[Fraction, Fraction]]
"""From which beat on each tempo holds, in beats a minute."""


@dataclass(frozen=True)
class Rhythm:
    """What to do with the rhythm, in this order; what is None is left out."""

    quantize: Grid | None
    strength: float
    swing: Grid | None
    humanize: Fraction | None
    """In ms."""
    humanize_velocity: int
    seed: int

    def played(self, notes: list[Note], near: list[Note], tempos: Tempos, track: int) -> "Played":
        """Change notes of a track, given in order; `near` are other notes on their pitches that may get in the way."""
        moved = notes
        if self.quantize:
            moved = _bent(moved, self.quantize, lambda grid, ppq: Bend.quantizing(grid, ppq, self.strength))
        if self.swing:
            moved = _bent(moved, self.swing, Bend.swinging)
        if self.humanize is not None:
            moved = self._humanized(moved, tempos, track)
        return _settled(notes, moved, near)

    def _humanized(self, notes: list[Note], tempos: Tempos, track: int) -> list[Note]:
        ppq = _resolution(notes)
        ppq = ppq if ppq <= MAX_PPQ else _LEAST
        starts = [to_ticks(note.start, ppq) for note in notes]
        changes = [(to_ticks(beat, ppq), round(MICROSECONDS_A_MINUTE / bpm)) for beat, bpm in tempos]
        reach = reach_in_ticks(starts, changes, ppq, self.humanize or Fraction(0))
        moved = jittered(starts, [note.pitch for note in notes], reach, Random(f"{self.seed}/{track}/time"))
        random = Random(f"{self.seed}/{track}/velocity")
        return [
            note._replace(
                start=note.start if new == was else Fraction(new, ppq),
                velocity=varied(note.velocity, random, self.humanize_velocity),
            )
            for note, was, new in zip(notes, starts, moved, strict=True)
        ]


@dataclass(frozen=True)
class Played:
    """The notes to keep, which of the near ones were changed, and counts of what was done."""

    notes: list[Note]
    changed_near: list[Note]
    counts: Counter[str]


def rhythm_given(request: EditNotes) -> Rhythm | None:
    """Read what the request says of rhythm; None if it says nothing."""
    if request.quantize is None and request.swing is None and request.humanize is None:
        return None
    with in_field("quantize"):
        quantize = parse_grid(request.quantize) if request.quantize else None
    with in_field("swing_grid"):
        swing = parse_grid(request.swing_grid, request.swing) if request.swing is not None else None
    humanize = exact(request.humanize) if request.humanize is not None else None
    return Rhythm(quantize, request.strength, swing, humanize, request.humanize_velocity, request.seed)


def _bent(notes: list[Note], grid: Grid, bend: Callable[[Grid, int], Bend]) -> list[Note]:
    ppq = _resolution(notes, grid.step.denominator * grid.swing.denominator) * grid.swing.denominator
    starts = [to_ticks(note.start, ppq) for note in notes]
    ends = [to_ticks(note.end, ppq) for note in notes]
    return [
        note._replace(
            start=note.start if start == was else Fraction(start, ppq),
            duration=note.duration if end - start == until - was else Fraction(end - start, ppq),
        )
        for note, was, until, start, end in zip(notes, starts, ends, *bend(grid, ppq).placed(starts, ends), strict=True)
    ]


def _settled(old: list[Note], new: list[Note], near: list[Note]) -> Played:
    """Settle the notes as transform_midi does; `near` are others of the track, which stay where they are."""
    ppq = _resolution([*old, *new, *near])
    rows = [(to_ticks(after.start, ppq), before, after, True) for before, after in zip(old, new, strict=True)]
    rows += [(to_ticks(note.start, ppq), note, note, False) for note in near]
    rows.sort(key=lambda row: row[0])
    ends = [max(to_ticks(after.end, ppq), start + 1) for start, _, after, _ in rows]
    settling = MovedNotes(
        starts=[row[0] for row in rows],
        ends=ends,
        old_starts=[to_ticks(before.start, ppq) for _, before, _, _ in rows],
        old_ends=[to_ticks(before.end, ppq) for _, before, _, _ in rows],
        keys=[after.pitch for _, _, after, _ in rows],
        velocity=lambda number: rows[number][2].velocity,
    )
    settling.settle()
    counts = Counter(shortened=settling.shortened, duplicates_removed=settling.duplicates)
    kept: list[Note] = []
    changed_near: list[Note] = []
    for (start, before, after, is_chosen), wanted, end in zip(rows, ends, settling.ends, strict=True):
        if end != wanted and not is_chosen:
            changed_near.append(before)
        if end == REMOVED:
            continue
        kept.append(after if end == wanted else after._replace(duration=Fraction(end - start, ppq)))
        counts["moved"] += after.start != before.start
        counts["resized"] += after.duration != before.duration
        counts["velocity_changed"] += after.velocity != before.velocity
    return Played(kept, changed_near, +counts)


def _resolution(notes: Iterable[Note], *more: int) -> int:
    """Return the ticks per beat in which these notes are exact, or nearly if that needs too many."""
    needed = lcm(_LEAST, *more)
    denominators = {note.start.denominator for note in notes} | {note.duration.denominator for note in notes}
    for denominator in sorted(denominators):
        wanted = lcm(needed, denominator)
        needed = wanted if wanted <= _MOST else needed
    return needed
