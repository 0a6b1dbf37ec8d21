"""Write the instruments of General MIDI as the files that the sound engine loads for `gm_*` names.

Such a file is a script with one list of zones, each with its sample in base64. The loader takes the first zone whose
keys contain the note and has no velocity layers, so the zones of one velocity are written, sorted and without gaps.
Samples stay as they are in the font (Vorbis). Only very short ones are written as WAV: browsers do not decode them,
and the loader then waits forever.
"""

import base64
import io
import json
from pathlib import Path
from typing import Any

import soundfile

from consort_strudel.sounds.folders import gm_file_name
from consort_strudel.sounds.soundfont_file import Soundfont, Zone

PROGRAMS = range(128)
_VELOCITY = 100
_SHORT_BYTES = 8000
"""Vorbis streams up to this size are written as WAV."""


def write_program(font: Soundfont, program: int, folder: Path) -> None:
    """Write the file of one program, from 0. Raise KeyError if the font does not have it."""
    zones = _without_gaps(_one_layer(font.presets[0, program].zones))
    entries = [_entry(font, program, zone, low, high) for zone, low, high in zones]
    # the loader takes the text after the first "={" and evaluates it as a block with a label
    text = f"var _tone_{program:03d}={{zones:{json.dumps(entries, separators=(',', ':'))}}};\n"
    (folder / gm_file_name(program)).write_text(text, encoding="ascii")


def _one_layer(zones: tuple[Zone, ...]) -> list[Zone]:
    """Return the zones that sound at a medium velocity, from low to high, the widest of equal ones first."""
    layer = [zone for zone in zones if zone.lowest_velocity <= _VELOCITY <= zone.highest_velocity] or list(zones)
    return sorted(layer, key=lambda zone: (zone.low, -zone.high))


def _without_gaps(zones: list[Zone]) -> list[tuple[Zone, int, int]]:
    """Return each zone with its lowest and highest key, stretched so that every key from 0 to 127 has a zone."""
    placed: list[tuple[Zone, int, int]] = []
    covered = -1
    for index, zone in enumerate(zones):
        low, high = min(zone.low, covered + 1), zone.high
        if index == len(zones) - 1 or all(high >= other.high for other in zones):
            high = 127
        placed.append((zone, low, high))
        covered = max(covered, high)
    return placed


def _entry(font: Soundfont, program: int, zone: Zone, low: int, high: int) -> dict[str, Any]:
    sample = font.samples[zone.sample]
    return {
        "midi": program,
        "originalPitch": 100 * zone.root,
        "keyRangeLow": low,
        "keyRangeHigh": high,
        "loopStart": sample.loop_start if zone.is_looped else 0,
        "loopEnd": sample.loop_end if zone.is_looped else 0,
        "coarseTune": 0,
        "fineTune": zone.tuning,
        "sampleRate": sample.rate,
        "ahdsr": False,
        "file": base64.b64encode(_sample_file(font, zone.sample)).decode(),
    }


def _sample_file(font: Soundfont, index: int) -> bytes:
    encoded = font.encoded(index)
    if encoded is not None and len(encoded) > _SHORT_BYTES:
        return encoded
    content = io.BytesIO()
    soundfile.write(content, font.decoded(index), font.samples[index].rate, format="WAV", subtype="PCM_16")
    return content.getvalue()
