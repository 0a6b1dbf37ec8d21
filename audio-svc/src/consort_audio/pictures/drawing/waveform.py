"""Draw the lanes of a waveform: the range of the samples, the RMS value inside it, and marks where it is clipped.

The scale is linear. Quiet audio is enlarged in steps of 6 dB, and the level at the edge of a lane is written beside it.
"""

import math

import numpy as np
from numpy.typing import NDArray

from consort_audio.pictures.drawing.layout import Area, AudioLayout
from consort_audio.pictures.measuring.envelope import Envelope
from consort_music.pictures import colours
from consort_music.pictures.svg import Svg, horizontal, number

WAVE_COLOUR = colours.PALETTE[0]
RANGE_COLOUR = colours.mix_colours(WAVE_COLOUR, colours.SHEET, 0.42)
CLIPPED_COLOUR = colours.PALETTE[1]
SILENCE_DB = -96.0
"""Quieter audio is not enlarged further: 16 bits have no more to show."""

_STEP_DB = 6.0
_FILL = 0.96  # the share of a lane that the loudest sample may fill
_LABEL_SIZE = 10.0
_THINNEST = 0.8
_FEWEST_PIXELS_FOR_DOTS = 6.0
_CLIP_MARK = 4.0  # half the width of a triangle


def scale_db(peak: float) -> float:
    """Return the level in dB at the edge of a lane: 0, -6, -12 … so that the peak just fits."""
    if peak <= 10 ** (SILENCE_DB / 20):
        return 0.0
    return _STEP_DB * math.ceil(20 * math.log10(peak) / _STEP_DB - 1e-9) + 0.0  # not -0


def draw_waveform(svg: Svg, layout: AudioLayout, envelope: Envelope) -> None:
    """Draw all lanes, from the left channel down."""
    edge_db = scale_db(envelope.peak)
    full = 10 ** (edge_db / 20)
    low, high, rms = envelope.low, envelope.high, envelope.rms
    if len(layout.lanes) < len(low):
        low, high = low.min(axis=0, keepdims=True), high.max(axis=0, keepdims=True)
        rms = np.sqrt(np.square(rms).mean(axis=0, keepdims=True))
    names = ("L", "R") if len(layout.lanes) == 2 else ("",)
    for index, lane in enumerate(layout.lanes):
        _draw_axis(svg, layout, lane, names[index], edge_db)
        if envelope.samples is not None and len(envelope.samples) == len(layout.lanes):
            _draw_curve(svg, layout, lane, envelope.samples[index] / full)
        else:
            _draw_range(svg, layout, lane, low[index] / full, high[index] / full, RANGE_COLOUR)
            _draw_range(svg, layout, lane, -rms[index] / full, rms[index] / full, WAVE_COLOUR)
    svg.path(
        [horizontal(lane.top, layout.pane_left, layout.pane_right) for lane in layout.lanes[1:]], colours.OCTAVE_LINE
    )


def draw_clipping(svg: Svg, layout: AudioLayout, envelope: Envelope) -> None:
    """Mark clipped columns by a line at the top of the waveform and a triangle that points to it."""
    clipped = np.flatnonzero(envelope.clipped)
    if not len(clipped):
        return
    top = layout.waveform.top
    starts = clipped[np.diff(clipped, prepend=-9) > 1]
    svg.add(f'<g class="clipped" fill="{CLIPPED_COLOUR}">')
    for column in clipped:
        svg.rect(layout.left + int(column), top + 1, 1, 3, CLIPPED_COLOUR)
    free_from = -math.inf
    for column in starts:
        x = min(max(layout.left + int(column) + 0.5, layout.left + _CLIP_MARK), layout.right - _CLIP_MARK)
        if x >= free_from:
            left, right = number(x - _CLIP_MARK), number(x + _CLIP_MARK)
            svg.add(f'<path d="M{left} {top + 3}H{right}L{number(x)} {top + 10}z"/>')
            free_from = x + 3 * _CLIP_MARK
    svg.add("</g>")


def _draw_axis(svg: Svg, layout: AudioLayout, lane: Area, name: str, edge_db: float) -> None:
    middle = (lane.top + lane.bottom) / 2
    svg.path([horizontal(middle, layout.pane_left, layout.pane_right)], colours.OCTAVE_LINE)
    x = layout.pane_left - 6
    svg.text(x, middle + 4, name, 11, colours.INK, bold=True, anchor="end")
    svg.text(x, lane.top + 10, f"{edge_db:g} dB", _LABEL_SIZE, colours.GREY_INK, anchor="end")


def _draw_range(
    svg: Svg, layout: AudioLayout, lane: Area, low: NDArray[np.float64], high: NDArray[np.float64], colour: str
) -> None:
    """Fill the area between two curves, at least a thin line."""
    middle, half = (lane.top + lane.bottom) / 2, lane.height / 2 * _FILL
    top = middle - np.clip(np.where(np.isfinite(high), high, 0), -1, 1) * half
    bottom = middle - np.clip(np.where(np.isfinite(low), low, 0), -1, 1) * half
    thin = np.maximum(_THINNEST - (bottom - top), 0) / 2
    top, bottom = np.pad(top - thin, 1, mode="edge"), np.pad(bottom + thin, 1, mode="edge")
    xs = np.concatenate(([layout.left], layout.left + np.arange(len(high)) + 0.5, [layout.right]))
    upper = " ".join(f"{x:g},{y:.1f}" for x, y in zip(xs, top, strict=True))
    lower = " ".join(f"{x:g},{y:.1f}" for x, y in zip(xs[::-1], bottom[::-1], strict=True))
    svg.add(f'<polygon points="{upper} {lower}" fill="{colour}"/>')


def _draw_curve(svg: Svg, layout: AudioLayout, lane: Area, samples: NDArray[np.float32]) -> None:
    """Draw a line through the samples, each in the middle of its time; with dots if there are few."""
    middle, half = (lane.top + lane.bottom) / 2, lane.height / 2 * _FILL
    step = layout.width / len(samples)
    xs = layout.left + (np.arange(len(samples)) + 0.5) * step
    ys = middle - np.clip(samples, -1, 1) * half
    points = " ".join(f"{x:.2f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    svg.add(f'<polyline points="{points}" fill="none" stroke="{WAVE_COLOUR}" stroke-width="1.2"/>')
    if step >= _FEWEST_PIXELS_FOR_DOTS:
        dots = "".join(f'<circle cx="{x:.2f}" cy="{y:.1f}" r="2.2"/>' for x, y in zip(xs, ys, strict=True))
        svg.add(f'<g fill="{WAVE_COLOUR}">{dots}</g>')
