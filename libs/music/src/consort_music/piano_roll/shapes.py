"""Notes as rectangles along the time axis; where there are more than a picture can hold, neighbours become one.

A note's left edge is exactly where its tick is on the axis, cut at the edges of the window. Notes that sound for less
than a pixel are drawn wide enough to see. Drum hits have no length of their own and are drawn about as wide as high.
Voices that play exactly the same note share its row, so that a unison shows every colour.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from consort_music.piano_roll.colours import velocity_level
from consort_music.piano_roll.voices import Voice

NARROWEST = 1.6
_FIRST_GAP = 0.5
_MOST_SHARERS = 4
_DRUM_SHARE = 0.75  # of the way to the next hit

_Extent: TypeAlias = tuple[int, float, float]


class Axis(NamedTuple):
    """Ticks from `start` to `end` spread over pixels from `left` to `right`."""

    start: Fraction
    end: Fraction
    left: float
    right: float

    @property
    def pixels_per_tick(self) -> float:
        return (self.right - self.left) / float(self.end - self.start)

    def x(self, tick: Fraction | float) -> float:
        return self.left + float(tick - self.start) * self.pixels_per_tick


class Shape(NamedTuple):
    """A rectangle for `notes` notes: its place among `sharers` of the row counts from 0."""

    left: float
    right: float
    pitch: int
    level: int
    notes: int = 1
    place: int = 0
    sharers: int = 1


def shapes_of(voices: Sequence[Voice], axis: Axis, drum_width: float, max_shapes: int) -> list[list[Shape]]:
    """The shapes of each voice; at most `max_shapes`, or one for each colour and pitch if that is more."""
    shapes = [_exact_shapes(voice, axis, drum_width) for voice in voices]
    if sum(map(len, shapes)) <= max_shapes:
        return _with_shared_rows(voices, shapes)
    shapes = _joined_by_colour(voices, shapes)
    gap = _FIRST_GAP
    while sum(map(len, shapes)) > max_shapes and gap < 2 * (axis.right - axis.left):
        shapes = [_merged(each, gap) for each in shapes]
        gap *= 2
    return shapes


def _exact_shapes(voice: Voice, axis: Axis, drum_width: float) -> list[Shape]:
    left_edge, right_edge, scale = axis.left, axis.right, axis.pixels_per_tick
    origin = left_edge - float(axis.start) * scale
    shapes: list[Shape] = []
    for start, end, pitch, velocity in voice.notes:
        left = max(origin + start * scale, left_edge)
        right = left + drum_width if voice.is_drums else max(origin + end * scale, left + NARROWEST)
        shapes.append(Shape(left, min(right, right_edge), pitch, velocity_level(velocity)))
    return _spaced(shapes, axis.right) if voice.is_drums else shapes


def _spaced(hits: list[Shape], axis_end: float) -> list[Shape]:
    """Hits on one drum that follow closely, with some space between each and the next."""
    next_left: dict[int, float] = {}
    cut: list[Shape] = []
    for hit in sorted(hits, reverse=True):
        room = (next_left.get(hit.pitch, axis_end) - hit.left) * _DRUM_SHARE
        cut.append(hit._replace(right=hit.left + max(min(hit.right - hit.left, room), NARROWEST)))
        next_left[hit.pitch] = hit.left
    return cut[::-1]


def _joined_by_colour(voices: Sequence[Voice], shapes: list[list[Shape]]) -> list[list[Shape]]:
    """The shapes of voices that look alike, moved to the first of them: there are more voices than colours."""
    joined: list[list[Shape]] = [[] for _ in voices]
    first: dict[tuple[str, bool], int] = {}
    for index, voice in enumerate(voices):
        joined[first.setdefault((voice.colour, voice.is_drums), index)] += shapes[index]
    return joined


def _merged(shapes: list[Shape], gap: float) -> list[Shape]:
    """Shapes of one pitch that are less than `gap` apart as one, as loud as they are on average."""
    merged: list[Shape] = []
    rows: defaultdict[int, list[Shape]] = defaultdict(list)
    for shape in shapes:
        rows[shape.pitch].append(shape)
    for row in rows.values():
        row.sort()
        left, right, notes, loudness = row[0].left, row[0].right, 0, 0
        for each in row:
            if each.left - right >= gap:
                merged.append(Shape(left, right, each.pitch, loudness // notes, notes))
                left, right, notes, loudness = each.left, each.right, 0, 0
            right, notes, loudness = max(right, each.right), notes + each.notes, loudness + each.level * each.notes
        merged.append(Shape(left, right, row[0].pitch, loudness // notes, notes))
    return merged


def _with_shared_rows(voices: Sequence[Voice], shapes: list[list[Shape]]) -> list[list[Shape]]:
    pitched = [index for index, voice in enumerate(voices) if not voice.is_drums]
    sounding = Counter(extent for index in pitched for extent in set(map(_extent, shapes[index])))
    shared = {extent: min(count, _MOST_SHARERS) for extent, count in sounding.items() if count > 1}
    taken: Counter[_Extent] = Counter()
    for index in pitched if shared else ():
        mine = shared.keys() & set(map(_extent, shapes[index]))
        shapes[index] = [
            shape._replace(place=taken[extent] % shared[extent], sharers=shared[extent]) if extent in mine else shape
            for shape in shapes[index]
            for extent in (_extent(shape),)
        ]
        taken.update(mine)
    return shapes


def _extent(shape: Shape) -> _Extent:
    return shape.pitch, round(shape.left, 2), round(shape.right, 2)
