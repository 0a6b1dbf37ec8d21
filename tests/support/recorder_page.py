"""Drive the recording page, and compare a recording with the file that the fake microphone plays."""

import hashlib
import io
import json
import re
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx2
import numpy as np
import soundfile
from numpy.typing import NDArray
from playwright.sync_api import Page, expect

from tests.support.browser import wait_until

Sound = NDArray[np.float64]

RATE = 44_100
"""The rate of headless Chromium's audio, so that nothing is resampled."""
WINDOW = RATE // 10


def make_melody(seconds: float, note_s: float = 0.25) -> Sound:
    """Return a melody of random notes. Noise and random tuning make each of its moments different from all others."""
    random = np.random.default_rng(7)
    t = np.arange(round(note_s * RATE)) / RATE
    notes = []
    previous = 0
    for _ in range(round(seconds / note_s)):
        pitch = int(random.choice([each for each in range(57, 82) if each != previous]))
        previous, frequency = pitch, 440 * 2 ** ((pitch - 69 + random.uniform(-0.1, 0.1)) / 12)
        tone = np.sin(2 * np.pi * frequency * t) + 0.3 * np.sin(4 * np.pi * frequency * t)
        notes.append(0.35 * tone * np.minimum(1, t / 0.005) * np.exp(-2 * t))
    melody = np.concatenate(notes)
    return np.asarray(melody + 0.01 * random.standard_normal(len(melody)))


def write_microphone_file(path: Path, sound: Sound) -> Path:
    soundfile.write(path, sound, RATE, subtype="PCM_16")
    return path


@dataclass(frozen=True)
class WindowMatch:
    """Where a short window of a recording is in the source, and how well it agrees."""

    start: int
    """The first sample of the window, in the recording."""
    shift: int
    """From the window's place in the recording to its place in the source, in samples."""
    correlation: float
    level_db: float


def match_windows(recorded: Sound, source: Sound) -> list[WindowMatch]:
    """Find each tenth of a second of a recording in the source, by normalised cross-correlation.

    Windows are found one by one, because a fake microphone skips some sound when the machine is busy.
    """
    size = 1 << (len(source) + WINDOW).bit_length()
    spectrum = np.fft.rfft(source, size)
    sums = np.concatenate([[0.0], np.cumsum(source**2)])
    norms = np.sqrt(sums[WINDOW:] - sums[:-WINDOW])
    matches = []
    for start in range(0, len(recorded) - WINDOW + 1, WINDOW):
        window = recorded[start : start + WINDOW]
        norm = max(float(np.linalg.norm(window)), 1e-9)
        products = np.fft.irfft(spectrum * np.conj(np.fft.rfft(window, size)), size)[: len(norms)]
        at = int(np.argmax(products / norms))
        level_db = 20 * float(np.log10(norm / norms[at]))
        matches.append(WindowMatch(start, at - start, float(products[at] / norms[at] / norm), level_db))
    return matches


def longest_stretch(matches: list[WindowMatch]) -> tuple[int, int, int]:
    """Return the start, the end and the shift of the longest stretch in which nothing was skipped."""
    stretches = [list(group) for _, group in groupby(matches, key=lambda match: match.shift)]
    longest = max(stretches, key=len)
    return longest[0].start, longest[-1].start + WINDOW, longest[0].shift


class RecorderPage:
    """The recording page, as a user works with it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def button(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def wait_for_state(self, state: str) -> None:
        wait_until(self.page, "(state) => document.documentElement.dataset.state === state", state)

    def turn_on(self) -> None:
        self.button("Turn on the microphone")
        self.wait_for_state("ready")

    def record(self) -> None:
        """Record until the limit of the request."""
        self.button("Record")
        self.wait_for_state("review")

    def record_for(self, seconds: float) -> None:
        """Record until the page shows this many seconds, then press Stop."""
        self.button("Record")
        wait_until(self.page, "(used) => Number(document.getElementById('elapsed').value) >= used", seconds)
        self.button("Stop")
        self.wait_for_state("review")

    def send(self) -> None:
        self.button("Send it")
        expect(self.page.get_by_role("heading", name="Sent")).to_be_visible()

    def problem(self) -> str:
        """Return the text of the alert, as soon as there is one."""
        alert = self.page.get_by_role("alert").filter(visible=True)
        expect(alert).not_to_be_empty()
        return alert.inner_text()

    def kept_take_sha256(self) -> str | None:
        """Return the hash of the take that the browser's database keeps, or None if it keeps none."""
        content = self.page.evaluate(
            """() => new Promise((done) => {
                indexedDB.open("consort-recorder", 1).onsuccess = ({ target }) => {
                    const all = target.result.transaction("takes").objectStore("takes").getAll();
                    all.onsuccess = async () => {
                        target.result.close();
                        if (!all.result.length) return done(null);
                        const bytes = await all.result[0].blob.arrayBuffer();
                        const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
                        done(Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join(""));
                    };
                };
            })"""
        )
        return None if content is None else str(content)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def wav_file(seconds: float, frequency: float = 440.0) -> bytes:
    content = io.BytesIO()
    tone = 0.3 * np.sin(2 * np.pi * frequency * np.arange(round(seconds * RATE)) / RATE)
    soundfile.write(content, tone, RATE, format="WAV", subtype="PCM_16")
    return content.getvalue()


def page_links(record_url: str) -> dict[str, Any]:
    """Load the page without a browser, and return the links that its script gets, as absolute addresses."""
    answer = httpx2.get(record_url, trust_env=False, timeout=60)
    found = re.search(r'id="page-data">(.*?)</script>', answer.text)
    assert answer.status_code == 200 and found is not None, answer.text
    data = json.loads(found[1])
    return {name: urljoin(record_url, value) for name, value in data.items() if name.endswith("Url") and value}


ACOUSTIC_LOOP = """(() => {
  const rooms = new WeakMap();
  const connect = AudioNode.prototype.connect;
  const room = (context) => {
    if (!rooms.has(context)) {
      const delay = new DelayNode(context, { delayTime: 0.12, maxDelayTime: 1 });
      const air = new MediaStreamAudioDestinationNode(context, { channelCount: 1 });
      connect.call(delay, air);
      rooms.set(context, { delay, air });
    }
    return rooms.get(context);
  };
  AudioNode.prototype.connect = function (target, ...rest) {
    if (target === this.context.destination) connect.call(this, room(this.context).delay);
    return connect.call(this, target, ...rest);
  };
  const source = AudioContext.prototype.createMediaStreamSource;
  AudioContext.prototype.createMediaStreamSource = function () {
    return source.call(this, room(this).air.stream);
  };
})();"""
"""A script that makes the microphone hear what the page plays, at least 120 ms later."""
