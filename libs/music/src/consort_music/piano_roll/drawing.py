"""Draw the whole picture: choose what is visible, then draw everything from back to front."""

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction

from consort_music.bars import Bars
from consort_music.errors import MusicError
from consort_music.midi.bar_window import timeline_of
from consort_music.midi.measure_numbers import MeasureNumbers, measure_numbers_of
from consort_music.midi.model import MidiFile
from consort_music.midi.summary import MidiSummary, summarize
from consort_music.midi.track_names import track_name
from consort_music.piano_roll.keyboard import draw_keyboard, draw_rows, name_drums
from consort_music.piano_roll.layout import FOOT_HEIGHT, Pane, PictureLayout, divide_picture
from consort_music.piano_roll.legend import draw_title_and_key, legend_items
from consort_music.piano_roll.note_rectangles import NoteRectangle, note_rectangles
from consort_music.piano_roll.ruler import draw_bars, draw_seconds
from consort_music.piano_roll.sections_and_keys import draw_sections_and_keys, find_sections_and_keys
from consort_music.piano_roll.voices import DrawnVoice, find_voices, longest_track
from consort_music.pictures import colours
from consort_music.pictures.heading import draw_legend, legend_rows
from consort_music.pictures.svg import Svg, clean_line, number
from consort_music.pictures.time_axis import TimeAxis, clock

_ALL_ITEMS = 10_000_000
SMALLEST, LARGEST = (320, 200), (6000, 4000)
_FULL_LEGEND_HEIGHT = 360  # pictures with a smaller height have only one legend row
_OVERHANG = 16  # if the music uses less than 1/16 of the last bar, that bar is not drawn to its end
_EMPTY_SECONDS = 4  # shown of a file without notes that is timed by SMPTE frames
_LAST_TICK = 2**40
_WIDEST_HIT = 16.0
_MOST_OUTLINED = 3000  # if there are more notes, they have no outlines, which would merge


def draw_piano_roll(
    file: MidiFile,
    *,
    width: int = 1200,
    height: int = 600,
    start_beat: Fraction | float | None = None,
    end_beat: Fraction | float | None = None,
    tracks: Collection[int] | None = None,
    title: str | None = None,
    max_shapes: int = 6000,
) -> str:
    """Draw a MIDI file and return the picture as SVG text. `width` and `height` are in pixels.

    `start_beat` and `end_beat` are quarter notes from 0, or seconds in a file timed by SMPTE frames. By default the
    picture shows the piece from the beginning to the end of its last note. `tracks` are indexes of tracks; by default
    all are shown. The tracks of a type 2 file are separate pieces, and by default the longest one is shown. If more
    than `max_shapes` notes are visible, neighbours on one pitch are merged; the attribute `data-notes` of a merged
    shape is the number of its notes. Raise INVALID_PICTURE if the size, the window or a track is invalid.
    """
    _check_size(width, height)
    if file.format == 2 and tracks is None:
        tracks = [longest_track(file)]
    everything = find_voices(file, tracks)
    timing = file if file.format != 2 else replace(file, tracks=[file.tracks[index] for index in sorted(tracks or ())])
    summary = summarize(timing, _ALL_ITEMS)
    numbers = None if file.ppq is None else measure_numbers_of(timeline_of(file, tracks), file.ppq)
    bars = numbers.bars if numbers else None
    unit = file.smpte_ticks_per_second or Fraction(file.ppq or 1)
    start, end = _window(everything, bars, unit, start_beat, end_beat)
    voices = _visible_voices(everything, start, end)

    rows = legend_rows(legend_items(voices), width, 2 if height >= _FULL_LEGEND_HEIGHT else 1)
    pitches = {note.pitch for voice in voices if not voice.is_drums for note in voice.notes}
    hits = {note.pitch for voice in voices if voice.is_drums for note in voice.notes}
    sections_and_keys = find_sections_and_keys(timing.tracks, summary.key_signatures)
    layout = divide_picture(width, height, len(rows), pitches, hits, has_sections=bool(sections_and_keys))
    axis = TimeAxis(start, end, layout.left, layout.right)
    drum_width = min(0.65 * layout.drums.row_height, _WIDEST_HIT) if layout.drums else 0
    shapes = note_rectangles(voices, axis, drum_width, max_shapes)

    title = clean_line(title or _conductor_title(file) or "Piano roll")
    facts = _facts(summary, numbers, unit, everything, voices, (start, end))
    if file.format == 2 and len(file.tracks) > 1:
        facts = f"{_patterns(sorted(tracks or ()), len(file.tracks))} · {facts}"
    svg = Svg()
    svg.rect(0, 0, width, height, colours.PAPER)
    draw_title_and_key(svg, width, title, facts)
    draw_legend(svg, rows)
    draw_rows(svg, layout)
    if numbers is not None and file.ppq is not None:
        draw_bars(svg, layout, axis, numbers, file.ppq, summary.tempo_map)
    else:
        draw_seconds(svg, layout, axis, unit)
    draw_sections_and_keys(svg, layout, axis, sections_and_keys)
    _draw_notes(svg, layout, voices, shapes)
    if layout.roll is not None:
        draw_keyboard(svg, layout.left, layout.roll)
    if layout.drums is not None:
        name_drums(svg, layout, layout.drums)
    _draw_borders(svg, layout)
    _draw_remarks(svg, layout, height, voices, shapes)
    return svg.document(width, height, f"Piano roll of {title}: {facts}")


