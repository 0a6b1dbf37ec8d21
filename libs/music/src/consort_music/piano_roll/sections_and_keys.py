"""Draw section names and key changes in a line above the ruler."""

from collections.abc import Sequence
from typing import NamedTuple

from consort_music.midi.model import META_MARKER, Track
from consort_music.midi.summary import KeySignatureEvent
from consort_music.midi.tempo_map import metas_in_order
from consort_music.midi.track_names import decode_name
from consort_music.piano_roll.layout import LABELS_HEIGHT, SECTIONS_HEIGHT, PictureLayout
from consort_music.pictures import colours
from consort_music.pictures.labels import Label, LabelRow, find_labels
from consort_music.pictures.svg import Svg, clean_line, fit_text, text_width, vertical
from consort_music.pictures.time_axis import NUMBERS_HEIGHT, TimeAxis

_SIZE = 11.5
_WIDEST_NAME = 160.0
_SECTION_MAY_SLIP = 0.0
_KEY_MAY_SLIP = 200.0
_INDENT = 4.0


class SectionsAndKeys(NamedTuple):
    """Sections and keys, each as pairs (tick, text)."""

    sections: list[tuple[int, str]]
    keys: list[tuple[int, str]]

    def __bool__(self) -> bool:
        return bool(self.sections or self.keys)


def find_sections_and_keys(tracks: Sequence[Track], signatures: Sequence[KeySignatureEvent]) -> SectionsAndKeys:
    """Return the markers as sections, and the keys if there are several. A single key is shown in the title line."""
    sections, _ = metas_in_order(tracks, META_MARKER, lambda payload: clean_line(decode_name(payload)) or None)
    keys = [(each.tick, each.key) for each in signatures]
    return SectionsAndKeys(sections, keys if len({key for _, key in keys}) > 1 else [])


def draw_sections_and_keys(svg: Svg, layout: PictureLayout, axis: TimeAxis, sections_and_keys: SectionsAndKeys) -> None:
    bottom = layout.top - NUMBERS_HEIGHT - LABELS_HEIGHT
    line = LabelRow(layout.right + 2)
    starts: list[str] = []
    for label in find_labels(axis, sections_and_keys.sections):
        name = fit_text(label.text, _SIZE, min(_WIDEST_NAME, label.right - label.left - 2 * _INDENT), bold=True)
        x = line.place(label, _INDENT + text_width(name, _SIZE, bold=True), _SECTION_MAY_SLIP) if name else None
        if x is not None:
            svg.text(x + _INDENT, bottom - 4, name, _SIZE, bold=True)
        starts += _section_start(layout, axis, label)
    svg.path(starts, colours.GREY_INK)
    for label in find_labels(axis, sections_and_keys.keys):
        x = line.place(label, _INDENT + text_width(label.text, _SIZE), _KEY_MAY_SLIP)
        if x is not None:
            svg.text(x + _INDENT, bottom - 4, label.text, _SIZE, colours.GREY_INK)


def _section_start(layout: PictureLayout, axis: TimeAxis, label: Label) -> list[str]:
    """Return the vertical lines at the start of a section, from its name down through the roll."""
    if label.left <= axis.left:
        return []
    top = layout.top - NUMBERS_HEIGHT - LABELS_HEIGHT - SECTIONS_HEIGHT
    lines = [vertical(label.left, top + 3, layout.top)]
    return lines + [vertical(min(label.left, layout.right - 1), pane.top, pane.bottom) for pane in layout.panes]
