"""The recording page in Chromium, through the gateway: it records exactly what the microphone hears, and sends it."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import pytest
import soundfile
from playwright.sync_api import Page, Playwright, Route, expect

from consort_kit.ids import new_id
from tests.support.browser import DESKTOP, PHONE, Chromium, check_accessibility, overflowing_width, wait_until
from tests.support.page_sound import PageListener
from tests.support.pitch_tracking import heard_notes
from tests.support.recorder_page import (
    ACOUSTIC_LOOP,
    RATE,
    RecorderPage,
    Sound,
    longest_stretch,
    make_melody,
    match_windows,
    sha256,
    write_microphone_file,
)
from tests.support.servers.studio import Studio

MELODY = make_melody(40)
UPLOADS = "**/links/audio/uploads/**"


@pytest.fixture(scope="module")
def microphone(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """Run a Chromium whose microphone hears the melody from the moment when it is turned on."""
    path: Path = tmp_path_factory.mktemp("microphone") / "melody.wav"
    with Chromium(playwright, microphone=write_microphone_file(path, MELODY)) as running:
        yield running


def ask(studio: Studio, **options: Any) -> dict[str, Any]:
    requested: dict[str, Any] = studio.call("request_audio_recording", prompt="Play the C major scale", **options)
    return requested


def report(studio: Studio, requested: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = studio.call("get_recording", recording_id=requested["recording_id"])
    return found


def download(recording: dict[str, Any]) -> bytes:
    answer = httpx2.get(recording["download_url"], timeout=60, trust_env=False)
    assert answer.status_code == 200
    return answer.content


def read(content: bytes) -> Sound:
    samples, rate = soundfile.read(io.BytesIO(content))
    assert rate == RATE
    return np.asarray(samples)


@pytest.mark.long
def test_a_recording_is_exactly_what_the_microphone_heard(studio: Studio, microphone: Chromium) -> None:
    requested = ask(studio, max_duration=2.5, name="scale.wav")
    assert report(studio, requested)["status"] == "recording_requested"
    with microphone.open_page(requested["record_url"]) as page:
        recorder = RecorderPage(page)
        expect(page.get_by_role("heading", level=1)).to_have_text("Play the C major scale")
        recorder.turn_on()
        assert "Fake" in page.get_by_label("Input").locator("option:checked").inner_text()
        recorder.record()
        expect(page.get_by_text("The limit of 2.5 seconds was reached, so it stopped by itself.")).to_be_visible()
        wait_until(page, "() => Math.abs(document.getElementById('take').duration - 2.5) < 0.01")
        recorder.send()
        expect(page.get_by_text("is in the studio")).to_contain_text("2.5 seconds")

    recording = report(studio, requested)
    assert recording["status"] == "completed" and recording["recording_id"] == requested["recording_id"]
    assert recording["duration"] == pytest.approx(2.5, abs=0.001) and "Fake" in recording["take"]["device"]
    info = studio.call("get_audio_info", audio_file_id=recording["audio_file_id"])
    assert (info["name"], info["sample_rate"], info["channels"], info["format"]) == ("scale.wav", RATE, 1, "wav")

    recorded = read(download(recording))
    matches = match_windows(recorded, MELODY)
    exact = [match for match in matches if match.correlation > 0.9999]
    assert len(exact) >= 0.5 * len(matches), "the others contain a moment that the machine has skipped"
    assert all(abs(match.level_db) < 0.1 for match in exact), matches
    start, end, shift = longest_stretch(exact)
    source = MELODY[start + shift : end + shift]
    pitches = [note.pitch for note in heard_notes(recorded[start:end], RATE)]
    assert pitches == [note.pitch for note in heard_notes(source, RATE)] and pitches


def test_an_upload_that_is_cut_off_can_be_resumed(studio: Studio, microphone: Chromium) -> None:
    requested = ask(studio)
    sent: list[str] = []

    def cut_after_three_pieces(route: Route) -> None:
        sent.append(route.request.headers["content-range"])
        if len(sent) > 4:  # the first request asks how much is there
            route.abort("connectionreset")
        else:
            route.continue_()

    with microphone.open_page(requested["record_url"], expected_errors=["net::ERR_CONNECTION_RESET"]) as page:
        recorder = RecorderPage(page)
        recorder.turn_on()
        recorder.record_for(0.03)
        kept = recorder.kept_take_sha256()
        page.route(UPLOADS, cut_after_three_pieces)
        recorder.button("Send it")
        recorder.wait_for_state("interrupted")
        assert "connection to the studio was lost" in recorder.problem() and "Resume" in recorder.problem()
        assert report(studio, requested)["status"] == "recording_requested"
        assert [each.partition(" ")[2][0] for each in sent[:2]] == ["*", "0"]

        page.unroute(UPLOADS)
        resumed: list[str] = []
        page.on("request", lambda request: resumed.append(request.headers.get("content-range", "")))
        recorder.button("Resume")
        expect(page.get_by_role("heading", name="Sent")).to_be_visible()
        pieces = [each for each in resumed if each and "*" not in each]
        assert pieces[0] == sent[4], "the first piece after the break is the one that was cut off"
        assert recorder.kept_take_sha256() is None, "a take that was sent is not kept"
    assert sha256(download(report(studio, requested))) == kept


def test_a_take_survives_a_reload_and_can_be_replaced(studio: Studio, microphone: Chromium) -> None:
    requested = ask(studio)
    with microphone.open_page(requested["record_url"]) as page:
        recorder = RecorderPage(page)
        recorder.turn_on()
        recorder.record_for(0.005)
        recorder.button("Record again")
        recorder.record_for(0.02)
        kept = recorder.kept_take_sha256()
        page.reload()
        expect(page.get_by_text("Your last take is still here")).to_be_visible()
        recorder.send()
    assert sha256(download(report(studio, requested))) == kept


def test_all_can_be_done_with_the_keyboard(studio: Studio, microphone: Chromium) -> None:
    requested = ask(studio, max_duration=1)
    with microphone.open_page(requested["record_url"]) as page:
        recorder = RecorderPage(page)
        press_with_keyboard(page, "Turn on the microphone")
        recorder.wait_for_state("ready")
        press_with_keyboard(page, "Record")
        recorder.wait_for_state("review")
        press_with_keyboard(page, "Send it")
        expect(page.get_by_role("heading", name="Sent")).to_be_focused()
    assert report(studio, requested)["status"] == "completed"


def press_with_keyboard(page: Page, name: str) -> None:
    """Move the focus to a button with the Tab key, and press it."""
    button = page.get_by_role("button", name=name, exact=True)
    for _ in range(12):
        if button.evaluate("(it) => it === document.activeElement"):
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not reach {name}")


def test_music_can_be_heard_first(studio: Studio, microphone: Chromium) -> None:
    unknown = studio.failed_call("request_audio_recording", prompt="Play", reference_id=new_id("midi"))
    assert (unknown["code"], unknown["field"]) == ("NOT_FOUND", "reference_id") and "list_midi" in unknown["message"]
    music = studio.call("validate_midi", midi_text="tempo 60\ntime 4/4\ntrack Tune ocarina\nA5 100 0 8")
    requested = ask(studio, reference_id=music["midi_file_id"], max_duration=1)
    with microphone.open_page(requested["record_url"]) as page:
        recorder = RecorderPage(page)
        listener = PageListener(page, "reference", repeats=True)
        recorder.button("Hear how it should sound")
        listener.wait_for_tone(880, loudest_below_db=-50)
        recorder.turn_on()
        recorder.record()
        assert page.evaluate("document.getElementById('reference').paused"), "recording stops the reference"


BREAK_WORKLETS = """() => {
  const { addModule } = AudioWorklet.prototype;
  AudioWorklet.prototype.addModule = async () => { throw new DOMException("It failed.", "AbortError"); };
  window.repairWorklets = () => { AudioWorklet.prototype.addModule = addModule; };
  const getUserMedia = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  window.tracks = [];
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    const stream = await getUserMedia(wanted);
    window.tracks.push(...stream.getTracks());
    return stream;
  };
}"""


def test_a_microphone_that_cannot_be_read_is_switched_off(studio: Studio, microphone: Chromium) -> None:
    with microphone.open_page(ask(studio)["record_url"]) as page:
        recorder = RecorderPage(page)
        page.evaluate(BREAK_WORKLETS)
        recorder.button("Turn on the microphone")
        assert "does not start" in recorder.problem()
        assert page.evaluate("window.tracks.map((track) => track.readyState)") == ["ended"]
        page.evaluate("window.repairWorklets()")
        recorder.turn_on()
        assert page.evaluate("window.tracks.map((track) => track.readyState)") == ["ended", "live"]


def test_a_denied_microphone_is_explained(studio: Studio, playwright: Playwright) -> None:
    with (
        Chromium(playwright, denies_microphone=True) as chromium,
        chromium.open_page(ask(studio)["record_url"]) as page,
    ):
        recorder = RecorderPage(page)
        recorder.button("Turn on the microphone")
        assert recorder.problem().startswith("The microphone is blocked. Allow it for this page")
        expect(page.get_by_role("button", name="Turn on the microphone")).to_be_enabled()
        check_accessibility(page)


def test_the_first_beat_is_exact_after_the_delay_is_measured(studio: Studio, microphone: Chromium) -> None:
    requested = ask(studio, tempo=240, time_signature="3/4", count_in=1, metronome=True, max_duration=1.8)
    with microphone.open_page() as page:
        page.add_init_script(ACOUSTIC_LOOP)
        page.goto(requested["record_url"])
        recorder = RecorderPage(page)
        recorder.turn_on()
        expect(page.get_by_text("1 bar of count-in, then clicks during the recording, at 240 in 3/4.")).to_be_visible()
        expect(page.get_by_text("Use headphones")).to_be_visible()
        page.get_by_text("Delay", exact=True).click()
        recorder.button("Measure the delay")
        expect(page.get_by_text("The delay is")).to_be_visible()
        recorder.record()
        recorder.send()
    recording = report(studio, requested)
    take = recording["take"]
    assert (take["tempo"], take["time_signature"], take["count_in"], take["metronome"]) == (240, "3/4", 1, True)
    assert take["latency_is_measured"] and 120 <= take["latency_ms"] < 350
    sound = read(download(recording))
    loud = np.flatnonzero(np.abs(sound) > 0.05)
    onsets = loud[np.flatnonzero(np.diff(loud, prepend=-RATE) > RATE // 20)] / RATE
    beats = take["first_beat"] + np.arange(7) * 0.25
    errors = [float(np.min(np.abs(onsets - beat))) for beat in beats]
    assert np.median(errors) < 0.012, "most, because the loop skips some sound when the machine is busy"


@pytest.mark.long
def test_the_delay_is_not_guessed_if_the_speaker_is_not_heard(studio: Studio, microphone: Chromium) -> None:
    with microphone.open_page(ask(studio)["record_url"]) as page:
        recorder = RecorderPage(page)
        recorder.turn_on()
        page.get_by_text("Delay", exact=True).click()
        recorder.button("Measure the delay")
        expect(page.get_by_text("The delay could not be measured")).to_be_visible()
        page.get_by_text("Tuner", exact=True).click()
        expect(page.locator("#tuner-words")).to_contain_text("Hz")


@pytest.mark.long
def test_a_microphone_that_is_unplugged_during_the_measurement_can_be_used_again(
    studio: Studio, microphone: Chromium
) -> None:
    with microphone.open_page() as page:
        page.add_init_script(KEEP_TRACK)
        page.goto(ask(studio)["record_url"])
        recorder = RecorderPage(page)
        recorder.turn_on()
        page.get_by_text("Delay", exact=True).click()
        recorder.button("Measure the delay")
        page.evaluate("window.track.dispatchEvent(new Event('ended'))")
        assert recorder.problem().startswith("The microphone was disconnected.")
        recorder.turn_on()
        recorder.record_for(0.005)


KEEP_TRACK = """(() => {
  const ask = MediaDevices.prototype.getUserMedia;
  MediaDevices.prototype.getUserMedia = async function (wanted) {
    const stream = await ask.call(this, wanted);
    window.track = stream.getAudioTracks()[0];
    return stream;
  };
})();"""
"""A script that lets the test do what the browser does when the microphone is unplugged."""


@pytest.mark.parametrize(
    ("size", "dark"),
    [pytest.param(DESKTOP, False, marks=pytest.mark.long), (PHONE, True)],
    ids=["light desktop", "dark phone"],
)
def test_every_state_is_accessible_and_fits(
    studio: Studio, microphone: Chromium, size: tuple[int, int], dark: bool
) -> None:
    requested = ask(studio, max_duration=1, count_in=1, tempo=300)
    with microphone.open_page(requested["record_url"], size=size, dark=dark) as page:
        recorder = RecorderPage(page)
        check(page)
        recorder.turn_on()
        for name in ("Tuner", "Count-in and metronome", "Delay"):
            page.get_by_text(name, exact=True).click()
        check(page)
        for control in ("count-in", "tempo", "metronome"):
            assert middle(page, f"#{control}") == pytest.approx(middle(page, f"label[for={control}]"), abs=8)
        recorder.record()
        check(page)
        recorder.send()
        check(page)


def middle(page: Page, selector: str) -> float:
    """Return the height of the middle of an element, in pixels from the top."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["y"] + box["height"] / 2


def check(page: Page) -> None:
    check_accessibility(page)
    assert overflowing_width(page) == 0
