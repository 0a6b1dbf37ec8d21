"""Draw the lines above a picture: title and facts, then a legend that explains the colours."""

from collections.abc import Sequence
from typing import NamedTuple

from consort_music.pictures import colours
from consort_music.pictures.svg import Svg, clean_line, fit_text, text_width

MARGIN = 16.0
"""Space between the edges of the picture and its contents."""
TITLE_HEIGHT = 40.0
LEGEND_ROW = 20.0
TITLE_BASELINE = 27.0

_TITLE_SIZE = 18.0
_SIZE = 12.0
_SWATCH = 20.0  # width of a colour sample, including the space after it
_BETWEEN = 22.0
_WIDEST_NAME = 170.0
_NARROWEST_NAME = 105.0
_WIDEST_DETAIL = 220.0


class LegendItem(NamedTuple):
    """A colour and what it stands for. `detail` is left out if there is no room for it, `total` is always shown."""

    colour: str
    name: str
    detail: str
    total: int


class LegendEntry(NamedTuple):
    """The text of an item as it is drawn."""

    colour: str
    name: str
    detail: str

    @property
    def width(self) -> float:
        detail = text_width(self.detail, _SIZE) + 6 if self.detail else 0
        return (_SWATCH if self.colour else 0) + text_width(self.name, _SIZE, bold=True) + detail


def draw_title(svg: Svg, right: float, title: str, facts: str) -> None:
    """Draw title and facts in one line that ends at `right`."""
    room = right - MARGIN
    facts_width = min(text_width(facts, _SIZE), room * 0.6)
    title = fit_text(title, _TITLE_SIZE, room - facts_width - 14, bold=True)
    svg.text(MARGIN, TITLE_BASELINE, title, _TITLE_SIZE, bold=True)
    x = MARGIN + (text_width(title, _TITLE_SIZE, bold=True) + 14 if title else 0)
    svg.text(x, TITLE_BASELINE, fit_text(facts, _SIZE, right - x), _SIZE, colours.GREY_INK)


def legend_rows(items: Sequence[LegendItem], width: float, max_rows: int) -> list[list[LegendEntry]]:
    """Return the entries of each row, with details if all entries fit into `max_rows` rows, otherwise shortened.

    If the shortened ones do not fit either, the last entry says how many more there are.
    """
    room = width - 2 * MARGIN
    rows: list[list[LegendEntry]] = []
    for with_detail, widest in ((True, _WIDEST_NAME), (False, _WIDEST_NAME), (False, _NARROWEST_NAME)):
        entries = [_entry(item, with_detail, widest) for item in items[:1000]]
        rows = _flow(entries, room)
        if len(rows) <= max_rows:
            return rows
    shown = sum(map(len, rows[:max_rows]))
    while shown:
        more = LegendEntry("", "", f"and {len(items) - shown} more")
        rows = _flow([*entries[:shown], more], room)
        if len(rows) <= max_rows:
            return rows
        shown -= 1
    return []


def _entry(item: LegendItem, with_detail: bool, widest: float) -> LegendEntry:
    name = fit_text(clean_line(item.name), _SIZE, widest, bold=True)
    count = f"{item.total:,}"
    if with_detail and item.detail:
        return LegendEntry(item.colour, name, f"{fit_text(item.detail, _SIZE, _WIDEST_DETAIL)} · {count}")
    return LegendEntry(item.colour, name, count)


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
