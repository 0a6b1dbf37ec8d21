"""Draw known notes over the spectrogram, and the names of chords above the waveform.

A note is a hollow bar at its pitch, so that the sound inside it stays visible, with a white edge, so that its colour
can be seen on any background. If there are too many, only their middle lines are drawn, and neighbours on one pitch
are joined. A drum hit is a short line at the lower edge.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from consort_audio.pictures.drawing.layout import Area, AudioLayout
from consort_audio.pictures.drawing.spectrogram_image import FrequencyAxis
from consort_audio.pictures.overlay.model import OverlayChord, OverlayNote, OverlayVoice
from consort_music.pictures import colours
from consort_music.pictures.labels import Label, LabelRow
from consort_music.pictures.svg import Svg, clean_line, number, text_width, vertical
from consort_music.pictures.time_axis import TimeAxis, TimeMark

_MOST_OUTLINED = 1500
_NARROWEST = 2.0
_HIT_HEIGHT = 6
_LINEAR_HEIGHT = 3.0
_CHORD_SIZE = 11.5
_INDENT = 4.0
_MAY_EXCEED = 8.0  # pixels that the name of a chord may be wider than the chord

NoteBox: TypeAlias = tuple[float, float, float, float]
"""Left, top, width and height of a note."""


def draw_notes(
    svg: Svg, layout: AudioLayout, time: TimeAxis, pitch: FrequencyAxis, voices: Sequence[OverlayVoice]
) -> None:
    pitched = [voice for voice in voices if not voice.is_drums]
    count = sum(len(voice.notes) for voice in pitched)
    for voice in sorted(pitched, key=_mean_length, reverse=True):
        boxes = [box for note in voice.notes if (box := _box(note, layout, time, pitch)) is not None]
        if not boxes:
            continue
        svg.add('<g class="voice" fill="none" stroke-linejoin="round">')
        if count <= _MOST_OUTLINED:
            rects = "".join(
                f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" rx="1.5"/>'
                for x, y, width, height in boxes
            )
            svg.add(f'<g stroke="{colours.SHEET}" stroke-width="2.6" stroke-opacity=".75">{rects}</g>')
            svg.add(f'<g stroke="{voice.colour}" stroke-width="1.3">{rects}</g>')
        else:
            svg.path([f"M{number(x)} {number(y)}H{number(right)}" for x, y, right in _lines(boxes)], voice.colour, 1.4)
        svg.add("</g>")
    for voice in voices:
        if voice.is_drums:
            _draw_hits(svg, layout, time, pitch.area, voice)


def place_chords(time: TimeAxis, chords: Sequence[OverlayChord]) -> list[TimeMark]:
    """Return the names of chords for which there is room. If names would overlap, the longest chords have priority."""
    row = LabelRow(time.right + 2)
    placed: list[TimeMark] = []
    for chord in sorted(chords, key=lambda chord: chord.start - chord.end):
        left, right = max(time.x(chord.start), time.left), min(time.x(chord.end), time.right)
        name = clean_line(chord.name)
        width = _INDENT + text_width(name, _CHORD_SIZE, bold=True)
        x = row.place(Label(left, right, name), width, 0) if width <= right - left + _MAY_EXCEED else None
        if x is not None:
            placed.append(TimeMark(x, name))
    return placed


def draw_chords(svg: Svg, area: Area, marks: Sequence[TimeMark]) -> None:
    """Write the names of chords where they start."""
    svg.path([vertical(x, area.top + 3, area.bottom) for x, _ in marks], colours.BAR_LINE)
    for x, name in marks:
        svg.text(x + _INDENT, area.bottom - 5, name, _CHORD_SIZE, bold=True)


def _mean_length(voice: OverlayVoice) -> float:
    return sum(note.end - note.start for note in voice.notes) / len(voice.notes)


def _box(note: OverlayNote, layout: AudioLayout, time: TimeAxis, pitch: FrequencyAxis) -> NoteBox | None:
    """Return the box of a note, or None if the picture does not reach its pitch."""
    height = max(pitch.semitone, _LINEAR_HEIGHT) if pitch.kind == "log" else _LINEAR_HEIGHT
    y = pitch.y(note.pitch)
    if not pitch.area.top <= y <= pitch.area.bottom:
        return None
    left, right = max(time.x(note.start), layout.left), min(time.x(note.end), layout.right)
    left = min(left, layout.right - _NARROWEST)
    return left, y - height / 2, max(right - left, _NARROWEST), height


def _lines(boxes: Sequence[NoteBox]) -> Iterator[tuple[float, float, float]]:
    """Yield the middle line of each box as left, height and right. Lines less than a pixel apart are joined."""
    by_height: defaultdict[float, list[tuple[float, float]]] = defaultdict(list)
    for x, y, width, height in boxes:
        by_height[y + height / 2].append((x, x + width))
    for y, extents in by_height.items():
        extents.sort()
        left, right = extents[0]
        for x, end in extents:
            if x - right >= 1:
                yield left, y, right
                left, right = x, end
            right = max(right, end)
        yield left, y, right


def _draw_hits(svg: Svg, layout: AudioLayout, time: TimeAxis, area: Area, voice: OverlayVoice) -> None:
    columns = sorted({int(max(time.x(note.start), layout.left)) for note in voice.notes})
    svg.add(f'<g class="drums" data-notes="{len(voice.notes)}">')
    svg.path([vertical(x, area.bottom - _HIT_HEIGHT, area.bottom - 1) for x in columns], voice.colour, 1.6)
    svg.add("</g>")
