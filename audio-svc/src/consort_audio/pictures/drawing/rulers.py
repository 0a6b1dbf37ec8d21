"""Draw the lines of time: seconds below the picture, bars and beats through it if they are known.

If bars are narrow, only every 2nd, 4th, 8th … line and number is drawn.
"""

from collections.abc import Sequence

from consort_audio.pictures.drawing.layout import AudioLayout
from consort_audio.pictures.overlay.model import OverlayBeat
from consort_music.pictures import colours
from consort_music.pictures.svg import Svg, number, vertical
from consort_music.pictures.time_axis import (
    TimeAxis,
    TimeMark,
    draw_numbers,
    power_of_two,
    second_marks,
    step_between_numbers,
)

_PIXELS_PER_SECOND_MARK = 56
_NARROWEST_BAR = 9.0
_NARROWEST_BEAT = 9.0
_BAR_OPACITY, _PLAIN_BAR_OPACITY, _BEAT_OPACITY = 0.34, 0.18, 0.13  # a plain bar has no number


def draw_seconds_below(svg: Svg, layout: AudioLayout, axis: TimeAxis) -> None:
    marks = second_marks(axis, 1, max(2, layout.width // _PIXELS_PER_SECOND_MARK))
    draw_numbers(svg, marks, layout.seconds.top, layout.right + 12)


def draw_second_lines(svg: Svg, layout: AudioLayout, axis: TimeAxis) -> None:
    """Draw vertical lines at the marks of the seconds, for a picture without bars."""
    marks = second_marks(axis, 1, max(2, layout.width // _PIXELS_PER_SECOND_MARK))
    _draw_lines(svg, layout, [mark.x for mark in marks], _BEAT_OPACITY)


def draw_bars(svg: Svg, layout: AudioLayout, axis: TimeAxis, beats: Sequence[OverlayBeat]) -> None:
    """Draw bar lines with numbers, and lines at the other beats if there is room."""
    starts = [beat for beat in beats if beat.beat == 1]
    if len(beats) > 1:
        gap = (beats[-1].time - beats[0].time) / (len(beats) - 1)
        if gap * axis.pixels_per_unit >= _NARROWEST_BEAT:
            others = [axis.x(beat.time) for beat in beats if beat.beat != 1]
            _draw_lines(svg, layout, others, _BEAT_OPACITY)
    width = float(layout.width)
    if len(starts) > 1:
        width = (starts[-1].time - starts[0].time) / (len(starts) - 1) * axis.pixels_per_unit
    step = power_of_two(_NARROWEST_BAR / width)
    shown = [beat for beat in starts if (beat.bar - 1) % step == 0]
    if not shown:
        return
    number_step = max(step, step_between_numbers(str(shown[-1].bar), width))
    numbered = [beat for beat in shown if (beat.bar - 1) % number_step == 0]
    _draw_lines(svg, layout, [axis.x(beat.time) for beat in shown if beat not in numbered], _PLAIN_BAR_OPACITY)
    _draw_lines(svg, layout, [axis.x(beat.time) for beat in numbered], _BAR_OPACITY)
    if layout.bar_numbers is not None:
        marks = [TimeMark(axis.x(beat.time), str(beat.bar)) for beat in numbered]
        draw_numbers(svg, marks, layout.bar_numbers.top, layout.right)


def _draw_lines(svg: Svg, layout: AudioLayout, xs: Sequence[float], opacity: float) -> None:
    if xs:
        lines = [vertical(min(x, layout.right - 1), pane.top, pane.bottom) for x in xs for pane in layout.panes]
        svg.add(f'<g stroke-opacity="{number(opacity)}">')
        svg.path(lines, colours.INK)
        svg.add("</g>")
