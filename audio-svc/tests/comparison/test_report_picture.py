"""The picture of a practice report."""

import re
from typing import get_args
from xml.etree import ElementTree

import pytest

from consort_audio.comparison.faults.faults import FaultKind
from consort_audio.comparison.outcome import outcome
from consort_audio.comparison.report.drawing_data import drawing_data
from consort_audio.comparison.report.picture import draw_report
from consort_audio.pictures.drawing.fault_marks import SHAPES
from tests.support.played_takes import judged, play, tune


def report(width: int = 800, *, has_faults: bool = True) -> str:
    music = tune()
    notes = play(music)
    if has_faults:
        notes[3] = notes[3]._replace(pitch=notes[3].pitch + 1)
        notes[12] = notes[12]._replace(start=notes[12].start + 0.22)
        del notes[17]
    take = judged(music, notes)
    found = outcome(take, "test", is_audio=False)
    advice = [spot["advice"] for spot in found["worst_spots"]]
    return draw_report(drawing_data(take, found), title="Take <1>", advice=advice, width=width)


def test_every_fault_is_marked_listed_and_in_the_legend() -> None:
    svg = report()
    assert svg.count('class="fault"') == 3
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    for kind in ("wrong note 1", "late 1", "missing note 1"):
        assert kind in texts
    assert any("G4 played as G#4" in text for text in texts)
    assert "Practise" in texts
    assert {"1", "2", "3"} <= set(texts)


def test_the_marks_of_kinds_have_different_shapes() -> None:
    groups = re.findall(r'<g class="fault">(.*?)</g>', report(), re.DOTALL)
    shapes = [re.search(r' d="([^"]+)"', group) for group in groups]
    assert len({shape[1] for shape in shapes if shape}) == 3


def test_every_kind_of_fault_has_its_own_shape() -> None:
    assert SHAPES.keys() == set(get_args(FaultKind))
    assert len({shape.path for shape in SHAPES.values()}) == len(SHAPES)


def test_expected_and_played_notes_are_both_drawn() -> None:
    svg = report(has_faults=False)
    count = len(tune().notes)
    assert svg.count('fill="none" stroke="#8A867B"') >= count + 1  # and one in the legend
    assert svg.count('fill="#009E73"') >= count + 1
    assert "no faults" in svg


@pytest.mark.parametrize("width", [320, 400, 1200, 2400])
def test_nothing_is_outside_a_picture_of_any_width(width: int) -> None:
    root = ElementTree.fromstring(report(width))
    height = float(root.attrib["height"])
    for element in root.iter():
        if "x" in element.attrib and "y" in element.attrib:
            assert -1 <= float(element.attrib["x"]) <= width
            assert -1 <= float(element.attrib["y"]) <= height
            if "width" in element.attrib:
                assert float(element.attrib["x"]) + float(element.attrib["width"]) <= width + 1


def test_a_narrow_picture_has_more_systems() -> None:
    def systems(svg: str) -> int:
        return len(re.findall(r'font-weight="600" text-anchor="end">C4<', svg))

    assert systems(report(360)) > systems(report(1200)) >= 1


def test_a_note_far_away_does_not_make_the_others_small() -> None:
    music = tune()
    notes = play(music)
    notes[3] = notes[3]._replace(pitch=23.0)
    take = judged(music, notes)
    svg = draw_report(drawing_data(take, outcome(take, "test", is_audio=False)), title="Take", advice=[], width=800)
    assert ">C1<" not in svg and svg.count('class="fault"') == 1


def test_a_take_without_notes_has_a_remark_and_is_not_called_faultless() -> None:
    take = judged(tune(), [])
    svg = draw_report(drawing_data(take, outcome(take, "test", is_audio=True)), title="Take", advice=[], width=800)
    assert "No notes were heard in this take." in svg and "no faults" not in svg
