"""Find FluidSynth's library and a soundfont, and explain how to install them.

A soundfont is searched in this order: the setting CONSORT_SOUNDFONT, the folder `soundfonts/` of the data folder, the
folders of the operating system. Within a folder, known General MIDI fonts come first, the best sounding one before the
others.
"""

import ctypes.util
import sys
from pathlib import Path

_LIBRARIES = ("fluidsynth", "fluidsynth-3", "libfluidsynth-3", "libfluidsynth")
_HOMEBREW_LIBRARIES = ("/opt/homebrew/lib/libfluidsynth.dylib", "/usr/local/lib/libfluidsynth.dylib")
_SYSTEM_FOLDERS = (
    "/usr/share/sounds/sf3",
    "/usr/share/sounds/sf2",
    "/usr/share/soundfonts",
    "/usr/local/share/soundfonts",
    "/opt/homebrew/share/soundfonts",
)
_SUFFIXES = frozenset({".sf2", ".sf3"})
_PREFERRED = ("MuseScore_General", "MuseScore_General_Lite", "FluidR3_GM", "FluidR3Mono_GM", "default-GM")
_HOW_TO_INSTALL = {
    "darwin": "brew install fluid-synth, and a .sf2 file in the data folder's soundfonts/",
    "win32": "install FluidSynth, and put a .sf2 file into the data folder's soundfonts/",
}
_HOW_TO_INSTALL_ON_LINUX = "apt-get install libfluidsynth3 musescore-general-soundfont-small"


def find_library() -> str | None:
    """Return the name or path of FluidSynth's library, or None if it is not installed."""
    found = next((path for name in _LIBRARIES if (path := ctypes.util.find_library(name))), None)
    return found or next((path for path in _HOMEBREW_LIBRARIES if Path(path).exists()), None)


def find_soundfont(given: str | None, data: Path) -> Path | None:
    """Return the soundfont `given`, or the best installed one if `given` is None or empty. `data` is the data folder.

    Return None if there is no such file, or no font is installed.
    """
    if given:
        return Path(given) if Path(given).is_file() else None
    system = [font for folder in _SYSTEM_FOLDERS for font in _fonts_in(Path(folder))]
    return _best(_fonts_in(data / "soundfonts")) or _best(system)


def describe_missing(given: str | None, data: Path, subject: str = "The built-in synth") -> str | None:
    """Return a text that says what `subject` lacks and how to install it, or None if nothing is missing."""
    lacking = []
    if not find_library():
        lacking.append("FluidSynth's library")
    if not find_soundfont(given, data):
        lacking.append(f"the soundfont {given}" if given else "a General MIDI soundfont")
    if not lacking:
        return None
    how = _HOW_TO_INSTALL.get(sys.platform, _HOW_TO_INSTALL_ON_LINUX)
    return f"{subject} lacks {' and '.join(lacking)}. To get it: {how}."


def _fonts_in(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return [path for path in sorted(folder.iterdir()) if path.suffix.lower() in _SUFFIXES and path.is_file()]


def _best(fonts: list[Path]) -> Path | None:
    by_name = {font.stem: font for font in reversed(fonts)}
    return next((by_name[name] for name in _PREFERRED if name in by_name), fonts[0] if fonts else None)
