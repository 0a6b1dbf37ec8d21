"""Divide the picture into areas: title and legend, ruler, roll with keyboard, and drums, from top to bottom."""

from collections.abc import Iterable
from dataclasses import dataclass

from consort_music.instruments import DRUM_MAP
from consort_music.pictures.heading import LEGEND_ROW, MARGIN, TITLE_HEIGHT
from consort_music.pictures.svg import text_width
from consort_music.pictures.time_axis import NUMBERS_HEIGHT

SECTIONS_HEIGHT = 18.0
LABELS_HEIGHT = 19.0
FOOT_HEIGHT = 12.0
DRUM_LABEL_SIZE = 10.0
KEYBOARD_WIDTH = 52.0

_PADDING = 2  # semitones above the highest and below the lowest note
_FEWEST_ROWS = 25  # two octaves
_MIDDLE_C = 60
_GAP_ABOVE_DRUMS = 8.0
_TALLEST_DRUM_ROW = 14.0
_TALLEST_DRUM_ROW_ALONE = 38.0
_DRUMS_SHARE = 0.42


@dataclass(frozen=True, slots=True)
class Pane:
    """Rows of equal height. `pitches` has the MIDI note number of each row, from top to bottom."""

    top: float
    row_height: float
    pitches: tuple[int, ...]

    @property
    def bottom(self) -> float:
        return self.top + self.row_height * len(self.pitches)

    def tops(self) -> dict[int, float]:
        return {pitch: self.top + self.row_height * index for index, pitch in enumerate(self.pitches)}


@dataclass(frozen=True, slots=True)
class PictureLayout:
    """The areas of a picture, in pixels. `left` and `right` limit the time axis, `top` and `bottom` the panes."""

    left: float
    right: float
    top: float
    bottom: float
    roll: Pane | None
    drums: Pane | None

    @property
    def panes(self) -> list[Pane]:
        return [pane for pane in (self.roll, self.drums) if pane is not None]


def divide_picture(
    width: int,
    height: int,
    legend_rows: int,
    pitches: Iterable[int],
    drums: Iterable[int],
    *,
    has_sections: bool = False,
) -> PictureLayout:
    """Return the layout of a picture with these pitches and these drums (MIDI note numbers)."""
    sounding, hit = sorted(set(pitches)), sorted(set(drums), reverse=True)
    top = TITLE_HEIGHT + LEGEND_ROW * legend_rows + LABELS_HEIGHT + NUMBERS_HEIGHT
    top += SECTIONS_HEIGHT if has_sections else 0
    bottom = height - FOOT_HEIGHT
    names = max((text_width(drum_name(pitch), DRUM_LABEL_SIZE) for pitch in hit), default=0)
    left = MARGIN + max(KEYBOARD_WIDTH, min(names + 8, 0.2 * width))
    roll = drum_pane = None
    if hit:
        room = (bottom - top) * (_DRUMS_SHARE if sounding else 1)
        row = min(room / len(hit), _TALLEST_DRUM_ROW if sounding else _TALLEST_DRUM_ROW_ALONE)
        drums_top = bottom - row * len(hit) if sounding else top
        drum_pane = Pane(drums_top, row, tuple(hit))
        bottom, roll_bottom = drum_pane.bottom, drums_top - _GAP_ABOVE_DRUMS
    else:
        roll_bottom = bottom
    if sounding or not hit:
        rows = _pitch_rows(sounding)
        roll = Pane(top, (roll_bottom - top) / len(rows), rows)
    return PictureLayout(left, width - MARGIN, top, bottom, roll, drum_pane)


def drum_name(pitch: int) -> str:
    return DRUM_MAP.get(pitch, f"Note {pitch}")


def _pitch_rows(sounding: list[int]) -> tuple[int, ...]:
    low, high = (sounding[0], sounding[-1]) if sounding else (_MIDDLE_C, _MIDDLE_C)
    low, high = low - _PADDING, high + _PADDING
    missing = max(0, _FEWEST_ROWS - (high - low + 1))
    low, high = low - missing // 2, high + missing - missing // 2
    shift = max(0, -low) - max(0, high - 127)
    low, high = max(0, low + shift), min(127, high + shift)
    return tuple(range(high, low - 1, -1))
