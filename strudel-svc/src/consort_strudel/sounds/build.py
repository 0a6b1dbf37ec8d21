"""Build the local sound library: `python -m consort_strudel.sounds.build [FOLDER]`.

The folder is made under a temporary name and renamed at the end, so that there is never half a library. Its
description says what it was made from; if that is unchanged, nothing is built. A source that is not installed is left
out and named in the description.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from consort_kit.sounds_folder import find_sonic_pi_samples, find_soundfont, library_folder
from consort_strudel.sounds import drum_kits, general_midi, sample_names, soundfont_file, wavetables
from consort_strudel.sounds.fingerprint import fingerprint
from consort_strudel.sounds.folders import DESCRIPTION_FILE, GM_FOLDER
from consort_strudel.sounds.soundfont_file import Soundfont
from consort_strudel.sounds.substitutes import substitute_tables

BuildProgress = Callable[[float, str], None]
"""Is called with the share that is done, from 0 to 1, and what is being built."""

FONT_ORIGIN = {
    "name": "FluidR3Mono GM",
    "origin": "Frank Wen; mono version by Michael Cowgill (Debian: fluidr3mono-gm-soundfont)",
    "licence": "MIT",
}
SAMPLES_ORIGIN = {
    "name": "Sonic Pi samples",
    "origin": "freesound.org, collected by Sam Aaron (Debian: sonic-pi-samples)",
    "licence": "CC0-1.0",
}
_TEMPORARY = ".consort-sounds-"
_FONT_SHARE = 0.5
_KITS_SHARE = 0.9


class NoSoundSources(Exception):
    """Neither the soundfont nor the samples are installed."""


def build(folder: Path, report: BuildProgress, font: Path | None = None, samples: Path | None = None) -> None:
    """Build the library, by default from the sources on this machine.

    Raise NoSoundSources if there are none, BadSoundfont or OSError if one cannot be read.
    """
    font, samples = font or find_soundfont(), samples or find_sonic_pi_samples()
    if font is None and samples is None:
        raise NoSoundSources(
            "There are no sounds to build the library from. Install them: "
            "apt-get install fluidr3mono-gm-soundfont sonic-pi-samples"
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    for left_over in folder.parent.glob(f"{_TEMPORARY}*"):
        shutil.rmtree(left_over)
    temporary = folder.parent / f"{_TEMPORARY}{os.getpid()}"
    replaced = folder.parent / f"{_TEMPORARY}{os.getpid()}-replaced"
    try:
        temporary.mkdir()
        description = _write_sounds(temporary, report, font, samples)
        description["fingerprint"] = fingerprint(font, samples)
        (temporary / DESCRIPTION_FILE).write_text(json.dumps(description, indent=1), encoding="utf-8")
        if folder.exists():
            folder.rename(replaced)
        temporary.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        shutil.rmtree(replaced, ignore_errors=True)
    report(1.0, "done")


def _write_sounds(folder: Path, report: BuildProgress, font: Path | None, samples: Path | None) -> dict[str, Any]:
    """Write the files of the library and return its description."""
    kits: dict[str, list[str]] = {}
    programs: list[int] = []
    sonic_pi: list[str] = []
    origins: list[dict[str, str]] = []
    if font is not None:
        programs, kits = _write_font(Soundfont(font), folder, report)
        origins += [{**FONT_ORIGIN, "folder": name} for name in (GM_FOLDER, drum_kits.FOLDER)]
    if samples is not None:
        report(_KITS_SHARE, "samples")
        target = folder / sample_names.SONIC_PI_FOLDER
        target.mkdir()
        for file in sorted(samples.glob("*.flac")):
            shutil.copyfile(file, target / file.name)
            sonic_pi.append(file.stem)
        origins.append({**SAMPLES_ORIGIN, "folder": sample_names.SONIC_PI_FOLDER})
    tables = {name: [file] for name, file in wavetables.write_tables(folder)}
    origins.append({**wavetables.ORIGIN, "folder": wavetables.FOLDER})
    return {
        "origins": origins,
        "programs": programs,
        "samples": sample_names.sample_map(kits, sonic_pi) | tables,
        "substitutes": substitute_tables(),
    }


def _write_font(font: Soundfont, folder: Path, report: BuildProgress) -> tuple[list[int], dict[str, list[str]]]:
    """Write the instruments and drums of a soundfont, and return the programs and the files of each drum."""
    (folder / GM_FOLDER).mkdir()
    (folder / drum_kits.FOLDER).mkdir()
    programs = [program for program in general_midi.PROGRAMS if (0, program) in font.presets]
    for done, program in enumerate(programs):
        report(_FONT_SHARE * done / len(programs), "instruments")
        general_midi.write_program(font, program, folder)
    kits: dict[str, list[str]] = {}
    present = [kit for kit, program in drum_kits.KITS.items() if (soundfont_file.DRUM_BANK, program) in font.presets]
    for done, kit in enumerate(present):
        report(_FONT_SHARE + (_KITS_SHARE - _FONT_SHARE) * done / len(present), f"drum kit {kit}")
        for name, file in drum_kits.write_kit(font, kit, folder):
            kits.setdefault(name, []).append(file)
    return programs, kits


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else library_folder()
    try:
        build(folder, lambda done, what: print(f"{100 * done:3.0f}% {what}", flush=True))
    except (NoSoundSources, soundfont_file.BadSoundfont, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
