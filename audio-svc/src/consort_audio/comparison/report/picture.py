"""Draw the picture of a practice report: a piano roll in several systems, a legend, and the list of faults.

An expected note is a hollow bar, a played one a filled bar: right notes lie inside their outline. A fault has a mark
with the shape and the colour of its kind, and a number that stands in the list below too.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from consort_audio.comparison.report.systems import TakeSystem, divide_systems
from consort_audio.pictures.drawing.fault_marks import OTHER, SHAPES, FaultShape
from consort_music.piano_roll.keyboard import draw_keyboard, draw_rows
from consort_music.piano_roll.layout import KEYBOARD_WIDTH, Pane, PictureLayout
from consort_music.pictures import colours
from consort_music.pictures.heading import MARGIN, TITLE_HEIGHT, draw_title
from consort_music.pictures.svg import Svg, clean_line, fit_text, number, text_width, vertical
from consort_music.pictures.time_axis import NUMBERS_HEIGHT, TimeAxis, TimeMark, clock, draw_numbers, second_marks

RIGHT_COLOUR, WRONG_COLOUR, EXPECTED_COLOUR = colours.PALETTE[2], colours.PALETTE[1], "#8A867B"
MOST_LISTED = 24
_SEVERITY_WORDS = {"major": "serious", "moderate": "clear", "minor": "slight"}
"""In a picture about music, "major" would be read as a key."""
_ROW_HEIGHTS = (11.0, 6.0)
_TALLEST_PANE = 260.0
_FEWEST_ROWS = 13
_FURTHEST = 12
_SLIVER_S = 0.1
"""Less of a note than this is not drawn at the edge of a system."""
_AGAIN = "again"
_JUDGED = 0.5
"""A take without faults and with a lower accuracy was not judged: its remarks say why."""
_GAP = 12.0
_TEXT = 12.0
_LINE = 18.0
_WIDE = 760


def draw_report(data: dict[str, Any], *, title: str, advice: Sequence[str], width: int) -> str:
    """Return the picture as SVG text. Its height follows from its contents."""
    bottom = _draw(Svg(), data, title, advice, width)
    svg = Svg()
    svg.rect(0, 0, width, bottom, colours.PAPER)
    _draw(svg, data, title, advice, width)
    return svg.document(width, round(bottom), f"Practice report of {clean_line(title)}: {_facts(data)}")


def _draw(svg: Svg, data: dict[str, Any], title: str, advice: Sequence[str], width: int) -> float:
    """Draw everything. Return the bottom of the picture."""
    left, right = MARGIN + KEYBOARD_WIDTH, width - MARGIN
    systems = divide_systems(data, right - left)
    rows = _rows(data)
    height_of_row = min(max(_TALLEST_PANE / len(rows), _ROW_HEIGHTS[1]), _ROW_HEIGHTS[0])
    draw_title(svg, right, clean_line(title), "")
    svg.text(MARGIN, TITLE_HEIGHT + 8, fit_text(_facts(data), _TEXT, width - 2 * MARGIN), _TEXT, colours.GREY_INK)
    top = _draw_legend(svg, data, width) + 6
    longest = max(system.end - system.start for system in systems)
    for system in systems:
        pane = Pane(top + NUMBERS_HEIGHT, height_of_row, rows)
        share = (system.end - system.start) / longest
        _draw_system(svg, data, system, pane, left, left + (right - left) * share)
        top = pane.bottom + NUMBERS_HEIGHT + _GAP
    return _draw_lists(svg, data, advice, top, width)


def _facts(data: dict[str, Any]) -> str:
    scores = data["scores"]
    parts = [
        f"pitch {scores['pitch_accuracy']:.0%}",
        f"rhythm {scores['rhythm_accuracy']:.0%}",
        f"tempo {scores['tempo_match']:.0%}",
    ]
    if data.get("bpm"):
        parts.append(f"{data['bpm']:.0f} BPM")
    count = len(data["faults"])
    if count or scores["pitch_accuracy"] >= _JUDGED:
        parts.append(f"{count} fault{'' if count == 1 else 's'}" if count else "no faults")
    return " · ".join(parts)


def _rows(data: dict[str, Any]) -> tuple[int, ...]:
    """Return the pitches of the rows, from high to low. Notes far from all expected ones are drawn at the edge."""
    expected = [note[2] for note in data["expected"]]
    played = [round(note[2]) for note in data["played"]]
    if expected:
        lowest, highest = min(expected) - _FURTHEST, max(expected) + _FURTHEST
        played = [min(max(pitch, lowest), highest) for pitch in played]
    pitches = expected + played
    low, high = (min(pitches) - 1, max(pitches) + 1) if pitches else (60, 72)
    missing = max(_FEWEST_ROWS - (high - low + 1), 0)
    low, high = low - missing // 2, high + missing - missing // 2
    return tuple(range(min(high, 127), max(low, 0) - 1, -1))


def _draw_legend(svg: Svg, data: dict[str, Any], width: int) -> float:
    """Draw the legend of notes and of the kinds of faults that occur. Return its bottom."""
    kinds = Counter(fault[1] for fault in data["faults"])
    items: list[tuple[str, str]] = [("expected", "expected"), ("right", "played"), ("wrong", "played wrong")]
    items += [(kind, f"{kind.replace('_', ' ')} {count}") for kind, count in kinds.most_common()]
    x, y = MARGIN, TITLE_HEIGHT + _LINE + 8
    for name, text in items:
        if not kinds and name == "wrong":
            continue
        size = 22 + text_width(text, _TEXT) + 16
        if x + size > width - MARGIN and x > MARGIN:
            x, y = MARGIN, y + _LINE
        if name in ("expected", "right", "wrong"):
            _draw_swatch(svg, x, y, name)
        else:
            _draw_mark(svg, SHAPES.get(name, OTHER), x + 8, y)
        svg.text(x + 20, y + 4, text, _TEXT)
        x += size
    return y + 12


def _draw_swatch(svg: Svg, x: float, y: float, name: str) -> None:
    if name == "expected":
        svg.add(_hollow(x, y - 5, 16, 10))
    else:
        svg.rect(x, y - 4, 16, 8, RIGHT_COLOUR if name == "right" else WRONG_COLOUR, 2)


def _hollow(x: float, y: float, width: float, height: float) -> str:
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" rx="2"'
        f' fill="none" stroke="{EXPECTED_COLOUR}" stroke-width="1.4"/>'
    )


def _draw_mark(svg: Svg, shape: FaultShape, x: float, y: float) -> None:
    """Draw the mark of a fault with a white edge, so that it can be seen on a note."""
    place = f'transform="translate({number(x)} {number(y)})" d="{shape.path}"'
    svg.add(f'<path {place} fill="none" stroke="{colours.SHEET}" stroke-width="4.6" stroke-linejoin="round"/>')
    paint = f'fill="{shape.colour}"' if shape.is_filled else f'fill="none" stroke="{shape.colour}" stroke-width="2"'
    svg.add(f"<path {place} {paint}/>")


def _draw_system(svg: Svg, data: dict[str, Any], system: TakeSystem, pane: Pane, left: float, right: float) -> None:
    layout = PictureLayout(left, right, pane.top, pane.bottom, pane, None)
    axis = TimeAxis(Fraction(system.start), Fraction(system.end), left, right)
    draw_rows(svg, layout)
    lines = [(axis.x(time), bar) for time, bar in data["bars"] if system.start <= time < system.end]
    svg.path([vertical(x, pane.top, pane.bottom) for x, _ in lines], colours.BAR_LINE)
    draw_numbers(svg, [TimeMark(x, str(bar)) for x, bar in lines], pane.top - NUMBERS_HEIGHT, right)
    marks = second_marks(axis, 1, max(2, int((right - left) // 70)))
    draw_numbers(svg, marks, pane.bottom, right + 12)
    draw_keyboard(svg, left, pane)
    tops, row = pane.tops(), pane.row_height
    lowest, highest = pane.pitches[-1], pane.pitches[0]
    for start, end, pitch, is_right in data["played"]:
        if _is_in(system, start, end):
            x, until = max(axis.x(start), left), min(axis.x(end), right)
            near = min(max(round(pitch), lowest), highest)
            y = tops[near] - (pitch - round(pitch)) * row
            colour = RIGHT_COLOUR if is_right else WRONG_COLOUR
            svg.rect(x, y + 0.16 * row, max(until - x, 2), 0.68 * row, colour, 2)
    for start, end, pitch in data["expected"]:
        if _is_in(system, start, end):
            x, until = max(axis.x(start), left), min(axis.x(end), right)
            svg.add(_hollow(x, tops[pitch] + 0.5, max(until - x, 2), row - 1))
    for time, _ in data["restarts"]:
        if system.start <= time < system.end:
            _draw_restart(svg, axis.x(time), pane)
    for index, (time, kind, _, _, pitch, *_) in enumerate(data["faults"], start=1):
        if system.start <= time < system.end:
            y = tops[min(max(pitch, lowest), highest)] + row / 2
            _draw_fault(svg, SHAPES.get(kind, OTHER), axis.x(time), y, index, pane)
    outline = f"M{left:g} {pane.top + 0.5:g}H{right - 0.5:g}V{pane.bottom - 0.5:g}H{left:g}"
    svg.path([outline], colours.BAR_LINE)


def _is_in(system: TakeSystem, start: float, end: float) -> bool:
    return system.start - _SLIVER_S <= start < system.end or (start < system.end and end > system.start + _SLIVER_S)


def _draw_restart(svg: Svg, x: float, pane: Pane) -> None:
    svg.add(
        f'<path d="M{number(x - 3)} {pane.top:g}V{pane.bottom:g}" stroke="{colours.INK}" stroke-dasharray="2 3"'
        f' stroke-width="1.4" class="restart"/>'
    )
    svg.rect(x, pane.bottom - 14, text_width(_AGAIN, 10, bold=True) + 4, 13, colours.SHEET, 2)
    svg.text(x + 2, pane.bottom - 4, _AGAIN, 10, colours.INK, bold=True)


def _draw_fault(svg: Svg, shape: FaultShape, x: float, y: float, index: int, pane: Pane) -> None:
    svg.add('<g class="fault">')
    _draw_mark(svg, shape, x, y)
    if index <= MOST_LISTED:
        above = y - 8 if y - 18 > pane.top else y + 17
        text = str(index)
        half = text_width(text, 10, bold=True) / 2
        svg.rect(x - half - 2, above - 9, 2 * half + 4, 11, colours.SHEET, 2)
        svg.text(x, above, text, 10, colours.INK, bold=True, anchor="middle")
    svg.add("</g>")


def _draw_lists(svg: Svg, data: dict[str, Any], advice: Sequence[str], top: float, width: int) -> float:
    """Write the faults, in two columns if there is room, and the advice. Return the bottom of the picture."""
    faults = data["faults"][:MOST_LISTED]
    columns = 2 if width >= _WIDE and len(faults) > 4 else 1
    per_column = -(-len(faults) // columns) if faults else 0
    room = (width - 2 * MARGIN) / columns
    y = top + 8
    for index, fault in enumerate(faults):
        x = MARGIN + room * (index // per_column)
        line = y + _LINE * (index % per_column)
        svg.text(x + 16, line + 4, str(index + 1), _TEXT, bold=True, anchor="end")
        _draw_mark(svg, SHAPES.get(fault[1], OTHER), x + 28, line)
        svg.text(x + 40, line + 4, fit_text(clean_line(_words(fault)), _TEXT, room - 44), _TEXT)
    y += _LINE * per_column
    if len(data["faults"]) > MOST_LISTED:
        svg.text(MARGIN, y + 4, f"and {len(data['faults']) - MOST_LISTED} more", _TEXT, colours.GREY_INK)
        y += _LINE
    for heading, texts in (("Remarks", data["remarks"]), ("Practise", advice)):
        if texts:
            y = _draw_points(svg, heading, texts, y + 10, width)
    return y + 10


def _draw_points(svg: Svg, heading: str, texts: Sequence[str], top: float, width: int) -> float:
    """Write a heading and a list of points. Return its bottom."""
    svg.text(MARGIN, top + 4, heading, 13, bold=True)
    y = top + _LINE
    for text in texts:
        svg.add(f'<circle cx="{MARGIN + 4:g}" cy="{number(y)}" r="2" fill="{colours.INK}"/>')
        for part in _wrapped(clean_line(text), width - 2 * MARGIN - 14):
            svg.text(MARGIN + 14, y + 4, part, _TEXT)
            y += _LINE
    return y


def numbered_faults(data: dict[str, Any]) -> list[str]:
    """Return the faults with the numbers of their marks, such as `1. bar 1, beat 3 (0:01.3): E4 played as F4, serious`.

    Further faults have marks without numbers.
    """
    return [f"{index}. {_words(fault)}" for index, fault in enumerate(data["faults"][:MOST_LISTED], start=1)]


def _words(fault: list[Any]) -> str:
    time, _, text, severity, _, bar, beat = fault
    at = clock(Fraction(round(10 * time), 10))
    return f"bar {bar}, beat {round(beat, 2):g} ({at}): {text}, {_SEVERITY_WORDS[severity]}"


def _wrapped(text: str, room: float) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(joined, _TEXT) <= room:
            lines[-1] = joined
        else:
            lines.append(word)
    return lines
