"""Play notes as sums of partials, whose pitch is exact at every moment."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from consort_audio.signals.recording import Mono
from evaluation.sounds.playing import RATE, VIBRATO_CENTS, VIBRATO_DELAY_S, VIBRATO_HZ, SoundingNote

TIMBRES = {
    "flute": (1.0, 0.35, 0.1, 0.03),
    "clarinet": (1.0, 0.08, 0.6, 0.06, 0.35, 0.05, 0.2, 0.03, 0.1),
    "violin": (0.8, 1.0, 0.7, 0.6, 0.45, 0.35, 0.25, 0.2, 0.15, 0.1, 0.08, 0.06),
    "trumpet": (0.6, 0.9, 1.0, 0.85, 0.65, 0.5, 0.35, 0.25, 0.15, 0.1),
}
"""The amplitudes of the partials."""
_ATTACK_S, _RELEASE_S, _TAIL_S = 0.03, 0.05, 1.0


def play_partials(notes: Sequence[SoundingNote], timbre: str) -> Mono:
    """Return the sound of the notes, until a second after the last one."""
    sound = np.zeros(round((max(note.end for note in notes) + _TAIL_S) * RATE))
    for note in notes:
        first = round(note.start * RATE)
        tone = _tone(note, TIMBRES[timbre])[: len(sound) - first]
        sound[first : first + len(tone)] += tone
    level: Mono = (sound / max(np.abs(sound).max(), 1e-9) * 0.5).astype(np.float32)
    return level


def _tone(note: SoundingNote, amplitudes: Sequence[float]) -> NDArray[np.float64]:
    times = np.arange(round((note.end - note.start + _RELEASE_S) * RATE)) / RATE
    cents = np.zeros(len(times))
    if note.has_vibrato:
        after = np.maximum(times - VIBRATO_DELAY_S, 0)
        cents = VIBRATO_CENTS * np.minimum(after / 0.1, 1) * np.sin(2 * np.pi * VIBRATO_HZ * after)
    hz = 440 * 2 ** ((note.pitch - 69 + cents / 100) / 12)
    phase = 2 * np.pi * np.cumsum(hz) / RATE
    level = np.minimum(times / _ATTACK_S, 1) * np.clip((note.end - note.start + _RELEASE_S - times) / _RELEASE_S, 0, 1)
    tone = sum(
        amplitude * np.sin(number * phase)
        for number, amplitude in enumerate(amplitudes, 1)
        if number * float(hz.max()) < 0.45 * RATE
    )
    loud: NDArray[np.float64] = tone * level * (note.velocity / 127) ** 2
    return loud
