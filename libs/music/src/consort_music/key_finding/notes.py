"""Find the key of timed notes: of a melody (`melody`), of voices, or of any other music (`voices`)."""

from collections.abc import Sequence
from itertools import pairwise

from consort_music.instruments import DRUMS
from consort_music.key_finding.melody import MelodyNote, rank_keys_of_melody
from consort_music.key_finding.pitch_classes import KeyGuess, rank_keys
from consort_music.key_finding.voices import TimedNote, rank_keys_of_voices
from consort_music.score import Part, Score

_MOST_TOGETHER = 0.1
"""In a melody, the time in which a note sounds with an earlier one is at most this share of all durations."""
_MOST_TURNS = 0.8
"""A line that turns more often than in this share of its moves is a figure of an accompaniment, not a melody."""


def rank_keys_of_notes(notes: Sequence[TimedNote], sharps: int | None = None) -> list[KeyGuess]:
    """Return all 24 keys, the best first. `sharps` are those of the key signature.

    The difference of two scores is the logarithm of how many times likelier one key is. Without notes all are 0.
    """
    if not notes:
        return rank_keys([0.0] * 12)
    if _is_melody(notes):
        return rank_keys_of_melody([MelodyNote(note.start, note.end, note.midi) for note in notes], sharps)
    return rank_keys_of_voices(notes, sharps)


def rank_keys_of_score(score: Score) -> list[KeyGuess]:
    """Return all 24 keys, the best first, for the notes of a score and the signature at its beginning.

    In a melody, the beats of the score count too.
    """
    notes = timed_notes(score)
    sharps = None if score.key is None else score.key.sharps
    if not notes:
        return rank_keys([0.0] * 12)
    return rank_keys_of_melody(melody_notes(score), sharps) if _is_melody(notes) else rank_keys_of_voices(notes, sharps)


def timed_notes(score: Score) -> list[TimedNote]:
    """Return the pitched notes of a score."""
    return [
        TimedNote(float(note.start), float(note.end), note.midi, voice)
        for voice, part in enumerate(pitched_parts(score))
        for note in part.notes
    ]


def melody_notes(score: Score) -> list[MelodyNote]:
    """Return the pitched notes of a score with their metrical strength."""
    return [
        MelodyNote(float(note.start), float(note.end), note.midi, score.strength(note.start))
        for part in pitched_parts(score)
        for note in part.notes
    ]


def pitched_parts(score: Score) -> list[Part]:
    """Return the parts with notes that are not drums, or all parts if there are none."""
    return [part for part in score.parts if part.instrument != DRUMS.name and part.notes] or list(score.parts)


def _is_melody(notes: Sequence[TimedNote]) -> bool:
    """Return whether hardly any two notes sound together, and the line does not turn at nearly every note."""
    together, end = 0.0, 0.0
    ordered = sorted(notes)
    for note in ordered:
        together += max(0.0, min(end, note.end) - note.start)
        end = max(end, note.end)
    moves = [after.midi - before.midi for before, after in pairwise(ordered) if after.midi != before.midi]
    turns = sum(before * after < 0 for before, after in pairwise(moves))
    is_line = together <= _MOST_TOGETHER * sum(note.end - note.start for note in notes)
    return is_line and turns <= _MOST_TURNS * len(moves)
