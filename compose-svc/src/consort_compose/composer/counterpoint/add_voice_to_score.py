"""Add a voice to a score: choose the existing line, the side and the range, write the voice, and analyze the result."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil

from consort_compose.composer.counterpoint.engine.task_and_result import (
    CounterpointTask,
    NoVoiceFits,
    Relationship,
    Relaxation,
)
from consort_compose.composer.counterpoint.engine.write_voice import write_voice
from consort_compose.composer.counterpoint.spelled_tones import TWELFTH, VoiceNote, scale_of, tones_between, voice_notes
from consort_compose.composer.voice_leading import OCTAVE, VoiceLeading, analyze_voice_leading
from consort_compose.composer.voice_ranges import VOICE_RANGES, VOICES
from consort_music.chords.timed_chords import ChordSpan
from consort_music.errors import MusicError
from consort_music.keys import Key
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score
from consort_music.texts.unused_names import unused_name

MAX_MEASURES = 200
MAX_NOTES = 1200
_ROOM = 4
"""Semitones (a third) that the new voice needs between a note of the existing voice and the end of its range."""
_FEWEST_TONES = 3
"""A range must have at least this many tones of the scale."""


@dataclass(frozen=True, slots=True)
class VoiceRequest:
    voice: str
    """Soprano, alto, tenor or bass."""
    key: Key
    seed: int
    relationship: Relationship = Relationship.CONTRARY
    species: int = 0
    low: Pitch | None = None
    high: Pitch | None = None
    above: bool | None = None
    """Whether the new voice goes above the existing one. If None, the ranges of both voices decide."""
    avoid_parallels: bool = True
    chords: Sequence[ChordSpan] = ()
    attempts: int = 50


@dataclass(frozen=True, slots=True)
class ScoreWithVoice:
    voice: Part
    combined: Score
    above: bool
    analysis: VoiceLeading
    relaxations: list[Relaxation]
    remarks: list[str]
    """How the music was read, if that is not obvious."""


def add_voice_to_score(score: Score, request: VoiceRequest) -> ScoreWithVoice:
    """Return the score with a new voice.

    Raise TOO_LARGE if the score is too long, INVALID_RANGE if the lowest note of the range is not below the highest,
    and UNSATISFIABLE_CONSTRAINTS if no voice fits in the range.
    """
    _check_size(score)
    part, remarks = _choose_existing_line(score)
    low, high = _choose_range(request)
    scale = scale_of(request.key)
    above = _goes_above(part.notes, request.voice, low, high) if request.above is None else request.above
    existing = replace(part, name=_name_existing_part(part.name, request.voice, above, part.notes))
    task = CounterpointTask(
        existing=voice_notes(part),
        bars=score.bars,
        scale=scale,
        lowest=low.midi,
        highest=high.midi,
        above=above,
        species=request.species,
        relationship=request.relationship,
        avoid_parallels=request.avoid_parallels,
        chords=[span for span in request.chords if not span.chord.is_no_chord],
        seed=request.seed,
        attempts=request.attempts,
        is_bass=request.voice == "bass" and not above,
        comfortable=OCTAVE if _are_close(request.voice, existing.name) else TWELFTH,
    )
    _check_range(task, low, high, request)
    try:
        written = write_voice(task)
    except NoVoiceFits as reason:
        raise _no_voice_fits(str(reason), part.notes, low, high) from None
    others = [other for other in score.parts if other is not score.parts[_index_of_first_part(score)]]
    name = unused_name(request.voice, {part.name for part in (existing, *others)}.__contains__)
    voice = Part.of(name, [_spell(note, request.key) for note in written.notes])
    upper, lower = (voice, existing) if above else (existing, voice)
    spacing = [OCTAVE if _are_close(request.voice, existing.name) else None]
    return ScoreWithVoice(
        voice=voice,
        combined=score.with_parts((upper, lower, *others)),
        above=above,
        analysis=analyze_voice_leading((upper, lower), score.position_at, spacing),
        relaxations=written.relaxations,
        remarks=[*remarks, *written.remarks],
    )


def _check_size(score: Score) -> None:
    shortest = min((metre.bar for _, metre in score.metres), default=score.metre.bar)
    measures = score.length / shortest
    if measures > MAX_MEASURES or score.note_count > MAX_NOTES:
        raise MusicError(
            "TOO_LARGE",
            f"'existing_voice' has {score.note_count} notes in {ceil(measures)} measures. Give at most {MAX_NOTES} "
            f"notes and {MAX_MEASURES} measures at once.",
        )


def _are_close(one: str, other: str) -> bool:
    """Return whether two voices should stay within an octave: neighbours in a choir, except tenor and bass."""
    return {one, other} in ({"soprano", "alto"}, {"alto", "tenor"})


def _index_of_first_part(score: Score) -> int:
    return next(index for index, part in enumerate(score.parts) if part.notes)


def _choose_existing_line(score: Score) -> tuple[Part, list[str]]:
    """Return the first part as a single line, and remarks. Of notes that begin together only the highest is used."""
    part, remarks = score.parts[_index_of_first_part(score)], []
    if sum(bool(other.notes) for other in score.parts) > 1:
        remarks.append(f"The music has several parts; the new voice was written against the first one, {part.name}.")
    line: list[Note] = []
    for note in part.notes:  # sorted by start, then by pitch
        if line and line[-1].start == note.start:
            line[-1] = note
        else:
            line.append(note)
    cut = [
        note._replace(duration=min(note.duration, following.start - note.start)) for note, following in pairwise(line)
    ] + line[-1:]
    if cut != list(part.notes):
        remarks.append("The existing voice has notes that sound together; only the highest of them was used.")
    return Part.of(part.name, cut, part.instrument), remarks


def _choose_range(request: VoiceRequest) -> tuple[Pitch, Pitch]:
    low, high = VOICE_RANGES[request.voice]
    if request.low is not None:
        low = request.low
    if request.high is not None:
        high = request.high
    if low.midi >= high.midi:
        raise MusicError(
            "INVALID_RANGE",
            f"'range_low' is {low.name}. It must be below 'range_high', which is {high.name}. The {request.voice} "
            f"usually has {' to '.join(VOICE_RANGES[request.voice].names)}.",
            list(VOICE_RANGES[request.voice].names),
            field="range_low",
        )
    return low, high


def _goes_above(notes: Sequence[Note], voice: str, low: Pitch, high: Pitch) -> bool:
    """Return whether the voice goes above the existing one.

    A soprano goes above unless there is more room below. Other voices go below unless there is more room above.
    """
    crowded_above = sum(note.midi + _ROOM > high.midi for note in notes)
    crowded_below = sum(note.midi - _ROOM < low.midi for note in notes)
    return crowded_above <= crowded_below if voice == "soprano" else crowded_above < crowded_below


def _check_range(task: CounterpointTask, low: Pitch, high: Pitch, request: VoiceRequest) -> None:
    tones = tones_between(task.scale, task.lowest, task.highest)
    if len(tones) < _FEWEST_TONES:
        raise MusicError(
            "UNSATISFIABLE_CONSTRAINTS",
            f"The range {low.name} to {high.name} has only {len(tones)} note{'s' * (len(tones) != 1)} of "
            f"{request.key.name}, and a voice needs at least {_FEWEST_TONES}. Give a lower range_low or a higher "
            f"range_high; the {request.voice} usually has {' to '.join(VOICE_RANGES[request.voice].names)}.",
            field="range_low",
        )


def _no_voice_fits(message: str, notes: Sequence[Note], low: Pitch, high: Pitch) -> MusicError:
    lowest, highest = (extreme(notes, key=lambda note: note.midi).pitch.name for extreme in (min, max))
    return MusicError(
        "UNSATISFIABLE_CONSTRAINTS",
        f"{message} The range is {low.name} to {high.name}, the existing voice {lowest} to {highest}. "
        "Change range_low or range_high, the position, or new_voice_type.",
        field="range_low",
    )


def _spell(note: VoiceNote, key: Key) -> Note:
    """Return the note with the engine's spelling, or with the key's if the engine's needs three accidentals."""
    tone = note.tone
    pitch = Pitch.from_staff(tone.step, tone.alter) if abs(tone.alter) <= 2 else key.spell(tone.midi)
    return Note(note.onset, note.duration, pitch)


def _name_existing_part(name: str, new: str, above: bool, notes: Sequence[Note]) -> str:
    """Return the name of the existing part.

    If it has none, or has the name of the new voice, return the voice on the right side with the nearest range.
    """
    if name != new and not name.startswith("part "):
        return name
    place = VOICES.index(new)
    others = VOICES[place + 1 :] if above else VOICES[:place]
    middle = sum(note.midi for note in notes) / len(notes)

    def distance(voice: str) -> float:
        low, high = VOICE_RANGES[voice].midi
        return abs((low + high) / 2 - middle)

    return min(others, key=distance) if others else "melody"
