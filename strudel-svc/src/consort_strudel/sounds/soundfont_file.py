"""Read the presets and zones of a soundfont (SoundFont 2.04; SF3 is the same with samples in Ogg Vorbis).

A preset refers to instruments, and an instrument to samples; on both levels the first zone may be a global one, whose
values hold for the others. Values of a preset are added to those of its instruments; ranges are intersected. Only what
playing a zone needs is kept. Times are in seconds, attenuations in dB, pitches in cents.
"""

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
from numpy.typing import NDArray

DRUM_BANK = 128
_INSTRUMENT, _SAMPLE = 41, 53
_KEYS, _VELOCITIES = 43, 44
_ATTENUATION, _COARSE, _FINE, _MODE, _SCALE, _ROOT = 48, 51, 52, 54, 56, 58
_HOLD, _DECAY, _SUSTAIN = 35, 36, 37
_ALL = 0x7F00
_SHORTEST = -12000
"""Timecents that mean no time."""
_ATTENUATION_DB = 0.04
"""Decibels per unit of attenuation as synthesizers apply it: 0.4 of the 0.1 dB that the standard says."""
_VORBIS = 0x10

_Zone = dict[int, int]


class BadSoundfont(Exception):
    """The file is not a soundfont that can be read."""


@dataclass(frozen=True)
class SampleHeader:
    start: int
    """In bytes from the start of the sample data (Vorbis), otherwise in frames."""
    end: int
    loop_start: int
    """In frames from the start of the sample."""
    loop_end: int
    rate: int
    root: int
    correction: int
    """In cents."""
    is_vorbis: bool


@dataclass(frozen=True)
class Zone:
    sample: int
    """The index of the sample."""
    low: int
    high: int
    """The highest key that plays the zone."""
    lowest_velocity: int
    highest_velocity: int
    root: int
    """The key that plays the sample at its own pitch."""
    tuning: int
    """Cents by which the sample is played higher."""
    cents_per_key: int
    is_looped: bool
    attenuation_db: float
    hold_s: float
    decay_s: float
    sustain_db: float
    """The attenuation after the decay."""


@dataclass(frozen=True)
class Preset:
    name: str
    bank: int
    program: int
    zones: tuple[Zone, ...]


