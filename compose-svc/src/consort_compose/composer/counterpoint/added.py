"""A voice added to a score: against which of its notes, on which side, in which range, and how well it went."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil

from consort_compose.composer.counterpoint.compose import write_voice
from consort_compose.composer.counterpoint.task import (
    Relationship,
    Relaxation,
    Task,
    Unsatisfiable,
    VoiceNote,
)
from consort_compose.composer.counterpoint.tones import TWELFTH, Tone, scale_of, tones_between
from consort_compose.composer.voice_leading import OCTAVE, VoiceLeading, analyse_voice_leading
from consort_compose.composer.voice_ranges import VOICE_RANGES, VOICES
from consort_music.chords.layout import ChordSpan
from consort_music.errors import MusicError
from consort_music.keys import Key
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score

MAX_MEASURES = 200
MAX_NOTES = 1200
_ROOM = 4
"""Semitones that a note of the existing voice leaves free, at least, for a third to fit."""
_NARROWEST = 3
"""Scale tones that a range must hold for a voice to have somewhere to go."""


@dataclass(frozen=True, slots=True)
class Wish:
    voice: str
    key: Key
    seed: int
    relationship: Relationship = Relationship.CONTRARY
    species: int = 0
    low: Pitch | None = None
    high: Pitch | None = None
    above: bool | None = None
    """None: as the voice's range lies to the existing voice."""
    avoid_parallels: bool = True
    chords: Sequence[ChordSpan] = ()
    attempts: int = 50


@dataclass(frozen=True, slots=True)
class Added:
    voice: Part
    combined: Score
    above: bool
    analysis: VoiceLeading
    relaxations: list[Relaxation]
    remarks: list[str]


def add_voice_to(score: Score, wish: Wish) -> Added:
    """Raises INVALID_RANGE and UNSATISFIABLE_CONSTRAINTS."""
    _check_size(score)
    part, remarks = _existing_part(score)
    low, high = _range(wish)
    scale = scale_of(wish.key)
    above = _is_above(part.notes, wish.voice, low, high) if wish.above is None else wish.above
    existing = replace(part, name=_existing_name(part.name, wish.voice, above, part.notes))
    task = Task(
        existing=[VoiceNote(note.start, note.duration, Tone(note.midi, note.pitch.staff)) for note in part.notes],
        bars=score.bars,
        scale=scale,
        lowest=low.midi,
        highest=high.midi,
        above=above,
        species=wish.species,
        relationship=wish.relationship,
        avoid_parallels=wish.avoid_parallels,
        chords=[span for span in wish.chords if not span.chord.is_no_chord],
        seed=wish.seed,
        attempts=wish.attempts,
        is_bass=wish.voice == "bass" and not above,
        comfortable=OCTAVE if _is_close(wish.voice, existing.name) else TWELFTH,
    )
    _check_room(task, low, high, wish)
    try:
        written = write_voice(task)
    except Unsatisfiable as conflict:
        raise _unsatisfiable(str(conflict), part.notes, low, high) from None
    others = [other for other in score.parts if other is not score.parts[_first_with_notes(score)]]
    name = _free_name(wish.voice, {part.name for part in (existing, *others)})
    voice = Part.of(name, [_spelled(note, wish.key) for note in written.notes])
    upper, lower = (voice, existing) if above else (existing, voice)
    spacing = [OCTAVE if _is_close(wish.voice, existing.name) else None]
    return Added(
        voice=voice,
        combined=score.with_parts((upper, lower, *others)),
        above=above,
        analysis=analyse_voice_leading((upper, lower), score.place, spacing),
        relaxations=written.relaxations,
        remarks=[*remarks, *written.remarks],
    )


def _free_name(name: str, taken: set[str]) -> str:
    """The name, with a number if another part has it."""
    return next(each for each in (name, *(f"{name} {number}" for number in range(2, 99))) if each not in taken)


def _check_size(score: Score) -> None:
    shortest = min((metre.bar for _, metre in score.metres), default=score.metre.bar)
    measures = score.length / shortest
    if measures > MAX_MEASURES or score.note_count > MAX_NOTES:
        raise MusicError(
            "TOO_LARGE",
            f"'existing_voice' has {score.note_count} notes in {ceil(measures)} measures. Give at most {MAX_NOTES} "
            "notes "
            f"and {MAX_MEASURES} measures at once.",
        )


