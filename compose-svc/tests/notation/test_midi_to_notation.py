"""midi_to_notation through the service: pages, links, text, errors, jobs and their reports."""

import base64
import re
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient

from consort_compose.app import make_app
from consort_compose.notation.make_notation import NotationWork, make_notation
from consort_compose.notation.models import MidiToNotation
from consort_kit.settings import Settings
from consort_kit.tools.answer_headers import PICTURE_HEADER
from consort_music.errors import MusicError
from consort_music.midi.writer import write_midi
from consort_music.notation.note_list import parse_note_list
from consort_music.notation.to_midi import score_to_midi
from consort_music.printed_measures import PrintedMeasure
from consort_music.score import Part, Score
from consort_music.score_json import score_to_json
from tests.support.servers.storage_servers import ExternalPostgres

PNG = b"\x89PNG\r\n\x1a\n"
TUNE = 'X:1\nT:River\nM:3/4\nL:1/4\nQ:1/4=90\nK:G\n"G"G A B|"D7"A2 F|"G"G3|]\n'


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with ExternalPostgres(tmp_path_factory.mktemp("postgres")) as postgres:
        settings = Settings(data=tmp_path_factory.mktemp("data"), token="t", database_url=postgres.url)
        with TestClient(
            make_app(settings), headers={"Authorization": "Bearer t"}, base_url="http://127.0.0.1"
        ) as found:
            yield found


def call(client: TestClient, **arguments: Any) -> dict[str, Any]:
    answer = client.post("/tools/midi_to_notation", json=arguments)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def path_of(url: str) -> str:
    found = re.search(r"/links/compose(/[^?]*)", url)
    assert found
    return found[1]


def test_removed_characters_are_reported_by_the_job(client: TestClient) -> None:
    answer = call(client, music=TUNE.replace("River", "Ri\u2062ver"), files=["musicxml"])
    assert answer["title"] == "River"
    assert answer["warnings"] == ["Invisible characters were removed from names and texts of the music."]


def test_notes_become_a_page(client: TestClient) -> None:
    answer = client.post("/tools/midi_to_notation", json={"music": "C4:q D4:q E4:h", "title": "Three notes"})
    body = answer.json()
    assert body["format"] == "sheet_music" and body["page_count"] == 1 and "tabs_url" not in body
    assert body["bars"] == [{"bar": 1, "written": "C4:q D4:q E4:h"}]
    page = client.get(path_of(body["sheet_music_url"]))
    assert page.content.startswith(PNG) and page.headers["content-type"] == "image/png"
    assert answer.headers[PICTURE_HEADER] == path_of(body["sheet_music_url"])


def test_all_kinds_of_files(client: TestClient) -> None:
    body = call(client, music=TUNE, format="both", files=["svg", "musicxml", "pdf"], composer="Anon.")
    assert body["page_count"] == 2 == len(body["svg_urls"]) and "page_urls" not in body  # the first pages are all
    assert (body["key"], body["time_signature"], body["bar_count"], body["title"]) == ("G major", "3/4", 3, "River")
    assert client.get(path_of(body["pdf_url"])).content.startswith(b"%PDF-")
    musicxml = client.get(path_of(body["musicxml_url"])).text
    assert "<sign>TAB</sign>" in musicxml and "<fret>" in musicxml and "Anon." in musicxml
    svg = client.get(path_of(body["svg_urls"][0])).text
    assert svg.startswith("<svg") and "<text" not in svg and "@font-face" not in svg
    assert client.get(path_of(body["tabs_url"])).content.startswith(PNG)


def test_chord_diagrams_make_the_page_higher(client: TestClient) -> None:
    plain, drawn = (call(client, music=TUNE, chord_diagrams=wanted, files="svg") for wanted in (False, True))
    pages = [client.get(path_of(body["svg_urls"][0])).text for body in (plain, drawn)]
    heights = [int(found[1]) for page in pages if (found := re.search(r'height="(\d+)px"', page))]
    assert heights[1] > heights[0] and "chordDiagrams" in pages[1] and "chordDiagrams" not in pages[0]


def test_bars_are_chosen(client: TestClient) -> None:
    body = call(client, music="C4:w D4:w E4:w", first_bar=2, last_bar=2, bars_as_text="all")
    assert [bar["bar"] for bar in body["bars"]] == [2] and body["bar_count"] == 1


