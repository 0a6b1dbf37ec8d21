"""Play notes with a soundfont, with exact tuning, vibrato and no effects.

Every note has a separate channel while it sounds, so that a bend never touches the note before. A note begins at the
nearest step of the synth, which is 1.5 ms long; `play` returns the samples of one channel at `RATE`.
"""

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import soxr

from consort_audio.signals.recording import Mono
from consort_audio.synthesis.soundfont_renderer import SoundfontRenderer
from consort_audio.synthesis.timed_messages import Performance, SynthMessage
from consort_music.synth.soundfonts import find_soundfont

RATE = 22_050
_SYNTH_RATE = 44_100
_BEND_CENTS = 200
_DRUM_CHANNEL = 9
_CHANNELS = [channel for channel in range(16) if channel != _DRUM_CHANNEL]
VIBRATO_HZ, VIBRATO_CENTS, VIBRATO_DELAY_S = 5.5, 30.0, 0.2
_TAIL_S = 1.0
_MEASURED_S, _MEASURED_SIZE = 1.5, 1 << 17
DRUMS = -1
"""The program of drum notes."""


class SoundingNote(NamedTuple):
    start: float
    end: float
    pitch: float
    velocity: int
    program: int
    has_vibrato: bool = False


def play(notes: Sequence[SoundingNote], seconds: float | None = None, in_tune: bool = False) -> Mono:
    """Render the notes. The sound lasts `seconds`, or until a second after the last note.

    The samples of a soundfont are out of tune by up to ten cents. `in_tune` measures and corrects this for each note.
    """
    if in_tune:
        notes = [
            note._replace(pitch=note.pitch - font_cents(note.program, round(note.pitch)) / 100)
            if note.program != DRUMS
            else note
            for note in notes
        ]
    length = seconds if seconds is not None else max((note.end for note in notes), default=0.0) + _TAIL_S
    frames = round(length * _SYNTH_RATE)
    synth = _renderer().start(_SYNTH_RATE, 0.0)
    try:
        performance = Performance(iter(_messages(notes)), length, 0, [], bool(notes))
        blocks = [block.mean(axis=1) for block in synth.blocks(performance, frames)]
    finally:
        synth.close()
    sound: Mono = soxr.resample(np.concatenate(blocks), _SYNTH_RATE, RATE, quality="HQ").astype(np.float32)
    return sound


@cache
def soundfont() -> Path:
    font = find_soundfont(None, Path())
    if font is None:
        raise RuntimeError("The truth set is rendered with a soundfont, and none is installed: see consort doctor")
    return font.resolve()


@cache
def font_cents(program: int, key: int) -> float:
    """Return how many cents a key of the soundfont sounds above equal temperament: the mean of its first partials."""
    sound = play([SoundingNote(0.0, _MEASURED_S, key, 85, program)], _MEASURED_S)[round(0.25 * RATE) :]
    levels = np.abs(np.fft.rfft(sound * np.hanning(len(sound)), _MEASURED_SIZE))
    wanted = 440 * 2 ** ((key - 69) / 12)
    cents, weights = [], []
    for partial in (1, 2, 3):
        low, high = (int(partial * wanted * 2 ** (side / 24) * _MEASURED_SIZE / RATE) for side in (-1, 1))
        if high + 1 >= len(levels):
            break
        place = low + int(np.argmax(levels[low:high]))
        before, here, after = np.log(levels[place - 1 : place + 2] + 1e-12)
        exact = place + 0.5 * (before - after) / (before - 2 * here + after)
        cents.append(1200 * np.log2(exact * RATE / _MEASURED_SIZE / (partial * wanted)))
        weights.append(levels[place] / partial)
    return float(np.average(cents, weights=weights))


@cache
def _renderer() -> SoundfontRenderer:
    return SoundfontRenderer(str(soundfont()))


def _messages(notes: Sequence[SoundingNote]) -> list[SynthMessage]:
    found: list[tuple[float, int, bytes]] = []
    free_from = dict.fromkeys(_CHANNELS, -1.0)
    for note in sorted(notes):
        if note.program == DRUMS:
            key = round(note.pitch)
            found.append((note.start, 3, bytes((0x90 | _DRUM_CHANNEL, key, note.velocity))))
            found.append((note.end, 0, bytes((0x80 | _DRUM_CHANNEL, key, 0))))
            continue
        channel = min(free_from, key=lambda channel: free_from[channel])
        free_from[channel] = note.end
        key = round(note.pitch)
        found.append((note.start, 1, bytes((0xC0 | channel, note.program))))
        found.append((note.start, 2, _bend(channel, 100 * (note.pitch - key))))
        found.append((note.start, 3, bytes((0x90 | channel, key, note.velocity))))
        found.append((note.end, 0, bytes((0x80 | channel, key, 0))))
        if note.has_vibrato:
            found += _vibrato(note, channel, key)
    found.sort(key=lambda event: event[:2])
    return [SynthMessage(round(max(time, 0.0) * 1e9), message, 0) for time, _, message in found]


def _vibrato(note: SoundingNote, channel: int, key: int) -> list[tuple[float, int, bytes]]:
    found = []
    for step in range(int(max(note.end - note.start - VIBRATO_DELAY_S, 0) / 0.01)):
        time = step * 0.01
        depth = VIBRATO_CENTS * min(1.0, time / 0.1)
        cents = 100 * (note.pitch - key) + depth * math.sin(2 * math.pi * VIBRATO_HZ * time)
        found.append((note.start + VIBRATO_DELAY_S + time, 4, _bend(channel, cents)))
    return found


def _bend(channel: int, cents: float) -> bytes:
    value = min(max(round(8192 + cents / _BEND_CENTS * 8192), 0), 16383)
    return bytes((0xE0 | channel, value & 127, value >> 7))
