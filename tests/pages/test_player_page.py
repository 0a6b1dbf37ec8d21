"""The player page in Chromium, through the gateway: it plays, loops, slows down, moves by keyboard and downloads."""

import base64
import io
import re
import statistics
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import soundfile
from playwright.sync_api import Page, Route, expect

from consort_kit.http.signed_links import Links
from consort_kit.settings import Settings
from tests.support.browser import DESKTOP, PHONE, Chromium, check_accessibility, overflowing_width, wait_until
from tests.support.page_sound import PageListener
from tests.support.servers.studio import Studio

SAMPLE_RATE = 22050
TONES = [(440.0, 0.5), (660.0, 0.1), (880.0, 0.5)]
"""Frequency and amplitude of each third of the test file."""
TONE_S = 3.0
DURATION_S = TONE_S * len(TONES)
NAME = "Three tones &amp; an apostrophe's take.wav"


def sine_wave(frequency: float, amplitude: float, seconds: float) -> Any:
    return amplitude * np.sin(2 * np.pi * frequency * np.arange(int(seconds * SAMPLE_RATE)) / SAMPLE_RATE)


def store(studio: Studio, name: str, samples: Any, file_format: str = "WAV") -> dict[str, Any]:
    content = io.BytesIO()
    soundfile.write(content, samples, SAMPLE_RATE, format=file_format, subtype="PCM_16")
    stored: dict[str, Any] = studio.call("store_audio", base64=base64.b64encode(content.getvalue()).decode(), name=name)
    return stored


@pytest.fixture(scope="module")
def tones(local_studio: Studio) -> dict[str, Any]:
    """Store the test file once."""
    samples = np.concatenate([sine_wave(frequency, amplitude, TONE_S) for frequency, amplitude in TONES])
    return store(local_studio, NAME, samples)


@pytest.fixture
def page(chromium: Chromium, tones: dict[str, Any]) -> Iterator[Page]:
    """Open the player of the test file."""
    with chromium.open_page(tones["listen_url"]) as page:
        expect(page.get_by_role("button", name="Play")).to_be_enabled()
        yield page


def position(page: Page) -> float:
    seconds: float = page.evaluate("document.getElementById('audio').currentTime")
    return seconds


def is_pressed(page: Page, name: str) -> bool:
    return page.get_by_role("button", name=name, exact=True).get_attribute("aria-pressed") == "true"


def test_it_plays_the_file_and_pauses(page: Page) -> None:
    assert page.get_by_role("heading", level=1).inner_text() == NAME.removesuffix(".wav")
    listener = PageListener(page, repeats=True)
    page.get_by_role("button", name="Play").click()
    listener.wait_for_tone(TONES[0][0])
    listener.wait_for_speed(0.9, 1.1)
    expect(page.get_by_role("status")).to_have_text("Playing.")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    paused_at = position(page)
    assert paused_at > 0 and position(page) == paused_at


def test_it_says_where_the_file_comes_from(chromium: Chromium, local_studio: Studio, tones: dict[str, Any]) -> None:
    part = local_studio.call("segment_audio", audio_file_id=tones["audio_file_id"], start_time=1, end_time=2.5)
    with chromium.open_page(part["listen_url"]) as page:
        expect(page.locator(".subtitle")).to_have_text(f"1.00 to 2.50 s of {NAME}")
        expect(page.locator(".facts")).to_contain_text("22.05 kHz mono · peak -6.0 dB")
        expect(page.locator("#total")).to_have_text("0:01.5")


def test_half_speed_keeps_the_pitch(page: Page) -> None:
    listener = PageListener(page, repeats=True)
    for _ in range(10):
        page.keyboard.press("-")
    expect(page.get_by_role("status")).to_have_text("Speed 50%.")
    page.keyboard.press("Space")
    listener.wait_for_speed(0.42, 0.58)
    listener.wait_for_tone(TONES[0][0])


def test_a_loop_stays_within_its_times(page: Page) -> None:
    listener = PageListener(page)
    page.get_by_label("From (seconds)").fill("1")
    page.get_by_label("To (seconds)").fill("1.5")
    page.keyboard.press("Tab")
    expect(page.get_by_role("status")).to_have_text("Loop from 0:01.00 to 0:01.50.")
    page.get_by_role("button", name="Play").click()
    rounds = listener.positions_during_rounds(4)
    assert min(map(min, rounds)) >= 0.99
    assert max(map(max, rounds)) < TONE_S  # the next tone is not reached, even if this machine stalls for a second
    assert statistics.median(map(max, rounds)) == pytest.approx(1.5, abs=0.05)
    listener.wait_for_tone(TONES[0][0])


def test_the_keyboard_moves_and_loops(page: Page) -> None:
    slider = page.get_by_role("slider", name="Position")
    for key, expected in [
        ("ArrowRight", 2.0),
        ("ArrowRight", 4.0),
        ("Shift+ArrowLeft", 3.9),
        ("ArrowLeft", 1.9),
        ("End", DURATION_S),
        ("Home", 0.0),
        ("ArrowLeft", 0.0),
    ]:
        page.keyboard.press(key)
        assert position(page) == pytest.approx(expected, abs=0.01), key
    expect(slider).to_have_attribute("aria-valuetext", "0 seconds of 9 seconds")

    page.keyboard.press("ArrowRight")
    page.keyboard.press("[")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("]")
    expect(page.get_by_role("status")).to_have_text("Loop from 0:02.00 to 0:04.00.")
    page.keyboard.press("End")
    assert 3.8 < position(page) < 4.0  # inside the loop
    page.keyboard.press("l")
    expect(page.get_by_role("status")).to_have_text("Loop off.")

    page.keyboard.press("+")
    expect(page.locator("#speed-text")).to_have_text("105%")
    page.keyboard.press("0")
    expect(page.locator("#speed-text")).to_have_text("100%")

    page.get_by_label("Use these keys").uncheck()
    page.keyboard.press("l")
    assert not is_pressed(page, "Loop")


