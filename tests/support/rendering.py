"""Render music in this process, for tests that look at the sound."""

from pathlib import Path
from typing import Any, NamedTuple

import mido
import numpy as np
import psutil
import soundfile
from numpy.typing import NDArray

from consort_audio.synthesis.render_audio import render
from consort_audio.synthesis.render_options import RenderOptions, RenderOutcome
from consort_audio.synthesis.soundfont_renderer import SoundfontRenderer
from consort_audio.synthesis.timed_messages import perform
from tests.support.midi_files import midi_bytes

SCALE = (60, 62, 64, 65, 67, 69, 71, 72)
"""C major."""


class RenderedSound(NamedTuple):
    outcome: RenderOutcome
    samples: NDArray[np.float64]
    """One row per frame, one column per channel."""
    sample_rate: int
    content: bytes
    """The bytes of the file."""

    @property
    def mono(self) -> NDArray[np.float64]:
        mono: NDArray[np.float64] = self.samples.mean(axis=1)
        return mono


class Rendering:
    def __init__(self, renderer: SoundfontRenderer, soundfont: str, folder: Path) -> None:
        self._renderer = renderer
        self._soundfont = soundfont
        self._folder = folder

    def __call__(self, content: bytes, **options: Any) -> RenderedSound:
        """Render a MIDI file with these fields of `RenderOptions`."""
        wanted = render_options(self._soundfont, self._folder, **options)
        outcome = render(perform(content, wanted), wanted, self._renderer, lambda _: None)
        samples, sample_rate = soundfile.read(wanted.output, always_2d=True)
        return RenderedSound(outcome, samples, sample_rate, Path(wanted.output).read_bytes())


def render_options(soundfont: str, folder: Path, **options: Any) -> RenderOptions:
    defaults = {
        "format": "wav",
        "sample_rate": 44_100,
        "max_midi_bytes": 10**7,
        "max_duration_s": 7200,
        "max_bytes": 10**9,
        "loudness": -16.0,
        "tail_s": 1.0,
    }
    wanted = {**defaults, **options}
    return RenderOptions(soundfont=soundfont, output=str(folder / f"sound.{wanted['format']}"), **wanted)


def render_processes(parent: int) -> list[psutil.Process]:
    """Return the render processes that a process has started and that have not ended."""
    return [child for child in psutil.Process(parent).children() if _is_render_process(child)]


def _is_render_process(process: psutil.Process) -> bool:
    try:
        return "consort_audio.synthesis.render_program" in process.cmdline()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return False


def scale_file(program: int = 0, shift: int = 0, ticks: int = 480, velocity: int = 90) -> bytes:
    """Return a C major scale, moved by `shift` semitones; each note lasts `ticks` (480 is half a second)."""
    track = [mido.Message("program_change", program=program)]
    for pitch in SCALE:
        track.append(mido.Message("note_on", note=pitch + shift, velocity=velocity))
        track.append(mido.Message("note_off", note=pitch + shift, time=ticks))
    return midi_bytes(track)


def long_file(seconds: int = 240) -> bytes:
    """Return organ chords. Four minutes of them take about a second to render."""
    track = [mido.Message("program_change", program=19)]
    for _ in range(seconds // 2):
        track += [mido.Message("note_on", note=pitch) for pitch in (48, 55, 64, 72)]
        track += [mido.Message("note_off", note=48, time=1920)]
        track += [mido.Message("note_off", note=pitch) for pitch in (55, 64, 72)]
    return midi_bytes(track)
