"""Sounds from a folder of data sets that is not part of Consort: performances, pop songs and recorded notes.

The folder has the layout `asap/NAME/performance.mid` with `performance_beats.txt`, `pop909/NUMBER/NUMBER.mid` with
`beat_midi.txt`, `beat_audio.txt`, `chord_midi.txt` and `key_audio.txt`, and
`philharmonia/INSTRUMENT_PITCH_LENGTH_DYNAMICS_KIND.mp3`. Each set may be missing. The hash of a name decides whether it
belongs to `tune` or to `test`.

- `expressive`: 25 s of a piano performance by a person, rendered. Notes end where the pedal is released.
- `pop`: 30 s from within a song, rendered with its own programs.
- `pop beginning`: the first 30 s of the same songs.
- `recorded`: one recorded note; the truth is its pitch.
- `recorded articulation`: recorded notes of one instrument in a row, each cut after 98% (legato) or 40% (staccato) of
  half a second.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import mido
import numpy as np
import soundfile
import soxr

from consort_audio.signals.recording import Mono
from evaluation.sounds.cache_folder import cache_folder
from evaluation.sounds.degrading import at_loudness
from evaluation.sounds.playing import DRUMS, RATE, SoundingNote, play, soundfont
from evaluation.sounds.truth import TrueChord, TrueNote, Truth

DATA_TASKS = ("expressive", "pop", "pop beginning", "recorded", "recorded articulation")
_CLIP_S = {"expressive": 25.0, "pop": 30.0}
_SKIPPED_SHARE = 0.2
_LEAD_S = 0.2
_VERSIONS = {"pop": 2}
"""Of the tasks whose sounds or truth changed since version 1."""
_STEP_S = 0.5
_SHARES = {"legato": 0.98, "staccato": 0.4}
_NOTES_IN_A_ROW = 16
_PITCH = re.compile(r"^([A-G])(s?)(\d)$")
_SEMITONES = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}


@dataclass(frozen=True)
class DataItem:
    task: str
    name: str
    source: Path
    """A folder of a piece, a recorded note, or the folder of the recorded notes."""
    skipped_share: float = _SKIPPED_SHARE
    """The clip of a piece begins after this part of it. Training uses other clips of the same pieces too."""
    speed: float = 1.0
    """How many times as fast a pop song is played. Training uses other speeds too."""

    def path(self) -> Path:
        if self.task == "recorded":
            return self.source
        place = self._place(".flac")
        if not place.exists() or not self._place(".json").exists():
            samples, truth = _BUILDERS[self.task](self)
            truth.duration = len(samples) / RATE
            fresh = place.with_suffix(f".{os.getpid()}")
            soundfile.write(fresh, samples, RATE, format="FLAC")
            self._place(".json").write_text(json.dumps(truth.to_json()))
            fresh.replace(place)
        return place

    def truth(self) -> Truth:
        if self.task == "recorded":
            pitch = pitch_of_file(self.source)
            assert pitch is not None
            return Truth(notes=[TrueNote(0.0, 0.0, pitch)], instrument=self.name.split("_")[0])
        self.path()
        return Truth.from_json(json.loads(self._place(".json").read_text()))

    def load(self) -> tuple[Mono, Truth]:
        samples, rate = soundfile.read(self.path(), dtype="float32", always_2d=True)
        return soxr.resample(samples.mean(axis=1), rate, RATE, quality="HQ").astype(np.float32), self.truth()

    def _place(self, suffix: str) -> Path:
        clip = "" if self.skipped_share == _SKIPPED_SHARE else f" {self.skipped_share}"
        clip += "" if self.speed == 1 else f" speed {self.speed}"
        version = _VERSIONS.get(self.task, 1)
        made_of = hashlib.sha256(f"{version} {soundfont().name} {self.source}{clip}".encode()).hexdigest()[:8]
        return cache_folder() / f"{self.task.replace(' ', '-')}-{self.name}-{made_of}{suffix}"


def data_items(folder: Path, task: str, split: str) -> list[DataItem]:
    """Return the items of one of `DATA_TASKS` in one part; an empty list if the folder has none."""
    found: list[DataItem] = []
    if task == "expressive":
        found = [DataItem(task, path.parent.name, path.parent) for path in folder.glob("asap/*/performance.mid")]
    elif task == "pop":
        found = [DataItem(task, path.stem, path.parent) for path in folder.glob("pop909/*/*.mid")]
    elif task == "pop beginning":
        found = [DataItem("pop", path.stem, path.parent, 0.0) for path in folder.glob("pop909/*/*.mid")]
    elif task == "recorded":
        files = [path for path in folder.glob("philharmonia/*.mp3") if _is_single_note(path)]
        found = [DataItem(task, path.stem, path) for path in files]
    elif task == "recorded articulation":
        notes = folder / "philharmonia"
        found = [DataItem(task, f"{name}-{kind}", notes) for name in _long_instruments(notes) for kind in _SHARES]
    return sorted((item for item in found if part_of(item.name) == split), key=lambda item: item.name)


def part_of(name: str) -> str:
    """Return the part of the split (`tune` or `test`) that a name belongs to."""
    return "tune" if hashlib.sha256(name.encode()).digest()[0] % 2 else "test"


def pitch_of_file(path: Path) -> int | None:
    """Return the MIDI number in the name of a recorded note (`As4` is A sharp), or None if it has none."""
    parts = path.stem.split("_")
    found = _PITCH.match(parts[1]) if len(parts) > 1 else None
    return 12 * (int(found[3]) + 1) + _SEMITONES[found[1]] + len(found[2]) if found else None


def _is_single_note(path: Path) -> bool:
    kind = path.stem.split("_")[-1]
    one_pitch = not any(word in kind for word in ("trill", "glissando", "effect", "tremolo", "phrase"))
    return pitch_of_file(path) is not None and one_pitch and "_phrase_" not in path.stem


def _long_instruments(folder: Path) -> list[str]:
    files = [path for path in folder.glob("*.mp3") if _is_single_note(path)]
    long = [path.stem.split("_")[0] for path in files if path.stem.split("_")[2] in ("1", "15", "long", "very-long")]
    return sorted({name for name in long if long.count(name) >= 2})


def _articulation(item: DataItem) -> tuple[Mono, Truth]:
    name, kind = item.name.rsplit("-", 1)
    files = sorted(
        path
        for path in item.source.glob(f"{name}_*.mp3")
        if _is_single_note(path) and path.stem.split("_")[2] in ("1", "15", "long", "very-long")
    )
    held = round(_SHARES[kind] * _STEP_S * RATE)
    sound = np.zeros(round((_NOTES_IN_A_ROW * _STEP_S + 1) * RATE), np.float32)
    truth = Truth(instrument=name)
    for number in range(_NOTES_IN_A_ROW):
        samples, rate = soundfile.read(files[number % len(files)], dtype="float32", always_2d=True)
        note = soxr.resample(samples.mean(axis=1), rate, RATE, quality="HQ")
        first = int(np.argmax(np.abs(note) > 0.1 * np.abs(note).max()))
        note = note[max(first - RATE // 100, 0) :][:held].copy()
        fade = min(len(note), RATE // 33)
        note[-fade:] *= np.linspace(1, 0, fade)
        start = round((_LEAD_S + number * _STEP_S) * RATE)
        sound[start : start + len(note)] += note / max(np.abs(note).max(), 1e-6) * 0.5
        pitch = pitch_of_file(files[number % len(files)]) or 0
        truth.notes.append(TrueNote(start / RATE, (start + len(note)) / RATE, pitch))
        truth.articulations.append(kind)
    return sound, truth


def _expressive(item: DataItem) -> tuple[Mono, Truth]:
    notes = _notes(item.source / "performance.mid", with_pedal=True)
    begin = item.skipped_share * max(note.start for note in notes)
    rows = [line.split() for line in (item.source / "performance_beats.txt").read_text().splitlines() if line.strip()]
    truth = Truth(instrument="piano")
    truth.beats = [float(row[0]) for row in rows]
    truth.downbeats = [float(row[0]) for row in rows if row[2].startswith("db")]
    return _clip(notes, truth, begin, _CLIP_S["expressive"])


def _pop(item: DataItem) -> tuple[Mono, Truth]:
    speed = item.speed
    notes = [
        note._replace(start=note.start / speed, end=note.end / speed)
        for note in _notes(item.source / f"{item.name}.mid", with_pedal=False)
    ]
    begin = item.skipped_share * max(note.start for note in notes)
    rows = [[float(cell) for cell in line.split()] for line in _lines(item.source / "beat_midi.txt")]
    truth = Truth(instrument="pop")
    truth.beats = [row[0] / speed for row in rows]
    truth.downbeats = [row[0] / speed for row in rows if row[2] == 1]
    truth.bpm_of_recording = _bpm([float(line.split()[0]) for line in _lines(item.source / "beat_audio.txt")]) * speed
    for line in _lines(item.source / "chord_midi.txt"):
        start, end, label = line.split()
        truth.chords.append(TrueChord(float(start) / speed, float(end) / speed, label.split("/")[0]))
    for line in _lines(item.source / "key_audio.txt"):
        start, end, label = line.split()
        if float(start) <= (begin + _CLIP_S["pop"] / 2) * speed < float(end):
            truth.key = label.replace(":maj", " major").replace(":min", " minor")
    return _clip(notes, truth, begin, _CLIP_S["pop"])


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if line.strip()]


def _clip(notes: list[SoundingNote], truth: Truth, begin: float, seconds: float) -> tuple[Mono, Truth]:
    """Return the sound of the notes that begin in the clip, and the truth moved to its start."""
    move = _LEAD_S - begin
    end = begin + seconds - _LEAD_S
    inside = [
        note._replace(start=note.start + move, end=min(note.end + move, seconds + 1))
        for note in notes
        if begin <= note.start < end
    ]
    pitched = sorted(note for note in inside if note.program != DRUMS)
    truth.notes = [TrueNote(note.start, note.end, note.pitch, note.velocity) for note in pitched]
    truth.onsets = [note.start for note in sorted(inside)]
    truth.beats = [time + move for time in truth.beats if begin <= time < end]
    truth.downbeats = [time + move for time in truth.downbeats if begin <= time < end]
    truth.chords = [
        TrueChord(max(chord.start, begin) + move, min(chord.end, end) + move, chord.label)
        for chord in truth.chords
        if min(chord.end, end) - max(chord.start, begin) > 0.01
    ]
    if len(truth.beats) > 2:
        truth.bpm = _bpm(truth.beats)
    return at_loudness(play(inside, seconds + 1), -18), truth


def _bpm(beats: list[float]) -> float:
    return 60 / float(np.median(np.diff(beats)))


def _notes(path: Path, with_pedal: bool) -> list[SoundingNote]:
    """Return the notes of a MIDI file in seconds. With the pedal, a note lasts until the pedal is released."""
    found: list[SoundingNote] = []
    held: dict[tuple[int, int], tuple[float, int]] = {}
    waiting: dict[int, list[SoundingNote]] = {}
    is_down: dict[int, bool] = {}
    programs: dict[int, int] = {}
    time = 0.0
    for message in mido.MidiFile(path):
        time += message.time
        if message.type == "program_change":
            programs[message.channel] = message.program
        elif message.type == "control_change" and message.control == 64 and with_pedal:
            is_down[message.channel] = message.value >= 64
            if message.value < 64:
                found += [note._replace(end=time) for note in waiting.pop(message.channel, [])]
        elif message.type in ("note_on", "note_off"):
            place = (message.channel, message.note)
            if place in held:
                start, velocity = held.pop(place)
                program = DRUMS if message.channel == 9 else programs.get(message.channel, 0)
                note = SoundingNote(start, max(time, start + 0.03), message.note, velocity, program)
                if is_down.get(message.channel):
                    waiting.setdefault(message.channel, []).append(note)
                else:
                    found.append(note)
            if message.type == "note_on" and message.velocity:
                again = [note for note in waiting.get(message.channel, []) if note.pitch == message.note]
                for note in again:
                    waiting[message.channel].remove(note)
                    found.append(note._replace(end=time))
                held[place] = (time, message.velocity)
    return sorted(found + [note._replace(end=time) for rest in waiting.values() for note in rest])


_BUILDERS: dict[str, Callable[[DataItem], tuple[Mono, Truth]]] = {
    "expressive": _expressive,
    "pop": _pop,
    "recorded articulation": _articulation,
}
