"""The built-in synthesizer, for machines without MIDI devices. It calls the FluidSynth library through ctypes."""

import ctypes
import sys
from collections.abc import Callable
from typing import Any

from consort_playback.child_programs.find_synth import AUTO, FILE, SILENT, describe_missing, find_library
from consort_playback.child_programs.output_errors import SynthMissing
from consort_playback.protocol.commands import SILENT_SOUND, SynthOptions

_DRIVERS = {"darwin": ("coreaudio",), "win32": ("wasapi", "dsound")}
_LINUX_DRIVERS = ("pipewire", "pulseaudio", "alsa", "jack")
_LOG_LEVELS = 5


class Synth:
    """Plays MIDI messages on the first working audio device, to a WAV file, or silently."""

    def __init__(self, options: SynthOptions) -> None:
        library = find_library()
        if library is None:
            raise SynthMissing(describe_missing(options.soundfont) or "FluidSynth's library is missing.")
        self._lib = ctypes.CDLL(library)
        self._declare()
        for level in range(_LOG_LEVELS):
            self._lib.fluid_set_log_function(level, None, None)  # otherwise it logs every audio driver that fails
        self._settings = self._call("new_fluid_settings")
        self._number("synth.gain", 0.5)
        self._integer("synth.dynamic-sample-loading", 1)
        self._synth = self._call("new_fluid_synth", self._settings)
        if self._call("fluid_synth_sfload", self._synth, options.soundfont.encode(), 1) < 0:
            raise SynthMissing(f"The soundfont {options.soundfont} cannot be read. Set CONSORT_SOUNDFONT to another.")
        self._driver: int | None = None
        self._sound = self._open_sound(options.audio)

    def describe(self) -> str:
        return self._sound

    def close(self) -> None:
        """Do nothing. The process exits afterwards, which frees the library."""

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
        """Call a function of the library. Raise SynthMissing if it returns NULL."""
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
        """Open an audio driver. Return a text that says where the sound goes.

        `wanted` is the value of CONSORT_SYNTH_AUDIO.
        """
        if wanted == SILENT:
            return "silent, as CONSORT_SYNTH_AUDIO says"
        if wanted.startswith(FILE):
            self._text("audio.file.name", wanted.removeprefix(FILE))
            self._text("audio.file.type", "wav")
            if self._open_driver("file"):
                return f"sound goes to {wanted.removeprefix(FILE)}"
            return f"silent: {wanted.removeprefix(FILE)} cannot be written"
        self._integer("audio.jack.autoconnect", 1)
        drivers = _DRIVERS.get(sys.platform, _LINUX_DRIVERS) if wanted == AUTO else (wanted,)
        for driver in drivers:
            if self._open_driver(driver):
                return f"sound through {driver}"
        return SILENT_SOUND

    def _open_driver(self, driver: str) -> bool:
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
