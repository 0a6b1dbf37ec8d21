"""Music in the formats that only music21 reads: detected, read with the same notes, and refused with a clear error."""

import base64
import io
import zipfile
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from consort_compose.composer.music_sources import ScoreSources
from consort_compose.score_library.other_formats import NAMES, detect_other_format, read_other_format
from consort_kit.http.service_client import ServiceClient
from consort_kit.score_library_folder import score_library_folder
from consort_kit.settings import Settings
from consort_music.errors import MusicError
from consort_music.music_ids import MUSIC_ROUTES
from consort_music.notation.abc.writer import write_abc
from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.notation.note_list import format_note_list, parse_note_list
from consort_music.score import Score
from tests.support.song_services import SongServices

FOLDER = score_library_folder()
TUNE = "C4:q D4:e E4:e F#4:h | G4:q R:q Bb4:h"
KERN = "**kern\n*M4/4\n4c\n8d\n8e\n2f#\n=2\n4g\n4r\n2b-\n*-\n"
MEI = """<?xml version="1.0" encoding="UTF-8"?>
<mei xmlns="http://www.music-encoding.org/ns/mei"><music><body><mdiv><score>
<scoreDef meter.count="4" meter.unit="4"><staffGrp>
<staffDef n="1" lines="5" clef.shape="G" clef.line="2"/></staffGrp></scoreDef>
<section><measure n="1"><staff n="1"><layer n="1"><note pname="c" oct="4" dur="4"/><note pname="d" oct="4" dur="8"/>
<note pname="e" oct="4" dur="8"/><note pname="f" oct="4" dur="2" accid="s"/></layer></staff></measure>
<measure n="2"><staff n="1"><layer n="1"><note pname="g" oct="4" dur="4"/><rest dur="4"/>
<note pname="b" oct="4" dur="2" accid="f"/></layer></staff></measure></section></score></mdiv></body></music></mei>"""
TEXTS = {
    "kern": KERN,
    "mei": MEI,
    "tinynotation": "tinyNotation: 4/4 c4 d8 e f#2 g4 r4 b-2",
    "romantext": "Composer: Anon\nTime Signature: 4/4\nm1 C: I b3 V6\nm2 vi b3 V\nm3 I\n",
    "musedata": "1\n2\n3\n4\n$ K:0   Q:4   T:1/1   C:4\nC4     4        q\n",
    "capella": '<?xml version="1.0"?>\n<score xmlns="http://www.whitestar.example/capella/2.0"></score>',
}


def notes_of(score: Score) -> list[tuple[object, ...]]:
    return sorted((note.start, note.duration, note.pitch.name) for part in score.parts for note in part.notes)


@pytest.mark.parametrize("form", NAMES)
def test_a_format_is_detected(form: str) -> None:
    assert detect_other_format(TEXTS[form]) == form


@pytest.mark.parametrize(
    "text",
    [
        TUNE,
        "X:1\nT:Tune\nM:4/4\nK:C\nCDEF|",
        '"Flute" C4:q D4:q',
        write_musicxml(parse_note_list(TUNE)),
        write_abc(parse_note_list(TUNE))[0],
        "some words",
    ],
)
def test_no_other_text_is_taken_for_one_of_them(text: str) -> None:
    assert detect_other_format(text) is None


@pytest.mark.parametrize("form", ["kern", "mei", "tinynotation"])
def test_a_tool_reads_it_like_a_note_list(services: SongServices, form: str) -> None:
    client = ServiceClient(Settings(token="t"), MUSIC_ROUTES)
    sources = ScoreSources(services.scores, services.library, services.reader, client, services.workers)
    for given_form in (None, form):
        score = services.run(sources.read(TEXTS[form], given_form, "music")).score
        assert notes_of(score) == notes_of(parse_note_list(TUNE)), format_note_list(score)


