"""What shows the time of a note: bar and beat lines, bar numbers, and marks of metre and tempo above them.

Lines and numbers thin out by powers of two where bars are narrow; of marks that would overlap, those that hold for
longest are shown. So the work and the size of the picture depend on its width, not on the length of the file.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from consort_music.bars import Bars
from consort_music.midi.summary import TempoChange
from consort_music.piano_roll import colours
from consort_music.piano_roll.frame import NUMBERS_HEIGHT, Frame
from consort_music.piano_roll.marks import Line, marks_of
from consort_music.piano_roll.shapes import Axis
from consort_music.piano_roll.svg import Svg, number, text_width, vertical

_NUMBER_SIZE = 11.0
_MARK_SIZE = 11.5
_NARROWEST_BAR = 9.0
_NARROWEST_BEAT = 9.0
_WIDTH_TO_HALVE = 56.0
_CLEARANCE = 12.0
_METRE_MAY_SLIP = 16.0
_TEMPO_MAY_SLIP = 90.0
_SECONDS = (Fraction(1, 100), Fraction(1, 20), Fraction(1, 10), Fraction(1, 2), 1, 2, 5, 10, 15, 30, 60, 120, 300, 600)


def draw_bars(svg: Svg, frame: Frame, axis: Axis, bars: Bars, ppq: int, tempos: Sequence[TempoChange]) -> None:
    first, last = bars.number_at(axis.start), bars.number_at(axis.end)
    mean = (axis.right - axis.left) / max(1.0, float(last - first))
    step = _power_of_two(_NARROWEST_BAR / mean)
    shown = range(first + (1 - first) % step, last + 1, step)
    if step == 1:
        _draw_beats(svg, frame, axis, bars, ppq, range(first, last + 1))
    lines = [(bar, axis.x(bars.start_of(bar))) for bar in shown if axis.start <= bars.start_of(bar) <= axis.end]
    widest = text_width(str(last), _NUMBER_SIZE) + _CLEARANCE
    number_step = max(step, _power_of_two(widest / mean))
    numbered = [(x, str(bar)) for bar, x in lines if (bar - 1) % number_step == 0]
    others = [x for bar, x in lines if (bar - 1) % number_step]
    svg.path([line for x in others for line in _through_panes(frame, x)], colours.OCTAVE_LINE)
    svg.path([line for x, _ in numbered for line in _through_panes(frame, x)], colours.BAR_LINE)
    _number_lines(svg, frame, numbered)
    _draw_marks(svg, frame, axis, bars, tempos)


def draw_seconds(svg: Svg, frame: Frame, axis: Axis, ticks_per_second: Fraction) -> None:
    """The ruler of a file timed by SMPTE frames."""
    length = (axis.end - axis.start) / ticks_per_second
    step = next((Fraction(each) for each in _SECONDS if length / Fraction(each) <= 20), Fraction(0))
    step = step or Fraction(600 * _power_of_two(float(length) / (20 * 600)))
    begin = axis.start / ticks_per_second
    at = -(-begin // step) * step
    lines: list[tuple[float, str]] = []
    while at <= axis.end / ticks_per_second:
        lines.append((axis.x(at * ticks_per_second), clock(at)))
        at += step
    svg.path([line for x, _ in lines for line in _through_panes(frame, x)], colours.BAR_LINE)
    _number_lines(svg, frame, lines)


def clock(seconds: Fraction | int) -> str:
    """As in 1:05, 1:02:05 or 0:00.25."""
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


def _through_panes(frame: Frame, x: float) -> Iterable[str]:
    return (vertical(min(x, frame.right - 1), pane.top, pane.bottom) for pane in frame.panes)


def _draw_beats(svg: Svg, frame: Frame, axis: Axis, bars: Bars, ppq: int, shown: range) -> None:
    beats: list[str] = []
    halves: list[str] = []
    for bar in shown:
        metre = bars.stretch_of(bar).metre
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
                (beats if count % parts == 0 else halves).extend(_through_panes(frame, axis.x(tick)))
            count += 1
    svg.path(halves, colours.BEAT_LINE, 0.5)
    svg.path(beats, colours.BEAT_LINE)


def _number_lines(svg: Svg, frame: Frame, lines: list[tuple[float, str]]) -> None:
    baseline = frame.top - NUMBERS_HEIGHT + 12
    free_from = 0.0
    ticks: list[str] = []
    for x, label in lines:
        width = text_width(label, _NUMBER_SIZE)
        if x < free_from or x + 4 + width > frame.right:
            continue
        svg.text(x + 4, baseline, label, _NUMBER_SIZE, colours.GREY_INK)
        ticks.append(vertical(x, frame.top - NUMBERS_HEIGHT + 3, frame.top))
        free_from = x + 4 + width + 5
    svg.path(ticks, colours.BAR_LINE)


def _draw_marks(svg: Svg, frame: Frame, axis: Axis, bars: Bars, tempos: Sequence[TempoChange]) -> None:
    baseline = frame.top - NUMBERS_HEIGHT - 4
    line = Line(frame.right + 2)
    metres = ((int(each.start), each.metre.name) for each in bars.stretches)
    for mark in marks_of(axis, metres):
        x = line.place(mark, text_width(mark.label, _MARK_SIZE, bold=True), _METRE_MAY_SLIP)
        if x is not None:
            svg.text(x, baseline, mark.label, _MARK_SIZE, bold=True)
    for mark in marks_of(axis, ((each.tick, f"{each.bpm:.1f}".removesuffix(".0")) for each in tempos)):
        x = line.place(mark, text_width(mark.label, _MARK_SIZE) + 22, _TEMPO_MAY_SLIP)
        if x is not None:
            _draw_quarter_note(svg, x + 4, baseline - 2)
            svg.text(x + 11, baseline, f"= {mark.label}", _MARK_SIZE)


def _draw_quarter_note(svg: Svg, x: float, y: float) -> None:
    """Few fonts have the sign, so it is drawn: the middle of its head is at `x`, `y`."""
    svg.add(
        f'<g transform="translate({number(x)} {number(y)})"><ellipse rx="3.2" ry="2.3" transform="rotate(-22)"'
        f' fill="{colours.INK}"/><path d="M2.6 -.8V-9.5" stroke="{colours.INK}" stroke-width="1.1"/></g>'
    )
