"""Draw a spectrogram as an image, with an axis of notes (the keyboard of the piano roll) or of frequencies.

The darkest colour is the loudest point of the picture, and white is `RANGE_DB` below it or less.
"""

import base64
import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from consort_audio.pictures.drawing.colour_map import LEVELS, colour_at, colour_map
from consort_audio.pictures.drawing.indexed_png import indexed_png
from consort_audio.pictures.drawing.layout import Area, AudioLayout
from consort_audio.pictures.measuring.spectrogram import linear_frequencies, log_frequencies
from consort_music.piano_roll.keyboard import draw_keyboard
from consort_music.piano_roll.layout import Pane
from consort_music.pictures import colours
from consort_music.pictures.svg import Svg, horizontal, text_width

LOWEST_PITCH, HIGHEST_PITCH = 21, 108
"""A0 to C8, the notes of a piano."""
HIGHEST_LINEAR_HZ = 24_000.0
RANGE_DB = 54.0
_CONTRAST = 1.5  # an exponent over 1 makes soft sound paler, so that notes stand out from noise
_SILENCE_DB = -100.0
_LABEL_SIZE = 10.0
_BETWEEN_LABELS = 26
_STEPS_HZ = (100, 200, 500, 1000, 2000, 5000, 10_000)
_KEY_BOX = 9.0


@dataclass(frozen=True, slots=True)
class FrequencyAxis:
    """Maps pitches to heights in the picture, on a scale of notes or of frequencies up to `highest_hz`."""

    kind: Literal["log", "linear"]
    area: Area
    highest_hz: float

    def edges_hz(self) -> NDArray[np.float64]:
        """Return the edges of the rows of pixels, from the top down."""
        if self.kind == "log":
            return log_frequencies(self.area.height, LOWEST_PITCH - 0.5, HIGHEST_PITCH + 0.5)
        return linear_frequencies(self.area.height, self.highest_hz)

    def y(self, pitch: float) -> float:
        """Return the height of a pitch (MIDI number). It is outside the area if the axis does not reach the pitch."""
        if self.kind == "log":
            return self.area.top + (HIGHEST_PITCH + 0.5 - pitch) * self.semitone
        return self.area.bottom - 440 * 2 ** ((pitch - 69) / 12) / self.highest_hz * self.area.height

    @property
    def semitone(self) -> float:
        """The height of a semitone on a scale of notes."""
        return self.area.height / (HIGHEST_PITCH - LOWEST_PITCH + 1)


def frequency_axis(kind: Literal["log", "linear"], area: Area, sample_rate: int) -> FrequencyAxis:
    return FrequencyAxis(kind, area, min(sample_rate / 2, HIGHEST_LINEAR_HZ))


def draw_spectrogram(svg: Svg, layout: AudioLayout, axis: FrequencyAxis, power: NDArray[np.float32]) -> float | None:
    """Draw the image and its axis. Return the level of the loudest point in dB, or None if there is only silence."""
    decibels = 10 * np.log10(np.maximum(power, 1e-14))
    loudest: float | None = float(decibels.max())
    levels = np.zeros(power.shape, dtype=np.uint8)
    if loudest is not None and loudest > _SILENCE_DB:
        shares = np.clip((decibels - loudest) / RANGE_DB + 1, 0, 1) ** _CONTRAST
        levels = np.round(shares * (LEVELS - 1)).astype(np.uint8)
    else:
        loudest = None
    image = base64.b64encode(indexed_png(levels, colour_map())).decode()
    svg.add(
        f'<image x="{layout.left}" y="{axis.area.top}" width="{layout.width}" height="{axis.area.height}"'
        f' preserveAspectRatio="none" image-rendering="optimizeSpeed" href="data:image/png;base64,{image}"/>'
    )
    if axis.kind == "log":
        rows = tuple(range(HIGHEST_PITCH, LOWEST_PITCH - 1, -1))
        draw_keyboard(svg, layout.pane_left, Pane(axis.area.top, axis.semitone, rows))
    else:
        _draw_frequencies(svg, layout, axis)
    return loudest


def draw_level_key(svg: Svg, right: float, loudest_db: float) -> float:
    """Draw the colours of soft and loud so that they end at `right`. Return their left edge."""
    size = 10.5
    loud, soft = (f"{round(level)} dB" for level in (loudest_db, loudest_db - RANGE_DB))
    svg.text(right, 26, loud, size, colours.GREY_INK, anchor="end")
    x = right - text_width(loud, size) - 6
    for share in (1, 0.8, 0.6, 0.4, 0.2):
        x -= _KEY_BOX + 1
        svg.rect(x, 18, _KEY_BOX, _KEY_BOX, colour_at(share), 2)
    svg.text(x - 5, 26, soft, size, colours.GREY_INK, anchor="end")
    return x - 5 - text_width(soft, size)


def _draw_frequencies(svg: Svg, layout: AudioLayout, axis: FrequencyAxis) -> None:
    most = max(1, axis.area.height // _BETWEEN_LABELS)
    step = next((each for each in _STEPS_HZ if axis.highest_hz / each <= most), _STEPS_HZ[-1])
    lines: list[str] = []
    for hertz in range(0, math.floor(axis.highest_hz) + 1, step):
        y = axis.area.bottom - hertz / axis.highest_hz * axis.area.height
        name = f"{hertz / 1000:g} kHz" if hertz >= 1000 else f"{hertz} Hz"
        if y - _LABEL_SIZE >= axis.area.top:
            svg.text(
                layout.pane_left - 8, min(y + 3.5, axis.area.bottom), name, _LABEL_SIZE, colours.GREY_INK, anchor="end"
            )
            lines.append(horizontal(min(y, axis.area.bottom - 1), layout.pane_left - 5, layout.pane_left))
    svg.path(lines, colours.BAR_LINE)
