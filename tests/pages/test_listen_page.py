"""The listen page in Chromium, through the gateway: it plays, shows, saves, and follows what others change."""

import base64
from collections.abc import Iterator
from typing import Any

import httpx2
import numpy as np
import pytest
import soundfile
from playwright.sync_api import Page, expect

from consort_kit.http.signed_links import Links
from consort_kit.settings import Settings
from consort_kit.sounds_folder import FOLDER_SETTING, library_folder
from consort_strudel.pages.links import ListenPageLinks
from consort_strudel.sounds.build import build
from consort_strudel.sounds.fingerprint import is_current
from tests.support.browser import DESKTOP, PHONE, Chromium, check_accessibility, overflowing_width, wait_until
from tests.support.servers.studio import Studio

SONG = """setcpm(120/4)
drums: s("bd*4, ~ cp ~ cp, hh*8").bank("RolandTR909")
bass: note("<c2 ab1 eb2 bb1>*8").s("sawtooth").lpf(800).gain(.6)
chords: chord("<Cm7 Ab^7>").voicing().s("gm_epiano1").room(.5)
lead: n("0 [2 4] <7 5> [4 2]").scale("C4:minor").s("triangle").delay(.4).gain(.5)
"""
PEAK = "consortListen.scope.peak"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """Run a studio with a sound library."""
    more: dict[str, str] = {}
    if not is_current(library_folder()):
        folder = tmp_path_factory.mktemp("library") / "sounds"
        build(folder, lambda done, what: None)
        more = {FOLDER_SETTING: str(folder)}
    with Studio(tmp_path_factory.mktemp("studio"), more) as running:
        yield running


class LiveSong:
    """A project of strudel-svc, changed as an assistant changes it."""

    def __init__(self, studio: Studio, name: str, script: str = SONG) -> None:
        self._studio = studio
        self.name = name
        self.listen_url: str = self.call("create_project", name=name, initial_script=script)["listen_url"]

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        settings = Settings(data=self._studio.data, port_base=self._studio.port_base)
        url = f"{settings.url_of('strudel')}/tools/{tool}"
        answer = httpx2.post(url, json=arguments, headers=self._studio.headers, timeout=60)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def replace(self, pattern: str, new: str, reason: str) -> None:
        patch = {"action": "replace_pattern", "pattern": pattern, "new_content": new}
        self.call("update_song", project_name=self.name, patch_instructions=patch, reason=reason)

    @property
    def newest(self) -> dict[str, Any]:
        return self.call("get_song", project_name=self.name)


def script_of(page: Page) -> str:
    script: str = page.evaluate("consortListen.editor.code")
    return script


def type_at_end(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Script").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text(text)


def test_it_plays_with_the_sounds_of_this_machine(chromium: Chromium, studio: Studio) -> None:
    song = LiveSong(studio, "plays")
    with chromium.open_page(song.listen_url) as page:  # fails if a request leaves this machine
        play = page.get_by_role("button", name="Play")
        expect(play).to_be_enabled()
        play.click()
        wait_until(page, f"{PEAK} > 0.05")
        first = page.evaluate("consortListen.editor.repl.scheduler.now()")
        wait_until(page, f"consortListen.editor.repl.scheduler.now() > {first} + 0.2")
        expect(page.locator("#sound-list")).to_contain_text("rolandtr909_bd → elec_bd")
        drawn = """(() => { const c = document.getElementById('roll');
            return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v > 0) })()"""
        wait_until(page, drawn)
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_role("status").first).to_have_text("Stopped.")
        wait_until(page, f"{PEAK} < 0.001")


def test_tunings_and_wavetables_are_heard(chromium: Chromium, studio: Studio) -> None:
    script = '"0 2 4".xen("31edo").mul(220).freq().s("wt_pulse").wt(.5)'
    song = LiveSong(studio, "tuned", script)
    with chromium.open_page(song.listen_url) as page:
        play = page.get_by_role("button", name="Play")
        expect(play).to_be_enabled()
        play.click()
        wait_until(page, f"{PEAK} > 0.02")
        expect(page.locator("#problem")).to_be_hidden()
        expect(page.locator("#sounds")).to_be_hidden()


SLOW_FILES = """() => {
  const request = globalThis.fetch;
  const { scheduler } = consortListen.editor.repl;
  let { pattern } = scheduler;
  window.seen = [];
  globalThis.fetch = async (...values) => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    const answer = await request(...values);
    if (values[0] !== consortListen.song.songUrl) window.seen.push('file');
    return answer;
  };
  Object.defineProperty(scheduler, 'pattern', {
    get: () => pattern,
    set: (given) => {
      pattern = given;
      window.seen.push('playing');
    },
  });
}"""
"""Make files arrive late, and note the order in which they arrive and patterns begin to play."""