def test_a_played_file_is_read_as_a_score() -> None:
    """The bars of a MIDI file come with how certain they are, and corrections change them."""
    content = write_midi(score_to_midi(parse_note_list("C4:q D4:q E4:q F4:q G4:q A4:q B4:q C5:q " * 2)))
    source = {"kind": "midi", "content": base64.b64encode(zlib.compress(content)).decode(), "title": "Scale"}
    with tempfile.TemporaryDirectory() as folder:
        for wanted, metre in (({}, "4/4"), ({"time_signature": "2/4"}, "2/4")):
            request = MidiToNotation(music="-", **wanted).model_dump(mode="json")
            made = make_notation(NotationWork(source, request, Path(folder), Path(folder)))
            assert made["time_signature"] == metre and made["bars"][0]["confidence"] > 0
            assert not (Path(folder) / "log.txt").exists()


def test_tracks_of_a_file_are_numbered_as_in_the_file(tmp_path: Path) -> None:
    """The first track of most files has only the tempo, so its notes are in tracks 1 and 2."""
    tune, bass = (
        Part.of(name, parse_note_list(notes).parts[0].notes) for name, notes in (("Tune", "C5:w"), ("Bass", "C3:w"))
    )
    file = score_to_midi(Score((tune, bass), tempos=((Fraction(0), Fraction(67)),)))
    content = base64.b64encode(zlib.compress(write_midi(file))).decode()

    def bars(tracks: list[int | str]) -> list[dict[str, Any]]:
        request = MidiToNotation(music="-", tracks=tracks).model_dump(mode="json")
        work = NotationWork({"kind": "midi", "content": content, "title": "Two"}, request, tmp_path, tmp_path)
        found: list[dict[str, Any]] = make_notation(work)["bars"]
        return found

    assert "C3" in bars([2])[0]["written"] and "C5" not in bars(["Bass"])[0]["written"]
    with pytest.raises(MusicError, match="no notes"):
        bars([0])


@pytest.mark.parametrize(
    ("instrument", "notes", "options"),
    [
        ("Acoustic Grand Piano", "C5+C3:w E5:e3 F5:e3 G5:e3 A2+G5:hd", {"lyrics": "one two three", "swing": True}),
        ("Drums", "36+42:q 42:e 42:e 38+42:q 46:e 36:e", {}),
        ("Clarinet", "Bb3:q C#4:e D4:e Eb4:2/5 F4:3/5 G4:q", {"key": "Eb major", "tempo": 67}),
        ("Acoustic Guitar (nylon)", "E2:q C1:q B3+E4:h", {"format": "both", "capo": 2, "chord_diagrams": True}),
        ("Electric Bass (finger)", "E1:q G1:q A1:h", {"format": "tabs", "landscape": True, "zoom": 0.5}),
        ("Viola", "C4:11/13 D4:1/7 E4:64", {"time_signature": "7/8", "pickup": 1.5}),
    ],
)
def test_verovio_does_not_complain(instrument: str, notes: str, options: dict[str, Any], tmp_path: Path) -> None:
    plain = parse_note_list(notes)
    score = plain.with_parts([Part.of("Part", plain.parts[0].notes, instrument)])
    source = {"kind": "score", "score": score_to_json(score), "marks": [["0", "A & <B>"]]}
    request = MidiToNotation(music="-", title="<T> & ♭", **options).model_dump(mode="json")
    made = make_notation(NotationWork(source, request, tmp_path, tmp_path))
    assert sum(made["pages"].values()) == len(list(tmp_path.glob("*.svg"))) > 0
    assert not (tmp_path / "log.txt").exists()


def test_an_equal_call_gets_the_same_pages(client: TestClient) -> None:
    first, second = (call(client, music="C4:w", page_size="a5") for _ in range(2))
    other = call(client, music="C4:w", page_size="a4")
    first_path, second_path, other_path = (
        urlsplit(answer["sheet_music_url"]).path for answer in (first, second, other)
    )
    assert first_path == second_path != other_path


def test_unfinished_work_is_a_job_that_is_reported(client: TestClient) -> None:
    ticket = call(client, music="C4:w D4:w", wait_s=0)
    assert ticket["job_id"].startswith("printjob_")
    report = client.post("/jobs/report", json={"job_id": ticket["job_id"], "wait_s": 30}).json()
    assert report["status"] == "succeeded" and report["result"]["page_count"] == 1


