"""Measure rendering to sound beside FluidSynth's command line, with the same soundfont and piece.

The piece has five parts (piano chords, violin, cello, bass, drums) and lasts three minutes. The command line writes a
WAV file of 16 bits. midi_to_audio also measures the loudness (BS.1770), sets the level and writes FLAC. Both run in
turns. "first" includes starting a render process and loading the samples, as the command line always does; "next" is
the same process again. Wall times need a quiet machine; the ratio compares CPU times.
"""

import asyncio
import io
import random
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

import mido
import psutil

from benchmarks.support.report import Report, Requirement, Row
from consort_audio.synthesis.render_options import RenderOptions
from consort_audio.synthesis.render_pool import RenderPool
from consort_music.synth.soundfonts import find_soundfont

ROUNDS = 5
SECONDS = 180
MIN_TIMES_REAL_TIME = 30
MAX_CPU_RATIO = 1.0
_BEATS = SECONDS * 2  # at 120 beats a minute
_PPQ = 480
_SAMPLE_RATE = 44_100


class RenderRun(NamedTuple):
    wall_s: float
    cpu_s: float
    sound_s: float

    @property
    def times_real_time(self) -> float:
        return self.sound_s / self.wall_s


def run() -> Report:
    return asyncio.run(_measure())


async def _measure() -> Report:
    font = find_soundfont(None, Path())
    program = shutil.which("fluidsynth")
    if font is None or program is None:
        raise SystemExit("This needs: apt-get install fluidsynth musescore-general-soundfont-small")
    content = piece()
    runs: dict[str, list[RenderRun]] = {}
    with tempfile.TemporaryDirectory() as folder:
        midi = Path(folder, "piece.mid")
        midi.write_bytes(content)
        next_pool = RenderPool(1)
        await _render([next_pool], content, font, Path(folder))
        for _ in range(ROUNDS):
            runs.setdefault("fluidsynth command", []).append(_command(program, font, midi))
            first_pool = RenderPool(1)
            runs.setdefault("consort, first", []).append(await _render([first_pool], content, font, Path(folder)))
            runs.setdefault("consort, next", []).append(await _render([next_pool], content, font, Path(folder)))
            both = await _render([first_pool, next_pool], content, font, Path(folder))
            runs.setdefault("consort, two at once", []).append(both)
            await first_pool.aclose()
        await next_pool.aclose()
    middle = {name: _median(each) for name, each in runs.items()}
    rows: list[Row] = [
        {
            "rendered by": name,
            "s of sound": each.sound_s,
            "wall s": each.wall_s,
            "CPU s": each.cpu_s,
            "times real time": each.times_real_time,
            "CPU of the command": each.cpu_s / each.sound_s / _per_second(middle["fluidsynth command"]),
        }
        for name, each in middle.items()
    ]
    ours = middle["consort, next"]
    ratio = _per_second(ours) / _per_second(middle["fluidsynth command"])
    return Report(
        title=f"Five parts rendered with {font.resolve().stem}, median of {ROUNDS} rounds",
        rows=rows,
        summary=(
            f"Five parts: {ours.times_real_time:.0f} times real time, with {ratio:.2f} of the CPU time of FluidSynth's "
            f"command line ({middle['consort, first'].times_real_time:.0f} times for the first render of a process)."
        ),
        requirements=[
            Requirement("times real time, five parts", ours.times_real_time, MIN_TIMES_REAL_TIME, more_is_better=True),
            Requirement("CPU time relative to the command line", ratio, MAX_CPU_RATIO),
        ],
    )


def _per_second(run: RenderRun) -> float:
    """Return the CPU seconds for one second of sound."""
    return run.cpu_s / run.sound_s


def _median(runs: list[RenderRun]) -> RenderRun:
    return RenderRun(*(median(values) for values in zip(*runs, strict=True)))