def _check_size(width: int, height: int) -> None:
    if not (SMALLEST[0] <= width <= LARGEST[0] and SMALLEST[1] <= height <= LARGEST[1]):
        raise MusicError(
            "INVALID_PICTURE",
            f"{width} x {height} pixels are not between {SMALLEST[0]} x {SMALLEST[1]} and {LARGEST[0]} x {LARGEST[1]}.",
        )


def _window(
    voices: Sequence[DrawnVoice],
    bars: Bars | None,
    unit: Fraction,
    start_beat: Fraction | float | None,
    end_beat: Fraction | float | None,
) -> tuple[Fraction, Fraction]:
    """Return the first and the last visible tick. Raise INVALID_PICTURE if nothing is between them."""
    if not all(edge is None or -math.inf < edge < math.inf for edge in (start_beat, end_beat)):
        raise MusicError("INVALID_PICTURE", "The window's edges are not numbers.")
    start = Fraction(start_beat or 0) * unit
    end = _natural_end(voices, bars, unit) if end_beat is None else Fraction(end_beat) * unit
    if not 0 <= start <= end - 1 < _LAST_TICK:
        raise MusicError(
            "INVALID_PICTURE",
            f"Nothing can be shown from {float(start / unit):g} to {float(end / unit):g}: "
            "the window begins at 0 or later, before the end of the music, and ends after it begins.",
        )
    return start, end


def _natural_end(voices: Sequence[DrawnVoice], bars: Bars | None, unit: Fraction) -> Fraction:
    """Return the tick at which a picture of the whole piece ends."""
    last = max((note.end for voice in voices for note in voice.notes), default=0)
    if bars is None:
        return Fraction(last) if last else _EMPTY_SECONDS * unit
    last = max(last, 1)
    bar = bars.number_at(last)
    begin, full = bars.start_of(bar), bars.start_of(bar + 1)
    return Fraction(last) if last - begin < (full - begin) / _OVERHANG and bar > 1 else full


