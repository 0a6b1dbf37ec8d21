"""The sounds of the truth set: `items(task, split)` lists them, and `SoundItem.load` renders one or reads it again.

What an item is depends on the seed in `pieces.json`, its task, its part of the split and its number, and on nothing
else. The sound also depends on the installed soundfont.
"""

import hashlib
import json
import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile

from consort_audio.signals.recording import Mono
from evaluation.sounds import ensembles, harmonies, melodies, practice
from evaluation.sounds.cache_folder import cache_folder
from evaluation.sounds.conditions import COUNTS
from evaluation.sounds.degrading import at_loudness, in_room, with_noise
from evaluation.sounds.excerpts import SoundPlan
from evaluation.sounds.partials import play_partials
from evaluation.sounds.pieces import seed
from evaluation.sounds.playing import RATE, play, soundfont
from evaluation.sounds.truth import Truth

SPLITS = ("tune", "test")
_VERSIONS = dict.fromkeys(("practice", "perfect", "humanised", "noisy"), 2) | {"tuning": 3}
"""By task, if not 1. Increase it when a change of this package changes the sounds or the truth of a task."""

_Builder = Callable[[random.Random, str], SoundPlan]
_NumberedBuilder = Callable[[random.Random, str, int], SoundPlan]

_BUILDERS: dict[str, _Builder] = {
    "melody": melodies.melody,
    "plucked": melodies.plucked,
    "tuning": melodies.tuning,
    "piano": ensembles.piano,
    "tempo": ensembles.tempo,
    "steadiness": ensembles.steadiness,
    "key": ensembles.key,
    "phrases": melodies.phrases,
    "articulation": melodies.articulation,
    "dynamics": melodies.dynamics,
}
_NUMBERED_BUILDERS: dict[str, _NumberedBuilder] = {
    "chords": harmonies.chords,
    "practice": practice.practice,
    "perfect": practice.perfect,
    "humanised": practice.humanised,
    "noisy": practice.noisy,
    "flawless": practice.flawless,
}
TASKS = (*_BUILDERS, *_NUMBERED_BUILDERS)
_SAME_TAKE_AS = {"noisy": "practice", "flawless": "practice"}


@dataclass(frozen=True)
class SoundItem:
    task: str
    split: str
    number: int

    @property
    def name(self) -> str:
        return f"{self.task}-{self.split}-{self.number:03d}"

    def plan(self) -> SoundPlan:
        """Return what is played and what is true of it, without rendering."""
        rng = random.Random(f"{seed()} {_SAME_TAKE_AS.get(self.task, self.task)} {self.split} {self.number}")
        if self.task in _BUILDERS:
            return _BUILDERS[self.task](rng, self.split)
        return _NUMBERED_BUILDERS[self.task](rng, self.split, self.number)

    def path(self) -> Path:
        """Return the sound as a FLAC file of one channel at 22,050 Hz, which is rendered if it is not in the cache."""
        place = self._place(".flac")
        if not place.exists() or not self._place(".json").exists():
            _make(self, place, self._place(".json"))
        return place

    def truth(self) -> Truth:
        self.path()
        return Truth.from_json(json.loads(self._place(".json").read_text()))

    def load(self) -> tuple[Mono, Truth]:
        """Return the samples of one channel at 22,050 Hz, and what is true of them."""
        samples, _ = soundfile.read(self.path(), dtype="float32")
        return samples, self.truth()

    def _place(self, suffix: str) -> Path:
        made_of = f"{_VERSIONS.get(self.task, 1)} {seed()} {soundfont().name}"
        return cache_folder() / f"{self.name}-{hashlib.sha256(made_of.encode()).hexdigest()[:8]}{suffix}"


def items(task: str, split: str) -> list[SoundItem]:
    """Return the items of a task (one of `TASKS`) in a part of the split (`tune` or `test`)."""
    if split not in SPLITS:
        raise ValueError(f"The split is tune or test, not {split}")
    return [SoundItem(task, split, number) for number in range(COUNTS[task])]


def _make(item: SoundItem, sound: Path, facts: Path) -> None:
    plan = item.plan()
    samples = render(plan, item.name)
    plan.truth.duration = len(samples) / RATE
    plan.truth.labels |= {"snr_db": plan.snr_db, "room_s": plan.room_s}
    facts_text = json.dumps(plan.truth.to_json())
    _replace(facts, lambda path: path.write_text(facts_text))
    _replace(sound, lambda path: soundfile.write(path, samples, RATE, format="FLAC"))


def render(plan: SoundPlan, name: str) -> Mono:
    """Return the sound of a plan at 22,050 Hz. The name is the seed of noise and room."""
    numbers = np.random.default_rng(int.from_bytes(hashlib.sha256(name.encode()).digest()[:8]))
    samples = play_partials(plan.notes, plan.timbre) if plan.timbre else play(plan.notes, in_tune=plan.in_tune)
    for time, change_db in plan.levels_db:
        samples[round(time * RATE) :] *= 10 ** (change_db / 20)
    if plan.room_s is not None:
        samples = in_room(samples, plan.room_s, numbers)
    if plan.snr_db is not None:
        samples = with_noise(samples, plan.snr_db, numbers)
    if plan.loudness is not None:
        samples = at_loudness(samples, plan.loudness)
    return samples


def _replace(place: Path, write: Callable[[Path], object]) -> None:
    """Write a file under another name and move it, so that no one reads half of it."""
    fresh = place.with_suffix(f".{os.getpid()}")
    write(fresh)
    fresh.replace(place)
