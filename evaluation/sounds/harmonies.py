"""Chord progressions with known symbols, on one instrument or a small band."""

import random

from evaluation.sounds.conditions import BASS_PROGRAM, CLIP_S, INSTRUMENTS
from evaluation.sounds.excerpts import LEAD_S, SoundPlan, conditions
from evaluation.sounds.pieces import TONIC_NAMES
from evaluation.sounds.playing import DRUMS, SoundingNote
from evaluation.sounds.truth import TrueChord, TrueNote, Truth

QUALITIES = {"maj": (0, 4, 7), "min": (0, 3, 7), "7": (0, 4, 7, 10), "maj7": (0, 4, 7, 11), "min7": (0, 3, 7, 10)}
PROGRESSIONS = {
    "major": ("I V vi IV", "I vi IV V", "ii V I I", "I IV V IV", "vi IV I V", "I iii IV V", "I ii iii IV", "IV I V vi",
              "I V IV I", "ii iii IV V"),
    "minor": ("i VI III VII", "i iv V i", "i VII VI V", "i iv VII III", "iv i V i", "i VI iv V"),
}  # fmt: skip
_MAJOR_DEGREES = {
    "I": (0, "maj"),
    "ii": (2, "min"),
    "iii": (4, "min"),
    "IV": (5, "maj"),
    "V": (7, "maj"),
    "vi": (9, "min"),
}
_MINOR_DEGREES = {
    "i": (0, "min"),
    "III": (3, "maj"),
    "iv": (5, "min"),
    "V": (7, "maj"),
    "VI": (8, "maj"),
    "VII": (10, "maj"),
}
_SEVENTHS = {
    "major": {"I": "maj7", "ii": "min7", "iii": "min7", "IV": "maj7", "V": "7", "vi": "min7"},
    "minor": {"i": "min7", "III": "maj7", "iv": "min7", "V": "7", "VI": "maj7", "VII": "7"},
}
_STYLES = ("block", "arpeggio", "strum", "pulse")
_INSTRUMENTS = ("piano", "nylon guitar", "steel guitar", "organ", "harpsichord", "choir")


def chords(rng: random.Random, split: str, number: int) -> SoundPlan:
    """Four-chord progressions, played two to four times in different styles; every second clip has sevenths.

    The progressions with an even place in their list belong to `tune`, the others to `test`.
    """
    mode = rng.choice(["major", "major", "minor"])
    choice = [row for place, row in enumerate(PROGRESSIONS[mode]) if place % 2 == (split == "test")]
    tonic, bpm = rng.randrange(12), rng.uniform(70, 140)
    symbols = [symbol for _ in range(4) for symbol in rng.choice(choice).split()]
    chord_s = rng.choice([2, 4]) * 60 / bpm
    symbols = symbols[: max(4, round(rng.uniform(*CLIP_S) / chord_s))]
    degrees = _MAJOR_DEGREES if mode == "major" else _MINOR_DEGREES
    has_sevenths = number % 2 == 1
    name, style = rng.choice(_INSTRUMENTS), rng.choice(_STYLES)
    has_bass, has_drums, has_melody = rng.random() < 0.6, rng.random() < 0.3, rng.random() < 0.4
    start = rng.uniform(*LEAD_S)
    truth = Truth(bpm=bpm, key=f"{TONIC_NAMES[tonic]} {mode}", instrument=name)
    truth.chords.append(TrueChord(0.0, start, "N"))
    notes: list[SoundingNote] = []
    for symbol in symbols:
        offset, quality = degrees[symbol]
        if has_sevenths and rng.random() < 0.65:
            quality = _SEVENTHS[mode][symbol]
        root = (tonic + offset) % 12
        truth.chords.append(TrueChord(start, start + chord_s, f"{TONIC_NAMES[root]}:{quality}"))
        pitches = _voicing(rng, root, quality)
        notes += _played(rng, pitches, start, chord_s, 60 / bpm, style, INSTRUMENTS[name].program)
        if has_bass:
            notes.append(SoundingNote(start, start + chord_s - 0.03, 36 + (root - 36) % 12, 85, BASS_PROGRAM))
        if has_melody:
            notes += _melody(rng, pitches, start, chord_s, 60 / bpm)
        if has_drums:
            notes += _beat(start, chord_s, 60 / bpm)
        start += chord_s
    truth.notes = [
        TrueNote(note.start, note.end, note.pitch, note.velocity) for note in sorted(notes) if note.program != DRUMS
    ]
    truth.labels = {"style": style, "sevenths": has_sevenths, "drums": has_drums, "melody": has_melody}
    return SoundPlan(notes, truth, **conditions(rng))


def _voicing(rng: random.Random, root: int, quality: str) -> list[int]:
    """Return the chord between G3 and F#5; the root is lowest in three of four chords."""
    pitches = [55 + (root + tone - 55) % 12 for tone in QUALITIES[quality]]
    if rng.random() < 0.75:
        bass = 43 + (root - 43) % 12
        return sorted({bass, *pitches})
    return sorted(pitches)


def _played(
    rng: random.Random, pitches: list[int], start: float, length: float, beat: float, style: str, program: int
) -> list[SoundingNote]:
    def note(pitch: int, begin: float, end: float) -> SoundingNote:
        return SoundingNote(begin, end, pitch, round(rng.uniform(65, 90)), program)

    end = start + length - 0.04
    if style == "block":
        return [note(pitch, start + rng.uniform(0, 0.01), end) for pitch in pitches]
    if style == "strum":
        return [note(pitch, start + 0.018 * place, end) for place, pitch in enumerate(pitches)]
    if style == "pulse":
        count = round(length / beat)
        return [
            note(pitch, start + step * beat, start + (step + 0.9) * beat) for step in range(count) for pitch in pitches
        ]
    step_s = beat / 2
    return [
        note(pitches[step % len(pitches)], start + step * step_s, min(start + (step + 3) * step_s, end))
        for step in range(int(length / step_s + 0.01))
    ]


def _melody(rng: random.Random, pitches: list[int], start: float, length: float, beat: float) -> list[SoundingNote]:
    """Return a tune of chord tones, an octave higher, with a passing note between some."""
    notes = []
    for step in range(round(length / beat)):
        pitch = rng.choice(pitches) + 12
        begin = start + step * beat
        has_passing = rng.random() < 0.3
        notes.append(SoundingNote(begin, begin + beat * (0.5 if has_passing else 0.95), pitch, 85, 73))
        if has_passing:
            notes.append(SoundingNote(begin + beat / 2, begin + beat * 0.95, pitch + rng.choice([-2, 2]), 80, 73))
    return notes


def _beat(start: float, length: float, beat: float) -> list[SoundingNote]:
    return [
        SoundingNote(start + step * beat, start + step * beat + 0.1, 38 if step % 2 else 36, 85, DRUMS)
        for step in range(round(length / beat))
    ]