class Soundfont:
    def __init__(self, path: Path) -> None:
        """Read a file. Raise BadSoundfont or OSError."""
        self._bytes = path.read_bytes()
        if self._bytes[:4] != b"RIFF" or self._bytes[8:12] != b"sfbk":
            raise BadSoundfont(f"{path} is not a soundfont.")
        try:
            self._chunks = dict(self._walk(12, len(self._bytes)))
            self.samples = [_header(record) for record in self._records("shdr", "<20sIIIIIBbHH")]
            self.presets = {(each.bank, each.program): each for each in self._presets()}
        except (KeyError, struct.error, IndexError) as error:
            raise BadSoundfont(f"{path} is damaged: {error}.") from error

    def encoded(self, index: int) -> bytes | None:
        """Return the Vorbis stream of a sample, or None if the sample is not compressed."""
        sample = self.samples[index]
        if not sample.is_vorbis:
            return None
        start = self._chunks["smpl"][0]
        return self._bytes[start + sample.start : start + sample.end]

    def decoded(self, index: int) -> NDArray[np.float32]:
        """Return the frames of a sample."""
        sample = self.samples[index]
        encoded = self.encoded(index)
        if encoded is None:
            start = self._chunks["smpl"][0]
            data = self._bytes[start + 2 * sample.start : start + 2 * sample.end]
            return np.asarray(np.frombuffer(data, "<i2") / 32768, np.float32)
        frames, _ = soundfile.read(io.BytesIO(encoded), dtype="float32")
        return np.asarray(frames, np.float32)

    def _walk(self, start: int, end: int) -> Iterator[tuple[str, tuple[int, int]]]:
        """Yield name, start and size of each chunk of data."""
        while start <= end - 8:
            name, size = struct.unpack_from("<4sI", self._bytes, start)
            if name == b"LIST":
                yield from self._walk(start + 12, start + 8 + size)
            else:
                yield name.decode("latin-1"), (start + 8, size)
            start += 8 + size
            if size % 2 and self._bytes[start : start + 1] == b"\0":  # some writers leave out the padding
                start += 1

    def _records(self, name: str, layout: str) -> list[tuple[Any, ...]]:
        start, size = self._chunks[name]
        step = struct.calcsize(layout)
        return [struct.unpack_from(layout, self._bytes, start + step * index) for index in range(size // step)]

    def _presets(self) -> Iterator[Preset]:
        headers = self._records("phdr", "<20sHHHIII")
        bags, values = self._records("pbag", "<HH"), self._records("pgen", "<HH")
        instruments = [record[1] for record in self._records("inst", "<20sH")]
        inner_bags, inner_values = self._records("ibag", "<HH"), self._records("igen", "<HH")
        for header, following in pairwise(headers):
            zones = []
            for outer in _zones(bags, values, header[3], following[3], _INSTRUMENT):
                number = outer[_INSTRUMENT]
                for inner in _zones(inner_bags, inner_values, instruments[number], instruments[number + 1], _SAMPLE):
                    zone = _zone(outer, inner, self.samples[inner[_SAMPLE]])
                    if zone.low <= zone.high and zone.lowest_velocity <= zone.highest_velocity:
                        zones.append(zone)
            name = header[0].split(b"\0")[0].decode("latin-1")
            yield Preset(name, header[2], header[1], tuple(zones))


def _header(record: tuple[Any, ...]) -> SampleHeader:
    _, start, end, loop_start, loop_end, rate, root, correction, _, kind = record
    is_vorbis = bool(kind & _VORBIS)
    first = 0 if is_vorbis else start  # the loops of compressed samples count from the start of the sample
    return SampleHeader(start, end, loop_start - first, loop_end - first, rate, root, correction, is_vorbis)


def _zones(
    bags: list[tuple[Any, ...]], values: list[tuple[Any, ...]], first: int, end: int, last: int
) -> Iterator[_Zone]:
    """Yield the values of each zone, with those of the global zone. `last` is the value that a zone must have."""
    common: _Zone = {}
    for index in range(first, end):
        zone: _Zone = dict(values[bags[index][0] : bags[index + 1][0]])
        if last in zone:
            yield {**common, **zone}
        elif index == first:
            common = zone


def _zone(outer: _Zone, inner: _Zone, sample: SampleHeader) -> Zone:
    def added(name: int) -> int:
        return _signed(inner.get(name, 0)) + _signed(outer.get(name, 0))

    def seconds(name: int) -> float:
        cents = _signed(inner.get(name, _SHORTEST % 65536)) + _signed(outer.get(name, 0))
        return 0.0 if cents <= _SHORTEST else float(2 ** (cents / 1200))

    keys, velocities = _range(outer, inner, _KEYS), _range(outer, inner, _VELOCITIES)
    root = inner.get(_ROOT, 255)
    return Zone(
        sample=inner[_SAMPLE],
        low=keys[0],
        high=keys[1],
        lowest_velocity=velocities[0],
        highest_velocity=velocities[1],
        root=sample.root if root > 127 else root,
        tuning=100 * added(_COARSE) + added(_FINE) + sample.correction,
        cents_per_key=inner.get(_SCALE, 100),
        is_looped=inner.get(_MODE, 0) & 3 in (1, 3),
        attenuation_db=_ATTENUATION_DB * max(added(_ATTENUATION), 0),
        hold_s=seconds(_HOLD),
        decay_s=seconds(_DECAY),
        sustain_db=0.1 * max(added(_SUSTAIN), 0),
    )


def _range(outer: _Zone, inner: _Zone, name: int) -> tuple[int, int]:
    wide, narrow = outer.get(name, _ALL), inner.get(name, _ALL)
    return max(wide & 255, narrow & 255), min(wide >> 8, narrow >> 8)


def _signed(value: int) -> int:
    return value - 65536 if value > 32767 else value
