"""What stands where on an engraved page."""

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from consort_compose.notation.engraving.verovio_toolkit import VerovioToolkit
from consort_compose.notation.make_notation import NotationWork, make_notation
from consort_compose.notation.models import MidiToNotation
from consort_music.chords.timed_chords import ChordMark
from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.notation.note_list import parse_note_list
from consort_music.score import Part, Score
from consort_music.score_json import score_to_json

SVG = "{http://www.w3.org/2000/svg}"
_MOVED = re.compile(r"translate\((-?[\d.]+), ?(-?[\d.]+)\)")


@pytest.fixture(scope="module")
def fonts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fonts")


def score_of(notes: str, instrument: str | None = None, **more: Any) -> Score:
    return Score((Part.of("Part", parse_note_list(notes).parts[0].notes, instrument),), **more)


def page_of(score: Score, folder: Path, fonts: Path, document: str = "sheet", **options: Any) -> ET.Element:
    source = {"kind": "score", "score": score_to_json(score), "marks": options.pop("marks", [])}
    request = MidiToNotation(music="-", **options).model_dump(mode="json")
    make_notation(NotationWork(source, request, folder, fonts))
    return ET.parse(folder / f"{document}-1.svg").getroot()


def groups(page: ET.Element, name: str) -> list[ET.Element]:
    return [group for group in page.iter(f"{SVG}g") if name in (group.get("class") or "").split()]


def places(group: ET.Element) -> Iterator[tuple[float, float, float]]:
    """Yield x, y and scale of the characters of a group."""
    for use in group.iter(f"{SVG}use"):
        at = use.get("transform") or ""
        found, scale = _MOVED.search(at), re.search(r"scale\(([\d.]+)", at)
        assert found and scale
        yield float(found[1]), float(found[2]), float(scale[1])


def heights(page: ET.Element, name: str) -> list[float]:
    return [y for group in groups(page, name) for _, y, _ in places(group)]


def test_a_tempo_stands_above_the_chords_and_does_not_touch_the_mark(tmp_path: Path, fonts: Path) -> None:
    score = score_of("C4:w D4:w", chords=(ChordMark(Fraction(0), "Cmaj7"),), tempos=((Fraction(0), Fraction(96)),))
    page = page_of(score, tmp_path, fonts, marks=[["0", "A"]])
    assert max(heights(page, "reh")) < min(heights(page, "harm"))
    (mark,) = groups(page, "reh")
    (box,) = mark.iter(f"{SVG}rect")
    letter, *tempo = sorted(places(mark))
    assert float(box.get("x") or 0) < letter[0] < float(box.get("x") or 0) + float(box.get("width") or 0) < tempo[0][0]


def test_flats_and_sharps_of_chords_are_signs(tmp_path: Path, fonts: Path) -> None:
    """The letter b after the root is a sign in any case, and those before numbers are drawn as the same sign."""
    pages = []
    for name in ("Bb7b9", "Bb7♭9"):
        (tmp_path / name).mkdir()
        score = score_of("C4:w", chords=(ChordMark(Fraction(0), name),))
        (drawn,) = groups(page_of(score, tmp_path / name, fonts), "harm")
        pages.append(
            [use.get("{http://www.w3.org/1999/xlink}href") or use.get("href") for use in drawn.iter(f"{SVG}use")]
        )
    plain, signed = pages
    assert len(plain) == 5 and plain[1] == plain[3] and plain == signed


def test_a_tempo_within_a_bar_stays_where_it_is(tmp_path: Path, fonts: Path) -> None:
    page = page_of(
        score_of("C4:h D4:h", tempos=((Fraction(0), Fraction(96)), (Fraction(2), Fraction(60)))), tmp_path, fonts
    )
    assert len(groups(page, "reh")) == 1 and len(groups(page, "tempo")) == 1


