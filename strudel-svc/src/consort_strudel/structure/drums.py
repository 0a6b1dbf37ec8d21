"""Names of sounds, and what a musician calls them."""

import re

from consort_strudel.words import words

_DRUMS = {
    "kick": "bd kick sbd clubkick hardkick 808bd bassdrum bassdrum1 bassdrum2 popkick kicklinn reverbkick",
    "snare": "sd sn snare 808sd rim_sd snare_modern snare_hi snare_low",
    "rim": "rim rs rimshot sidestick",
    "clap": "cp clap realclaps handclap",
    "hi-hat": "hh hat hihat ch hc linnhats hh27 808hc",
    "open hi-hat": "oh ho openhat 808oh",
    "crash": "cr crash cymbal cy 808cy",
    "ride": "rd ride",
    "tom": "lt mt ht tom 808lt 808mt 808ht lowtom hightom",
    "cowbell": "cb cowbell",
    "shaker": "sh shaker maracas cabasa ma",
    "tambourine": "tb tambourine tamb",
    "percussion": "perc misc conga bongo agogo timbale guiro tabla tha dhi thom nam wb cl clave click glitch tink",
    "break": "breaks breaks125 breaks152 breaks157 breaks165 amencutup amen loop_amen break",
}
INSTRUMENT_OF_DRUM = {name: instrument for instrument, names in _DRUMS.items() for name in names.split()}
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
    return INSTRUMENT_OF_DRUM.get(name) or INSTRUMENT_OF_DRUM.get(name.rsplit("_", 1)[-1] if "_" in name else "")


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
