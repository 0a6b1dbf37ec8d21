"""Listen to what a page plays: an analyser between its audio element and the output."""

import itertools
from typing import NamedTuple

from playwright.sync_api import Page

from tests.support.browser import PATIENCE_S, wait_until

_CONNECT = """([id, repeats]) => {
  const context = new AudioContext();
  const element = document.getElementById(id);
  element.loop = repeats;
  const analyser = context.createAnalyser();
  analyser.fftSize = 32768;
  analyser.smoothingTimeConstant = 0;
  context.createMediaElementSource(element).connect(analyser).connect(context.destination);
  const level = new Float32Array(analyser.frequencyBinCount);
  window.listener = {
    element,
    hear() {
      analyser.getFloatFrequencyData(level);
      let loudest = 1;
      for (let bin = 1; bin < level.length; bin++) if (level[bin] > level[loudest]) loudest = bin;
      return [(loudest * context.sampleRate) / analyser.fftSize, Math.max(level[loudest], -999)];
    },
    time: () => [context.currentTime, element.currentTime],
  };
}"""

_WATCH_POSITIONS = """() => {
  const { element } = window.listener;
  const seen = (window.listener.positions = []);
  const note = () => { if (!element.paused && !element.seeking) seen.push(element.currentTime); };
  setInterval(note, 5);
}"""


class Heard(NamedTuple):
    frequency: float
    """Of the loudest partial, in Hz."""
    level_db: float


class PageListener:
    """Hears an audio element of a page. One per page."""

    def __init__(self, page: Page, element_id: str = "audio", *, repeats: bool = False) -> None:
        """With `repeats` the sound starts again at its end, so that a machine that stalls misses nothing."""
        self._page = page
        page.evaluate(_CONNECT, [element_id, repeats])

    def hear(self) -> Heard:
        return Heard(*self._page.evaluate("window.listener.hear()"))

    def wait_for_tone(self, frequency: float, loudest_below_db: float = -30) -> None:
        """Wait until this tone is the loudest (within 1%) and not quiet."""
        wait_until(
            self._page,
            "([wanted, floor]) => { const [heard, level] = window.listener.hear();"
            " return level > floor && Math.abs(heard / wanted - 1) < 0.01; }",
            [frequency, loudest_below_db],
        )

    def wait_for_speed(self, low: float, high: float) -> None:
        """Wait until the position moves at this speed, compared with the clock of the sound output, for half a second.

        A machine that stalls changes the speed for a moment, so a wrong speed is measured again.
        """
        wait_until(
            self._page,
            """async ([low, high]) => {
              const [began, from] = window.listener.time();
              await new Promise((resolve) => setTimeout(resolve, 600));
              const [now, to] = window.listener.time();
              const speed = (to - from) / (now - began);
              return speed >= low && speed <= high;
            }""",
            [low, high],
        )

    def positions_during_rounds(self, rounds: int) -> list[list[float]]:
        """Wait until the position has jumped back this often. Return the positions of each whole round."""
        self._page.evaluate(_WATCH_POSITIONS)
        wait_until(
            self._page,
            "(rounds) => window.listener.positions.filter((now, at, all) => at && now < all[at - 1]).length > rounds",
            rounds,
            PATIENCE_S,
        )
        seen: list[float] = self._page.evaluate("window.listener.positions")
        starts = [at for at in range(1, len(seen)) if seen[at] < seen[at - 1]]
        return [seen[first:end] for first, end in itertools.pairwise(starts)]
