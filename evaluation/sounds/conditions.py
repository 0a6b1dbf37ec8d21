"""The instruments, tempos and degradations of the truth set. They were fixed before anything was tuned."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SoundInstrument:
    program: int
    """The General MIDI program, counted from 0."""
    lowest: int
    """The lowest and highest MIDI number of tunes on this instrument."""
    highest: int
    has_soft_attack: bool = False


SUSTAINED = {
    "flute": SoundInstrument(73, 62, 93, has_soft_attack=True),
    "recorder": SoundInstrument(74, 65, 91),
    "oboe": SoundInstrument(68, 60, 88),
    "clarinet": SoundInstrument(71, 52, 86, has_soft_attack=True),
    "alto sax": SoundInstrument(65, 52, 80),
    "trumpet": SoundInstrument(56, 55, 82, has_soft_attack=True),
    "horn": SoundInstrument(60, 45, 74, has_soft_attack=True),
    "violin": SoundInstrument(40, 55, 93, has_soft_attack=True),
    "cello": SoundInstrument(42, 38, 69, has_soft_attack=True),
    "choir": SoundInstrument(52, 50, 79, has_soft_attack=True),
    "organ": SoundInstrument(19, 48, 84),
}
PLUCKED = {
    "piano": SoundInstrument(0, 45, 93),
    "nylon guitar": SoundInstrument(24, 45, 81),
    "steel guitar": SoundInstrument(25, 45, 81),
    "harp": SoundInstrument(46, 48, 91),
    "pizzicato": SoundInstrument(45, 48, 84),
    "marimba": SoundInstrument(12, 48, 86),
    "banjo": SoundInstrument(105, 50, 81),
    "harpsichord": SoundInstrument(6, 45, 84),
}
INSTRUMENTS = SUSTAINED | PLUCKED
BANDS = {
    "pop": ("piano", "nylon guitar", "bass", "drums"),
    "rock": ("steel guitar", "organ", "bass", "drums"),
    "jazz": ("alto sax", "piano", "bass", "drums"),
    "chamber": ("violin", "clarinet", "cello", "none"),
    "duo": ("flute", "piano", "bass", "none"),
}
BASS_PROGRAM = 33

TEMPOS = (50, 190)
"""Beats per minute."""
DETUNING_CENTS = (-40, 40)
JITTER_MS = (0, 15)
"""The standard deviation of the time of a note."""
SNR_DB = (None, None, None, 40, 30, 20)
"""The ratio of sound to noise. None: no noise."""
ROOM_S = (None, None, 0.3, 0.6, 1.0)
"""The time in which the reverberation of the room falls by 60 dB. None: no room."""
LOUDNESS = (-30, -14)
"""In LUFS."""
CLIP_S = (10, 22)
"""The length of a clip."""

COUNTS = {
    "melody": 60,
    "plucked": 48,
    "tuning": 36,
    "piano": 36,
    "tempo": 60,
    "steadiness": 60,
    "key": 80,
    "chords": 48,
    "phrases": 40,
    "articulation": 40,
    "dynamics": 24,
    "practice": 150,
    "perfect": 48,
    "humanised": 36,
    "noisy": 36,
    "flawless": 150,
}
"""How many items each task has in each part of the split."""

MIX = {
    "vibrato": 0.3,
    "staccato": 0.25,
    "dynamics": 0.5,
    "tempo changes by 10%": 0.35,
    "ritardando": 0.15,
}
"""The share of items that have this."""

FAULTS = ("wrong", "missing", "extra", "late", "flat", "short", "restart")
"""What goes wrong in `practice`. `flat` stands for flat and sharp, `late` for early and late."""
FAULT_SIZES = {
    "wrong semitones": (1, 2, -1, -2, 12),
    "late or early ms": (110, 220),
    "flat or sharp cents": (35, 55),
    "short share of the note": (0.2, 0.4),
}
"""Outside of what a teacher tolerates: timing beyond 80 ms, tuning beyond 25 cents, less than half of the length."""
TOLERATED = {"timing ms": 30, "cents": 8, "length share": 0.8}
"""Humanised performances stay within this."""
PRACTICE_TEMPO_RATIOS = (0.6, 1.5)
"""The tempo of the take relative to the reference."""
