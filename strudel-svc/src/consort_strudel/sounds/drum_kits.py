"""Write the drums of a soundfont's kits as one-shot samples.

A drum is the sum of the zones of its key at one velocity: each sample at its pitch, level and decay. The result is cut
where it has faded to -60 dB, and normalized.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray

from consort_strudel.sounds.drum_keys import DRUM_KEYS
from consort_strudel.sounds.soundfont_file import DRUM_BANK, Preset, Soundfont, Zone

FOLDER = "drums"
RATE = 44_100
KITS = {"std": 0, "room": 8, "power": 16, "elec": 24, "tr808": 25, "jazz": 32, "brush": 40}
"""The names of the kits and their programs."""

_VELOCITY = 112
_LONGEST_S = 4.0
_PEAK = 0.9
_FLOOR = 1e-3
_FADE_FRAMES = 200

DrumFrames = NDArray[np.float32]


def write_kit(font: Soundfont, kit: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Write the drums of a kit, and yield the name (`jazz_bd`) and the file (`drums/jazz_36.flac`) of each."""
    preset = font.presets[DRUM_BANK, KITS[kit]]
    written: set[str] = set()
    for drum, keys in DRUM_KEYS.items():
        for key in keys:
            file = f"{FOLDER}/{kit}_{key}.flac"
            if file not in written:
                frames = drum_sound(font, preset, key)
                if frames is None:
                    continue
                soundfile.write(folder / file, frames, RATE, subtype="PCM_16")
                written.add(file)
            yield f"{kit}_{drum}", file


def drum_sound(font: Soundfont, preset: Preset, key: int) -> DrumFrames | None:
    """Return the sound of a key, or None if the kit has none there."""
    layers = [
        _layer(font, zone, key)
        for zone in preset.zones
        if zone.low <= key <= zone.high and zone.lowest_velocity <= _VELOCITY <= zone.highest_velocity
    ]
    mixed = np.zeros(max(map(len, layers), default=0), np.float32)
    for layer in layers:
        mixed[: len(layer)] += layer
    level = np.abs(mixed)
    peak = float(level.max(initial=0))
    if peak == 0:
        return None
    heard = np.nonzero(level > _FLOOR * peak)[0]
    cut = mixed[max(0, int(heard[0]) - 20) : int(heard[-1]) + _FADE_FRAMES] * (_PEAK / peak)
    fade = min(_FADE_FRAMES, len(cut))
    cut[-fade:] *= np.linspace(1, 0, fade, dtype=np.float32)
    return cut


def _layer(font: Soundfont, zone: Zone, key: int) -> DrumFrames:
    """Return the sound of one zone: at the pitch of the key, with its level and its decay."""
    frames = font.decoded(zone.sample)
    cents = zone.cents_per_key * (key - zone.root) + zone.tuning
    step = 2 ** (cents / 1200) * font.samples[zone.sample].rate / RATE
    count = min(int(len(frames) / step), int(_LONGEST_S * RATE))
    moved = np.interp(np.arange(count) * step, np.arange(len(frames)), frames)
    seconds = np.arange(count) / RATE
    falling_db = 100 * np.maximum(seconds - zone.hold_s, 0) / zone.decay_s if zone.decay_s else zone.sustain_db
    loss_db = zone.attenuation_db + np.minimum(falling_db, zone.sustain_db)
    return np.asarray(moved * 10 ** (-loss_db / 20), np.float32)
