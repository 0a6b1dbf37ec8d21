"""Measure the MIDI codec on files of 10 MB: a song, compared with mido, and the most expensive hostile files.

The song has 16 tracks with about 1.1 million notes and controllers, without running status. Both libraries parse it,
transpose every note by two semitones, move every note to the nearest sixteenth with the same length, and write the
file. Each task, and each hostile file, has a separate process. Times are CPU seconds.
"""

import io
import json
import random
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from operator import itemgetter
from pathlib import Path

import mido

from benchmarks.support.report import Report, Requirement, Row
from consort_midi_store.transforms.apply_operations import apply_operations
from consort_midi_store.transforms.operation_parameters import (
    OperationParameters,
    QuantizeOperation,
    TransposeOperation,
)
from consort_music.errors import MusicError
from consort_music.gc_pause import gc_paused
from consort_music.midi.model import Track
from consort_music.midi.reader import read_midi
from consort_music.midi.summary import summarize
from consort_music.midi.writer import write_midi
from consort_music.timing.grid import parse_grid

SIZE = 10 * 1024 * 1024 - 100
PPQ = 480
GRID = PPQ // 4
SEMITONES = 2
END = b"\x00\xff\x2f\x00"

CHILD = """
import json, sys, time
from benchmarks.midi_files import codec
data = sys.stdin.buffer.read()
began = time.process_time()
result = getattr(codec, sys.argv[1])(data)
seconds = time.process_time() - began
print(json.dumps([seconds, codec.peak_megabytes(), codec.fingerprint(result)]))
"""


def run() -> Report:
    data = song(SIZE)
    rows: list[Row] = []
    seconds: dict[str, float] = {}
    results: dict[str, object] = {}
    for name, task in (("parse", "parse"), ("parse, write", "copy"), ("parse, change, write", "change")):
        for side in ("mido", "consort"):
            seconds[f"{side} {task}"], megabytes, results[f"{side} {task}"] = in_child(f"{side}_{task}", data)
            cpu = seconds[f"{side} {task}"]
            times = seconds[f"mido {task}"] / cpu if side == "consort" and f"mido {task}" in seconds else None
            rows.append({"10 MB of": "song", "task": name, "by": side, "CPU s": cpu, "MB": megabytes, "faster": times})
    worst_seconds = worst_megabytes = 0.0
    for name, body in HOSTILE_TRACKS.items():
        hostile = header(division=0x7FFF) + chunk(body())
        cpu, megabytes, _ = in_child("consort_summary", hostile)
        rows.append({"10 MB of": name, "task": "parse, summarise", "by": "consort", "CPU s": cpu, "MB": megabytes})
        worst_seconds, worst_megabytes = max(worst_seconds, cpu), max(worst_megabytes, megabytes)
    times = seconds["mido change"] / seconds["consort change"]
    differing = sum(results[f"consort {task}"] != results[f"mido {task}"] for task in ("parse", "copy"))
    return Report(
        title="MIDI files of 10 MB",
        rows=rows,
        summary=(
            f"Parse, transpose, quantise and write 10 MB: {seconds['consort change']:.1f} s, {times:.1f} times as fast "
            f"as mido; the worst hostile file: {worst_seconds:.1f} s, {worst_megabytes:.0f} MB."
        ),
        requirements=[
            Requirement("times as fast as mido", times, 8, more_is_better=True),
            Requirement("tasks with another result than mido's", differing, 0),
            Requirement("CPU seconds of the worst hostile file", worst_seconds, 5),
            Requirement("MB of the worst hostile file", worst_megabytes, 512),
        ],
    )


def in_child(function: str, data: bytes) -> tuple[float, float, object]:
    """Run a function of this module in a child process. Return CPU seconds, peak MB and the result's fingerprint."""
    answer = subprocess.run([sys.executable, "-c", CHILD, function], input=data, stdout=subprocess.PIPE, check=True)
    seconds, megabytes, result = json.loads(answer.stdout)
    return seconds, megabytes, result


def peak_megabytes() -> float:
    """Return the peak memory of this process in MB, or 0 if this is not Linux.

    `getrusage` is not used, because it includes the memory of the parent before `exec`.
    """
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024


def fingerprint(result: Sequence[Sequence[object]] | bytes | None) -> list[int]:
    """Return numbers that must be equal for both libraries.

    For parsed tracks they are the number of events of each track. For a file they are the number of notes, the sum of
    the starts and the sum of the pitches of each track.
    """
    if not isinstance(result, bytes):
        return [len(track) for track in result or ()]
    numbers: list[int] = []
    for track in read_midi(result).tracks:
        notes = [(tick, pair[0]) for tick, status, pair in track if 0x90 <= status < 0xA0]
        numbers += (len(notes), sum(tick for tick, _ in notes), sum(pitch for _, pitch in notes))
    return numbers


# The tasks


def consort_parse(data: bytes) -> Sequence[Track]:
    return read_midi(data).tracks


def mido_parse(data: bytes) -> list[mido.MidiTrack]:
    return list(_mido_file(data).tracks)


def consort_copy(data: bytes) -> bytes:
    """Write every track from its events, as if it had been changed."""
    file = read_midi(data)
    return write_midi(replace(file, tracks=[track[:] for track in file.tracks]))


