"""Convert notes to rectangles along the time axis, and merge neighbours if there are too many.

The left edge of a note is exactly at its tick. Notes are cut at the edges of the picture. Very short notes are drawn
wide enough to be visible. Drum hits are drawn about as wide as high. If voices play exactly the same note, they divide
the height of its row between them, so that every colour is visible.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from consort_music.piano_roll.voices import DrawnVoice
from consort_music.pictures.colours import velocity_level
from consort_music.pictures.time_axis import TimeAxis

NARROWEST = 1.6
"""The smallest width of a rectangle, in pixels."""
_FIRST_GAP = 0.5
_MOST_SHARERS = 4
_DRUM_SHARE = 0.75  # largest width of a drum hit, as a share of the distance to the next hit

_Extent: TypeAlias = tuple[int, float, float]


class NoteRectangle(NamedTuple):
    """A rectangle for `notes` notes. `sharers` rectangles divide a row between them; `place` is its number, from 0."""

    left: float
    right: float
    pitch: int
    level: int
    notes: int = 1
    place: int = 0
    sharers: int = 1


def note_rectangles(
    voices: Sequence[DrawnVoice], axis: TimeAxis, drum_width: float, max_shapes: int
) -> list[list[NoteRectangle]]:
    """Return the rectangles of each voice.

    There are at most `max_shapes` in all, or one for each colour and pitch if that is more.
    """
    rectangles = [_exact_rectangles(voice, axis, drum_width) for voice in voices]
    if sum(map(len, rectangles)) <= max_shapes:
        return _share_rows(voices, rectangles)
    rectangles = _join_by_colour(voices, rectangles)
    gap = _FIRST_GAP
    while sum(map(len, rectangles)) > max_shapes and gap < 2 * (axis.right - axis.left):
        rectangles = [_merge_neighbours(each, gap) for each in rectangles]
        gap *= 2
    return rectangles


def _exact_rectangles(voice: DrawnVoice, axis: TimeAxis, drum_width: float) -> list[NoteRectangle]:
    left_edge, right_edge, scale = axis.left, axis.right, axis.pixels_per_unit
    origin = left_edge - float(axis.start) * scale
    rectangles: list[NoteRectangle] = []
    for start, end, pitch, velocity in voice.notes:
        left = max(origin + start * scale, left_edge)
        right = left + drum_width if voice.is_drums else max(origin + end * scale, left + NARROWEST)
        rectangles.append(NoteRectangle(left, min(right, right_edge), pitch, velocity_level(velocity)))
    return _space_hits(rectangles, axis.right) if voice.is_drums else rectangles


def _space_hits(hits: list[NoteRectangle], axis_end: float) -> list[NoteRectangle]:
    """Return the hits, narrowed so that there is space between each hit and the next one on the same drum."""
    next_left: dict[int, float] = {}
    cut: list[NoteRectangle] = []
    for hit in sorted(hits, reverse=True):
        room = (next_left.get(hit.pitch, axis_end) - hit.left) * _DRUM_SHARE
        cut.append(hit._replace(right=hit.left + max(min(hit.right - hit.left, room), NARROWEST)))
        next_left[hit.pitch] = hit.left
    return cut[::-1]


def _join_by_colour(voices: Sequence[DrawnVoice], rectangles: list[list[NoteRectangle]]) -> list[list[NoteRectangle]]:
    """Join the rectangles of voices with the same colour into the first of these voices."""
    joined: list[list[NoteRectangle]] = [[] for _ in voices]
    first: dict[tuple[str, bool], int] = {}
    for index, voice in enumerate(voices):
        joined[first.setdefault((voice.colour, voice.is_drums), index)] += rectangles[index]
    return joined


def _merge_neighbours(rectangles: list[NoteRectangle], gap: float) -> list[NoteRectangle]:
    """Merge rectangles of one pitch that are less than `gap` pixels apart. The result has their average loudness."""
    merged: list[NoteRectangle] = []
    rows: defaultdict[int, list[NoteRectangle]] = defaultdict(list)
    for rectangle in rectangles:
        rows[rectangle.pitch].append(rectangle)
    for row in rows.values():
        row.sort()
        left, right, notes, loudness = row[0].left, row[0].right, 0, 0
        for each in row:
            if each.left - right >= gap:
                merged.append(NoteRectangle(left, right, each.pitch, loudness // notes, notes))
                left, right, notes, loudness = each.left, each.right, 0, 0
            right, notes, loudness = max(right, each.right), notes + each.notes, loudness + each.level * each.notes
        merged.append(NoteRectangle(left, right, row[0].pitch, loudness // notes, notes))
    return merged


def _share_rows(voices: Sequence[DrawnVoice], rectangles: list[list[NoteRectangle]]) -> list[list[NoteRectangle]]:
    """Set `place` and `sharers` of equal rectangles of different voices, which divide the row between them."""
    pitched = [index for index, voice in enumerate(voices) if not voice.is_drums]
    sounding = Counter(extent for index in pitched for extent in set(map(_extent, rectangles[index])))
    shared = {extent: min(count, _MOST_SHARERS) for extent, count in sounding.items() if count > 1}
    taken: Counter[_Extent] = Counter()
    for index in pitched if shared else ():
        mine = shared.keys() & set(map(_extent, rectangles[index]))
        rectangles[index] = [
            rectangle._replace(place=taken[extent] % shared[extent], sharers=shared[extent])
            if extent in mine
            else rectangle
            for rectangle in rectangles[index]
            for extent in (_extent(rectangle),)
        ]
        taken.update(mine)
    return rectangles


def _extent(rectangle: NoteRectangle) -> _Extent:
    return rectangle.pitch, round(rectangle.left, 2), round(rectangle.right, 2)
