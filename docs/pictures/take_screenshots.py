"""Take the screenshots of the player page in this folder: run `python docs/pictures/take_screenshots.py`.

It starts a studio in a temporary folder, renders `lantern-swing.txt` to sound, and opens its player in Chromium.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))  # for `tests.support`

from tests.support.browser import PHONE, Chromium, wait_until  # noqa: E402
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


if __name__ == "__main__":
    main()
