"""Voiced chords as a score: one part on piano and guitar, four for voices and players."""

from collections.abc import Sequence
from fractions import Fraction

from consort_compose.composer.voicings.progression import Step
from consort_compose.composer.voicings.realize import Instrument
from consort_music.chords.layout import ChordMark
from consort_music.metre import COMMON_TIME, Metre
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score

_SOLO = {"piano": ("Piano", "Acoustic Grand Piano"), "guitar": ("Guitar", "Acoustic Guitar (nylon)")}
_VOICES = [("Soprano", "Choir Aahs"), ("Alto", "Choir Aahs"), ("Tenor", "Choir Aahs"), ("Bass", "Choir Aahs")]
_QUARTET = [("Violin I", "Violin"), ("Violin II", "Violin"), ("Viola", "Viola"), ("Cello", "Cello")]
_PLAYERS = {"Violin I": "violin 1", "Violin II": "violin 2", "Viola": "viola", "Cello": "cello"}


def as_score(steps: Sequence[Step], instrument: Instrument, duration: Fraction) -> Score:
    """The steps one after another, each as long as the others, with their symbols above."""
    starts = [duration * place for place in range(len(steps))]
    return as_score_in_time(steps, instrument, [(start, start + duration) for start in starts], COMMON_TIME)


def as_score_in_time(
    steps: Sequence[Step], instrument: Instrument, times: Sequence[tuple[Fraction, Fraction]], metre: Metre
) -> Score:
    """The steps from their starts to their ends, with their symbols above."""
    chords = tuple(ChordMark(start, step.chord.name) for (start, _), step in zip(times, steps, strict=True))
    lines: dict[str, list[Note]] = {}
    for (start, end), step in zip(times, steps, strict=True):
        for line, notes in _lines(step, instrument).items():
            lines.setdefault(line, []).extend(Note(start, end - start, pitch) for pitch in notes)
    names = [_SOLO[instrument]] if instrument in _SOLO else _VOICES if instrument == "satb" else _QUARTET
    parts = tuple(Part.of(name, lines[name], sound) for name, sound in names if name in lines)
    return Score(parts, metres=((Fraction(0), metre),), chords=chords, rest_to=times[-1][1])


def _lines(step: Step, instrument: Instrument) -> dict[str, Sequence[Pitch]]:
    if step.voicing is None:
        return {}
    if instrument in _SOLO:
        return {_SOLO[instrument][0]: step.pitches}
    if instrument == "satb":
        return {name: [pitch] for (name, _), pitch in zip(_VOICES, reversed(step.pitches), strict=True)}
    of_note = {pitch.midi: pitch for pitch in step.pitches}
    players = step.voicing.players or {}
    return {name: [of_note[note] for note in players[player]] for name, player in _PLAYERS.items() if player in players}
