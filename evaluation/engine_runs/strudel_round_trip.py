"""Turn pieces into Strudel code and back through the real engine, and compare the notes with those of the piece.

The truth are the notes that the piece was made of, not what our reader found in its MIDI file; mido reads the file that
comes back. Times are compared on a grid of 1/240 of a beat.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from consort_music.midi.writer import write_midi
from consort_music.note_sequence.model import NoteSequence
from consort_music.note_sequence.to_midi_file import sequence_to_midi
from consort_strudel.engine import Engine
from consort_strudel.events.long_evaluation import evaluate_cycles
from consort_strudel.events.midi_export import export_events
from consort_strudel.events.voices import VoiceFinder
from consort_strudel.transcribing.read_music import MusicChoice
from consort_strudel.transcribing.service import transcribe
from consort_strudel.transcribing.write_script import WritingOptions, write_script
from evaluation.checkers.midi_parts import tempo_map
from evaluation.checkers.strudel_notes import notes_of_file

_FINEST = 240
_MOST_TEMPO_OFF = 100
"""Microseconds per quarter note."""

_Note = tuple[bool, int, Fraction, Fraction]


@dataclass(frozen=True)
class RoundTrip:
    script: str
    note_count: int
    right: int
    """Notes that came back with the same start, pitch and length."""
    extra: int
    are_tempos_right: bool
    velocity_error: float
    """The mean difference of the velocities of the right notes."""
    unfolded_size: int
    """Characters of the same code with every bar written out."""
    error: str | None = None

    @property
    def is_exact(self) -> bool:
        return self.right == self.note_count and not self.extra and self.are_tempos_right


async def round_trip(engine: Engine, music: NoteSequence, options: WritingOptions | None = None) -> RoundTrip:
    content = write_midi(sequence_to_midi(music))
    script, grid_music = transcribe(content, MusicChoice(), options or WritingOptions())
    unfolded = write_script(grid_music, WritingOptions(folds=False))
    expected, loudness = _expected(music, grid_music.shift)
    total = expected.total()
    beats = grid_music.cycle
    cycles = ceil(grid_music.end / beats)
    evaluation = await evaluate_cycles(engine, script, 0, cycles)
    if evaluation.error is not None:
        return RoundTrip(script, total, 0, 0, False, 0.0, len(unfolded), evaluation.error)
    finder = VoiceFinder(await engine.parse(script))
    made = export_events(evaluation, finder, 0, cycles, beats)
    returned = write_midi(sequence_to_midi(made.music))
    played: Counter[_Note] = Counter()
    errors: list[int] = []
    for (is_drum, key, start, length, velocity), count in notes_of_file(returned).items():
        if start >= grid_music.end:  # the beginning of the next round
            continue
        note = (is_drum, key, _on_grid(start), _on_grid(length))
        played[note] += count
        if note in loudness:
            errors.append(abs(velocity - loudness[note]))
    right = (expected & played).total()
    wanted = [(at + (grid_music.shift if at else 0), tempo) for at, tempo in tempo_map(content)]
    found = [(at, tempo) for at, tempo in tempo_map(returned) if at < grid_music.end]
    return RoundTrip(
        script,
        total,
        right,
        played.total() - right,
        _same_tempos(wanted, found),
        sum(errors) / len(errors) if errors else 0.0,
        len(unfolded),
    )


def _expected(music: NoteSequence, shift: Fraction) -> tuple[Counter[_Note], dict[_Note, int]]:
    found: Counter[_Note] = Counter()
    loudness: dict[_Note, int] = {}
    for track in music.tracks:
        for note in track.notes:
            key = (track.instrument.is_drums, note.pitch, _on_grid(note.start + shift), _on_grid(note.duration))
            found[key] += 1
            loudness[key] = note.velocity
    return found, loudness


def _on_grid(time: Fraction) -> Fraction:
    return Fraction(round(time * _FINEST), _FINEST)


def _same_tempos(wanted: list[tuple[Fraction, int]], found: list[tuple[Fraction, int]]) -> bool:
    return len(wanted) == len(found) and all(
        at == other_at and abs(tempo - other) <= _MOST_TEMPO_OFF
        for (at, tempo), (other_at, other) in zip(wanted, found, strict=True)
    )