def test_lines_are_balanced(tmp_path: Path, fonts: Path) -> None:
    page = page_of(score_of("C4:s D4:s E4:s F4:s G4:s A4:s B4:s C5:s " * 10), tmp_path, fonts)
    lines = [len(groups(system, "measure")) for system in groups(page, "system")]
    assert sum(lines) == 5 and len(lines) > 1 and max(lines) - min(lines) <= 1


def test_text_above_tabs_is_as_large_as_above_staves(tmp_path: Path, fonts: Path) -> None:
    score = score_of("C4:w", "Acoustic Guitar (nylon)", chords=(ChordMark(Fraction(0), "C"),))
    sizes = []
    for document in ("sheet", "tabs"):
        page = page_of(score, tmp_path, fonts, document, format="both")
        sizes += [scale for group in groups(page, "harm") for _, _, scale in places(group)]
    assert sizes[0] == pytest.approx(sizes[1], rel=0.01)


def test_a_bracket_joins_a_staff_and_its_tab(tmp_path: Path, fonts: Path) -> None:
    guitar = page_of(score_of("C4:w", "Acoustic Guitar (nylon)"), tmp_path, fonts, format="both")
    piano = page_of(score_of("C3+C5:w", "Acoustic Grand Piano"), tmp_path, fonts)
    (bracket,), (brace,) = ([*groups(page, "grpSym")[0].iter(f"{SVG}path")][:1] for page in (guitar, piano))
    assert "C" not in (bracket.get("d") or "C") and "C" in (brace.get("d") or "")


def test_chord_diagrams_stand_between_the_title_and_the_music(tmp_path: Path, fonts: Path) -> None:
    score = score_of("C4:w", chords=(ChordMark(Fraction(0), "C"),), title="Title")
    page = page_of(score, tmp_path, fonts, chord_diagrams=True)
    inner = page.find(f"{SVG}svg")
    assert inner is not None
    units = float((inner.get("viewBox") or "").split()[2]) / float((page.get("width") or "").removesuffix("px"))
    margin = _MOVED.search(groups(page, "page-margin")[0].get("transform") or "")
    moved = _MOVED.search(groups(page, "system")[0].get("transform") or "")
    assert margin and moved
    title = (float(margin[2]) + max(heights(page, "pgHead"))) / units
    music = (float(margin[2]) + float(moved[2]) + min(heights(page, "harm"))) / units
    drawn = [
        float(dot.get("cy") or 0) for group in groups(page, "chordDiagrams") for dot in group.iter(f"{SVG}ellipse")
    ]
    assert title < min(drawn) <= max(drawn) < music


def test_warnings_of_verovio_are_noticed() -> None:
    """Otherwise the tests that expect none would prove nothing."""
    toolkit = VerovioToolkit({})
    good = write_musicxml(score_of("C4:q D4:q E4:h"))
    assert toolkit.load(good) and toolkit.page(1).startswith("<svg") and toolkit.warnings == []
    toolkit.load(good.replace("<type>quarter</type>", "<type>unknown</type>"))
    assert "unknown" in " ".join(toolkit.warnings)


def test_the_name_of_a_note_out_of_range_is_not_part_of_the_tempo(tmp_path: Path, fonts: Path) -> None:
    score = score_of("C1:q E4:hd", "Acoustic Guitar (nylon)", tempos=((Fraction(0), Fraction(96)),))
    page = page_of(score, tmp_path, fonts, format="both")
    assert len(groups(page, "dir")) == 1 and len(groups(page, "reh")) == 1


def test_names_end_at_one_place_with_and_without_a_bracket(tmp_path: Path, fonts: Path) -> None:
    notes = parse_note_list("C4:w D4:w").parts[0].notes
    score = Score(tuple(Part.of("Name", notes, instrument) for instrument in ("Flute", "Oboe", "Cello")))
    labels = groups(page_of(score, tmp_path, fonts), "label")
    assert len(labels) == 3
    assert len({max(x for x, _, _ in places(label)) for label in labels}) == 1
