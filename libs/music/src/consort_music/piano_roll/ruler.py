"""Draw the time axis: bar and beat lines, bar numbers, and labels of metre and tempo above them.

If bars are narrow, only every 2nd, 4th, 8th … line and number is drawn. If labels would overlap, those that are valid
longest are drawn. So the number of elements depends on the width of the picture, not on the length of the file.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from consort_music.bars import Bars
from consort_music.midi.measure_numbers import MeasureNumbers
from consort_music.midi.summary import TempoEvent
from consort_music.piano_roll.layout import PictureLayout
from consort_music.pictures import colours
from consort_music.pictures.labels import LabelRow, find_labels
from consort_music.pictures.svg import Svg, number, text_width, vertical
from consort_music.pictures.time_axis import (
    NUMBERS_HEIGHT,
    TimeAxis,
    TimeMark,
    draw_numbers,
    power_of_two,
    second_marks,
    step_between_numbers,
)

_MARK_SIZE = 11.5
_NARROWEST_BAR = 9.0
_NARROWEST_BEAT = 9.0
_WIDTH_TO_HALVE = 56.0  # wider beats get lines at halves, quarters or eighths
_METRE_MAY_SLIP = 16.0  # pixels that a label may be moved to the right
_TEMPO_MAY_SLIP = 90.0


def draw_bars(
    svg: Svg, layout: PictureLayout, axis: TimeAxis, numbers: MeasureNumbers, ppq: int, tempos: Sequence[TempoEvent]
) -> None:
    bars = numbers.bars
    first, last = bars.number_at(axis.start), bars.number_at(axis.end)
    mean = (axis.right - axis.left) / max(1.0, float(last - first))
    step = power_of_two(_NARROWEST_BAR / mean)
    whole = 1 + (numbers.missing_before(1) > 0)  # the first full bar
    shown = range(first + (whole - first) % step, last + 1, step)
    if step == 1:
        _draw_beats(svg, layout, axis, bars, ppq, range(first, last + 1))
    lines = [(bar, axis.x(bars.start_of(bar))) for bar in shown if axis.start <= bars.start_of(bar) <= axis.end]
    number_step = max(step, step_between_numbers(str(numbers.number_of(last)), mean))
    marked = {bar for bar, _ in lines if (bar - whole) % number_step == 0 and not numbers.missing_before(bar)}
    numbered = [TimeMark(x, str(numbers.number_of(bar))) for bar, x in lines if bar in marked]
    others = [x for bar, x in lines if bar not in marked]
    svg.path([line for x in others for line in _through_panes(layout, x)], colours.OCTAVE_LINE)
    svg.path([line for x, _ in numbered for line in _through_panes(layout, x)], colours.BAR_LINE)
    draw_numbers(svg, numbered, layout.top - NUMBERS_HEIGHT, layout.right)
    _draw_labels(svg, layout, axis, bars, tempos)


def draw_seconds(svg: Svg, layout: PictureLayout, axis: TimeAxis, ticks_per_second: Fraction) -> None:
    """Draw the ruler of a file timed by SMPTE frames, which has seconds and no bars."""
    marks = second_marks(axis, ticks_per_second)
    svg.path([line for mark in marks for line in _through_panes(layout, mark.x)], colours.BAR_LINE)
    draw_numbers(svg, marks, layout.top - NUMBERS_HEIGHT, layout.right)


def _through_panes(layout: PictureLayout, x: float) -> Iterable[str]:
    return (vertical(min(x, layout.right - 1), pane.top, pane.bottom) for pane in layout.panes)


def _draw_beats(svg: Svg, layout: PictureLayout, axis: TimeAxis, bars: Bars, ppq: int, shown: range) -> None:
    beats: list[str] = []
    halves: list[str] = []
    for bar in shown:
        metre = bars.metre_span_of(bar).metre
        begin, end = bars.start_of(bar), min(bars.start_of(bar + 1), axis.end)
        beat = metre.unit * ppq
        if float(beat) * axis.pixels_per_unit < _NARROWEST_BEAT and metre.is_compound:
            beat *= 3
        if (width := float(beat) * axis.pixels_per_unit) < _NARROWEST_BEAT:
            continue
        parts = min(8, power_of_two(width / _WIDTH_TO_HALVE))
        step = beat / parts
        count = int(max(0, (axis.start - begin) // step)) + 1
        while (tick := begin + count * step) < end:
            if tick > axis.start:
                (beats if count % parts == 0 else halves).extend(_through_panes(layout, axis.x(tick)))
            count += 1
    svg.path(halves, colours.BEAT_LINE, 0.5)
    svg.path(beats, colours.BEAT_LINE)


def _draw_labels(svg: Svg, layout: PictureLayout, axis: TimeAxis, bars: Bars, tempos: Sequence[TempoEvent]) -> None:
    baseline = layout.top - NUMBERS_HEIGHT - 4
    line = LabelRow(layout.right + 2)
    metres = ((int(each.start), each.metre.name) for each in bars.metre_spans)
    for label in find_labels(axis, metres):
        x = line.place(label, text_width(label.text, _MARK_SIZE, bold=True), _METRE_MAY_SLIP)
        if x is not None:
            svg.text(x, baseline, label.text, _MARK_SIZE, bold=True)
    for label in find_labels(axis, ((each.tick, f"{each.bpm:.1f}".removesuffix(".0")) for each in tempos)):
        x = line.place(label, text_width(label.text, _MARK_SIZE) + 22, _TEMPO_MAY_SLIP)
        if x is not None:
            _draw_quarter_note(svg, x + 4, baseline - 2)
            svg.text(x + 11, baseline, f"= {label.text}", _MARK_SIZE)


def _draw_quarter_note(svg: Svg, x: float, y: float) -> None:
    """Draw a quarter note with the middle of its head at `x`, `y`, because few fonts have the character."""
    svg.add(
        f'<g transform="translate({number(x)} {number(y)})"><ellipse rx="3.2" ry="2.3" transform="rotate(-22)"'
        f' fill="{colours.INK}"/><path d="M2.6 -.8V-9.5" stroke="{colours.INK}" stroke-width="1.1"/></g>'
    )