def test_the_waveform_shows_the_levels_and_takes_the_mouse(page: Page) -> None:
    columns = """() => {
      const canvas = document.getElementById("waveform");
      const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const at = (share) => {
        const left = Math.round(width * share);
        let most = 0;
        for (let x = left; x < left + 8; x++) {
          let bar = 0;
          for (let y = 4; y < height - 30; y++) if (data[(y * width + x) * 4] < 190) bar++;
          most = Math.max(most, bar);
        }
        return most;
      };
      return [at(1 / 6), at(3 / 6), at(5 / 6)];
    }"""
    wait_until(page, f"({columns})()[0] > 100")
    loud, soft, again = page.evaluate(columns)
    assert loud > 100 and loud == pytest.approx(again, rel=0.05)
    assert soft == pytest.approx(loud * 0.1 / 0.5, rel=0.25)

    box = page.get_by_role("slider", name="Position").bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.25, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.5, middle, steps=4)
    page.mouse.up()
    assert is_pressed(page, "Loop")
    assert float(page.get_by_label("From (seconds)").input_value()) == pytest.approx(DURATION_S * 0.25, abs=0.05)
    assert float(page.get_by_label("To (seconds)").input_value()) == pytest.approx(DURATION_S * 0.5, abs=0.05)
    page.mouse.click(box["x"] + box["width"] * 0.9, middle)
    assert position(page) == pytest.approx(DURATION_S * 0.9, abs=0.05)
    assert not is_pressed(page, "Loop")  # the click was outside


def test_wrong_loop_times_are_explained(page: Page) -> None:
    page.get_by_label("From (seconds)").fill("5")
    page.get_by_label("To (seconds)").fill("4")
    page.keyboard.press("Tab")
    expect(page.locator("#loop-problem")).to_have_text("The loop must end at least 0.1 s after its start.")
    page.get_by_label("To (seconds)").fill("99")
    page.keyboard.press("Tab")
    expect(page.locator("#loop-problem")).to_have_text("Give seconds from 0 to 9.00.")
    check_accessibility(page)


def test_downloads_have_the_named_formats(page: Page) -> None:
    for file_format in ("WAV", "FLAC", "OGG", "MP3"):
        with page.expect_download() as started:
            page.get_by_role("link", name=file_format).click()
        assert started.value.suggested_filename.endswith(f".{file_format.lower()}")
        found = soundfile.info(started.value.path())
        assert found.format == file_format
        assert found.duration == pytest.approx(DURATION_S, abs=0.1)


def test_a_format_that_browsers_do_not_play_is_converted(chromium: Chromium, local_studio: Studio) -> None:
    stored = store(local_studio, "tone.aiff", sine_wave(500, 0.5, 3), "AIFF")
    with chromium.open_page(stored["listen_url"]) as page:
        expect(page.get_by_role("button", name="Play")).to_be_enabled()
        listener = PageListener(page, repeats=True)
        page.get_by_role("button", name="Play").click()
        listener.wait_for_tone(500)


def test_space_while_the_sound_is_prepared_plays_it_later(chromium: Chromium, local_studio: Studio) -> None:
    stored = store(local_studio, "tone.aiff", sine_wave(500, 0.5, 30), "AIFF")
    held: list[Route] = []
    is_held = True

    def hold(route: Route) -> None:
        if is_held:
            held.append(route)
        else:
            route.continue_()

    with chromium.open_page() as page:
        page.route(re.compile(r"/files/[^/]+\.flac"), hold)
        page.goto(stored["listen_url"])
        page.keyboard.press("Space")
        expect(page.get_by_role("status")).to_have_text("Loading … It will play.")
        is_held = False
        for route in held:
            route.continue_()
        expect(page.get_by_role("button", name="Pause")).to_be_visible()


@pytest.mark.parametrize(
    ("size", "dark"), [pytest.param(DESKTOP, False, marks=pytest.mark.long), (DESKTOP, True), (PHONE, False)]
)
def test_it_is_accessible_and_fits_the_window(
    chromium: Chromium, tones: dict[str, Any], size: tuple[int, int], dark: bool
) -> None:
    with chromium.open_page(tones["listen_url"], size=size, dark=dark) as page:
        expect(page.get_by_role("button", name="Play")).to_be_enabled()
        page.keyboard.press("l")
        check_accessibility(page)
        assert overflowing_width(page) == 0


@pytest.mark.parametrize("fault", ["expired", "altered", "deleted"])
def test_a_link_that_does_not_work_shows_a_page(
    chromium: Chromium, local_studio: Studio, tones: dict[str, Any], fault: str
) -> None:
    path = f"/player/{tones['audio_file_id']}"
    settings = Settings(data=local_studio.data, port_base=local_studio.port_base)
    if fault == "expired":
        url, title = Links(settings).make("audio", path, lifetime_s=-5).url, "This link has expired"
    elif fault == "altered":
        url, title = tones["listen_url"].replace("signature=", "signature=x"), "This link is not valid"
    else:
        stored = store(local_studio, "short.wav", sine_wave(440, 0.5, 1))
        local_studio.call("delete_audio", audio_file_id=stored["audio_file_id"])
        url, title = stored["listen_url"], "This no longer exists"
    with chromium.open_page(url, expected_errors=["status of 40[34]"]) as page:
        assert page.get_by_role("heading", level=1).inner_text() == title
        check_accessibility(page)
