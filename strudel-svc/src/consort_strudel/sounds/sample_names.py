"""Which samples each name of the library plays: the one sample map of the listen page and the renderer."""

from collections.abc import Collection, Mapping

from consort_strudel.sounds.substitutes import DEFAULT_KIT

SONIC_PI_FOLDER = "sonic-pi"

_ELECTRONIC = {
    "bd": ("bd_haus", "bd_klub", "bd_808", "bd_tek", "bd_fat", "bd_boom"),
    "sd": ("sn_dub", "sn_generic", "sn_dolf", "elec_snare"),
    "hh": ("drum_cymbal_closed",),
    "oh": ("drum_cymbal_open",),
    "cp": ("perc_snap", "perc_snap2"),
    "cb": ("drum_cowbell",),
}
"""Drums of electronic music for the plain names, which scripts expect. The kits' own drums follow them."""
_FIRST_KITS = {"sd": ("elec",), "hh": ("elec",), "oh": ("elec",), "cp": ("tr808",), "cb": ("tr808",)}
"""Kits whose drum stands before the electronic samples."""
_GROUPS = {
    "amen": ("loop_amen", "loop_amen_full"),
    "breaks165": ("loop_breakbeat",),
    "crow": ("misc_crow",),
    "east": ("tabla_na", "tabla_ghe1", "tabla_ke1", "tabla_tun1", "tabla_re"),
    "space": ("ambi_lunar_land", "ambi_swoosh", "ambi_dark_woosh"),
    "vinyl": ("vinyl_hiss", "vinyl_scratch", "vinyl_backspin", "vinyl_rewind"),
}
_PREFIXES = ("ambi", "bass", "elec", "glitch", "guit", "loop", "perc", "tabla", "mehackit")
"""Families of samples that one name plays all of: `elec:3`. Not those that are names of drums."""

SampleMap = dict[str, list[str]]


def sample_map(kits: Mapping[str, list[str]], sonic_pi: Collection[str]) -> SampleMap:
    """Return the files of each name. `kits` has the drums of kits (`jazz_bd`), `sonic_pi` the samples' names."""
    names: SampleMap = {name: list(files) for name, files in kits.items()}
    drums = dict.fromkeys(name.partition("_")[2] for name in kits)
    for drum in drums:
        first = [file for kit in _FIRST_KITS.get(drum, ()) for file in kits.get(f"{kit}_{drum}", [])]
        plain = kits.get(f"{DEFAULT_KIT}_{drum}", [])
        names[drum] = [*first, *_files(_ELECTRONIC.get(drum, ()), sonic_pi), *plain]
    if "bd_808" in sonic_pi:
        names["tr808_bd"] = [*_files(("bd_808",), sonic_pi), *names.get("tr808_bd", [])]
    for name, members in _GROUPS.items():
        names[name] = _files(members, sonic_pi)
    for prefix in _PREFIXES:
        names.setdefault(prefix, []).extend(_files(sorted(_with_prefix(prefix, sonic_pi)), sonic_pi))
    for sample in sorted(sonic_pi):
        names.setdefault(sample, _files((sample,), sonic_pi))
    return {name: files for name, files in sorted(names.items()) if files}


def _with_prefix(prefix: str, samples: Collection[str]) -> list[str]:
    return [sample for sample in samples if sample.startswith(f"{prefix}_")]


def _files(samples: Collection[str], present: Collection[str]) -> list[str]:
    return [f"{SONIC_PI_FOLDER}/{sample}.flac" for sample in samples if sample in present]
