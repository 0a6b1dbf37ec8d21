"""Draw the lines above the roll: title, facts, the shades of loudness, and the colours of voices."""

from collections.abc import Sequence
from typing import NamedTuple

from consort_music.piano_roll import colours
from consort_music.piano_roll.layout import LEGEND_ROW, MARGIN, TITLE_HEIGHT
from consort_music.piano_roll.svg import Svg, clean_line, fit_text, text_width
from consort_music.piano_roll.voices import DrawnVoice

_SIZE = 12.0
_SWATCH = 20.0  # width of a colour sample, including the space after it
_BETWEEN = 22.0
_WIDEST_NAME = 170.0
_NARROWEST_NAME = 105.0
_WIDEST_DETAIL = 220.0
_KEY_BOX = 9.0


class LegendEntry(NamedTuple):
    colour: str
    name: str
    detail: str

    @property
    def width(self) -> float:
        detail = text_width(self.detail, _SIZE) + 6 if self.detail else 0
        return (_SWATCH if self.colour else 0) + text_width(self.name, _SIZE, bold=True) + detail


def legend_rows(voices: Sequence[DrawnVoice], width: float, max_rows: int) -> list[list[LegendEntry]]:
    """Return the entries of each row, with details if all entries fit into `max_rows` rows, otherwise shortened.

    If the shortened ones do not fit either, the last entry says how many more voices there are.
    """
    room = width - 2 * MARGIN
    rows: list[list[LegendEntry]] = []
    for with_detail, widest in ((True, _WIDEST_NAME), (False, _WIDEST_NAME), (False, _NARROWEST_NAME)):
        entries = [_entry(voice, with_detail, widest) for voice in voices[:1000]]
        rows = _flow(entries, room)
        if len(rows) <= max_rows:
            return rows
    shown = sum(map(len, rows[:max_rows]))
    while shown:
        more = LegendEntry("", "", f"and {len(voices) - shown} more")
        rows = _flow([*entries[:shown], more], room)
        if len(rows) <= max_rows:
            return rows
        shown -= 1
    return []


def _entry(voice: DrawnVoice, with_detail: bool, widest: float) -> LegendEntry:
    name = fit_text(clean_line(voice.name), _SIZE, widest, bold=True)
    notes = f"{len(voice.notes):,}"
    if with_detail and voice.detail:
        return LegendEntry(voice.colour, name, f"{fit_text(voice.detail, _SIZE, _WIDEST_DETAIL)} · {notes}")
    return LegendEntry(voice.colour, name, notes)


def _flow(entries: Sequence[LegendEntry], room: float) -> list[list[LegendEntry]]:
    rows: list[list[LegendEntry]] = []
    used = room
    for entry in entries:
        if used + _BETWEEN + entry.width > room or not rows:
            rows.append([])
            used = -_BETWEEN
        rows[-1].append(entry)
        used += _BETWEEN + entry.width
    return rows


def draw_legend(svg: Svg, rows: Sequence[Sequence[LegendEntry]]) -> None:
    for index, row in enumerate(rows):
        x, baseline = MARGIN, TITLE_HEIGHT + LEGEND_ROW * index + 12
        for entry in row:
            if entry.colour:
                svg.rect(x, baseline - 9, 14, 10, entry.colour, 3)
                x += _SWATCH
            svg.text(x, baseline, entry.name, _SIZE, bold=True)
            x += text_width(entry.name, _SIZE, bold=True) + (6 if entry.name else 0)
            svg.text(x, baseline, entry.detail, _SIZE, colours.GREY_INK)
            x += text_width(entry.detail, _SIZE) + _BETWEEN


def draw_title(svg: Svg, width: float, title: str, facts: str) -> None:
    """Draw title and facts in one line, and the shades of soft and loud notes at its right end."""
    right = width - MARGIN
    if width >= 560:
        right = _draw_velocity_key(svg, right) - 18
    room = right - MARGIN
    facts_width = min(text_width(facts, _SIZE), room * 0.6)
    title = fit_text(title, 18, room - facts_width - 14, bold=True)
    svg.text(MARGIN, 27, title, 18, bold=True)
    x = MARGIN + (text_width(title, 18, bold=True) + 14 if title else 0)
    svg.text(x, 27, fit_text(facts, _SIZE, right - x), _SIZE, colours.GREY_INK)


def _draw_velocity_key(svg: Svg, right: float) -> float:
    """Draw the shades of loudness so that they end at `right`. Return their left edge."""
    size = 10.5
    svg.text(right, 26, "loud", size, colours.GREY_INK, anchor="end")
    x = right - text_width("loud", size) - 6
    for level in reversed(range(0, colours.VELOCITY_LEVELS, 2)):
        x -= _KEY_BOX + 1
        svg.rect(x, 18, _KEY_BOX, _KEY_BOX, colours.shade(colours.DRUM_COLOUR, level), 2)
    svg.text(x - 5, 26, "soft", size, colours.GREY_INK, anchor="end")
    return x - 5 - text_width("soft", size)
