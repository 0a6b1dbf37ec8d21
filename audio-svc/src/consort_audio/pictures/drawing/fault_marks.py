"""Draw faults: a mark with a shape and a colour for its kind above the waveform, a dashed line, and its text."""

from collections.abc import Sequence
from typing import NamedTuple

from consort_audio.pictures.drawing.layout import Area, AudioLayout
from consort_audio.pictures.overlay.model import OverlayFault
from consort_music.pictures import colours
from consort_music.pictures.svg import Svg, clean_line, fit_text, number
from consort_music.pictures.time_axis import TimeAxis

_SIZE = 10.5
_MARK = 11.0  # width of a mark, including the space after it
_WIDEST_TEXT = 150.0
_SHORTEST_TEXT = 9  # letters; a shorter rest of a text says little
_MOST_FAULTS = 400


class FaultShape(NamedTuple):
    """The path of a mark, in a square of 9 pixels around 0, 0; `is_filled`: an area, otherwise lines."""

    path: str
    colour: str
    is_filled: bool = True


_PITCH_COLOUR, _TIME_COLOUR, _LENGTH_COLOUR = colours.PALETTE[1], colours.PALETTE[4], colours.PALETTE[5]
SHAPES = {
    "wrong_note": FaultShape("M-3.5 -3.5L3.5 3.5M-3.5 3.5L3.5 -3.5", _PITCH_COLOUR, False),
    "wrong_octave": FaultShape("M0 -4V4M-2.8 -1.2L0 -4L2.8 -1.2M-2.8 1.2L0 4L2.8 1.2", _PITCH_COLOUR, False),
    "missing_note": FaultShape("M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0", _PITCH_COLOUR, False),
    "extra_note": FaultShape("M-4 0H4M0 -4V4", _PITCH_COLOUR, False),
    "sharp": FaultShape("M-4 3.5H4L0 -4z", _PITCH_COLOUR),
    "flat": FaultShape("M-4 -3.5H4L0 4z", _PITCH_COLOUR),
    "early": FaultShape("M3.5 -4V4L-4 0z", _TIME_COLOUR),
    "late": FaultShape("M-3.5 -4V4L4 0z", _TIME_COLOUR),
    "too_short": FaultShape("M-4 -4V4M-4 0H1", _LENGTH_COLOUR, False),
    "too_long": FaultShape("M-4 -4V4M-4 0H4M4 -4V4", _LENGTH_COLOUR, False),
}
"""The shape of each kind of fault. Sharp and flat point up and down, early and late to the left and to the right."""
OTHER = FaultShape("M0 -4.5L4.5 0L0 4.5L-4.5 0z", _PITCH_COLOUR)


def draw_faults(svg: Svg, layout: AudioLayout, time: TimeAxis, area: Area, faults: Sequence[OverlayFault]) -> None:
    """Draw the marks of faults, at most 400, and the texts for which there is room."""
    shown = faults[:_MOST_FAULTS]
    xs = [time.x(fault.time) for fault in shown]
    middle = (area.top + area.bottom) / 2
    for fault, x in zip(shown, xs, strict=True):
        shape = SHAPES.get(fault.kind, OTHER)
        svg.add(f'<g class="fault" data-kind="{_safe(fault.kind)}" stroke="{shape.colour}" fill="none">')
        line = f"M{number(x)} {area.bottom - 3}V{layout.panes[-1].bottom}"
        svg.add(f'<path d="{line}" stroke-opacity=".75" stroke-dasharray="3 3"/>')
        paint = f'fill="{shape.colour}" stroke="none"' if shape.is_filled else 'stroke-width="1.8"'
        svg.add(f'<path transform="translate({number(x)} {number(middle)})" d="{shape.path}" {paint}/></g>')
    for fault, x, end in zip(shown, xs, [*xs[1:], layout.right + 8.0], strict=True):
        whole = clean_line(fault.text)
        text = fit_text(whole, _SIZE, min(_WIDEST_TEXT, end - x - _MARK - 6))
        if text == whole or len(text) >= _SHORTEST_TEXT:
            svg.text(x + _MARK - 2, middle + 4, text, _SIZE, colours.INK)


def _safe(kind: str) -> str:
    return "".join(char for char in kind[:40] if char.isalnum() or char == "_")