def _is_close(one: str, other: str) -> bool:
    """Neighbours of a choir, which keep within an octave; tenor and bass need not."""
    return {one, other} in ({"soprano", "alto"}, {"alto", "tenor"})


def _first_with_notes(score: Score) -> int:
    return next(index for index, part in enumerate(score.parts) if part.notes)


def _existing_part(score: Score) -> tuple[Part, list[str]]:
    """The first part as one line: of notes that sound together, the highest."""
    part, remarks = score.parts[_first_with_notes(score)], []
    if sum(bool(other.notes) for other in score.parts) > 1:
        remarks.append(f"The music has several parts; the new voice was written against the first one, {part.name}.")
    line: list[Note] = []
    for note in part.notes:  # in order of start, then upwards
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


def _range(wish: Wish) -> tuple[Pitch, Pitch]:
    low, high = VOICE_RANGES[wish.voice]
    if wish.low is not None:
        low = wish.low
    if wish.high is not None:
        high = wish.high
    if low.midi >= high.midi:
        raise MusicError(
            "INVALID_RANGE",
            f"'range_low' is {low.name}, and must be below 'range_high', {high.name}. The {wish.voice} usually has "
            f"{' to '.join(VOICE_RANGES[wish.voice].names)}.",
            list(VOICE_RANGES[wish.voice].names),
            field="range_low",
        )
    return low, high


def _is_above(notes: Sequence[Note], voice: str, low: Pitch, high: Pitch) -> bool:
    """A soprano goes above and the others below, unless more of the existing voice has room on the other side."""
    crowded_above = sum(note.midi + _ROOM > high.midi for note in notes)
    crowded_below = sum(note.midi - _ROOM < low.midi for note in notes)
    return crowded_above <= crowded_below if voice == "soprano" else crowded_above < crowded_below


def _check_room(task: Task, low: Pitch, high: Pitch, wish: Wish) -> None:
    tones = tones_between(task.scale, task.lowest, task.highest)
    if len(tones) < _NARROWEST:
        raise MusicError(
            "UNSATISFIABLE_CONSTRAINTS",
            f"The range {low.name} to {high.name} has only {len(tones)} note{'s' * (len(tones) != 1)} of "
            f"{wish.key.name}, and "
            f"a voice needs at least {_NARROWEST}. Give a lower range_low or a higher range_high; the {wish.voice} "
            f"usually has {' to '.join(VOICE_RANGES[wish.voice].names)}.",
            field="range_low",
        )


def _unsatisfiable(message: str, notes: Sequence[Note], low: Pitch, high: Pitch) -> MusicError:
    lowest, highest = (extreme(notes, key=lambda note: note.midi).pitch.name for extreme in (min, max))
    return MusicError(
        "UNSATISFIABLE_CONSTRAINTS",
        f"{message} The range is {low.name} to {high.name}, the existing voice {lowest} to {highest}. "
        "Change range_low or range_high, the position, or new_voice_type.",
        field="range_low",
    )


def _spelled(note: VoiceNote, key: Key) -> Note:
    """As the engine wrote it; in keys so remote that this takes three accidentals, as the key has it."""
    midi, place = note.tone
    alter = midi - Pitch.from_staff(place, 0).midi
    pitch = Pitch.from_staff(place, alter) if abs(alter) <= 2 else key.spell(midi)
    return Note(note.onset, note.duration, pitch)


def _existing_name(name: str, new: str, above: bool, notes: Sequence[Note]) -> str:
    """A voice's name for a part that has none of its own: the nearest range on its side of the new voice."""
    if name != new and not name.startswith("part "):
        return name
    place = VOICES.index(new)
    others = VOICES[place + 1 :] if above else VOICES[:place]
    middle = sum(note.midi for note in notes) / len(notes)

    def distance(voice: str) -> float:
        low, high = VOICE_RANGES[voice].midi
        return abs((low + high) / 2 - middle)

    return min(others, key=distance) if others else "melody"
