"""Other names of drums, in scripts and sample packs, and the name that the library has for each."""

_ALIASES = {
    "bd": "kick bassdrum bassdrum1 bassdrum2 bassdrum3 clubkick hardkick popkick kicklinn reverbkick 808bd",
    "sd": "sn snare snare_modern snare_hi snare_low sd2 808sd",
    "rim": "rs rimshot snare_rim sidestick",
    "cp": "clap handclap realclaps",
    "hh": "hat ch hihat hc closedhat linnhats hh27 808hc",
    "oh": "ho openhat hihat_open 808oh",
    "cr": "crash cymbal cy 808cy",
    "rd": "ride",
    "lt": "lowtom 808lt",
    "mt": "tom 808mt",
    "ht": "hightom 808ht",
    "cb": "cowbell",
    "sh": "shaker shaker_small shaker_large cabasa maracas ma",
    "tb": "tambourine tambourine2 tamb",
    "clave": "claves cl",
    "woodblock": "wb woodblocks",
}
DRUM_ALIASES = {alias: drum for drum, aliases in _ALIASES.items() for alias in aliases.split()}
