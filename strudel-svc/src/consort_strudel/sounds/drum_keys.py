"""Map the names of drums to keys of General MIDI, for the kits of the library and for MIDI files. No imports."""

PUBLIC_DRUM_KEYS: dict[str, tuple[int, ...]] = {
    "bd": (36, 35),
    "sd": (38, 40),
    "rim": (37,),
    "cp": (39,),
    "hh": (42, 44),
    "oh": (46,),
    "cr": (49, 57, 55, 52),
    "rd": (51, 53, 59),
    "lt": (45, 41),
    "mt": (47, 43),
    "ht": (50, 48),
    "cb": (56,),
    "sh": (70, 82, 69),
    "tb": (54,),
    "clave": (75,),
    "conga": (62, 63, 64, 65, 66),
    "bongo": (60, 61),
    "agogo": (67, 68),
    "guiro": (73, 74),
    "woodblock": (76, 77),
    "triangles": (81, 80),
    "misc": (58,),
}
"""Drums that the public REPL has too, each key once: `bd` is 36, `bd:1` is 35. Written code uses only these names."""
DRUM_KEYS: dict[str, tuple[int, ...]] = {
    **PUBLIC_DRUM_KEYS,
    "perc": (63, 61, 76, 67),
    "fx": (80, 81),
    "timbale": (65, 66),
    "cuica": (78, 79),
    "splash": (55,),
    "china": (52,),
}
"""All drums of the kits, the usual key first."""
