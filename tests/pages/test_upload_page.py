"""The upload page in Chromium: it uploads audio in pieces with progress, continues after an interruption, and explains
why a file is rejected. MIDI files are uploaded in one request."""

from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.support.audio_files import sine, wav_bytes
from tests.support.browser import PHONE, Chromium, check_accessibility, overflowing_width
from tests.support.midi_files import tune
from tests.support.servers.studio import Studio

TAKE = wav_bytes(sine(440, 30, channels=2))
"""Five megabytes, so that there are several pieces."""


@pytest.fixture
def take(tmp_path: Path) -> Path:
    path = tmp_path / "My take ♪.wav"
    path.write_bytes(TAKE)
    return path


def test_an_audio_file_is_uploaded_in_pieces(local_studio: Studio, chromium: Chromium, take: Path) -> None:
    link = local_studio.call("store_audio", upload_link=True)
    with chromium.open_page(link["upload_url"]) as page:
        check_accessibility(page)
        pieces: list[str] = []
        page.on("request", lambda request: pieces.append(request.headers.get("content-range", "")))
        page.get_by_label("Choose the file").set_input_files(take)
        expect(page.get_by_role("status")).to_have_text("Stored as My take ♪.wav. You can close this page.")
        assert len([place for place in pieces if place.startswith("bytes ") and "*" not in place]) == 6
        check_accessibility(page)
    with chromium.open_page(link["upload_url"], expected_errors=["status of 409"]) as page:
        expect(page.get_by_role("status")).to_contain_text("'My take ♪.wav' has been stored by this upload link")
        expect(page.get_by_label("Choose the file")).to_be_hidden()
        check_accessibility(page)
    info = local_studio.call("get_audio_info", audio_file_id=link["audio_file_id"])
    assert (info["name"], info["file_size_bytes"]) == ("My take ♪.wav", len(TAKE))


def test_an_interrupted_upload_continues(local_studio: Studio, chromium: Chromium, take: Path) -> None:
    link = local_studio.call("store_audio", upload_link=True)
    sent: list[str] = []

    def break_off(route: Route) -> None:
        place = route.request.headers.get("content-range", "")
        sent.append(place)
        if len(sent) > 3:
            route.abort("connectionreset")
        else:
            route.continue_()

    with chromium.open_page(link["upload_url"], expected_errors=["ERR_CONNECTION_RESET"]) as page:
        page.route("**/uploads/**", break_off)
        page.get_by_label("Choose the file").set_input_files(take)
        expect(page.get_by_role("status")).to_contain_text("could not be reached")
        page.unroute("**/uploads/**")
        pieces: list[str] = []
        page.on("request", lambda request: pieces.append(request.headers.get("content-range", "")))
        page.get_by_role("button", name="Continue the upload").click()
        expect(page.get_by_role("status")).to_contain_text("Stored as")
        assert "bytes 0-1048575" not in " ".join(pieces), "the first piece is not sent again"
    assert local_studio.call("get_audio_info", audio_file_id=link["audio_file_id"])["file_size_bytes"] == len(TAKE)


def test_a_file_that_is_rejected_and_then_another(
    local_studio: Studio, chromium: Chromium, take: Path, tmp_path: Path
) -> None:
    wrong = tmp_path / "letter.txt"
    wrong.write_text("This is no music.")
    link = local_studio.call("store_audio", upload_link=True, name="take")
    with chromium.open_page(link["upload_url"], size=PHONE, expected_errors=["status of 422"]) as page:
        assert overflowing_width(page) == 0
        expect(page.get_by_text("as take")).to_be_visible()
        page.get_by_label("Choose the file").set_input_files(wrong)
        expect(page.get_by_role("status")).to_contain_text("not audio in a known format")
        page.get_by_label("Choose the file").set_input_files(take)
        expect(page.get_by_role("status")).to_contain_text("Stored as take.wav")


def test_a_midi_file_is_uploaded_in_one_request(local_studio: Studio, chromium: Chromium, tmp_path: Path) -> None:
    midi = tmp_path / "tune.mid"
    midi.write_bytes(tune(5))
    link = local_studio.call("store_midi", upload_link=True, name="uploaded by page.mid")
    with chromium.open_page(link["upload_url"]) as page:
        page.get_by_label("Choose the file").set_input_files(midi)
        expect(page.get_by_role("status")).to_contain_text("Stored as uploaded by page.mid")
    assert local_studio.call("get_midi", midi_file_id=link["midi_file_id"])["metadata"]["note_count"] == 5