def _visible_voices(voices: Sequence[DrawnVoice], start: Fraction, end: Fraction) -> list[DrawnVoice]:
    """Return the voices with only the notes that are at least partly visible, without voices that have none."""
    first, last = -(-start.numerator // start.denominator), end
    seen = [
        replace(
            voice,
            notes=[note for note in voice.notes if note.start < last and (note.end > first or note.start >= first)],
        )
        for voice in voices
    ]
    return [voice for voice in seen if voice.notes]


def _conductor_title(file: MidiFile) -> str:
    """Return the likely title, or an empty text: the track's name in type 0, or that of a first track without notes."""
    if not file.tracks or file.format == 2:
        return ""
    first = file.tracks[0]
    if file.format == 1 and any(0x90 <= status <= 0x9F for _, status, _ in first):
        return ""
    return track_name(first)


def _patterns(shown: Sequence[int], count: int) -> str:
    """Return text that says which of the independent patterns of a type 2 file are shown."""
    return (
        f"track {shown[0]}, one of {count} patterns (type 2)"
        if len(shown) == 1
        else f"{len(shown)} of {count} patterns (type 2)"
    )


def _facts(
    summary: MidiSummary,
    numbers: MeasureNumbers | None,
    unit: Fraction,
    everything: Sequence[DrawnVoice],
    seen: Sequence[DrawnVoice],
    window: tuple[Fraction, Fraction],
) -> str:
    start, end = window
    total, shown = (sum(len(voice.notes) for voice in voices) for voices in (everything, seen))
    bars = numbers.bars if numbers else None
    whole_end = _natural_end(everything, bars, unit)
    is_whole = start == 0 and end >= whole_end
    facts = [summary.key_signatures[0].key] if summary.key_signatures else []
    if numbers is None or bars is None:
        length = clock(Fraction(round(whole_end / unit)))
        facts.append(length if is_whole else f"{clock(start / unit)}-{clock(end / unit)} of {length}")
    else:
        last = bars.number_at(whole_end - 1)
        first_seen, last_seen = (numbers.number_of(bars.number_at(at)) for at in (start, end - Fraction(1, 1000)))
        if is_whole:
            count = max(last - (numbers.missing_before(1) > 0), 1)
            facts.append(f"{count:,} bar{'s' * (count > 1)}")
        elif first_seen == last_seen:
            facts.append(f"bar {first_seen} of {numbers.number_of(last)}")
        else:
            facts.append(f"bars {first_seen}-{last_seen} of {numbers.number_of(last)}")
        facts.append(clock(Fraction(round(summary.duration_ms / 1000))))
    counted = f"{total:,}" if shown == total else f"{shown:,} of {total:,}"
    return " · ".join([*facts, f"{counted} note{'s' * (total != 1)}"])


def _draw_notes(
    svg: Svg, layout: PictureLayout, voices: Sequence[DrawnVoice], shapes: Sequence[Sequence[NoteRectangle]]
) -> None:
    """Draw the notes. Voices with long notes are drawn behind voices with short ones."""
    order = sorted(range(len(voices)), key=lambda index: -_mean_width(shapes[index]))
    count = sum(map(len, shapes))
    for index in order:
        voice = voices[index]
        pane = layout.drums if voice.is_drums else layout.roll
        if pane is None or not shapes[index]:
            continue
        tops = pane.tops()
        outline = min(1.0, pane.row_height / 7) if count <= _MOST_OUTLINED else 0
        svg.add(f'<g class="{"drums" if voice.is_drums else "voice"}" fill-opacity=".92"')
        svg.add(f' stroke="{voice.colour}" stroke-width="{number(outline)}">' if outline else ">")
        for level in range(colours.VELOCITY_LEVELS):
            rects = [_rect(shape, pane, tops) for shape in shapes[index] if shape.level == level]
            if rects:
                svg.add(f'<g fill="{colours.shade(voice.colour, level)}">')
                svg.add("\n".join(rects))
                svg.add("</g>")
        svg.add("</g>")


def _mean_width(shapes: Sequence[NoteRectangle]) -> float:
    return sum(shape.right - shape.left for shape in shapes) / len(shapes) if shapes else 0


def _rect(shape: NoteRectangle, pane: Pane, tops: dict[int, float]) -> str:
    gap = min(1.0, pane.row_height / 8)
    height = (pane.row_height - gap) / shape.sharers
    y = tops[shape.pitch] + gap / 2 + height * shape.place
    width = shape.right - shape.left
    radius = min(3.0, height / 3, width / 3)
    rounded = f' rx="{number(radius)}"' if radius >= 0.75 else ""
    joined = f' data-notes="{shape.notes}"' if shape.notes > 1 else ""
    return (
        f'<rect x="{number(shape.left)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
        f"{rounded}{joined}/>"
    )


def _draw_borders(svg: Svg, layout: PictureLayout) -> None:
    for pane in layout.panes:
        left, right, top, bottom = (
            int(layout.left) + 0.5,
            int(layout.right) - 0.5,
            int(pane.top) + 0.5,
            int(pane.bottom) - 0.5,
        )
        svg.path([f"M{left:g} {top:g}H{right:g}V{bottom:g}H{left:g}z"], colours.BAR_LINE)


def _draw_remarks(
    svg: Svg,
    layout: PictureLayout,
    height: int,
    voices: Sequence[DrawnVoice],
    shapes: Sequence[Sequence[NoteRectangle]],
) -> None:
    """Draw a remark if there are no notes, or if not every note has its own shape."""
    notes, drawn = sum(len(voice.notes) for voice in voices), sum(map(len, shapes))
    if not notes:
        middle = (layout.left + layout.right) / 2, (layout.top + layout.bottom) / 2
        svg.text(*middle, "No notes here", 16, colours.GREY_INK, anchor="middle")
    elif drawn < notes:
        remark = f"{notes:,} notes drawn as {drawn:,} shapes; choose fewer bars or tracks for every note"
        svg.text(layout.right, height - FOOT_HEIGHT + 9.5, remark, 9, colours.GREY_INK, anchor="end")
