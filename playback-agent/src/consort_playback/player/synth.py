"""The built-in synth: FluidSynth's library, by ctypes, inside the player. A machine without MIDI gear is heard too."""

import ctypes
import ctypes.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

AUTO, SILENT, FILE = "auto", "none", "file:"
JACK_SOUND, SILENT_SOUND = "sound by jack", "silent: no sound device was found"
_DRIVERS = {"darwin": ("coreaudio",), "win32": ("wasapi", "dsound")}
_LINUX_DRIVERS = ("pipewire", "pulseaudio", "alsa", "jack")
_LIBRARIES = ("fluidsynth", "fluidsynth-3", "libfluidsynth-3", "libfluidsynth")
_HOMEBREW = ("/opt/homebrew/lib/libfluidsynth.dylib", "/usr/local/lib/libfluidsynth.dylib")
_FONT_FOLDERS = (
    "/usr/share/sounds/sf2",
    "/usr/share/sounds/sf3",
    "/usr/share/soundfonts",
    "/usr/local/share/soundfonts",
    "/opt/homebrew/share/soundfonts",
)
_PREFERRED = ("default-GM", "FluidR3_GM", "FluidR3Mono_GM", "MuseScore_General")
_LEVELS = 5


class SynthMissing(Exception):
    """The library or a soundfont is not on this machine; the text says which, and how to get it."""


def find_library() -> str | None:
    found = next((path for name in _LIBRARIES if (path := ctypes.util.find_library(name))), None)
    return found or next((path for path in _HOMEBREW if Path(path).exists()), None)


def find_soundfont(given: str | None, more_folders: tuple[Path, ...] = ()) -> Path | None:
    if given:
        return Path(given) if Path(given).is_file() else None
    fonts = [
        font
        for folder in (*more_folders, *map(Path, _FONT_FOLDERS))
        for kind in ("*.sf2", "*.sf3")
        for font in sorted(folder.glob(kind))
    ]
    by_name = {font.stem: font for font in reversed(fonts)}
    return next((by_name[name] for name in _PREFERRED if name in by_name), fonts[0] if fonts else None)


def missing(given_font: str | None, more_folders: tuple[Path, ...] = ()) -> str | None:
    """What stands in the way of the synth, and how to mend it; None if nothing does."""
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