def test_the_files_of_a_pattern_are_there_before_it_plays(chromium: Chromium, studio: Studio) -> None:
    """The engine leaves out events whose file arrives too late."""
    song = LiveSong(studio, "first-hits")
    with chromium.open_page(song.listen_url) as page:
        expect(page.get_by_role("button", name="Play")).to_be_enabled()
        page.evaluate(SLOW_FILES)
        page.get_by_role("button", name="Play").click()
        wait_until(page, "consortListen.editor.repl.scheduler.now() > 1")
        song.replace("hh\\*8", "rim*8", "another sound")
        wait_until(page, "consortListen.editor.repl.state.activeCode.includes('rim*8')")
        now = page.evaluate("consortListen.editor.repl.scheduler.now()")
        wait_until(page, f"consortListen.editor.repl.scheduler.now() > {now} + 1")
        seen = page.evaluate("window.seen")
    before, change, after = (group.split() for group in " ".join(seen).split("playing"))
    assert len(before) >= 4 and change == ["file"] and after == []


RECORD = """async () => {
  const context = consortListen.getAudioContext();
  const source = `registerProcessor('recorder', class extends AudioWorkletProcessor {
    process([input]) { if (input.length) this.port.postMessage(input[0].slice()); return true; } });`;
  await context.audioWorklet.addModule(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
  const node = new AudioWorkletNode(context, 'recorder', { channelCount: 2, channelCountMode: 'explicit' });
  window.heard = [];
  node.port.onmessage = ({ data }) => window.heard.push(data);
  node.connect(new GainNode(context, { gain: 0 })).connect(context.destination);
  consortListen.output().connect(node);
  return context.sampleRate;
}"""
HEARD = """() => {
  const all = new Float32Array(window.heard.reduce((count, block) => count + block.length, 0));
  window.heard.reduce((at, block) => { all.set(block, at); return at + block.length; }, 0);
  return new Uint8Array(all.buffer).toBase64();
}"""


def test_it_sounds_like_the_render(chromium: Chromium, studio: Studio) -> None:
    """The waveform of the page equals that of render_strudel, second by second."""
    song = LiveSong(studio, "compared", SONG.replace(".room(.5)", ""))  # a room is random
    with chromium.open_page(song.listen_url) as page:
        expect(page.get_by_role("button", name="Play")).to_be_enabled()
        page.get_by_role("button", name="Play").click()
        wait_until(page, "consortListen.editor.repl.scheduler.now() > 2")  # all samples are loaded
        rate = page.evaluate(RECORD)
        page.get_by_role("button", name="Stop").click()
        wait_until(page, f"{PEAK} < 0.0001")
        page.evaluate("window.heard.length = 0")
        page.get_by_role("button", name="Play").click()
        wait_until(page, "consortListen.editor.repl.scheduler.now() > 3")
        live = np.frombuffer(base64.b64decode(page.evaluate(HEARD)), np.float32)
    made = song.call("render_strudel", project_name="compared", cycles=2, tail=0, format="wav")
    path = next((studio.data / "audio" / made["audio_file_id"]).glob("*.wav"))
    render, render_rate = soundfile.read(path)
    assert rate == render_rate
    matches = [best_match(render[start : start + rate, 0], live) for start in range(0, len(render) - rate, rate)]
    assert max(matches) >= 0.95  # a busy machine may disturb the sound of the others


def best_match(part: Any, whole: Any) -> float:
    """Return the highest correlation of a part with any place of the whole."""
    size = 1 << (len(part) + len(whole)).bit_length()
    found = np.fft.irfft(np.fft.rfft(whole, size) * np.conj(np.fft.rfft(part, size)), size)
    place = int(np.argmax(found[: len(whole) - len(part)]))
    return float(np.corrcoef(part, whole[place : place + len(part)])[0, 1])


def test_an_error_in_the_script_is_shown(chromium: Chromium, studio: Studio) -> None:
    song = LiveSong(studio, "error")
    with chromium.open_page(song.listen_url, expected_errors=["nosuchfunction"]) as page:
        expect(page.get_by_role("button", name="Play")).to_be_enabled()
        type_at_end(page, "nosuchfunction(1)")
        page.get_by_role("button", name="Play").click()
        expect(page.get_by_role("alert")).to_contain_text("nosuchfunction is not defined")


def test_edits_are_saved_as_a_version(chromium: Chromium, studio: Studio) -> None:
    song = LiveSong(studio, "saved")
    with chromium.open_page(song.listen_url) as page:
        expect(page.get_by_role("button", name="Play")).to_be_enabled()
        save = page.get_by_role("button", name="Save")
        expect(save).to_be_disabled()
        type_at_end(page, '// "my" <edit>\n')
        save.click()
        expect(page.get_by_role("status").first).to_have_text("Saved as version 2.")
        expect(save).to_be_disabled()
    assert song.newest["version"] == 2
    assert song.newest["script"] == SONG + '// "my" <edit>\n'