@pytest.mark.long
def test_a_hundred_pages_are_a_job_with_progress(client: TestClient) -> None:
    music = "C4:q D4:e E4:e F4:q G4:q " * 640
    ticket = call(client, music=music, page_size="a4", landscape=True, zoom=2.5, wait_s=0)
    shares = []
    status, report = "", {}
    while status not in ("succeeded", "failed"):
        report = client.post("/jobs/report", json={"job_id": ticket["job_id"], "wait_s": 1}).json()
        status = report["status"]
        shares.append(report.get("progress") or 0.0)
    assert report["result"]["page_count"] >= 100 and report["result"]["bar_count"] == 640
    assert len(report["result"]["page_urls"]) == 30 and client.get(
        path_of(report["result"]["page_urls"][0]).replace("sheet-1.", "sheet-100.")
    ).content.startswith(PNG)
    assert any(0 < share < 1 for share in shares) and shares == sorted(shares)


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ({"music": "R:w"}, "EMPTY_INPUT", "music"),
        ({"music": "<score-partwise><part>"}, "PARSE_ERROR", "music"),
        ({"music": '<!DOCTYPE x [<!ENTITY a "b">]><score-partwise>&a;</score-partwise>'}, "PARSE_ERROR", "music"),
        ({"music": "C4:w", "first_bar": 9}, "INVALID_BARS", "first_bar"),
        ({"music": "C4:w", "tracks": ["oboe"]}, "UNKNOWN_TRACK", "tracks"),
        ({"music": "C4:w", "lyrics": "one two three"}, "TOO_MANY_SYLLABLES", "lyrics"),
        ({"music": "C4:w", "format": "tabs", "instrument": "tuba"}, "UNKNOWN_INSTRUMENT", "instrument"),
        ({"music": "C4:w", "format": "tabs", "pinned": ["1:1 C4"]}, "INVALID_FRET_HINT", "pinned"),
        ({"music": "C4:w", "beat_times": [2, 1]}, "INVALID_INPUT", "beat_times"),
        ({"midi_file_id": f"song_{'0' * 26}"}, "NOT_FOUND", "midi_file_id"),
        ({"midi_file_id": f"score_{'0' * 26}"}, "NOT_FOUND", "midi_file_id"),
    ],
)
def test_mistakes_are_explained(client: TestClient, arguments: dict[str, Any], code: str, field: str) -> None:
    answer = client.post("/tools/midi_to_notation", json=arguments)
    assert answer.status_code in (400, 404, 422), answer.text
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == (code, field)


def test_corrections_without_effect_are_named(client: TestClient) -> None:
    (warning,) = call(client, music="C4:w", grid=4, voices=1)["warnings"]
    assert "voices, grid" in warning


def test_options_for_tabs_without_tabs_are_named(client: TestClient) -> None:
    (warning,) = call(client, music="C4:w", capo=2, pinned="1:1 C4 2", position=3)["warnings"]
    assert "capo, position, pinned" in warning and "both" in warning
    assert "warnings" not in call(client, music=TUNE, capo=2, chord_diagrams=True)
    (missing,) = call(client, music="C4:w", chord_diagrams=True)["warnings"]
    assert "no chords" in missing


def test_the_key_of_too_few_notes_is_not_guessed(client: TestClient) -> None:
    assert "key" not in call(client, music="F4:w")
    assert call(client, music="F4:q A4:q C5:q F5:q")["key"] == "F major"
    assert call(client, music="F4:w", key="Db major")["key"] == "Db major"


def test_long_music_has_links_to_all_pages(client: TestClient) -> None:
    body = call(client, music="C4:q D4:q E4:q F4:q " * 150)
    assert body["page_count"] == len(body["page_urls"]) > 1 and body["bars_left_out"] == 150 - 24


def test_unknown_pages(client: TestClient) -> None:
    body = call(client, music="C4:w")
    wrong = [path_of(body["sheet_music_url"]).replace("-1", "-7"), f"/notation/notation_{'0' * 26}/sheet-1.png"]
    assert [client.get(path).status_code for path in wrong] == [404, 404]


def test_a_midi_file_of_a_score_keeps_its_measure_numbers(tmp_path: Path) -> None:
    score = replace(
        parse_note_list("C4:w D4:w E4:w"),
        printed_measures=tuple(PrintedMeasure(Fraction(4 * place), 33 + place) for place in range(3)),
    )
    content = base64.b64encode(zlib.compress(write_midi(score_to_midi(score)))).decode()
    request = MidiToNotation(midi_file_id=f"midi_{'0' * 26}").model_dump(mode="json")
    source = {"kind": "midi", "content": content, "title": None}
    made = make_notation(NotationWork(source, request, tmp_path, tmp_path / "fonts"))
    assert [bar["bar"] for bar in made["bars"]] == [33, 34, 35]
