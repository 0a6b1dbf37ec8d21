"""Tidy the voices of a notated score for engraving: drums of hands and feet, lengths, crossing and idle voices."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, zip_longest

from consort_music.notation.writing.drum_staff import drum_place
from consort_music.notation.writing.notated_score import (
    NotatedChord,
    NotatedPart,
    NotatedScore,
    NotatedStaff,
    NotatedVoice,
)
from consort_music.score import DEFAULT_VELOCITY

_BEAT_PARTS = (Fraction(1, 4), Fraction(1, 3))
_NOTATED_DENOMINATORS = (1, 2, 3, 4, 6, 8, 12)
"""Notes that end at such parts of a beat may be followed by a real rest."""
_LARGEST_GAP = Fraction(1, 8)
"""A rest of at most this share of a note and the rest together is not written."""


def drums_in_two_voices(score: NotatedScore) -> NotatedScore:
    """Return the score with the drums of the hands in the upper voice and those of the feet in the lower one.

    A drum sounds until the next one of its voice, at most to the next beat: its real length says nothing.
    """
    return replace(score, parts=tuple(_drum_part(part, score) if part.is_drums else part for part in score.parts))


def _drum_part(part: NotatedPart, score: NotatedScore) -> NotatedPart:
    starts: tuple[dict[Fraction, dict[int, tuple[NotatedChord, int]]], ...] = ({}, {})
    for chord in part.chords:
        for index, pitch in enumerate(chord.pitches):
            hits = starts[drum_place(pitch.midi).is_foot].setdefault(chord.start, {})
            hits[pitch.midi] = (chord, index)
    voices = tuple(_drum_voice(hits, score) for hits in starts if hits)
    return replace(part, staves=(NotatedStaff(voices, "percussion"),))


def _drum_voice(
    starts: dict[Fraction, dict[int, tuple[NotatedChord, int]]], score: NotatedScore
) -> tuple[NotatedChord, ...]:
    moments = sorted(starts)
    voice = []
    for place, start in enumerate(moments):
        bar = score.bar_lines.bar_at(start)
        beats = [bar.start - bar.missing + beat for beat in bar.metre.beats]
        ends = [beat for beat in beats if beat > start] + [bar.end]
        end = min(ends[0], moments[place + 1]) if place + 1 < len(moments) else ends[0]
        hits = sorted(starts[start].items())
        first = hits[0][1][0]
        voice.append(
            NotatedChord(
                start,
                end - start,
                tuple(chord.pitches[index] for _, (chord, index) in hits),
                tuple(chord.velocities[index] if chord.velocities else DEFAULT_VELOCITY for _, (chord, index) in hits),
                first.articulations,
            )
        )
    return tuple(voice)


def with_straight_lengths(score: NotatedScore) -> NotatedScore:
    """Return a score with a Swing mark whose notes end on straight eighths: ends at 2/3 and 5/6 move by 1/6."""
    if not any(words.casefold().startswith("swing") for _, words in score.tempo_words):
        return score

    def straight(chord: NotatedChord) -> NotatedChord:
        part = chord.end % 1
        change = {Fraction(2, 3): Fraction(-1, 6), Fraction(5, 6): Fraction(1, 6)}.get(part)
        is_on_eighth = chord.start % Fraction(1, 2) == 0
        return replace(chord, duration=chord.duration + change) if change and is_on_eighth else chord

    return _with_voices(score, lambda voice: tuple(map(straight, voice)))


def with_closed_gaps(score: NotatedScore) -> NotatedScore:
    """Return the score without tiny rests: notes that end a little early last until the next note or beat part.

    Sequencers often shorten notes (a quarter to 31/32), so that they are separate; nobody would write it so.
    """

    def closed(voice: NotatedVoice) -> NotatedVoice:
        limits = (chord.start for chord in voice[1:])
        return tuple(_longer(chord, limit) for chord, limit in zip_longest(voice, limits))

    return _with_voices(score, closed)


def _longer(chord: NotatedChord, next_start: Fraction | None) -> NotatedChord:
    end = chord.end
    if next_start is None or next_start - end > _LARGEST_GAP * (next_start - chord.start):
        if end.denominator in _NOTATED_DENOMINATORS:
            return chord
        end = min(-(-end // part) * part for part in _BEAT_PARTS)
        next_start = end if next_start is None else min(end, next_start)
    gap = next_start - chord.end
    is_small = 0 < gap <= _LARGEST_GAP * (next_start - chord.start)
    return replace(chord, duration=next_start - chord.start) if is_small else chord


def _with_voices(score: NotatedScore, change: Callable[[NotatedVoice], NotatedVoice]) -> NotatedScore:
    """Return the score with each voice changed."""
    return replace(
        score,
        parts=tuple(
            replace(
                part, staves=tuple(replace(staff, voices=tuple(map(change, staff.voices))) for staff in part.staves)
            )
            for part in score.parts
        ),
    )


def with_tidy_voices(score: NotatedScore) -> NotatedScore:
    """Return the score with notes in the first voice where no other voice sounds, and else with the higher voice first.

    Where two voices sound in a bar, a chord of the first voice that stands alone is divided between both if the second
    voice then has no rests.
    """
    parts = tuple(
        replace(part, staves=tuple(_tidy_staff(staff, score) for staff in part.staves)) if not part.is_drums else part
        for part in score.parts
    )
    return replace(score, parts=parts)


def _tidy_staff(staff: NotatedStaff, score: NotatedScore) -> NotatedStaff:
    if len(staff.voices) < 2:
        return staff
    voices: list[list[NotatedChord]] = [[] for _ in staff.voices]
    numbered = [(chord, number) for number, voice in enumerate(staff.voices) for chord in voice]
    numbered.sort(key=lambda found: (found[0].start, found[1]))
    together: list[tuple[NotatedChord, int]] = []
    end = Fraction(0)
    for chord, number in [*numbered, (None, 0)]:
        if together and (chord is None or chord.start >= end):
            places = _voice_places(together)
            for one, of in together:
                voices[places[of]].append(one)
            together = []
        if chord is not None:
            together.append((chord, number))
            end = max(end, chord.end)
    if len(voices) == 2 and voices[1]:
        _divide_lone_chords(voices, score)
    return replace(staff, voices=tuple(tuple(voice) for voice in voices if voice))


def _voice_places(together: list[tuple[NotatedChord, int]]) -> dict[int, int]:
    """Return the new place of each voice in a stretch in which they overlap: the higher one first."""
    pitches: dict[int, list[int]] = {}
    for chord, number in together:
        pitches.setdefault(number, []).extend(pitch.midi for pitch in chord.pitches)
    if len(pitches) == 1:
        return dict.fromkeys(pitches, 0)
    highest_first = sorted(pitches, key=lambda number: -sum(pitches[number]) / len(pitches[number]))
    return dict(zip(highest_first, sorted(pitches), strict=True))


def _divide_lone_chords(voices: list[list[NotatedChord]], score: NotatedScore) -> None:
    """Move the lower notes of chords of the first voice to the second one, in bars that this makes complete.

    A bar is complete if the second voice sounds without a rest from its first note on.
    """
    upper, lower = voices
    below: dict[int, list[NotatedChord]] = {}
    for chord in lower:
        below.setdefault(score.bar_lines.number_at(chord.start), []).append(chord)
    lone: dict[int, list[int]] = {}
    place = 0
    for index, chord in enumerate(upper):
        while place < len(lower) and lower[place].end <= chord.start:
            place += 1
        is_alone = place == len(lower) or lower[place].start >= chord.end
        number = score.bar_lines.number_at(chord.start)
        if len(chord.pitches) > 1 and is_alone and number in below:
            lone.setdefault(number, []).append(index)
    added: list[NotatedChord] = []
    for number, indexes in lone.items():
        whole = sorted([*below[number], *(upper[index] for index in indexes)], key=lambda chord: chord.start)
        end = score.bar_lines.bar_at(whole[0].start).end
        if whole[-1].end == end and all(one.end == other.start for one, other in pairwise(whole)):
            for index in indexes:
                upper[index], low = _divided(upper[index])
                added.append(low)
    voices[1] = sorted([*lower, *added], key=lambda chord: chord.start)


def _divided(chord: NotatedChord) -> tuple[NotatedChord, NotatedChord]:
    """Return the highest note of a chord, and the others."""
    high = replace(
        chord,
        pitches=chord.pitches[-1:],
        velocities=chord.velocities[-1:],
        places=chord.places[-1:],
        is_arpeggio=False,
    )
    low = replace(
        high,
        pitches=chord.pitches[:-1],
        velocities=chord.velocities[:-1],
        places=chord.places[:-1],
        grace_notes=(),
        lyrics=(),
    )
    return high, low
