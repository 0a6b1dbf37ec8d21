"""Turn positions in quarter notes into seconds, with a tempo that may change."""

from collections.abc import Sequence

import numpy as np

_STEP = 1 / 16
"""Quarters: the tempo is constant within a step."""


class TempoClock:
    """A tempo in beats per minute that changes at given places, or becomes slower towards the end."""

    def __init__(
        self,
        bpm: float,
        beat: float,
        start: float,
        end: float,
        change: tuple[float, float] | None = None,
        ritardando: float | None = None,
        pauses: Sequence[tuple[float, float]] = (),
        lead_s: float = 0.0,
    ) -> None:
        """Make a clock whose time at `start` is `lead_s`. `start`, `end` and `beat` are in quarters.

        `change`: from this place on, the tempo is multiplied by this factor. `ritardando`: from this place to the end,
        the tempo falls evenly to 60%. `pauses`: at this place, so many seconds are inserted.
        """
        steps = np.arange(0, end - start + 2 * _STEP, _STEP)
        places = start + steps + _STEP / 2
        tempo = np.full(len(places), float(bpm))
        if change is not None:
            tempo[places >= change[0]] *= change[1]
        if ritardando is not None:
            share = np.clip((places - ritardando) / max(end - ritardando, _STEP), 0, 1)
            tempo *= 1 - 0.4 * share
        self._places = start + steps
        self._times = lead_s + np.concatenate([[0], np.cumsum(_STEP / beat * 60 / tempo)[:-1]])
        self._last_s = _STEP / beat * 60 / tempo[-1]
        self._pauses = list(pauses)

    def seconds(self, place: float, before_pause: bool = False) -> float:
        """Return the time of a place. At a pause, this is the time after it, or before it on request."""
        after = (place - self._places[-1]) / _STEP * self._last_s if place > self._places[-1] else 0.0
        time = float(np.interp(place, self._places, self._times)) + after
        for where, length in self._pauses:
            if where < place - 1e-9 or (where <= place + 1e-9 and not before_pause):
                time += length
        return time
