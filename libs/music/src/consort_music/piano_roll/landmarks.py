"""The form of a piece: names of sections and changes of key, in a separate line above the ruler."""

from collections.abc import Sequence
from typing import NamedTuple

from consort_music.midi.model import META_MARKER, Track
from consort_music.midi.summary import KeySignature
from consort_music.midi.timing import metas_in_order
from consort_music.midi.track_names import decode_name
from consort_music.piano_roll import colours
from consort_music.piano_roll.frame import LANDMARKS_HEIGHT, MARKS_HEIGHT, NUMBERS_HEIGHT, Frame
from consort_music.piano_roll.marks import Line, Mark, marks_of
from consort_music.piano_roll.shapes import Axis
from consort_music.piano_roll.svg import Svg, clean, fitted, text_width, vertical

_SIZE = 11.5
_WIDEST_NAME = 160.0
_SECTION_MAY_SLIP = 0.0
_KEY_MAY_SLIP = 200.0
_INDENT = 4.0


class Landmarks(NamedTuple):
    """What is written, each from its tick on."""

    sections: list[tuple[int, str]]
    keys: list[tuple[int, str]]

    def __bool__(self) -> bool:
        return bool(self.sections or self.keys)


def find_landmarks(tracks: Sequence[Track], signatures: Sequence[KeySignature]) -> Landmarks:
    """Markers as sections; keys only where there are several, for the first one is among the facts."""
    sections, _ = metas_in_order(tracks, META_MARKER, lambda payload: clean(decode_name(payload)) or None)
    keys = [(each.tick, each.key) for each in signatures]
    return Landmarks(sections, keys if len({key for _, key in keys}) > 1 else [])


def draw_landmarks(svg: Svg, frame: Frame, axis: Axis, landmarks: Landmarks) -> None:
    bottom = frame.top - NUMBERS_HEIGHT - MARKS_HEIGHT
    line = Line(frame.right + 2)
    begun: list[str] = []
    for mark in marks_of(axis, landmarks.sections):
        name = fitted(mark.label, _SIZE, min(_WIDEST_NAME, mark.right - mark.left - 2 * _INDENT), bold=True)
        x = line.place(mark, _INDENT + text_width(name, _SIZE, bold=True), _SECTION_MAY_SLIP) if name else None
        if x is not None:
            svg.text(x + _INDENT, bottom - 4, name, _SIZE, bold=True)
        begun += _beginning(frame, axis, mark)
    svg.path(begun, colours.GREY_INK)
    for mark in marks_of(axis, landmarks.keys):
        x = line.place(mark, _INDENT + text_width(mark.label, _SIZE), _KEY_MAY_SLIP)
        if x is not None:
            svg.text(x + _INDENT, bottom - 4, mark.label, _SIZE, colours.GREY_INK)


def _beginning(frame: Frame, axis: Axis, mark: Mark) -> list[str]:
    """A line from the name down through the roll where a section begins."""
    if mark.left <= axis.left:
        return []
    top = frame.top - NUMBERS_HEIGHT - MARKS_HEIGHT - LANDMARKS_HEIGHT
    lines = [vertical(mark.left, top + 3, frame.top)]
    return lines + [vertical(min(mark.left, frame.right - 1), pane.top, pane.bottom) for pane in frame.panes]
