"""Compare the events of a script, as the real engine plays them, with the music from which it was made."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from consort_strudel.engine import Engine
from consort_strudel.events.long_evaluation import evaluate_cycles
from consort_strudel.events.midi_export import export_events
from consort_strudel.events.voices import VoiceFinder
from consort_strudel.transcribing.read_music import GridMusic

_FINEST = 960
"""Lengths are compared in parts of a quarter note: lengths in the code have four decimals."""
_MOST_TEMPO_OFF = 0.01

NoteKey = tuple[bool, int, Fraction, Fraction]
"""Whether it is a drum, key, start and length in quarter notes."""


@dataclass(frozen=True)
class ScriptCheck:
    note_count: int
    """Notes of the music."""
    right: int
    """Notes that the script plays with the same start, pitch and length."""
    extra: int
    """Notes that the script plays and the music does not have."""
    are_tempos_right: bool
    error: str | None = None

    @property
    def is_right(self) -> bool:
        return self.right == self.note_count and not self.extra and self.are_tempos_right


async def check_script(engine: Engine, script: str, music: GridMusic) -> ScriptCheck:
    """Play a script once through, and compare its notes with those of the music."""
    beats = music.cycle
    cycles = ceil(music.end / beats)
    evaluation = await evaluate_cycles(engine, script, 0, cycles)
    expected = Counter(expected_notes(music))
    total = sum(expected.values())
    if evaluation.error is not None:
        return ScriptCheck(total, 0, 0, False, evaluation.error)
    finder = VoiceFinder(await engine.parse(script))
    made = export_events(evaluation, finder, 0, cycles, beats)
    played = Counter(
        (track.instrument.is_drums, note.pitch, note.start, _length(note.duration))
        for track in made.music.tracks
        for note in track.notes
        if note.start < music.end
    )
    right = (expected & played).total()
    return ScriptCheck(total, right, played.total() - right, _has_tempos(made.music.tempos, music))


def expected_notes(music: GridMusic) -> list[NoteKey]:
    return [
        (track.instrument.is_drums, note.pitch, note.start, _length(note.length * track.clip))
        for track in music.tracks
        for note in track.notes
    ]


def _length(length: Fraction) -> Fraction:
    return Fraction(round(length * _FINEST), _FINEST)


def _has_tempos(tempos: list[tuple[Fraction, Fraction]], music: GridMusic) -> bool:
    """Return whether these are the tempos of the music."""
    played = [(at, bpm) for at, bpm in tempos if at < music.end]
    wanted = [(at, bpm) for at, bpm in music.tempos if at < music.end]
    return len(played) == len(wanted) and all(
        at == other_at and abs(bpm - other) < _MOST_TEMPO_OFF
        for (at, bpm), (other_at, other) in zip(played, wanted, strict=True)
    )
