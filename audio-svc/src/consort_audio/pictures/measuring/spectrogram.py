"""Measure the power of audio over time and frequency: short-time Fourier transforms with Hann windows.

**Logarithmic**: a multi-resolution transform with a nearly constant Q, on an octave pyramid (`octaves`). A low note
needs a long window to be separated from its neighbour, a high one a short window to show when it starts. So the window
of each row has the length of about 34 periods, within limits, blended from the two nearest powers of two.

**Linear**: one window length for all rows.

- A long column is the mean of up to eight windows, and windows grow with the columns. So the time needed depends on
  the number of columns, and hardly on the length of the file.
- Power is relative to a sine of full scale, which has 1. Two channels are transformed separately and averaged, because
  a sum would cancel what is in opposite phase. More channels are mixed down first.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from consort_audio.pictures.measuring.columns import ChannelSamples, Columns
from consort_audio.pictures.measuring.octaves import RateHalver
from consort_audio.pictures.measuring.windows import WindowPlan, plan_windows

MOST_CHANNELS = 2
_MOST_AT_ONCE = 2**19  # samples that are transformed in one step, to limit memory


def log_frequencies(rows: int, lowest_pitch: float, highest_pitch: float) -> NDArray[np.float64]:
    """Return the edges of rows of equal height from the highest pitch down to the lowest (MIDI numbers), in hertz."""
    pitches = np.linspace(highest_pitch, lowest_pitch, rows + 1)
    return np.asarray(440 * 2 ** ((pitches - 69) / 12))


def linear_frequencies(rows: int, highest_hz: float) -> NDArray[np.float64]:
    """Return the edges of rows of equal height from the highest frequency down to 0, in hertz."""
    return np.linspace(highest_hz, 0, rows + 1)


class Spectrogram:
    """Collects the power of rows and columns. Call `add` with the samples in order, then `finish`."""

    def __init__(self, columns: Columns, edges_hz: NDArray[np.float64], channels: int, *, is_log: bool) -> None:
        self._shape = len(edges_hz) - 1, columns.count
        self._channels = channels if channels <= MOST_CHANNELS else 1
        plans = plan_windows(columns, edges_hz, is_log=is_log)
        self.reach = max((plan.length << plan.level for plan in plans), default=0)
        """The number of frames before the first and after the last column that are used if they exist."""
        highest = max((plan.level for plan in plans), default=0)
        begin = (columns.first - self.reach) >> highest  # a multiple of the longest step, so that levels are aligned
        self._levels = [
            OctaveLevel(
                begin << (highest - level),
                [PlannedWindows(plan, columns.count) for plan in plans if plan.level == level],
                self._channels,
            )
            for level in range(highest + 1)
        ]
        self._end = begin << highest

    def add(self, at: int, samples: ChannelSamples) -> None:
        """Add the samples that start at frame `at` of the file."""
        if at > self._end:
            self._append(np.zeros((self._channels, at - self._end), dtype=np.float32))  # before the file starts
        mixes = samples.shape[0] > MOST_CHANNELS
        self._append(samples.mean(axis=0, keepdims=True, dtype=np.float32) if mixes else samples)

    def finish(self) -> NDArray[np.float32]:
        """Transform the last windows, and return the power as (rows, columns). The first row is the highest."""
        self._append(np.zeros((self._channels, 2 * self.reach), dtype=np.float32))  # after the file ends
        power = np.zeros(self._shape, dtype=np.float32)
        for level in self._levels:
            for each in level.windows:
                power[each.plan.rows] += each.power.T
        return power

    def _append(self, samples: ChannelSamples) -> None:
        self._end += samples.shape[1]
        for level in self._levels:
            samples = level.add(samples)


class OctaveLevel:
    """One level of the pyramid: its windows, and the samples that they still need."""

    def __init__(self, begin: int, windows: "list[PlannedWindows]", channels: int) -> None:
        self.windows = windows
        self._kept: ChannelSamples = np.zeros((channels, 0), dtype=np.float32)
        self._kept_from = begin
        self._halver = RateHalver(channels)

    def add(self, samples: ChannelSamples) -> ChannelSamples:
        """Transform all windows that are complete now. Return the samples for the next level."""
        joined = np.concatenate([self._kept, samples], axis=1)
        needed_from = self._kept_from + joined.shape[1]
        for each in self.windows:
            needed_from = min(needed_from, each.transform(self._kept_from, joined))
        drop = max(0, needed_from - self._kept_from)
        self._kept = joined[:, drop:].copy()
        self._kept_from += drop
        return self._halver.halve(samples)


class PlannedWindows:
    """The windows of one plan, and the power that they have measured so far, as (columns, rows of the plan)."""

    def __init__(self, plan: WindowPlan, columns: int) -> None:
        self.plan = plan
        self.power = np.zeros((columns, len(plan.rows)), dtype=np.float32)
        hann = np.hanning(plan.length + 1)[:-1]
        self._window = hann * 2 / hann.sum()  # float64: numpy transforms float32 four times more slowly
        self._done = 0

    def transform(self, at: int, samples: ChannelSamples) -> int:
        """Transform the windows that are complete within samples from sample `at`.

        Return the first sample that a later window needs.
        """
        plan = self.plan
        end = at + samples.shape[1]
        ready = int(np.searchsorted(plan.starts, end - plan.length, side="right"))
        step = max(1, _MOST_AT_ONCE // (plan.padded * samples.shape[0]))
        for begin in range(self._done, ready, step):
            self._measure(begin, samples, plan.starts[begin : min(begin + step, ready)] - at)
        self._done = max(self._done, ready)
        return int(plan.starts[self._done]) if self._done < len(plan.starts) else end

    def _measure(self, number: int, samples: ChannelSamples, starts: NDArray[np.int64]) -> None:
        """Transform the windows that start at these samples. `number` is the number of the first of them."""
        plan = self.plan
        pieces = sliding_window_view(samples, plan.length, axis=1)[:, starts]
        spectra = np.fft.rfft(pieces * self._window, plan.padded)
        power = (np.square(spectra.real) + np.square(spectra.imag)).mean(axis=0)
        below, above = power[:, plan.lower_bins], power[:, plan.lower_bins + 1]
        rows = below + (above - below) * plan.between
        if len(plan.wide):
            strongest = np.maximum.reduceat(power, plan.ranges, axis=1)[:, ::2]
            rows[:, plan.wide] = np.maximum(rows[:, plan.wide], strongest)
        columns, firsts = np.unique(np.arange(number, number + len(starts)) // plan.per_column, return_index=True)
        self.power[columns] += np.add.reduceat(rows * (plan.gains / plan.per_column), firsts, axis=0)
