"""Write voiced chords as a score: one part for piano or guitar, four parts for voices or a string quartet."""

from collections.abc import Sequence
from fractions import Fraction

from consort_compose.composer.voicings.engine.progression import ProgressionStep
from consort_compose.composer.voicings.engine.single_chord import VoicingInstrument
from consort_music.chords.timed_chords import ChordMark
from consort_music.metre import COMMON_TIME, Metre
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score

_SOLO = {"piano": ("Piano", "Acoustic Grand Piano"), "guitar": ("Guitar", "Acoustic Guitar (nylon)")}
_VOICES = [("Soprano", "Choir Aahs"), ("Alto", "Choir Aahs"), ("Tenor", "Choir Aahs"), ("Bass", "Choir Aahs")]
_QUARTET = [("Violin I", "Violin"), ("Violin II", "Violin"), ("Viola", "Viola"), ("Cello", "Cello")]
_PLAYERS = {"Violin I": "violin 1", "Violin II": "violin 2", "Viola": "viola", "Cello": "cello"}


def score_of_equal_steps(steps: Sequence[ProgressionStep], instrument: VoicingInstrument, duration: Fraction) -> Score:
    """Return a score of the steps with chord symbols. Each step lasts `duration` quarter notes."""
    starts = [duration * place for place in range(len(steps))]
    return score_of_steps(steps, instrument, [(start, start + duration) for start in starts], COMMON_TIME)


def score_of_steps(
    steps: Sequence[ProgressionStep],
    instrument: VoicingInstrument,
    times: Sequence[tuple[Fraction, Fraction]],
    metre: Metre,
) -> Score:
    """Return a score of the steps with chord symbols. `times` has the start and end of each, in quarter notes."""
    chords = tuple(ChordMark(start, step.chord.name) for (start, _), step in zip(times, steps, strict=True))
    lines: dict[str, list[Note]] = {}
    for (start, end), step in zip(times, steps, strict=True):
        for line, notes in _notes_by_part(step, instrument).items():
            lines.setdefault(line, []).extend(Note(start, end - start, pitch) for pitch in notes)
    names = [_SOLO[instrument]] if instrument in _SOLO else _VOICES if instrument == "satb" else _QUARTET
    parts = tuple(Part.of(name, lines[name], sound) for name, sound in names if name in lines)
    return Score(parts, metres=((Fraction(0), metre),), chords=chords, rest_to=times[-1][1])


def _notes_by_part(step: ProgressionStep, instrument: VoicingInstrument) -> dict[str, Sequence[Pitch]]:
    if step.voicing is None:
        return {}
    if instrument in _SOLO:
        return {_SOLO[instrument][0]: step.pitches}
    if instrument == "satb":
        return {name: [pitch] for (name, _), pitch in zip(_VOICES, reversed(step.pitches), strict=True)}
    of_note = {pitch.midi: pitch for pitch in step.pitches}
    players = step.voicing.players or {}
    return {name: [of_note[note] for note in players[player]] for name, player in _PLAYERS.items() if player in players}
