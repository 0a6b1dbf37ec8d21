"""Which local sound plays for a name that the library does not have.

Scripts written for the public REPL use its drum machines and instruments by name. `RolandTR909_bd` becomes the bass
drum of the electronic kit, `sax` the alto saxophone of General MIDI. Every substitution is reported. The page and the
renderer get the same tables in the description of the library, see engine/src/common/substitutes.mjs.
"""

import re
from collections.abc import Callable
from typing import Any

from consort_strudel.sounds.drum_aliases import DRUM_ALIASES

KIT_OF_BANK = (
    ("808", "tr808"),
    (
        "909|707|727|505|606|626|cr78|cr8000|compurhythm|simmons|sds|dmx|dx|drumtraks|drumulator|linn|lm|elec|korg|"
        "casio|mpc|sp12|emu|r8|dr550|dr110|dr220|mt32|mc202|mc303|ry30|rz1|rx|hr16|sr16|kr55|xr10|volca|rm50|d110|"
        "d70|s50|ddm|poly800|minipops|rhythm|tg33|viscospacedrum|bossdr",
        "elec",
    ),
    ("jazz", "jazz"),
    ("brush", "brush"),
    ("power|rock", "power"),
    ("room", "room"),
)
"""A regular expression for names of banks, and the kit that plays for them. Other banks: the default kit."""

DRUM_OF_NAME = {
    **DRUM_ALIASES,
    "stomp": "bd",
    "hand": "cp",
    **dict.fromkeys(("clash", "clash2", "sus_cymbal", "sus_cymbal2", "gong", "gong2"), "cr"),
    **dict.fromkeys(("timpani", "timpani2", "timpani_roll"), "lt"),
    **dict.fromkeys(("tom_mallet", "tom_stick", "tom2_mallet", "tom2_stick", "framedrum"), "mt"),
    "sleighbells": "tb",
    "darbuka": "conga",
    "cajon": "bongo",
    "slitdrum": "woodblock",
    "triangle_perc": "triangles",
}
"""Names of drums that the library does not have, and the nearest drum of the kits, which plays for each."""

INSTRUMENT_OF_NAME = {
    **dict.fromkeys(("piano", "piano1", "steinway", "kawai", "superpiano"), "gm_piano"),
    **dict.fromkeys(("epiano", "rhodes"), "gm_epiano1"),
    **dict.fromkeys(("fmpiano", "dx7"), "gm_epiano2"),
    **dict.fromkeys(("sax", "alto"), "gm_alto_sax"),
    **dict.fromkeys(("saxello",), "gm_soprano_sax"),
    **dict.fromkeys(("recorder", "recorder_alto", "recorder_bass"), "gm_recorder"),
    **dict.fromkeys(("ocarina",), "gm_ocarina"),
    **dict.fromkeys(("harmonica", "super64"), "gm_harmonica"),
    **dict.fromkeys(("folkharp", "harp"), "gm_orchestral_harp"),
    **dict.fromkeys(("psaltery_pluck", "psaltery_spiccato"), "gm_dulcimer"),
    **dict.fromkeys(("psaltery", "psaltery_bow"), "gm_violin"),
    **dict.fromkeys(("handbells", "tubularbells", "tubularbells2"), "gm_tubular_bells"),
    **dict.fromkeys(("glockenspiel",), "gm_glockenspiel"),
    **dict.fromkeys(("vibraphone",), "gm_vibraphone"),
    **dict.fromkeys(("marimba", "balafon"), "gm_marimba"),
    **dict.fromkeys(("xylophone",), "gm_xylophone"),
    **dict.fromkeys(("kalimba", "jewharp"), "gm_kalimba"),
    **dict.fromkeys(("clavisynth", "clavinet"), "gm_clavinet"),
    **dict.fromkeys(("organ",), "gm_drawbar_organ"),
    **dict.fromkeys(("organ_full", "organ_4inch", "organ_8inch", "pipeorgan", "pipeorgan_loud"), "gm_church_organ"),
    **dict.fromkeys(("didgeridoo",), "gm_shanai"),
    **dict.fromkeys(("strumstick", "banjo"), "gm_banjo"),
    **dict.fromkeys(("dantranh", "koto"), "gm_koto"),
    **dict.fromkeys(("arpy", "superhex"), "gm_lead_2_sawtooth"),
    **dict.fromkeys(("casio",), "gm_lead_1_square"),
    **dict.fromkeys(("jvbass", "bass1", "bass3"), "gm_synth_bass_1"),
    **dict.fromkeys(("bass", "bass2"), "gm_electric_bass_finger"),
    **dict.fromkeys(("gtr", "guitar"), "gm_electric_guitar_clean"),
    **dict.fromkeys(("pluck",), "gm_acoustic_guitar_nylon"),
    **dict.fromkeys(("flute", "wind"), "gm_flute"),
    **dict.fromkeys(("strings", "violin"), "gm_violin"),
    **dict.fromkeys(("trumpet",), "gm_trumpet"),
    **dict.fromkeys(("wt",), "wt_basic"),
}
"""Names of instruments elsewhere, and the local instrument that plays for each. Suffixes (`_stacc`) are ignored."""

DEFAULT_KIT = "std"


def substitute(name: str, has: Callable[[str], bool]) -> str | None:
    """Return the local sound that plays for an unknown name, or None. `has` says whether a sound is there."""
    name = name.lower()
    bank, _, drum = name.rpartition("_")
    for candidate in (name, *([drum] if bank else [])):
        found = DRUM_OF_NAME.get(candidate, candidate)
        if not has(f"{DEFAULT_KIT}_{found}"):
            continue
        if candidate == name:
            return found if has(found) else f"{DEFAULT_KIT}_{found}"
        kit_drum = f"{_kit(bank)}_{found}"
        return kit_drum if has(kit_drum) else f"{DEFAULT_KIT}_{found}"
    while name:
        instrument = INSTRUMENT_OF_NAME.get(name)
        if instrument is not None and has(instrument):
            return instrument
        name = name.rpartition("_")[0]
    return None


def _kit(bank: str) -> str:
    return next((kit for pattern, kit in KIT_OF_BANK if re.search(pattern, bank)), DEFAULT_KIT)


def substitute_tables() -> dict[str, Any]:
    """Return the tables for the page and the renderer."""
    return {
        "kits": [list(row) for row in KIT_OF_BANK],
        "drums": DRUM_OF_NAME,
        "instruments": INSTRUMENT_OF_NAME,
        "defaultKit": DEFAULT_KIT,
    }