def mido_copy(data: bytes) -> bytes:
    return _mido_saved(_mido_file(data))


def consort_change(data: bytes) -> bytes:
    """Change the file as transform_midi does. This also resolves overlaps, which `mido_change` does not."""
    operations: list[OperationParameters] = [
        TransposeOperation(semitones=SEMITONES, out_of_range="clamp", include_drums=True),
        QuantizeOperation(parse_grid("1/16")),
    ]
    with gc_paused():
        return write_midi(apply_operations(read_midi(data), operations).files[0].file)


def mido_change(data: bytes) -> bytes:
    file = _mido_file(data)
    for track in file.tracks:
        tick = 0
        timed = []
        sounding: dict[tuple[int, int], list[int]] = {}
        for message in track:
            tick += message.time
            if message.type == "note_on":
                start = (2 * tick + GRID) // (2 * GRID) * GRID
                sounding.setdefault((message.channel, message.note), []).append(start - tick)
                timed.append((start, message))
            elif message.type == "note_off":
                timed.append((tick + sounding[message.channel, message.note].pop(0), message))
            else:
                timed.append((tick, message))
            if message.type in ("note_on", "note_off"):
                message.note = min(message.note + SEMITONES, 127)
        timed.sort(key=itemgetter(0))
        last = 0
        for tick, message in timed:
            message.time = tick - last
            last = tick
        track[:] = [message for _, message in timed]
    return _mido_saved(file)


def consort_summary(data: bytes) -> None:
    """Read and summarise a file as the service does. A hostile file may also be rejected."""
    with suppress(MusicError), gc_paused():
        summarize(read_midi(data))


def _mido_file(data: bytes) -> mido.MidiFile:
    return mido.MidiFile(file=io.BytesIO(data))


def _mido_saved(file: mido.MidiFile) -> bytes:
    buffer = io.BytesIO()
    file.save(file=buffer)
    return buffer.getvalue()


# Files


def header(tracks: int = 1, division: int = PPQ) -> bytes:
    return b"MThd" + struct.pack(">IHHH", 6, 1, tracks, division)


def chunk(body: bytes) -> bytes:
    return b"MTrk" + struct.pack(">I", len(body)) + body


def song(size: int, tracks: int = 16) -> bytes:
    """Return a random file, from a fixed seed, with successive notes, rests and controllers in each track."""
    chance = random.Random(1)
    chunks = []
    for channel in range(tracks):
        body = bytearray(b"\x00\xff\x03\x04Part" + bytes((0, 0xC0 | channel, chance.randrange(128))))
        while len(body) < size // tracks - 40:
            rest, length = chance.choice((0, 0, 1, 30, 120, 200, 480)), chance.randrange(1, PPQ)
            pitch, velocity = chance.randrange(30, 100), chance.randrange(1, 128)
            body += _delta(rest) + bytes((0x90 | channel, pitch, velocity))
            body += _delta(length) + bytes((0x80 | channel, pitch, 64))
            if chance.random() < 0.05:
                body += bytes((0, 0xB0 | channel, chance.choice((1, 7, 10, 64)), chance.randrange(128)))
        chunks.append(chunk(bytes(body) + END))
    return header(tracks) + b"".join(chunks)


def _delta(ticks: int) -> bytes:
    return bytes((ticks,)) if ticks < 128 else bytes((ticks >> 7 | 128, ticks & 127))


def _different(count: int, event: Callable[[int], bytes]) -> bytes:
    return b"".join(map(event, range(count))) + END


# The kinds of tracks that cost the most time or memory. With the finest division they last less than a day.
HOSTILE_TRACKS: dict[str, Callable[[], bytes]] = {
    "notes, running status": lambda: b"\x00\x90\x3c\x40" + b"\x7f\x3c\x40" * (SIZE // 3) + END,
    "pressure, running status": lambda: b"\x00\xd0\x01" + b"\x7f\x01" * (SIZE // 2) + END,
    "long delta times": lambda: b"\x00\xd0\x01" + b"\x80\x80\x80\x01\x01" * (SIZE // 5) + END,
    "empty texts": lambda: b"\x7f\xff\x01\x00" * (SIZE // 4) + END,
    "different texts": lambda: _different(SIZE // 7, lambda number: b"\x7f\xff\x01\x03" + number.to_bytes(3, "big")),
    "empty system exclusives": lambda: b"\x7f\xf0\x00" * (SIZE // 3) + END,
    "clock messages": lambda: b"\x7f\xf8" * (SIZE // 2) + END,
    "tempo changes": lambda: _different(SIZE // 7, lambda tempo: b"\x7f\xff\x51\x03" + (tempo + 1).to_bytes(3, "big")),
    "time signatures": lambda: _different(SIZE // 6, lambda beats: b"\x01\xff\x58\x02" + bytes((beats % 127 + 1, 2))),
    "programs and notes": lambda: _different(
        SIZE // 7, lambda program: b"\x01\xc0" + bytes((program & 127,)) + b"\x00\x90\x3c\x40"
    ),
    "bytes of 0xFF": lambda: b"\xff" * SIZE,
}
