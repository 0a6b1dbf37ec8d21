"""Fit the small models of detect_pitch and detect_articulation, and print their numbers.

    python -m benchmarks.training.train_pitch_engine [--data DIR] [PART ...]

The numbers are copied into the modules by hand. Everything is fitted on the tune part of the truth set.

- `starts`: START_WEIGHTS of `pitch.notes.note_starts` (least absolute deviations)
- `repeats`: `pitch.notes.repeats`; a candidate within 50 ms of a true note of the same pitch is a repeat
- `evidence`: `pitch.notes.note_evidence`, on all tasks with one voice, because the onsets were trained on melody and
  plucked and seem better there; a segment that matches a true note (50 ms, 50 cents) is a note. With --data, recorded
  percussion counts as sounds without notes
- `music`: `pitch.notes.music_evidence`, on tunes and synthetic singing against speech of espeak-ng (which must be
  installed), drums of the soundfont and, with --data, recorded notes and percussion
- `staccato`: `articulation.held_notes`
"""

import argparse
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import mir_eval
import numpy as np

from benchmarks.listening.scores import as_intervals
from benchmarks.training.logistic import fit_logistic
from consort_audio.analysis.articulation.held_notes import LONGEST_S, held_features
from consort_audio.analysis.pitch.notes.find import SHORTEST_S, hear_segments, mean_pitch
from consort_audio.analysis.pitch.notes.harmonic_level import SHORTEST_WINDOW, frame_of, harmonic_levels, window_of
from consort_audio.analysis.pitch.notes.music_evidence import music_features
from consort_audio.analysis.pitch.notes.note_evidence import note_features
from consort_audio.analysis.pitch.notes.note_path import note_path
from consort_audio.analysis.pitch.notes.note_starts import AFTER_S, BEFORE_S, Segment, segments_of, start_features
from consort_audio.analysis.pitch.notes.repeats import repeat_candidates
from consort_audio.analysis.pitch.track.pitch_track import track_pitch
from consort_audio.analysis.pitch.track.tuning_drift import tuning_line
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.onset_strength import FRAMES_PER_SECOND
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import RATE, Recording, read_recording, recording_from_samples
from evaluation.sounds import SoundItem, Truth
from evaluation.sounds.data_folder import data_items, part_of, pitch_of_file
from evaluation.sounds.playing import DRUMS, SoundingNote, play
from evaluation.sounds.voices import SingingStyle, SungNote, sung

SOUNDS = {"melody": 90, "plucked": 60, "tuning": 24}
OTHER_SOUNDS = {
    "phrases": 40, "articulation": 40, "dynamics": 24, "practice": 80, "noisy": 36, "humanised": 36, "perfect": 40,
}  # fmt: skip
"""How many sounds of each task with one voice; more than the truth set has are rendered in the same way."""
SINGERS, DRUMMERS = 40, 10
SEED = 14
PITCHED_PERCUSSION = (
    "Thai-gong", "agogo", "bell-tree", "cowbell", "flexatone", "motor-horn", "squeaker", "swanee", "train-whistle",
    "triangle", "wind-chimes",
)  # fmt: skip
SENTENCES = {
    "en-us": "The quick brown fox jumps over the lazy dog, and then it sits down by the river.",
    "en-gb": "Please turn the page and begin again from bar seventeen, a little slower this time.",
    "de": "Guten Morgen, heute spielen wir die Tonleiter und danach das neue Lied.",
    "fr": "Bonjour, nous allons chanter une chanson et puis jouer une gamme lente.",
    "es": "Buenos días, hoy vamos a tocar la escala mayor y después una canción.",
    "it": "Buongiorno, oggi suoniamo una scala lenta e poi una canzone allegra.",
    "pt": "Bom dia, hoje vamos tocar uma escala e depois uma canção nova.",
    "sv": "God morgon, idag ska vi spela skalor och sedan sjunga en sång.",
    "pl": "Dzień dobry, dzisiaj gramy gamy, a potem zaśpiewamy piosenkę.",
    "ru": "Доброе утро, сегодня мы будем играть гаммы и новую песню.",
    "cmn": "今天我们练习音阶, 然后唱一首歌.",
    "ja": "おはようございます。きょうは おんがくの れんしゅうを します。",
}
VOICES = ("", "+f2", "+m3", "+f4", "+whisper", "+croak")
_NEAR_S, _SAME_SEMITONES = 0.12, 0.6