class Synth:
    """Takes MIDI messages and plays them on the sound device that works first, into a file, or nowhere."""

    def __init__(self, wanted: dict[str, Any]) -> None:
        library = find_library()
        if library is None or not wanted.get("soundfont"):
            raise SynthMissing(missing(None) or "The synth has no soundfont.")
        self._lib = ctypes.CDLL(library)
        self._declare()
        for level in range(_LEVELS):
            self._lib.fluid_set_log_function(level, None, None)  # which devices are not there is nobody's news
        self._settings = self._call("new_fluid_settings")
        self._number("synth.gain", 0.5)
        self._integer("synth.dynamic-sample-loading", 1)
        self._synth = self._call("new_fluid_synth", self._settings)
        if self._call("fluid_synth_sfload", self._synth, str(wanted["soundfont"]).encode(), 1) < 0:
            raise SynthMissing(f"The soundfont {wanted['soundfont']} cannot be read. Set CONSORT_SOUNDFONT to another.")
        self._driver: int | None = None
        self._sound = self._open_sound(wanted.get("audio", AUTO))

    def describe(self) -> str:
        return self._sound

    def close(self) -> None:
        """The library ends with the process."""

    def _declare(self) -> None:
        pointer, text, integer = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
        for name, result, arguments in (
            ("fluid_set_log_function", pointer, [integer, pointer, pointer]),
            ("new_fluid_settings", pointer, []),
            ("fluid_settings_setnum", integer, [pointer, text, ctypes.c_double]),
            ("fluid_settings_setint", integer, [pointer, text, integer]),
            ("fluid_settings_setstr", integer, [pointer, text, text]),
            ("new_fluid_synth", pointer, [pointer]),
            ("fluid_synth_sfload", integer, [pointer, text, integer]),
            ("new_fluid_audio_driver", pointer, [pointer, pointer]),
            ("fluid_synth_noteon", integer, [pointer, integer, integer, integer]),
            ("fluid_synth_noteoff", integer, [pointer, integer, integer]),
            ("fluid_synth_key_pressure", integer, [pointer, integer, integer, integer]),
            ("fluid_synth_cc", integer, [pointer, integer, integer, integer]),
            ("fluid_synth_program_change", integer, [pointer, integer, integer]),
            ("fluid_synth_channel_pressure", integer, [pointer, integer, integer]),
            ("fluid_synth_pitch_bend", integer, [pointer, integer, integer]),
            ("fluid_synth_sysex", integer, [pointer, text, integer, pointer, pointer, pointer, integer]),
        ):
            function = getattr(self._lib, name)
            function.restype, function.argtypes = result, arguments
        self._by_kind: dict[int, Callable[..., int]] = {
            0x80: lambda channel, key, *_: self._lib.fluid_synth_noteoff(self._synth, channel, key),
            0x90: lambda channel, key, velocity: self._lib.fluid_synth_noteon(self._synth, channel, key, velocity),
            0xA0: lambda channel, key, value: self._lib.fluid_synth_key_pressure(self._synth, channel, key, value),
            0xB0: lambda channel, number, value: self._lib.fluid_synth_cc(self._synth, channel, number, value),
            0xC0: lambda channel, program: self._lib.fluid_synth_program_change(self._synth, channel, program),
            0xD0: lambda channel, value: self._lib.fluid_synth_channel_pressure(self._synth, channel, value),
            0xE0: lambda channel, low, high: self._lib.fluid_synth_pitch_bend(self._synth, channel, low | high << 7),
        }

    def _call(self, name: str, *arguments: Any) -> Any:
        result = getattr(self._lib, name)(*arguments)
        if result is None:
            raise SynthMissing(f"FluidSynth did not start: {name} failed. `consort doctor` says what is missing.")
        return result

    def _number(self, name: str, value: float) -> None:
        self._lib.fluid_settings_setnum(self._settings, name.encode(), value)

    def _integer(self, name: str, value: int) -> None:
        self._lib.fluid_settings_setint(self._settings, name.encode(), value)

    def _text(self, name: str, value: str) -> bool:
        return bool(self._lib.fluid_settings_setstr(self._settings, name.encode(), value.encode()) == 0)

    def _open_sound(self, wanted: str) -> str:
        """Open what is wanted; says where the sound goes."""
        if wanted == SILENT:
            return "silent, as CONSORT_SYNTH_AUDIO says"
        if wanted.startswith(FILE):
            self._text("audio.file.name", wanted.removeprefix(FILE))
            self._text("audio.file.type", "wav")
            if self._try("file"):
                return f"sound goes to {wanted.removeprefix(FILE)}"
            return f"silent: {wanted.removeprefix(FILE)} cannot be written"
        self._integer("audio.jack.autoconnect", 1)
        drivers = _DRIVERS.get(sys.platform, _LINUX_DRIVERS) if wanted == AUTO else (wanted,)
        for driver in drivers:
            if self._try(driver):
                return f"sound by {driver}"
        return SILENT_SOUND

    def _try(self, driver: str) -> bool:
        if not self._text("audio.driver", driver):
            return False
        self._driver = self._lib.new_fluid_audio_driver(self._settings, self._synth)
        return self._driver is not None

    def send_message(self, message: bytes) -> None:
        kind = message[0] & 0xF0
        if kind != 0xF0:
            self._by_kind[kind](message[0] & 15, *message[1:])
        elif message[0] == 0xF0:
            body = message[1:].removesuffix(b"\xf7")
            self._lib.fluid_synth_sysex(self._synth, body, len(body), None, None, None, 0)
