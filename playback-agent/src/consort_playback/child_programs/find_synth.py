"""Finds FluidSynth's library and a soundfont for the built-in synth, and explains how to install them."""

import ctypes.util
import sys
from pathlib import Path

AUTO, SILENT, FILE = "auto", "none", "file:"
"""Values of CONSORT_SYNTH_AUDIO: the first driver that works, no sound, or `file:` followed by the path of a file."""
_LIBRARIES = ("fluidsynth", "fluidsynth-3", "libfluidsynth-3", "libfluidsynth")
_HOMEBREW_LIBRARIES = ("/opt/homebrew/lib/libfluidsynth.dylib", "/usr/local/lib/libfluidsynth.dylib")
_FONT_FOLDERS = (
    "/usr/share/sounds/sf2",
    "/usr/share/sounds/sf3",
    "/usr/share/soundfonts",
    "/usr/local/share/soundfonts",
    "/opt/homebrew/share/soundfonts",
)
_PREFERRED_FONTS = ("default-GM", "FluidR3_GM", "FluidR3Mono_GM", "MuseScore_General")


def find_library() -> str | None:
    found = next((path for name in _LIBRARIES if (path := ctypes.util.find_library(name))), None)
    return found or next((path for path in _HOMEBREW_LIBRARIES if Path(path).exists()), None)


def find_soundfont(given: str | None, more_folders: tuple[Path, ...] = ()) -> Path | None:
    """Return the soundfont `given`, or the best installed one if `given` is None or empty.

    `more_folders` are searched first. Return None if there is no such file, or no font is installed.
    """
    if given:
        return Path(given) if Path(given).is_file() else None
    fonts = [
        font
        for folder in (*more_folders, *map(Path, _FONT_FOLDERS))
        for pattern in ("*.sf2", "*.sf3")
        for font in sorted(folder.glob(pattern))
    ]
    by_name = {font.stem: font for font in reversed(fonts)}
    return next((by_name[name] for name in _PREFERRED_FONTS if name in by_name), fonts[0] if fonts else None)


def describe_missing(given_font: str | None, more_folders: tuple[Path, ...] = ()) -> str | None:
    """Return a text that says what the synth lacks and how to install it, or None if nothing is missing."""
    lacking = []
    if not find_library():
        lacking.append("FluidSynth's library")
    if not find_soundfont(given_font, more_folders):
        lacking.append(f"the soundfont {given_font}" if given_font else "a General MIDI soundfont")
    if not lacking:
        return None
    how = {
        "darwin": "brew install fluid-synth, and a .sf2 file in the data folder's soundfonts/",
        "win32": "install FluidSynth, and put a .sf2 file into the data folder's soundfonts/",
    }.get(sys.platform, "apt-get install libfluidsynth3 fluidr3mono-gm-soundfont")
    return f"The built-in synth lacks {' and '.join(lacking)}. To get it: {how}."