def tunes(tasks: tuple[str, ...] = tuple(SOUNDS)) -> Iterator[tuple[str, Recording, Truth]]:
    for task in tasks:
        for number in range((SOUNDS | OTHER_SOUNDS)[task]):
            item = SoundItem(task, "tune", number)
            yield task, read_recording(item.path()), item.truth()


def percussion(data: Path | None) -> list[Path]:
    files = sorted(data.glob("philharmonia/*.mp3")) if data else []
    return [
        path
        for path in files
        if pitch_of_file(path) is None and part_of(path.stem) == "tune" and not path.stem.startswith(PITCHED_PERCUSSION)
    ]


def train_starts(_: Path | None) -> None:
    """Compare the START_FEATURES of segments with the true note of the same pitch that is nearest."""
    rows: list[tuple[bool, bool, float, Numbers]] = []
    for task, recording, truth in tunes(("melody", "plucked")):
        track = track_pitch(recording)
        tuning = tuning_line(track)
        before: Segment | None = None
        for segment in segments_of(note_path(track, tuning), tuning):
            is_heard = before is not None and segment.start_s - before.end_s <= 0.3
            first = max(frame_of(segment.start_s - BEFORE_S), 0)
            last = min(segment.start_s + AFTER_S, max(segment.end_s, segment.start_s + 0.03))
            other = before.pitch if before is not None and is_heard else None
            levels = harmonic_levels(recording, segment.pitch, other, first, max(frame_of(last), first + 2))
            place = frame_of(segment.start_s) - first
            risen, features = start_features(np.sqrt(np.square(levels).sum(axis=1)), place, first)
            true = [note.start for note in truth.notes if abs(note.pitch - segment.pitch) < _SAME_SEMITONES]
            late = min((start - risen for start in true), key=abs, default=1.0)
            if abs(late) < _SAME_SEMITONES / 10:
                rows.append((window_of(segment.pitch) == SHORTEST_WINDOW, task == "melody", late, features))
            before = segment
    for is_short, name in ((True, "START_WEIGHTS"), (False, "LOW_START_WEIGHTS")):
        chosen = [row for row in rows if row[0] == is_short]
        features, lates = np.array([row[3] for row in chosen]), np.array([row[2] for row in chosen])
        importance = np.where([row[1] for row in chosen], 1.2, 0.8)
        weight: Numbers = importance.copy()
        found: Numbers = np.zeros(features.shape[1])
        for _step in range(10):  # iteratively reweighted least squares
            scale = np.sqrt(weight)
            found = np.linalg.lstsq(features * scale[:, None], lates * scale, rcond=None)[0]
            weight = importance / np.maximum(np.abs(features @ found - lates), 0.008)
        error = 1000 * np.abs(features @ found - lates).mean()
        print(f"{name} = np.array({np.round(found, 3).tolist()})  # {len(chosen)} starts, mean error {error:.1f} ms")


def train_repeats(_: Path | None) -> None:
    features, labels = [], []
    for _task, recording, truth in tunes(("melody", "plucked")):
        track = track_pitch(recording)
        tuning = tuning_line(track)
        for segment in segments_of(note_path(track, tuning), tuning):
            frames, found = repeat_candidates(recording, segment)
            starts = np.array([n.start for n in truth.notes if abs(n.pitch - segment.pitch) < _SAME_SEMITONES])
            for frame, row in zip(frames, found, strict=True):
                late = frame / FRAMES_PER_SECOND - starts
                features.append(row)
                labels.append(bool(((late > -0.05) & (late < 0.08)).any()))
    print("repeats", len(labels), fit_logistic(np.array(features), np.array(labels)).text(), sep="\n")


def train_evidence(data: Path | None) -> None:
    features, labels, importance = [], [], []

    def add(recording: Recording, truth: Truth | None, weight: float) -> None:
        heard = hear_segments(recording)
        loudest = float(np.percentile(heard.track.level, 99))
        notes, rows = [], []
        for segment in heard.segments:
            rows.append(note_features(segment, heard.track, heard.pitch, loudest))
            mean = mean_pitch(heard.pitch[segment.first : max(segment.end, segment.first + 1)])
            notes.append((segment.start_s, max(segment.end_s, segment.start_s + 0.01), mean))
        right = set()
        if truth is not None and notes:
            true = as_intervals([note[:3] for note in truth.notes])
            right = {b for _, b in mir_eval.transcription.match_notes(*true, *as_intervals(notes), offset_ratio=None)}
        for place, (row, note) in enumerate(zip(rows, notes, strict=True)):
            if note[1] - note[0] >= SHORTEST_S:
                features.append(row)
                labels.append(place in right)
                importance.append(weight)

    for task, recording, truth in tunes((*SOUNDS, *OTHER_SOUNDS)):
        add(recording, truth, 0.5 if task == "tuning" else 1.0)
    for path in percussion(data):
        add(read_recording(path), None, 0.3)
    model = fit_logistic(np.array(features), np.array(labels), np.array(importance), penalty=20)
    print("evidence", len(labels), model.text(), sep="\n")


