"""Send MIDI messages to FluidSynth, and get its sound. Needs the package pyfluidsynth and FluidSynth's library.

pyfluidsynth declares most functions of the library. Those that it lacks (pressure, system exclusive, sound as floats,
soundfonts that outlive a synth, logging) are declared here in the same way.
"""

import os
from collections.abc import Callable, Mapping
from ctypes import c_char_p, c_int, c_void_p
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from consort_music.synth.soundfonts import find_library

FLUID_FAILED = -1
_IN = 1
"""The direction of a parameter, as `ctypes` wants it."""
_LOG_LEVELS = 5
_BYTE_KINDS = range(0x80, 0xF0, 0x10)


class FluidSynthFailed(Exception):
    """FluidSynth cannot start, or cannot read a soundfont. The text is for the user."""


@cache
def fluid_functions() -> SimpleNamespace:
    """Load the library, switch its log off, and return its functions: `fluid_functions().synth_noteon(…)`.

    Raise FluidSynthFailed if the library or pyfluidsynth cannot be loaded.
    """
    library = find_library()
    if library is not None and Path(library).is_absolute():
        os.environ.setdefault("HOMEBREW_PREFIX", str(Path(library).parent.parent))  # where pyfluidsynth searches it
    try:
        import fluidsynth
    except (ImportError, OSError) as error:
        raise FluidSynthFailed(
            "FluidSynth's library cannot be loaded. `consort doctor` says what is missing."
        ) from error

    def declare(name: str, result: Any, **parameters: Any) -> Any:
        return fluidsynth.cfunc(name, result, *((key, kind, _IN) for key, kind in parameters.items()))

    log = declare("fluid_set_log_function", c_void_p, level=c_int, function=c_void_p, data=c_void_p)
    for level in range(_LOG_LEVELS):
        log(level, None, None)  # otherwise it logs every audio driver that fails
    synth: dict[str, Any] = {"synth": c_void_p}
    sound = {"left": c_void_p, "left_offset": c_int, "left_step": c_int}
    sound |= {"right": c_void_p, "right_offset": c_int, "right_step": c_int}
    reply = {"response": c_void_p, "response_length": c_void_p, "handled": c_void_p, "dry_run": c_int}
    return SimpleNamespace(
        make_synth=fluidsynth.Synth,
        set_text=fluidsynth.fluid_settings_setstr,
        open_driver=fluidsynth.new_fluid_audio_driver,
        load_font=fluidsynth.fluid_synth_sfload,
        font_by_id=fluidsynth.fluid_synth_get_sfont_by_id,
        note_on=fluidsynth.fluid_synth_noteon,
        note_off=fluidsynth.fluid_synth_noteoff,
        controller=fluidsynth.fluid_synth_cc,
        program_change=fluidsynth.fluid_synth_program_change,
        bank_select=fluidsynth.fluid_synth_bank_select,
        unset_program=fluidsynth.fluid_synth_unset_program,
        get_program=fluidsynth.fluid_synth_get_program,
        pitch_bend=fluidsynth.fluid_synth_pitch_bend,
        key_pressure=declare("fluid_synth_key_pressure", c_int, **synth, channel=c_int, key=c_int, value=c_int),
        channel_pressure=declare("fluid_synth_channel_pressure", c_int, **synth, channel=c_int, value=c_int),
        system_exclusive=declare("fluid_synth_sysex", c_int, **synth, data=c_char_p, length=c_int, **reply),
        write_float=declare("fluid_synth_write_float", c_int, **synth, frames=c_int, **sound),
        add_font=declare("fluid_synth_add_sfont", c_int, **synth, font=c_void_p),
        remove_font=declare("fluid_synth_remove_sfont", c_int, **synth, font=c_void_p),
        pin_preset=declare("fluid_synth_pin_preset", c_int, **synth, font=c_int, bank=c_int, program=c_int),
    )


class MidiSynth:
    """One FluidSynth synthesizer."""

    def __init__(self, settings: Mapping[str, int | float | str], *, gain: float, sample_rate: int = 44_100) -> None:
        """Make a synth. Raise FluidSynthFailed if that is not possible.

        `settings` are FluidSynth's, such as {"synth.polyphony": 512}.
        """
        self.functions = fluid_functions()
        options: dict[str, Any] = {"gain": float(gain), "samplerate": sample_rate, "channels": 16, **settings}
        self._synth = self.functions.make_synth(**options)
        self.settings: int = self._synth.settings
        self.pointer: int = self._synth.synth
        if not self.settings or not self.pointer:
            raise FluidSynthFailed("FluidSynth did not start. `consort doctor` says what is missing.")
        self._send_by_kind = dict(zip(_BYTE_KINDS, self._senders(), strict=True))

    def _senders(self) -> tuple[Callable[..., int], ...]:
        functions, synth = self.functions, self.pointer
        return (
            lambda channel, key, *_: functions.note_off(synth, channel, key),
            lambda channel, key, velocity: functions.note_on(synth, channel, key, velocity),
            lambda channel, key, value: functions.key_pressure(synth, channel, key, value),
            lambda channel, number, value: functions.controller(synth, channel, number, value),
            lambda channel, program: functions.program_change(synth, channel, program),
            lambda channel, value: functions.channel_pressure(synth, channel, value),
            lambda channel, low, high: functions.pitch_bend(synth, channel, low | high << 7),
        )

    def load_font(self, path: str, select_programs: bool = True) -> int:
        """Load a soundfont and return its number. Raise FluidSynthFailed if it cannot be read.

        With `select_programs`, each channel gets its first program.
        """
        number = int(self.functions.load_font(self.pointer, path.encode(), int(select_programs)))
        if number == FLUID_FAILED:
            raise FluidSynthFailed(f"The soundfont {path} cannot be read. Set CONSORT_SOUNDFONT to another.")
        return number

    def keep_samples(self, font: int, bank: int, program: int) -> None:
        """Keep the samples of a program in memory, also if no channel uses it. FluidSynth before 2.2 cannot do this."""
        if self.functions.pin_preset is not None:
            self.functions.pin_preset(self.pointer, font, bank, program)

    def send(self, message: bytes, first_channel: int = 0) -> None:
        """Send a channel message or a complete system exclusive. Other messages have no effect on a synth.

        A synth can have more than 16 channels; `first_channel` is the channel that the message calls 0.
        """
        kind = message[0] & 0xF0
        if kind != 0xF0:
            self._send_by_kind[kind](first_channel + (message[0] & 15), *message[1:])
        elif message[0] == 0xF0:
            body = message[1:].removesuffix(b"\xf7")
            self.functions.system_exclusive(self.pointer, body, len(body), None, None, None, 0)

    def close(self) -> None:
        """Free the synth and the fonts that it holds."""
        self._synth.delete()
