"""The drum or the program of General MIDI that a sound of Strudel is nearest to, and the other way round."""

import re
from functools import cache
from typing import NamedTuple

from consort_music.instruments import INSTRUMENTS
from consort_strudel.sounds.drum_keys import DRUM_KEYS, PUBLIC_DRUM_KEYS
from consort_strudel.sounds.substitutes import DRUM_OF_NAME, INSTRUMENT_OF_NAME

_KEY_DRUMS = {key: (name, number) for name, keys in PUBLIC_DRUM_KEYS.items() for number, key in enumerate(keys)}
_FIRST_KEY = 27
"""`misc:N` is key N from here on, for drums that have no name."""

_PIANO_PROGRAMS = range(4)
_GM_SPELLINGS = {
    4: "gm_epiano1",
    5: "gm_epiano2",
    23: "gm_bandoneon",
    54: "gm_synth_choir",
    87: "gm_lead_8_bass_lead",
    90: "gm_pad_poly",
    124: "gm_telephone",
}
"""Names that are not spelled like those of General MIDI."""
_SYNTH_PROGRAMS = {
    "sine": 79,
    "triangle": 73,
    "tri": 73,
    "square": 80,
    "sqr": 80,
    "pulse": 80,
    "sawtooth": 81,
    "saw": 81,
    "supersaw": 81,
    "sbd": 118,
    "user": 81,
    "bytebeat": 80,
}
_WITHOUT_PITCH = ("white", "pink", "brown", "crackle", "z_noise")
DEFAULT_SOUND = "triangle"


class MidiSound(NamedTuple):
    """A drum (`key`), an instrument (`program`), or neither."""

    key: int | None = None
    program: int | None = None


@cache
def gm_names() -> dict[str, int]:
    """Return the programs of all `gm_*` names, from 0."""
    names = {sound_of_program(instrument.program): instrument.program for instrument in INSTRUMENTS}
    return {**names, "gm_piano": 0}


def sound_of_program(program: int) -> str:
    """Return the `gm_*` name of a program. The four pianos have one name."""
    if program in _PIANO_PROGRAMS:
        return "gm_piano"
    if program in _GM_SPELLINGS:
        return _GM_SPELLINGS[program]
    name = re.sub(r"[^a-z0-9]+", "_", INSTRUMENTS[program].name.lower()).strip("_")
    return "gm_" + re.sub(r"^pad_[0-9]_|^fx_[0-9]_", lambda found: found[0].split("_")[0] + "_", name)


def sound_of_drum(key: int) -> tuple[str, int]:
    """Return the name and the number of a drum's sound."""
    return _KEY_DRUMS.get(key, ("misc", key))


def midi_sound(name: str, number: int = 0) -> MidiSound:
    """Return what plays a sound. `name` may have a bank before it: `RolandTR909_bd`."""
    name = name.lower()
    if name in gm_names():
        return MidiSound(program=gm_names()[name])
    if name in _WITHOUT_PITCH:
        return MidiSound()
    if name.removeprefix("z_") in _SYNTH_PROGRAMS or name.startswith("wt_"):
        return MidiSound(program=_SYNTH_PROGRAMS.get(name.removeprefix("z_"), 81))
    for word in (name, name.rpartition("_")[2]):
        if key := _drum_key(word, number):
            return MidiSound(key=key)
    while name:
        if name in INSTRUMENT_OF_NAME:
            return MidiSound(program=gm_names().get(INSTRUMENT_OF_NAME[name], 0))
        name = name.rpartition("_")[0]
    return MidiSound()


def _drum_key(word: str, number: int) -> int | None:
    drum = DRUM_OF_NAME.get(word, word)
    if drum == "misc" and _FIRST_KEY <= number < 128:
        return number
    keys = DRUM_KEYS.get(drum)
    if keys is None:
        return None
    return keys[number] if 0 <= number < len(keys) else keys[0]
