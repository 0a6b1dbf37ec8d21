"""Divide the picture into areas: title and legend, rulers, waveform, spectrogram and seconds, from top to bottom."""

from dataclasses import dataclass
from itertools import pairwise

from consort_music.piano_roll.layout import FOOT_HEIGHT, KEYBOARD_WIDTH, LABELS_HEIGHT
from consort_music.pictures.heading import LEGEND_ROW, MARGIN, TITLE_HEIGHT
from consort_music.pictures.time_axis import NUMBERS_HEIGHT

_GAP = 8
_INSET = 3  # between the border of a pane and the time axis, so that sound at the very start or end is seen
_WAVEFORM_SHARE = 0.27
_SMALLEST_LANE = 34
_GAP_BELOW_LEGEND = 4


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the picture between two heights, in whole pixels."""

    top: int
    bottom: int

    @property
    def height(self) -> int:
        return self.bottom - self.top


@dataclass(frozen=True, slots=True)
class AudioLayout:
    """The areas of a picture. `left` and `right` limit the time axis, which the panes exceed a little.

    A line that is not needed is None.
    """

    left: int
    right: int
    faults: Area | None
    chords: Area | None
    bar_numbers: Area | None
    lanes: tuple[Area, ...]
    spectrogram: Area | None
    seconds: Area

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def pane_left(self) -> int:
        return self.left - _INSET

    @property
    def pane_right(self) -> int:
        return self.right + _INSET

    @property
    def waveform(self) -> Area:
        return Area(self.lanes[0].top, self.lanes[-1].bottom)

    @property
    def panes(self) -> list[Area]:
        return [self.waveform, *([self.spectrogram] if self.spectrogram else [])]


def horizontal_edges(width: int) -> tuple[int, int]:
    """Return the left and the right edge of the time axis of a picture."""
    return int(MARGIN + KEYBOARD_WIDTH) + _INSET, width - int(MARGIN) - _INSET


def divide_audio_picture(
    width: int,
    height: int,
    *,
    lanes: int,
    legend_rows: int,
    has_spectrogram: bool,
    has_faults: bool,
    has_chords: bool,
    has_bars: bool,
) -> AudioLayout:
    """Return the layout of a picture. Lanes that would be too low are replaced by one."""
    left, right = horizontal_edges(width)
    y = int(TITLE_HEIGHT + LEGEND_ROW * legend_rows) + (_GAP_BELOW_LEGEND if legend_rows else 0)
    lines: list[Area | None] = []
    for is_needed, line in ((has_faults, LABELS_HEIGHT), (has_chords, LABELS_HEIGHT), (has_bars, NUMBERS_HEIGHT)):
        lines.append(Area(y, y + int(line)) if is_needed else None)
        y += int(line) if is_needed else 0
    bottom = height - int(FOOT_HEIGHT) - int(NUMBERS_HEIGHT)
    room = bottom - y
    waveform = int(room * _WAVEFORM_SHARE) if has_spectrogram else room
    lanes = lanes if waveform // lanes >= _SMALLEST_LANE else 1
    edges = [y + waveform * each // lanes for each in range(lanes + 1)]
    spectrogram = Area(edges[-1] + _GAP, bottom) if has_spectrogram else None
    return AudioLayout(
        left=left,
        right=right,
        faults=lines[0],
        chords=lines[1],
        bar_numbers=lines[2],
        lanes=tuple(Area(top, end) for top, end in pairwise(edges)),
        spectrogram=spectrogram,
        seconds=Area(bottom, bottom + int(NUMBERS_HEIGHT)),
    )