async def _render(pools: list[RenderPool], content: bytes, font: Path, folder: Path) -> RenderRun:
    """Render the piece in each of these pools at once."""

    async def ignore(_: float) -> None:
        pass

    before = _cpu_of_children()
    began = time.perf_counter()
    outcomes = await asyncio.gather(
        *(pool.render(content, _options(font, folder / f"{number}.flac"), ignore) for number, pool in enumerate(pools))
    )
    wall_s = time.perf_counter() - began
    after = _cpu_of_children()
    cpu_s = sum(after[pid] - before.get(pid, 0.0) for pid in after)
    return RenderRun(wall_s, cpu_s, sum(outcome.duration_s for outcome in outcomes))


def _options(font: Path, output: Path) -> RenderOptions:
    return RenderOptions(
        soundfont=str(font),
        output=str(output),
        format="flac",
        sample_rate=_SAMPLE_RATE,
        max_midi_bytes=10**7,
        max_duration_s=7200,
        max_bytes=10**9,
        loudness=-16,
        reverb=0.25,
        tail_s=2,
    )


def _cpu_of_children() -> dict[int, float]:
    """Return the CPU seconds of each child process so far."""
    used = {}
    for child in psutil.Process().children():
        times = child.cpu_times()
        used[child.pid] = times.user + times.system
    return used


def _command(program: str, font: Path, midi: Path) -> RenderRun:
    output = midi.with_suffix(".wav")
    command = [program, "-n", "-i", "-q", "-r", str(_SAMPLE_RATE), "-F", str(output), str(font), str(midi)]
    began = time.perf_counter()
    child = psutil.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    used = 0.0
    while child.poll() is None:
        times = child.cpu_times()
        used = times.user + times.system
        time.sleep(0.005)
    wall_s = time.perf_counter() - began
    sound_s = (output.stat().st_size - 44) / 4 / _SAMPLE_RATE
    return RenderRun(wall_s, used, sound_s)


def piece() -> bytes:
    """Return three minutes of music for piano, violin, cello, bass and drums."""
    numbers = random.Random(1)
    roots = [48, 45, 53, 55]
    parts = [_Part(channel, program) for channel, program in enumerate((0, 40, 42, 33))]
    drums = _Part(9, 0)
    for beat in range(_BEATS):
        root = roots[beat // 4 % 4]
        if beat % 2 == 0:
            for interval in (0, 4, 7, 12):
                parts[0].add(beat, 1.9, root + interval, 70)
        for half in (0.0, 0.5):
            parts[1].add(beat + half, 0.5, root + 24 + numbers.choice((0, 2, 4, 7, 9)), 85)
            drums.add(beat + half, 0.25, 42, 60)
        parts[2].add(beat, 1, root + numbers.choice((0, 7)), 75)
        parts[3].add(beat, 1, root - 12, 90)
        drums.add(beat, 0.25, 38 if beat % 2 else 36, 100)
    file = mido.MidiFile(tracks=[part.track() for part in (*parts, drums)], ticks_per_beat=_PPQ)
    out = io.BytesIO()
    file.save(file=out)
    return out.getvalue()


class _Part:
    def __init__(self, channel: int, program: int) -> None:
        self._channel = channel
        self._program = program
        self._events: list[tuple[int, int, mido.Message]] = []

    def add(self, beat: float, length: float, pitch: int, velocity: int) -> None:
        start, end = round(beat * _PPQ), round((beat + length) * _PPQ)
        for tick, order, kind, level in ((start, 1, "note_on", velocity), (end, 0, "note_off", 0)):
            message = mido.Message(kind, channel=self._channel, note=pitch, velocity=level)
            self._events.append((tick, order, message))

    def track(self) -> mido.MidiTrack:
        messages = [mido.Message("program_change", channel=self._channel, program=self._program)]
        last = 0
        for tick, _, message in sorted(self._events, key=lambda event: event[:2]):
            messages.append(message.copy(time=tick - last))
            last = tick
        return mido.MidiTrack(messages)