def test_roman_numerals_become_chords() -> None:
    score, _ = read_other_format(TEXTS["romantext"], "romantext", FOLDER)
    starts = sorted({note.start for part in score.parts for note in part.notes})
    sounding = [{n.pitch.midi % 12 for p in score.parts for n in p.notes if n.start == start} for start in starts]
    assert sounding == [{0, 4, 7}, {7, 11, 2}, {9, 0, 4}, {7, 11, 2}, {0, 4, 7}]


CAPELLA = (
    '<?xml version="1.0"?><score xmlns="http://www.whitestar.com/capella/2.0"><layout><staves>'
    '<staffLayout description="v"><notation defaultClef="treble"/></staffLayout></staves></layout><systems><system>'
    '<staves><staff layout="v" defaultTime="3/4"><voices><voice><noteObjects><keySign fifths="1"/>'
    '<timeSign time="3/4"/><chord><duration base="1/4"/><heads><head pitch="G5"/></heads></chord>'
    '<rest><duration base="1/4"/></rest><chord><duration base="1/4"/><heads><head pitch="B5"/><head pitch="D6"/>'
    '</heads></chord><barline type="single"/><chord><duration base="1/2" dots="1"/><heads><head pitch="F5">'
    '<alter step="1"/></head></heads></chord></noteObjects></voice></voices></staff></staves></system></systems>'
    "</score>"
)


def capx(xml: str) -> str:
    """Return a .capx file as base64."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("score.xml", xml)
    return base64.b64encode(packed.getvalue()).decode()


@pytest.mark.parametrize("text", [CAPELLA, capx(CAPELLA), f"data:application/zip;base64,{capx(CAPELLA)}"])
def test_capella_is_detected_and_read(text: str) -> None:
    assert detect_other_format(text) == "capella"
    score, _ = read_other_format(text, "capella", FOLDER)
    assert notes_of(score) == [
        (Fraction(0), Fraction(1), "G4"),
        (Fraction(2), Fraction(1), "B4"),
        (Fraction(2), Fraction(1), "D5"),
        (Fraction(3), Fraction(3), "F#4"),
    ]


def test_a_real_capella_file_is_read() -> None:
    file = FOLDER / "music21/capella/Nu_rue_mit_sorgen.capx"
    text = base64.b64encode(file.read_bytes()).decode()
    assert detect_other_format(text) == "capella"
    score, _ = read_other_format(text, "capella", FOLDER)
    assert len(score.parts) == 3 and score.note_count > 200


@pytest.mark.parametrize("form", ["kern", "mei", "tinynotation", "romantext"])
def test_music_without_a_title_gets_none(form: str) -> None:
    assert read_other_format(TEXTS[form], form, FOLDER)[0].title is None


def test_a_title_is_kept() -> None:
    assert read_other_format(f"!!!OTL: The Lark\n{KERN}", "kern", FOLDER)[0].title == "The Lark"


UNREADABLE = ["", "nonsense ∅", "<", "**kern\n4c\t4d\n", "$ K:9999999999", "<!DOCTYPE x [<!ENTITY"]


@pytest.mark.parametrize("form", NAMES)
@pytest.mark.parametrize("text", UNREADABLE)
def test_what_cannot_be_read_is_a_clear_error(form: str, text: str) -> None:
    with pytest.raises(MusicError) as raised:
        read_other_format(text, form, FOLDER)
    assert raised.value.code in ("PARSE_ERROR", "EMPTY_INPUT")
    assert NAMES[form] in raised.value.message or form == "capella"


@given(text=st.text(max_size=60), form=st.sampled_from(sorted(NAMES)))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_text_gives_music_or_a_music_error(text: str, form: str) -> None:
    try:
        score, _ = read_other_format(text, form, FOLDER)
    except MusicError:
        return
    assert score.note_count


def test_too_many_lines_are_rejected_before_music21_reads_them() -> None:
    with pytest.raises(MusicError, match="60,001 lines") as rejected:
        read_other_format("**kern\n" + "4c\n" * 60_000, "kern", FOLDER)
    assert rejected.value.code == "TOO_LARGE"