def train_music(data: Path | None) -> None:
    features, labels = [], []

    def add(recording: Recording, is_music: bool) -> None:
        row = music_features(recording, *hear_segments(recording))
        if row is not None:
            features.append(row)
            labels.append(is_music)

    for _, recording, _truth in tunes():
        add(recording, True)
    for recording in singers():
        add(recording, True)
    for item in data_items(data, "recorded", "tune") if data else []:
        add(read_recording(item.path()), True)
    for recording in [*speakers(), *drummers(), *map(read_recording, percussion(data))]:
        add(recording, False)
    print("music", len(labels), fit_logistic(np.array(features), np.array(labels), penalty=0.3).text(), sep="\n")


def singers() -> Iterator[Recording]:
    numbers = np.random.default_rng(SEED)
    scale = (0, 2, 4, 5, 7, 9, 11)
    for index in range(SINGERS):
        notes, time, degree = [], 0.4, int(numbers.integers(0, 7))
        tonic = int(numbers.integers(52, 64) if index % 2 else numbers.integers(60, 72))
        for _ in range(24):
            degree = int(np.clip(degree + numbers.choice([-3, -2, -1, -1, 0, 1, 1, 2, 3]), -4, 9))
            length = float(numbers.choice([0.2, 0.3, 0.3, 0.6, 0.9]))
            pitch = tonic + 12 * (degree // 7) + scale[degree % 7]
            notes.append(SungNote(time, time + length * (0.98 if numbers.random() < 0.7 else 0.8), pitch))
            time += length + (0.3 if numbers.random() < 0.12 else 0.0)
        style = SingingStyle(
            vibrato=float(numbers.choice([0, 0.3, 0.6])),
            scoop=float(numbers.choice([0.5, 1.5, 3])),
            slide_s=float(numbers.choice([0.03, 0.05, 0.08])),
            drift=float(numbers.choice([0, -0.6, 0.6])),
            wander=float(numbers.choice([0.05, 0.12, 0.2])),
        )
        yield recording_from_samples(sung(notes, numbers, style), RATE)


def speakers() -> Iterator[Recording]:
    with tempfile.TemporaryDirectory() as folder:
        for language, sentence in SENTENCES.items():
            for voice in VOICES:
                path = Path(folder, f"{language}{voice}.wav")
                subprocess.run(["espeak-ng", "-v", language + voice, "-w", path, sentence], check=True)
                yield read_recording(path)


def drummers() -> Iterator[Recording]:
    numbers = np.random.default_rng(SEED)
    kits = ((36, 38), (36, 40, 42, 46), (35, 38, 51, 49), (41, 43, 45, 47, 50), (54, 56, 60, 62, 64, 69, 75))
    for index in range(DRUMMERS):
        step = numbers.uniform(0.18, 0.4)
        kit = kits[index % len(kits)]
        hits = [(0.3 + step * beat, int(numbers.choice(kit))) for beat in range(24)]
        notes = [SoundingNote(time, time + 0.2, key, 90, DRUMS) for time, key in hits]
        yield recording_from_samples(play(notes), RATE)


def train_staccato(_: Path | None) -> None:
    features, labels = [], []
    for number in range(40):
        item = SoundItem("articulation", "tune", number)
        recording, truth = read_recording(item.path()), item.truth()
        starts = [note.start for note in truth.notes]
        usual = float(np.median(np.diff(starts)))
        for note, after, kind in zip(truth.notes, [*starts[1:], np.inf], truth.articulations, strict=True):
            time = after - note.start if after - note.start <= LONGEST_S else usual
            row, _peak = held_features(recording, PlayedNote(note.start, note.end, note.pitch, 1.0, 80), time)
            features.append(row)
            labels.append(kind == "staccato")
    print("staccato", len(labels), fit_logistic(np.array(features), np.array(labels)).text(), sep="\n")


PARTS: dict[str, Callable[[Path | None], None]] = {
    "starts": train_starts,
    "repeats": train_repeats,
    "evidence": train_evidence,
    "music": train_music,
    "staccato": train_staccato,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--data", type=Path)
    asked = parser.parse_args()
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}")
    for part in asked.parts or PARTS:
        PARTS[part](asked.data)


if __name__ == "__main__":
    main()
