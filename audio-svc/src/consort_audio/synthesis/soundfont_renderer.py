"""Turn messages with times into blocks of sound, with a soundfont that stays loaded.

FluidSynth keeps the presets of a font in the synth that loaded it. Here that synth only holds the font. Each piece gets
a new synth, to which the font is added while the piece is rendered.
"""

from collections.abc import Iterator
from ctypes import byref, c_int

import numpy as np

from consort_audio.codecs.samples import BLOCK_FRAMES, Samples
from consort_audio.synthesis.timed_messages import CLICK_CHANNELS, Performance
from consort_music.midi.model import DRUM_CHANNEL
from consort_music.synth.fluid_synth import MidiSynth

SOUND_CHANNELS = 2
_SETTINGS: dict[str, int | float | str] = {
    "synth.dynamic-sample-loading": 1,
    "synth.midi-channels": 2 * CLICK_CHANNELS,
    "synth.polyphony": 512,
}
_GAIN = 1.0
_STEP = 64
"""FluidSynth computes sound in steps of so many frames, and messages take effect between two steps."""
_SECOND = 1_000_000_000
_CLICK_CHANNEL = CLICK_CHANNELS + DRUM_CHANNEL
_DRUM_BANK = 128
"""FluidSynth plays drums on channel 10 only; on others this bank has them."""


class SoundfontRenderer:
    """Renders pieces with one soundfont, one at a time."""

    def __init__(self, soundfont: str) -> None:
        """Load a font. Raise FluidSynthFailed if FluidSynth or the font cannot be used."""
        self._holder = MidiSynth(_SETTINGS, gain=_GAIN)
        number = self._holder.load_font(soundfont, select_programs=False)
        functions = self._holder.functions
        self._font: int = functions.font_by_id(self._holder.pointer, number)
        functions.remove_font(self._holder.pointer, self._font)

    def start(self, sample_rate: int, reverb: float) -> "PieceSynth":
        return PieceSynth(self._font, sample_rate, reverb)


class PieceSynth:
    """A new synth for one piece. Call `close` before the next one is made."""

    def __init__(self, font: int, sample_rate: int, reverb: float) -> None:
        """`reverb` is from 0 to 1."""
        settings = {
            **_SETTINGS,
            "synth.reverb.active": int(reverb > 0),
            "synth.reverb.room-size": 0.2 + 0.7 * reverb,
            "synth.reverb.level": reverb,
        }
        self._synth = MidiSynth(settings, gain=_GAIN, sample_rate=sample_rate)
        self._functions, self._pointer = self._synth.functions, self._synth.pointer
        self._sample_rate = sample_rate
        self._font = font
        for channel in range(2 * CLICK_CHANNELS):
            self._functions.unset_program(self._pointer, channel)  # otherwise the font loads a piano for each
        self._font_number: int = self._functions.add_font(self._pointer, font)
        self._programs: dict[int, int] = {}
        """The program of each channel that has one."""
        self.programs_heard: set[int] = set()
        """The programs of notes, without the drums and clicks."""
        self.are_drums_heard = False

    def blocks(self, performance: Performance, frames: int) -> Iterator[Samples]:
        """Yield `frames` frames of sound. A block is valid until the next one."""
        block = np.zeros((BLOCK_FRAMES, SOUND_CHANNELS), np.float32)
        filled = done = 0

        def fill(end: int) -> Iterator[Samples]:
            """Compute up to frame `end`, and yield the block each time that it is full."""
            nonlocal filled, done
            while done + filled < end:
                wanted = min(end - done - filled, BLOCK_FRAMES - filled)
                self._compute(block, filled, wanted)
                filled += wanted
                if filled == BLOCK_FRAMES:
                    yield block
                    done, filled = done + filled, 0

        for time, message, first_channel in performance.messages:
            due = (2 * time * self._sample_rate + _STEP * _SECOND) // (2 * _STEP * _SECOND) * _STEP
            yield from fill(min(due, frames))
            self._send(message, first_channel, performance.default_program)
        yield from fill(frames)
        if filled:
            yield block[:filled]

    def close(self) -> None:
        self._functions.remove_font(self._pointer, self._font)
        self._synth.close()

    def _compute(self, block: Samples, start: int, frames: int) -> None:
        address, left, right = block.ctypes.data, SOUND_CHANNELS * start, SOUND_CHANNELS * start + 1
        self._functions.write_float(
            self._pointer, frames, address, left, SOUND_CHANNELS, address, right, SOUND_CHANNELS
        )

    def _send(self, message: bytes, first_channel: int, default_program: int) -> None:
        kind, channel = message[0] & 0xF0, first_channel + (message[0] & 15)
        if kind == 0x90 and message[2]:
            if channel not in self._programs:
                is_drums = channel in (DRUM_CHANNEL, _CLICK_CHANNEL)
                self._choose_program(channel, 0 if is_drums else default_program)
            if channel == DRUM_CHANNEL:
                self.are_drums_heard = True
            elif first_channel == 0:
                self.programs_heard.add(self._programs[channel])
        if kind == 0xC0:
            self._choose_program(channel, message[1])
            return
        self._synth.send(message, first_channel)
        if kind == 0xF0:
            self._forget_reset_programs()

    def _forget_reset_programs(self) -> None:
        """Forget the programs of channels that a system message has set back to program 0.

        The next note of such a channel gets the default program again.
        """
        self._keep_samples(0)
        for channel, chosen in list(self._programs.items()):
            if channel == _CLICK_CHANNEL or self._program_of(channel)[2] != chosen:
                del self._programs[channel]

    def _choose_program(self, channel: int, program: int) -> None:
        if channel == _CLICK_CHANNEL:
            self._functions.bank_select(self._pointer, channel, _DRUM_BANK)
        self._functions.program_change(self._pointer, channel, program)
        self._programs[channel] = program
        self._keep_samples(channel)

    def _keep_samples(self, channel: int) -> None:
        """Keep the samples of a channel's program in memory for later pieces."""
        font, bank, program = self._program_of(channel)
        if font == self._font_number:
            self._synth.keep_samples(font, bank, program)

    def _program_of(self, channel: int) -> tuple[int, int, int]:
        """Return the numbers of the font, the bank and the program of a channel."""
        font, bank, program = c_int(), c_int(), c_int()
        self._functions.get_program(self._pointer, channel, byref(font), byref(bank), byref(program))
        return font.value, bank.value, program.value
