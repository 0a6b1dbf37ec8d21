"""The program of the workers that render: it keeps the soundfont between two pieces."""

from pathlib import Path
from typing import Any, BinaryIO

from consort_audio.synthesis.render_audio import render
from consort_audio.synthesis.render_options import RenderOptions
from consort_audio.synthesis.soundfont_renderer import SoundfontRenderer
from consort_audio.synthesis.timed_messages import perform
from consort_audio.workers.frames import Frame
from consort_audio.workers.worker_program import IDLE_S, CannotWork, WorkerProgram, limit_cpu_time, run_program
from consort_music.synth.fluid_synth import FluidSynthFailed

CPU_S = 60
"""CPU seconds for reading the file, and for rendering, beside those for each second of sound."""
CPU_S_PER_SECOND = 1.0
"""Rendering takes 0.01 to 0.03 of this; 512 voices at 96 kHz take about half."""


class RenderProgram(WorkerProgram):
    def __init__(self, requests: BinaryIO, reports: BinaryIO, idle_s: float = IDLE_S) -> None:
        super().__init__(requests, reports, idle_s)
        self._renderers: dict[str, SoundfontRenderer] = {}

    def work(self, frame: Frame) -> dict[str, Any]:
        """Render the MIDI file in the frame's payload to the file that the options name."""
        options = RenderOptions.from_json(frame.head["options"])
        self.unfinished = Path(options.output)
        limit_cpu_time(CPU_S)
        performance = perform(frame.payload, options)
        limit_cpu_time(CPU_S + CPU_S_PER_SECOND * performance.seconds)
        try:
            return render(performance, options, self._renderer(options), self.report).to_json()
        except FluidSynthFailed as error:
            raise CannotWork(str(error)) from error

    def _renderer(self, options: RenderOptions) -> SoundfontRenderer:
        if options.soundfont not in self._renderers:
            self._renderers.clear()  # at most one font is in use; FluidSynth frees the old one when the process ends
            self._renderers[options.soundfont] = SoundfontRenderer(options.soundfont)
        return self._renderers[options.soundfont]


if __name__ == "__main__":
    run_program(RenderProgram)
