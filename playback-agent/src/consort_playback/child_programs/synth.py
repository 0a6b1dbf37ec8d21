"""The built-in synthesizer, FluidSynth, for machines without MIDI devices."""

import sys

from consort_music.synth.fluid_synth import FluidSynthFailed, MidiSynth
from consort_playback.child_programs.output_errors import SynthMissing
from consort_playback.protocol.commands import SILENT_PREFIX, SILENT_SOUND, SynthOptions

AUTO, SILENT, FILE = "auto", "none", "file:"
"""Values of CONSORT_SYNTH_AUDIO: the first driver that works, no sound, or `file:` followed by the path of a file."""
_DRIVERS = {"darwin": ("coreaudio",), "win32": ("wasapi", "dsound")}
_LINUX_DRIVERS = ("pipewire", "pulseaudio", "alsa", "jack")
_SETTINGS: dict[str, int | float | str] = {
    "synth.dynamic-sample-loading": 1,
    "audio.jack.autoconnect": 1,
    "audio.file.type": "wav",
}
"""With dynamic loading, only the samples of the programs in use are read."""
_GAIN = 0.5


class Synth:
    """Plays MIDI messages on the first working audio device, to a WAV file, or silently."""

    def __init__(self, options: SynthOptions) -> None:
        try:
            self._synth = MidiSynth(_SETTINGS, gain=_GAIN)
            font = self._synth.load_font(options.soundfont)
        except FluidSynthFailed as error:
            raise SynthMissing(str(error)) from error
        self._synth.keep_samples(font, 0, 0)  # decoding those of a piano again would stop the music for over a second
        self.send_message = self._synth.send
        self._sound = self._open_sound(options.audio)

    def describe(self) -> str:
        return self._sound

    def close(self) -> None:
        """Do nothing. The process exits afterwards, which frees the library."""

    def _open_sound(self, wanted: str) -> str:
        """Open an audio driver. Return a text that says where the sound goes.

        `wanted` is the value of CONSORT_SYNTH_AUDIO.
        """
        if wanted == SILENT:
            return f"{SILENT_PREFIX}, as CONSORT_SYNTH_AUDIO says"
        if wanted.startswith(FILE):
            path = wanted.removeprefix(FILE)
            if self._set("audio.file.name", path) and self._open_driver("file"):
                return f"sound goes to {path}"
            return f"{SILENT_PREFIX}: {path} cannot be written"
        drivers = _DRIVERS.get(sys.platform, _LINUX_DRIVERS) if wanted == AUTO else (wanted,)
        for driver in drivers:
            if self._open_driver(driver):
                return f"sound through {driver}"
        return SILENT_SOUND

    def _set(self, name: str, value: str) -> bool:
        return bool(self._synth.functions.set_text(self._synth.settings, name.encode(), value.encode()) == 0)

    def _open_driver(self, driver: str) -> bool:
        is_known = self._set("audio.driver", driver)
        return is_known and bool(self._synth.functions.open_driver(self._synth.settings, self._synth.pointer))