def test_it_follows_a_change_and_can_undo_it(chromium: Chromium, studio: Studio) -> None:
    song = LiveSong(studio, "follows")
    with chromium.open_page(song.listen_url) as page:
        expect(page.get_by_role("button", name="Play")).to_be_enabled()
        page.get_by_role("button", name="Play").click()
        song.replace("hh\\*8", "hh*16", "busier hats")
        change = page.get_by_role("region", name="Version 2 arrived.")
        expect(change).to_contain_text("busier hats")
        expect(change.locator("del")).to_contain_text("hh*8")
        expect(change.locator("ins")).to_contain_text("hh*16")
        assert script_of(page) == SONG.replace("hh*8", "hh*16")
        wait_until(page, "consortListen.editor.repl.state.activeCode.includes('hh*16')")  # it is heard, too
        change.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("status").first).to_have_text("Undone as version 3.")
        assert script_of(page) == SONG
    assert song.newest["script"] == SONG


def test_a_change_does_not_overwrite_edits(chromium: Chromium, studio: Studio) -> None:
    song = LiveSong(studio, "edited")
    with chromium.open_page(song.listen_url) as page:
        expect(page.get_by_role("button", name="Play")).to_be_enabled()
        type_at_end(page, "// mine\n")
        song.replace("hh\\*8", "hh*16", "busier hats")
        expect(page.get_by_role("region", name="Version 2 arrived. Your edits are kept")).to_be_visible()
        both = SONG.replace("hh*8", "hh*16") + "// mine\n"
        assert script_of(page) == both
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("status").first).to_have_text("Saved as version 3.")
    assert song.newest["script"] == both


def test_edits_of_the_same_lines_are_a_choice(chromium: Chromium, studio: Studio) -> None:
    song = LiveSong(studio, "chosen")
    with chromium.open_page(song.listen_url) as page:
        expect(page.get_by_role("button", name="Play")).to_be_enabled()
        save = page.get_by_role("button", name="Save")
        for version, choice in ((2, "Keep my edits"), (3, "Take the new version")):
            type_at_end(page, "// mine\n")
            mine = script_of(page)
            song.call(
                "update_song",
                project_name=song.name,
                patch_instructions={"action": "append", "content": f"// theirs {version}"},
            )
            change = page.get_by_role("region", name=f"Version {version} changes the same lines")
            expect(change).to_be_visible()
            expect(save).to_be_disabled()
            change.get_by_role("button", name=choice).click()
            assert script_of(page) == (mine if version == 2 else song.newest["script"])


def test_saving_a_script_with_an_error_says_so(chromium: Chromium, studio: Studio) -> None:
    song = LiveSong(studio, "broken")
    with chromium.open_page(song.listen_url) as page:
        expect(page.get_by_role("button", name="Play")).to_be_enabled()
        type_at_end(page, 'bad: s("bd").gian(2)\n')
        page.get_by_role("button", name="Save").click()
        expect(page.locator("#problem")).to_contain_text("Saved as version 2, but it has errors.")
        expect(page.locator("#problem")).to_contain_text("Did you mean 'gain'")


@pytest.mark.parametrize(("size", "dark"), [(DESKTOP, False), (DESKTOP, True), (PHONE, False)])
def test_it_is_accessible_and_fits_the_window(
    chromium: Chromium, studio: Studio, size: tuple[int, int], dark: bool
) -> None:
    song = LiveSong(studio, f"looks {size[0]} {dark}")
    with chromium.open_page(song.listen_url, size=size, dark=dark) as page:
        expect(page.get_by_role("button", name="Play")).to_be_enabled()
        song.replace("hh\\*8", "hh*16", "busier hats")
        expect(page.get_by_role("region", name="Version 2 arrived.")).to_be_visible()
        page.get_by_role("button", name="Play").click()
        wait_until(page, f"{PEAK} > 0.05")
        check_accessibility(page)
        assert overflowing_width(page) == 0


def test_the_link_of_a_deleted_project_shows_a_page(chromium: Chromium, studio: Studio) -> None:
    song = LiveSong(studio, "deleted")
    song.call("delete_project", project_name="deleted", confirm=True)
    with chromium.open_page(song.listen_url, expected_errors=["status of 404"]) as page:
        expect(page.get_by_role("heading", level=1)).to_have_text("This no longer exists")


def test_the_links_of_the_page_reach_only_the_library(studio: Studio) -> None:
    settings = Settings(data=studio.data, port_base=studio.port_base)
    links = ListenPageLinks(Links(settings))
    for name in ("library.json", "drums/nothing.flac", "gm/999.js"):
        assert httpx2.get(f"{studio.url}{links.path(f'/sounds/{name}')}").status_code == 404
    assert httpx2.get(f"{studio.url}{links.path('/sounds/gm/000.js')}").status_code == 200
    assert httpx2.get(f"{studio.url}/links/strudel/sounds/gm/000.js").status_code == 403
