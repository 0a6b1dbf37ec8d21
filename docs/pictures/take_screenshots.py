"""Take the screenshots of the browser pages in this folder: run `python docs/pictures/take_screenshots.py`.

It starts a studio in a temporary folder, renders `lantern-swing.txt` to sound, and opens its player in Chromium. On the
listen page a Strudel song plays while it is changed. On the recording page, Chromium's microphone hears a melody.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))  # for `tests.support`

from tests.support.browser import PHONE, Chromium, wait_until  # noqa: E402
from tests.support.recorder_page import RecorderPage, make_melody, write_microphone_file  # noqa: E402
from tests.support.servers.studio import Studio  # noqa: E402

WINDOW = (1100, 1190)
LONG_PHONE = (PHONE[0], 1180)
"""Windows in which the whole page is visible."""


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as data,
        Studio(Path(data)) as studio,
        sync_playwright() as playwright,
        Chromium(playwright) as chromium,
    ):
        text = (HERE / "lantern-swing.txt").read_text(encoding="utf-8")
        music = studio.call("validate_midi", midi_text=text)["midi_file_id"]
        url = studio.call("midi_to_audio", midi_file_id=music, name="Lantern swing")["listen_url"]
        with chromium.open_page(url, size=WINDOW) as page:
            save(page, "player")
        with chromium.open_page(url, size=LONG_PHONE, dark=True, pixels_per_point=1.5, touch=True) as page:
            save(page, "player-phone")
        save_listen_page(chromium, studio)
        microphone = write_microphone_file(Path(data) / "melody.wav", make_melody(30, note_s=0.8))
        with Chromium(playwright, microphone=microphone) as hearing:
            save_recorder(hearing, studio, music)


def save(page: Page, name: str) -> None:
    """Save a picture of the player with a loop, a slower speed, and the position inside the loop."""
    expect(page.get_by_role("button", name="Play")).to_be_enabled()
    page.get_by_label("From (seconds)").fill("14.5")
    page.get_by_label("To (seconds)").fill("21.8")
    page.get_by_label("To (seconds)").blur()
    for _ in range(3):
        page.get_by_role("button", name="Slower").click()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Slower").blur()
    page.mouse.move(0, 0)
    wait_until(page, "document.getElementById('status').textContent.startsWith('At ')")
    page.wait_for_load_state("networkidle")
    page.screenshot(path=HERE / f"{name}.png")


SONG = """setcpm(122/4)

drums: s("bd*4, ~ cp ~ cp, hh*8").bank("RolandTR909").gain(.8)
bass: note("<c2 ab1 eb2 bb1>*8").s("sawtooth").lpf(sine.range(300, 1200).slow(8)).gain(.6)
chords: chord("<Cm7 Ab^7 Eb^7 Bb7>").voicing().s("gm_epiano1").room(.5)
lead: n("0 [2 4] <7 5> [4 2]").scale("C4:minor").s("triangle").delay(.4).gain(.5)
"""


def save_listen_page(chromium: Chromium, studio: Studio) -> None:
    """Save a picture of the listen page that plays, after the assistant changed the song."""
    studio.call("create_project", project_name="Night drive", initial_script=SONG)
    url = studio.call("get_song", project_name="Night drive")["listen_url"]
    with chromium.open_page(url, size=(1100, 1010)) as page:
        play = page.get_by_role("button", name="Play")
        expect(play).to_be_enabled()
        play.click()
        patch = {"action": "replace_pattern", "pattern": r"hh\*8", "new_content": "hh*16"}
        reason = "Busier hats for the second half"
        studio.call("update_song", project_name="Night drive", patch_instructions=patch, reason=reason)
        expect(page.get_by_text("Version 2 arrived.")).to_be_visible()
        wait_until(page, "consortListen.editor.repl.scheduler.now() > 4")
        page.screenshot(path=HERE / "listen-page.png")


def save_recorder(chromium: Chromium, studio: Studio, reference_id: str) -> None:
    """Save a picture of the recording page before a take, and one of a take on a phone."""
    url = studio.call(
        "request_audio_recording",
        prompt="Play the melody of Lantern swing, bars 1 to 8",
        reference_id=reference_id,
        tempo=132,
        count_in=1,
        metronome=True,
        max_duration=30,
    )["record_url"]
    with chromium.open_page(url, size=(1100, 1170)) as page:
        recorder = RecorderPage(page)
        recorder.turn_on()
        page.evaluate("document.querySelector('#device option').textContent = 'USB microphone'")
        page.get_by_text("Tuner", exact=True).click()
        wait_until(page, "document.getElementById('level-hint').textContent")
        wait_until(page, "document.getElementById('tuner-words').textContent.includes('in tune')")
        page.mouse.click(5, 5)
        page.screenshot(path=HERE / "recorder.png")
    with chromium.open_page(url, size=(PHONE[0], 760), dark=True, pixels_per_point=1.5, touch=True) as page:
        recorder = RecorderPage(page)
        recorder.turn_on()
        recorder.record_for(8 / 30)
        page.screenshot(path=HERE / "recorder-phone.png")


if __name__ == "__main__":
    main()
