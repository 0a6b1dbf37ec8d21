"""What a musician calls a sound: `bd` is a kick, `gm_pad_warm` a pad."""

import re

from consort_strudel.sounds.drum_aliases import DRUM_ALIASES
from consort_strudel.words import words

_DRUMS = {
    "kick": "bd sbd",
    "snare": "sd",
    "rim": "rim",
    "clap": "cp",
    "hi-hat": "hh",
    "open hi-hat": "oh",
    "crash": "cr",
    "ride": "rd",
    "tom": "lt mt ht",
    "cowbell": "cb",
    "shaker": "sh",
    "tambourine": "tb",
    "percussion": "perc misc conga bongo agogo timbale guiro clave woodblock tabla tha dhi thom nam click glitch tink",
    "break": "breaks breaks125 breaks152 breaks157 breaks165 amencutup amen loop_amen break",
}
DRUMS = frozenset(_DRUMS)
"""The instruments that are drums."""
_INSTRUMENT_OF_DRUM = {name: instrument for instrument, names in _DRUMS.items() for name in names.split()}
SYNTHS = {
    "sawtooth": "sawtooth synth",
    "saw": "sawtooth synth",
    "square": "square synth",
    "sqr": "square synth",
    "triangle": "triangle synth",
    "tri": "triangle synth",
    "sine": "sine synth",
    "sin": "sine synth",
    "supersaw": "supersaw",
    "pulse": "pulse synth",
    "user": "additive synth",
    "bytebeat": "bytebeat",
}
NOISES = {"white": "white noise", "pink": "pink noise", "brown": "brown noise", "crackle": "crackle"}
FX_SOUNDS = frozenset(words("wind space birds birds3 crow insect vinyl bubble fire outdoor coins bottle crackle"))
_PAD = re.compile(r"pad|choir|string|ambi|atmos|drone|halo|sweep|warm|space|voice|ooh|aah")
_BASS = re.compile(r"bass|(^|_)sub")


def drum_of(sound: str) -> str | None:
    """Return the instrument of a drum sound (`bd`, `RolandTR909_bd`, `bd:3`), or None for other sounds."""
    name = sound.split(":")[0].lower()
    drums = (DRUM_ALIASES.get(word, word) for word in (name, name.rpartition("_")[2]))
    return next((_INSTRUMENT_OF_DRUM[drum] for drum in drums if drum in _INSTRUMENT_OF_DRUM), None)


def instrument_of(sound: str) -> str:
    """Return what a musician calls a sound."""
    name = sound.split(":")[0]
    lowered = name.lower()
    known = drum_of(name) or SYNTHS.get(lowered) or NOISES.get(lowered)
    return known or lowered.removeprefix("gm_").replace("_", " ")


def is_pad(sound: str) -> bool:
    return bool(_PAD.search(sound.lower()))


def is_bass(sound: str) -> bool:
    return bool(_BASS.search(sound.lower()))
