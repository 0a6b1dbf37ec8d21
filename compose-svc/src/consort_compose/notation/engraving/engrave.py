"""Engrave MusicXML with verovio. Runs in a child process, so it imports little.

Verovio must not warn: a warning means that our MusicXML is wrong, and something is missing on the page.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from consort_compose.notation.engraving.chord_row import NamedDiagram, add_chord_row
from consort_compose.notation.engraving.chord_signs import signs_in_suffixes
from consort_compose.notation.engraving.fonts import MUSIC, load_fonts
from consort_compose.notation.engraving.page_layout import PageLayout
from consort_compose.notation.engraving.swing_sign import add_swing_sign
from consort_compose.notation.engraving.system_breaks import (
    balanced_lines,
    full_width,
    has_short_last_line,
    with_line_breaks,
)
from consort_compose.notation.engraving.tab_pages import (
    TAB_TEXT_SCALE,
    brackets_for_braces,
    has_tabs_below_staves,
    is_tab_only,
)
from consort_compose.notation.engraving.tempo_marks import tempos_above_chords
from consort_compose.notation.engraving.text_outlines import TextOutliner
from consort_compose.notation.engraving.verovio_toolkit import VerovioToolkit
from consort_music.errors import MusicError

_PIXELS_PER_MM = 96 / 25.4
_DEFAULT_SCALE = 40
"""Verovio's scale at which a staff is 7.2 mm high, as in most printed music."""
_MARGIN_MM = 12
_PAGE = re.compile(r"<defaults>.*</defaults>\n")
"""The paper in the MusicXML, by which verovio would enlarge the title."""
_TITLE_SPACE = 30
"""Verovio's units that a title needs above its line."""

ET.register_namespace("", "http://www.w3.org/2000/svg")
ET.register_namespace("xlink", "http://www.w3.org/1999/xlink")


class EngravedPage(NamedTuple):
    svg: str
    width: int
    height: int
    """In pixels of 1/96 inch."""


def engrave(
    musicxml: str, layout: PageLayout, font_cache: Path, most_pages: int, diagrams: Sequence[NamedDiagram] = ()
) -> Iterator[EngravedPage | str | int]:
    """Yield the number of pages, then the pages, then verovio's warnings, which are empty if all went well.

    Raise MusicError if there are too many pages, and PARSE_ERROR if verovio cannot read the MusicXML.
    """
    source = signs_in_suffixes(tempos_above_chords(_PAGE.sub("", musicxml)))
    toolkit = VerovioToolkit(_options(layout))
    if not toolkit.load(source):
        raise MusicError("PARSE_ERROR", "The music cannot be engraved. Choose other bars or tracks.")
    count = toolkit.page_count
    if count > most_pages:
        raise MusicError(
            "TOO_LARGE",
            f"The music has {count} pages, and at most {most_pages} are engraved. Choose fewer bars or tracks, or a "
            "smaller zoom.",
            field="last_bar",
        )
    yield count
    fonts = load_fonts(font_cache)
    add_swing_sign(fonts[MUSIC])
    scale_above = TAB_TEXT_SCALE if is_tab_only(musicxml) else 1
    has_brackets = has_tabs_below_staves(musicxml)
    for number in range(1, count + 1):
        page = ET.fromstring(toolkit.page(number))
        if count == 1 and has_short_last_line(page):
            page = _balanced(toolkit, source, page)
        _prepare(page)
        _align_names(page)
        if has_brackets:
            brackets_for_braces(page)
        if diagrams and number == 1:
            add_chord_row(page, diagrams)
        TextOutliner(page, fonts, scale_above).replace_all()
        width, height = (round(float((page.get(name) or "0").removesuffix("px"))) for name in ("width", "height"))
        yield EngravedPage(ET.tostring(page, encoding="unicode"), width, height)
    yield "\n".join(toolkit.warnings)


def _balanced(toolkit: VerovioToolkit, source: str, page: ET.Element) -> ET.Element:
    """Return the only page with lines of about the same width, if they can be made so."""
    toolkit.lay_out_again(noJustification=True)
    bars = balanced_lines(ET.fromstring(toolkit.page(1)), full_width(page))
    if not bars:
        return page
    toolkit.load(with_line_breaks(source, bars), noJustification=False, breaks="line")
    return ET.fromstring(toolkit.page(1))


def engrave_to_folder(
    musicxml: str,
    layout: PageLayout,
    font_cache: Path,
    folder: Path,
    name: str,
    most_pages: int,
    diagrams: Sequence[NamedDiagram] = (),
) -> tuple[int, str]:
    """Write the pages as `NAME-1.svg` and so on, and before them `NAME.count`. Return their number and the log."""
    count, number, log = 0, 0, ""
    for made in engrave(musicxml, layout, font_cache, most_pages, diagrams):
        if isinstance(made, int):
            count = made
            (folder / f"{name}.count").write_text(str(count))
        elif isinstance(made, str):
            log = made
        else:
            number += 1
            (folder / f"{name}-{number}.svg").write_text(made.svg, encoding="utf-8")
    return count, log


def _options(layout: PageLayout) -> dict[str, object]:
    width, height = layout.size_mm
    scale = _DEFAULT_SCALE * layout.zoom
    units = _PIXELS_PER_MM * 100 / scale
    margin = round(_MARGIN_MM * units)
    return {
        "scale": round(scale),
        "pageWidth": round(width * units),
        "pageHeight": round(height * units),
        "pageMarginBottom": margin,
        "pageMarginLeft": margin,
        "pageMarginRight": margin,
        "adjustPageHeight": layout.is_cut,
        "justifyVertically": False,
        "breaks": "auto",
        "header": "auto",
        "footer": "none",
        "mnumInterval": 0,
        "minLastJustification": 0.5,
        "svgRemoveXlink": False,
        "smuflTextFont": "none",
        "staffLineWidth": 0.18,
        "lyricWordSpace": 1.8,
        "pageMarginTop": margin + _TITLE_SPACE,
        "bottomMarginHeader": 6,
        "xmlIdSeed": 1,
        "tupletNumHead": False,
        "condense": "none",
        "systemMaxPerPage": 0,
        "multiRestStyle": "block",
    }


def _prepare(page: ET.Element) -> None:
    """Put a white sheet below the music, and remove what nobody sees."""
    for parent in (page, *page):
        for child in list(parent):
            if child.tag.endswith("}style") and "@font-face" in (child.text or ""):
                parent.remove(child)
    sheet = ET.Element("{http://www.w3.org/2000/svg}rect", {"width": "100%", "height": "100%", "style": _SHEET})
    page.insert(0, sheet)


def _align_names(page: ET.Element) -> None:
    """Let the names of each system end at one place: verovio moves those beside a bracket or brace to the left."""
    for system in page.iterfind(".//*[@class='system']"):
        labels = [label for label in system.iter() if label.get("class") in _NAMES]
        names = [text for label in labels for text in label if text.get("x") is not None]
        left = min((float(text.get("x", "0")) for text in names), default=0.0)
        for text in names:
            text.set("x", f"{left:g}")


_NAMES = ("label", "labelAbbr")
_SHEET = "fill:white;stroke:none"
