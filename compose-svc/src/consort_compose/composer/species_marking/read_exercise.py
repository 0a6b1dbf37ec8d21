"""Read two voices of a score as an exercise: find the cantus, its units of time and the key.

If a part's name says that it is the cantus, it is the cantus. Otherwise, in species 2 to 5, the cantus is the part in
equal notes, or the part with fewer notes. In species 1 these questions decide, in this order: Which part begins with
its last tone and ends with a step? With which part as cantus is the leading tone of the cadence correct? Which part
falls to its last note?
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from consort_compose.composer.counterpoint.spelled_tones import VoiceNote, note_at, scale_of, voice_notes
from consort_compose.composer.species_marking.exercise import (
    Exercise,
    ExerciseUnit,
    letter_and_pitch_class,
    raised_tones,
)
from consort_compose.composer.species_marking.exercise_fault import is_step
from consort_music.errors import MusicError
from consort_music.keys import Key
from consort_music.score import Part, Score

_CANTUS_NAME = re.compile(r"cantus|firmus|\bc\.? ?f\b", re.IGNORECASE)
_MARKED_VOICE_NAME = re.compile(r"counter|contrap|\bc\.? ?p\b|student|answer", re.IGNORECASE)
_MODES = ("major", "dorian", "minor", "phrygian", "mixolydian", "lydian", "locrian")
_CANTUS_WEIGHT = 3
"""When the mode is found, a cantus tone counts as much as three tones of the other voice, which may have mistakes."""


def read_exercise(
    score: Score, species: int, key: Key | None, lacks_leading_tone: Callable[[Exercise], bool]
) -> Exercise:
    """Return the exercise. Raise INVALID_INPUT if the score does not have exactly two voices of single notes.

    `lacks_leading_tone` returns whether the cadence of an exercise lacks the leading tone.
    """
    parts = [part for part in score.parts if part.notes]
    if len(parts) != 2 or not all(is_monophonic(part) for part in parts):
        parts_found = f"{len(parts)} part{'s' * (len(parts) != 1)}" if len(parts) != 2 else "chords in a part"
        raise MusicError(
            "INVALID_INPUT",
            f"'species' is {species}, which needs two voices of single notes, but the music has {parts_found}. Write "
            'each voice on its own line: "cantus" D4:w F4:w E4:w D4:w and then "voice" A4:w A4:w C#5:w D5:w.',
            field="species",
        )
    first, second = parts
    both = [_make_exercise(score, species, key, *pair) for pair in ((first, second), (second, first))]
    named = [
        bool(_CANTUS_NAME.search(one.name) or _MARKED_VOICE_NAME.search(other.name))
        for one, other in (parts, parts[::-1])
    ]
    if named[0] != named[1]:
        return replace(both[named.index(True)], is_cantus_certain=True)
    if species > 1:
        even = [_has_equal_notes(exercise.cantus) and exercise.cantus[0].onset == 0 for exercise in both]
        if even[0] != even[1]:
            return both[even.index(True)]
        return min(both, key=lambda exercise: len(exercise.cantus))
    return min(
        both, key=lambda exercise: (_count_oddities(exercise.cantus), lacks_leading_tone(exercise), _rises(exercise))
    )


def is_monophonic(part: Part) -> bool:
    """Return whether a part has only one note at a time."""
    return all(before.end <= after.start for before, after in pairwise(part.notes))


def _make_exercise(score: Score, species: int, key: Key | None, cantus: Part, voice: Part) -> Exercise:
    lines = [voice_notes(part) for part in (cantus, voice)]
    units, has_equal_units = _divide_into_units(score, species, lines[0])
    return Exercise(
        species=species,
        cantus=lines[0],
        voice=lines[1],
        above=_is_above(*lines),
        key=key or _find_key(score, *lines),
        units=units,
        has_equal_units=has_equal_units,
        is_cantus_certain=species > 1,
        cantus_name=cantus.name,
        voice_name=voice.name,
    )


def _divide_into_units(score: Score, species: int, cantus: Sequence[VoiceNote]) -> tuple[list[ExerciseUnit], bool]:
    fills_bars = all(
        (bar := score.bar_at(note.onset)).start == note.onset and bar.end == note.end for note in cantus[:-1]
    )
    if species == 1 or fills_bars or _has_equal_notes(cantus):
        return [ExerciseUnit(note.onset, note.end) for note in cantus], True
    end = cantus[-1].end
    bars = [
        ExerciseUnit(bar.start, min(bar.end, end))
        for bar in score.bars
        if cantus[0].onset < bar.end and bar.start < end
    ]
    closing = cantus[-1].onset
    if bars[-1].start < closing:  # the last note gets its own unit
        bars[-1:] = [ExerciseUnit(bars[-1].start, closing), ExerciseUnit(closing, end)]
    return bars, False


def _has_equal_notes(voice: Sequence[VoiceNote]) -> bool:
    return len({note.duration for note in voice[:-1]}) <= 1


def _count_oddities(voice: Sequence[VoiceNote]) -> int:
    """Count what is rare in a cantus: a first tone other than the last tone, and a leap to the last tone."""
    if len(voice) < 2:
        return 2
    return (voice[0].tone.midi % 12 != voice[-1].tone.midi % 12) + (not is_step(*voice[-2:]))


def _rises(exercise: Exercise) -> bool:
    """Return whether the cantus rises to its last note. Most cantus firmi fall."""
    cantus = exercise.cantus
    return len(cantus) > 1 and cantus[-1].tone.midi > cantus[-2].tone.midi


def _is_above(cantus: Sequence[VoiceNote], voice: Sequence[VoiceNote]) -> bool:
    """Return whether the voice is above the cantus most of the time. It may cross the cantus by mistake."""
    balance = sum(
        ((note.tone.midi > other.tone.midi) - (note.tone.midi < other.tone.midi)) * note.duration
        for note in voice
        if (other := note_at(cantus, note.onset)) is not None
    )
    return balance > 0


def _find_key(score: Score, cantus: Sequence[VoiceNote], voice: Sequence[VoiceNote]) -> Key:
    """Return the mode with the last note of the cantus as tonic that contains most tones of both voices.

    If several modes are equal, the one with the score's key signature is preferred.
    """
    final = next(note.pitch for part in score.parts for note in part.notes if note.midi == cantus[-1].tone.midi)
    keys = [Key(final.step, final.alter, mode) for mode in _MODES]
    signature = score.key.sharps if score.key else None

    def misfits(key: Key) -> tuple[int, bool]:
        scale = scale_of(key)
        raised = raised_tones(scale)
        foreign = sum(_CANTUS_WEIGHT for note in cantus if letter_and_pitch_class(note.tone) not in scale)
        foreign += sum(letter_and_pitch_class(note.tone) not in scale for note in voice[:-3])
        foreign += sum(letter_and_pitch_class(note.tone) not in (*scale, *raised) for note in voice[-3:])
        return foreign, key.sharps != signature

    return min(keys, key=misfits)
