"""Find the key of timed notes: of a melody, of voices, or of any music whose bass and ending are known.

A melody that sounds alone is left to `key_of_melody`. Otherwise each of the 24 keys gets a score: the weighted sum of
what speaks for it (a log-linear model). The evidence is

- the correlation of the durations with the key's profile (`key_finding.py`) and their share in its scale,
- the end: the last note of the top line on the tonic, the last chord on the tonic triad above its root, or in minor
  on the dominant,
- the bass: it begins on the tonic, moves from the fifth to the tonic, and rests there,
- leading tones that rise to the tonic in one voice, and which third sounds, without the last chord (it may be a
  Picardy third),
- the key signature, if there is one. It is a hint: it counts less if another signature has more of the notes.

The weights were fitted by softmax regression on 234 chorales and 300 folk tunes (whole, and their first halves), each
with its signature, without, with that of C major and with wrong ones (`evaluation/corpora/stated_keys.py`, tuning
part). The running time is O(n log n) in the number of notes.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from consort_music.instruments import DRUMS
from consort_music.key_finding import KeyGuess, Mode, pitch_class_weights, rank_keys, sharps_of, signature_credit
from consort_music.key_of_melody import MelodyNote, rank_keys_of_melody
from consort_music.score import Part, Score

_CORRELATION, _IN_SCALE = 7.7, 4.9
_TOP_ENDS_ON_TONIC, _BASS_BEGINS_ON_TONIC = 1.4, 0.2
_LAST_CHORD_IS_TONIC, _LAST_CHORD_IS_DOMINANT, _MINOR_CHORDS = 4.2, 5.2, -0.6
_SIGNATURE, _MODAL_SIGNATURE, _SIGN_OFF = 0.6, 0.2, 0.4
_LEADING_TONES, _DOMINANT_BASS, _BASS_RESTS, _THIRD = 11.3, 22.7, 1.7, 1.3
_SCALES: dict[Mode, tuple[int, ...]] = {"major": (0, 2, 4, 5, 7, 9, 11), "minor": (0, 2, 3, 5, 7, 8, 10, 11)}
_RESTING = 1.9
"""The bass rests on a note that is this many times as long as its notes are on average."""
_MOST_TOGETHER = 0.1
"""In a melody, the time in which a note sounds with an earlier one is at most this share of all durations."""
_MOST_TURNS = 0.8
"""A line that turns more often than in this share of its moves is a figure of an accompaniment, not a melody."""
_DIGITS = 3
"""Times are equal if they are after rounding to this many digits."""


class TimedNote(NamedTuple):
    """A note of one voice; times may have any unit. Voices matter only for leading tones."""

    start: float
    end: float
    midi: int
    voice: int = 0


class _Lines(NamedTuple):
    """The outer lines: the highest and the lowest note from each onset to the next."""

    bass: list[tuple[int, float]]
    """(MIDI note, duration), with repeated notes as one."""
    top_end: int
    """The pitch class of the highest note that ends last."""
    last_chord: frozenset[int]
    """The pitch classes of all notes that end last."""
    last_bass: int


def rank_keys_of_notes(notes: Sequence[TimedNote], sharps: int | None = None) -> list[KeyGuess]:
    """Return all 24 keys, the best first. `sharps` are those of the key signature.

    The difference of two scores is the logarithm of how many times likelier one key is. Without notes all are 0.
    """
    if not notes:
        return rank_keys([0.0] * 12)
    if _is_melody(notes):
        return rank_keys_of_melody([MelodyNote(note.start, note.end, note.midi) for note in notes], sharps)
    weights = pitch_class_weights([(note.midi, note.end - note.start) for note in notes])
    total = sum(weights) or 1.0
    lines = _outer_lines(notes)
    inner = _without_last_chord(weights, notes, lines)
    leads = _leading_tones(notes)
    falls, rests = _bass_steps(lines.bass)
    credit = 0.0 if sharps is None else signature_credit(weights, sharps)
    guesses = []
    for guess in rank_keys(weights):
        tonic, mode = guess.tonic, guess.mode
        score = _CORRELATION * guess.score
        score += _IN_SCALE * sum(weights[(tonic + degree) % 12] for degree in _SCALES[mode]) / total
        score += _TOP_ENDS_ON_TONIC * (lines.top_end == tonic)
        score += _BASS_BEGINS_ON_TONIC * (lines.bass[0][0] % 12 == tonic)
        score += _LAST_CHORD_IS_TONIC * _is_tonic_chord(lines, tonic)
        if mode == "minor" and len(lines.last_chord) > 1:
            score += _MINOR_CHORDS + _LAST_CHORD_IS_DOMINANT * _is_dominant_chord(lines, tonic)
        score += _LEADING_TONES * leads[tonic] + _DOMINANT_BASS * falls[tonic] + _BASS_RESTS * rests[tonic]
        score += _THIRD * _third(inner, tonic, mode)
        if sharps is not None:
            score += credit * _signature(sharps, tonic, mode)
        guesses.append(KeyGuess(tonic, mode, score))
    return sorted(guesses, key=lambda guess: (-round(guess.score, 9), abs(guess.sharps), guess.mode))


def rank_keys_of_score(score: Score) -> list[KeyGuess]:
    """Return all 24 keys, the best first, for the notes of a score and the signature at its beginning."""
    notes = [
        TimedNote(float(note.start), float(note.end), note.midi, voice)
        for voice, part in enumerate(pitched_parts(score))
        for note in part.notes
    ]
    return rank_keys_of_notes(notes, None if score.key is None else score.key.sharps)


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


def _outer_lines(notes: Sequence[TimedNote]) -> _Lines:
    bass: list[tuple[int, float]] = []
    sounding: list[TimedNote] = []
    ordered = sorted(notes)
    onsets = sorted({note.start for note in ordered})
    end = max(note.end for note in ordered)
    place = 0
    for onset, after in zip(onsets, [*onsets[1:], end], strict=True):
        sounding = [note for note in sounding if note.end > onset]
        while place < len(ordered) and ordered[place].start <= onset:
            sounding.append(ordered[place])
            place += 1
        lowest = min(note.midi for note in sounding)
        if bass and bass[-1][0] == lowest:
            bass[-1] = (lowest, bass[-1][1] + after - onset)
        else:
            bass.append((lowest, after - onset))
    last = [note.midi for note in notes if note.end == end]
    return _Lines(bass, max(last) % 12, frozenset(midi % 12 for midi in last), min(last) % 12)


def _without_last_chord(weights: Sequence[float], notes: Sequence[TimedNote], lines: _Lines) -> list[float]:
    """Return the durations of the pitch classes without the last chord; a last note alone counts."""
    inner = list(weights)
    if len(lines.last_chord) > 1:
        end = max(note.end for note in notes)
        for note in notes:
            if note.end == end:
                inner[note.midi % 12] -= note.end - note.start
    return inner


def _leading_tones(notes: Sequence[TimedNote]) -> list[float]:
    """Return, for each pitch class, the share of notes on it that follow the semitone below in the same voice."""
    ends = {(note.voice, round(note.end, _DIGITS), note.midi) for note in notes}
    found = [0.0] * 12
    for note in notes:
        if (note.voice, round(note.start, _DIGITS), note.midi - 1) in ends:
            found[note.midi % 12] += 1 / len(notes)
    return found


def _bass_steps(bass: Sequence[tuple[int, float]]) -> tuple[list[float], list[float]]:
    """Return for each pitch class how often the bass falls a fifth to it, and how often it rests there, as shares."""
    falls, rests = [0.0] * 12, [0.0] * 12
    mean = sum(duration for _, duration in bass) / len(bass)
    resting = [midi for midi, duration in bass if duration >= _RESTING * mean]
    for midi in resting:
        rests[midi % 12] += 1 / len(resting)
    for (before, _), (midi, _) in pairwise(bass):
        if (midi - before) % 12 == 5:
            falls[midi % 12] += 1 / len(bass)
    return falls, rests


def _is_tonic_chord(lines: _Lines, tonic: int) -> bool:
    triad = {(tonic + semitones) % 12 for semitones in (0, 3, 4, 7)}
    return len(lines.last_chord) > 1 and lines.last_bass == tonic and lines.last_chord <= triad


def _is_dominant_chord(lines: _Lines, tonic: int) -> bool:
    """Return whether the music ends on a chord on the fifth with the leading tone, as minor music may."""
    leading_tone = (tonic + 11) % 12
    return len(lines.last_chord) > 1 and lines.last_bass == (tonic + 7) % 12 and leading_tone in lines.last_chord


def _third(weights: Sequence[float], tonic: int, mode: Mode) -> float:
    """Return how clearly the third of the mode sounds: from -1 (only the other third) to 1 (only this one)."""
    minor, major = weights[(tonic + 3) % 12], weights[(tonic + 4) % 12]
    both = minor + major
    return 0.0 if both <= 0 else (major - minor if mode == "major" else minor - major) / both


def _signature(sharps: int, tonic: int, mode: Mode) -> float:
    apart = (sharps - sharps_of(tonic, mode) + 6) % 12 - 6
    if apart == 0:
        return _SIGNATURE
    if apart == (1 if mode == "minor" else -1):
        return _MODAL_SIGNATURE
    return -_SIGN_OFF * (abs(apart) - 1)
