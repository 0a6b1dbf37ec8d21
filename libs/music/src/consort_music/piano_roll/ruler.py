"""Draw the time axis: bar and beat lines, bar numbers, and labels of metre and tempo above them.

If bars are narrow, only every 2nd, 4th, 8th … line and number is drawn. If labels would overlap, those that are valid
longest are drawn. So the number of elements depends on the width of the picture, not on the length of the file.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from consort_music.bars import Bars
from consort_music.midi.summary import TempoEvent
from consort_music.piano_roll import colours
from consort_music.piano_roll.labels import LabelRow, find_labels
from consort_music.piano_roll.layout import NUMBERS_HEIGHT, PictureLayout
from consort_music.piano_roll.note_rectangles import TimeAxis
from consort_music.piano_roll.svg import Svg, number, text_width, vertical

_NUMBER_SIZE = 11.0
_MARK_SIZE = 11.5
_NARROWEST_BAR = 9.0
_NARROWEST_BEAT = 9.0
_WIDTH_TO_HALVE = 56.0  # wider beats get lines at halves, quarters or eighths
_CLEARANCE = 12.0
_METRE_MAY_SLIP = 16.0  # pixels that a label may be moved to the right
_TEMPO_MAY_SLIP = 90.0
# Possible distances between the lines of a file timed by SMPTE frames, in seconds.
_SECONDS = (Fraction(1, 100), Fraction(1, 20), Fraction(1, 10), Fraction(1, 2), 1, 2, 5, 10, 15, 30, 60, 120, 300, 600)


def draw_bars(
    svg: Svg, layout: PictureLayout, axis: TimeAxis, bars: Bars, ppq: int, tempos: Sequence[TempoEvent]
) -> None:
    first, last = bars.number_at(axis.start), bars.number_at(axis.end)
    mean = (axis.right - axis.left) / max(1.0, float(last - first))
    step = _power_of_two(_NARROWEST_BAR / mean)
    shown = range(first + (1 - first) % step, last + 1, step)
    if step == 1:
        _draw_beats(svg, layout, axis, bars, ppq, range(first, last + 1))
    lines = [(bar, axis.x(bars.start_of(bar))) for bar in shown if axis.start <= bars.start_of(bar) <= axis.end]
    widest = text_width(str(last), _NUMBER_SIZE) + _CLEARANCE
    number_step = max(step, _power_of_two(widest / mean))
    numbered = [(x, str(bar)) for bar, x in lines if (bar - 1) % number_step == 0]
    others = [x for bar, x in lines if (bar - 1) % number_step]
    svg.path([line for x in others for line in _through_panes(layout, x)], colours.OCTAVE_LINE)
    svg.path([line for x, _ in numbered for line in _through_panes(layout, x)], colours.BAR_LINE)
    _number_lines(svg, layout, numbered)
    _draw_labels(svg, layout, axis, bars, tempos)


def draw_seconds(svg: Svg, layout: PictureLayout, axis: TimeAxis, ticks_per_second: Fraction) -> None:
    """Draw the ruler of a file timed by SMPTE frames, which has seconds and no bars."""
    length = (axis.end - axis.start) / ticks_per_second
    step = next((Fraction(each) for each in _SECONDS if length / Fraction(each) <= 20), Fraction(0))
    step = step or Fraction(600 * _power_of_two(float(length) / (20 * 600)))
    begin = axis.start / ticks_per_second
    at = -(-begin // step) * step
    lines: list[tuple[float, str]] = []
    while at <= axis.end / ticks_per_second:
        lines.append((axis.x(at * ticks_per_second), clock(at)))
        at += step
    svg.path([line for x, _ in lines for line in _through_panes(layout, x)], colours.BAR_LINE)
    _number_lines(svg, layout, lines)


def clock(seconds: Fraction | int) -> str:
    """Return a time as 1:05, 1:02:05 or 0:00.25."""
    whole, rest = divmod(Fraction(seconds), 1)
    minutes, whole = divmod(int(whole), 60)
    tail = f"{float(rest):.2f}"[1:].rstrip("0").rstrip(".") if rest else ""
    if minutes < 60:
        return f"{minutes}:{whole:02d}{tail}"
    return f"{minutes // 60}:{minutes % 60:02d}:{whole:02d}{tail}"


def _power_of_two(at_least: float) -> int:
    step = 1
    while step < at_least:
        step *= 2
    return step


def _through_panes(layout: PictureLayout, x: float) -> Iterable[str]:
    return (vertical(min(x, layout.right - 1), pane.top, pane.bottom) for pane in layout.panes)


def _draw_beats(svg: Svg, layout: PictureLayout, axis: TimeAxis, bars: Bars, ppq: int, shown: range) -> None:
    beats: list[str] = []
    halves: list[str] = []
    for bar in shown:
        metre = bars.metre_span_of(bar).metre
        begin, end = bars.start_of(bar), min(bars.start_of(bar + 1), axis.end)
        beat = metre.unit * ppq
        if float(beat) * axis.pixels_per_tick < _NARROWEST_BEAT and metre.is_compound:
            beat *= 3
        if (width := float(beat) * axis.pixels_per_tick) < _NARROWEST_BEAT:
            continue
        parts = min(8, _power_of_two(width / _WIDTH_TO_HALVE))
        step = beat / parts
        count = int(max(0, (axis.start - begin) // step)) + 1
        while (tick := begin + count * step) < end:
            if tick > axis.start:
                (beats if count % parts == 0 else halves).extend(_through_panes(layout, axis.x(tick)))
            count += 1
    svg.path(halves, colours.BEAT_LINE, 0.5)
    svg.path(beats, colours.BEAT_LINE)


def _number_lines(svg: Svg, layout: PictureLayout, lines: list[tuple[float, str]]) -> None:
    baseline = layout.top - NUMBERS_HEIGHT + 12
    free_from = 0.0
    ticks: list[str] = []
    for x, label in lines:
        width = text_width(label, _NUMBER_SIZE)
        if x < free_from or x + 4 + width > layout.right:
            continue
        svg.text(x + 4, baseline, label, _NUMBER_SIZE, colours.GREY_INK)
        ticks.append(vertical(x, layout.top - NUMBERS_HEIGHT + 3, layout.top))
        free_from = x + 4 + width + 5
    svg.path(ticks, colours.BAR_LINE)


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
