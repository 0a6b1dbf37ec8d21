"""What a teacher would mark in an exercise of two to four voices: each kind of fault in one line, with its places.

Dissonances are told of two voices only, and only where both begin a note together: that is first species. In freer
music such a note may well be right, which is why this is told and not judged.
"""

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from statistics import mean

from consort_compose.composer.voice_leading import VoiceLeading, analyse_voice_leading
from consort_music.bars import Place
from consort_music.score import Part, Score

_MOST_VOICES = 4
_MOST_PLACES = 20
_CONSONANT = {0, 3, 4, 7, 8, 9}
_WORDS = {
    "parallel_fifths": "parallel fifths",
    "parallel_octaves": "parallel octaves or unisons",
    "voice_crossings": "crossing",
    "direct_intervals": "direct fifths or octaves",
    "spacing_issues": "more than an octave apart",
}
_LEAPS = {"no_recovery": "leap without a step back", "same_direction": "two leaps in one direction"}


def part_writing(score: Score) -> list[str] | None:
    """The faults; None where the music is not two to four voices that sing one note at a time."""
    voices = [part for part in score.parts if part.notes]
    if not 2 <= len(voices) <= _MOST_VOICES or not all(_is_line(part) for part in voices):
        return None
    voices.sort(key=lambda part: -mean(note.midi for note in part.notes))
    lines = _told(analyse_voice_leading(voices, score.place))
    if len(voices) == 2:
        upper, lower = voices
        lines += _line("dissonance", (upper.name, lower.name), map(score.place, _dissonances(upper, lower)))
    return lines


def _is_line(part: Part) -> bool:
    return all(before.end <= after.start for before, after in pairwise(part.notes))


def _told(found: VoiceLeading) -> list[str]:
    places: dict[tuple[str, tuple[str, ...]], list[Place]] = {}
    for name, words in _WORDS.items():
        for fault in getattr(found, name):
            places.setdefault((words, fault.voices), []).append(fault.place)
    for leap in found.leaps:
        places.setdefault((_LEAPS[leap.kind], leap.voices), []).append(leap.place)
    return [line for (words, voices), where in places.items() for line in _line(words, voices, where)]


def _line(words: str, voices: tuple[str, ...], places: Iterable[Place]) -> list[str]:
    where = [f"{place.measure}:{round(float(place.beat), 3):g}" for place in places]
    if not where:
        return []
    more = f" and {len(where) - _MOST_PLACES} more" if len(where) > _MOST_PLACES else ""
    return [f"{words}, {' and '.join(voices)}: {', '.join(where[:_MOST_PLACES])}{more}"]


def _dissonances(upper: Part, lower: Part) -> list[Fraction]:
    below = {note.start: note.midi for note in lower.notes}
    return [
        note.start
        for note in upper.notes
        if note.start in below and abs(note.midi - below[note.start]) % 12 not in _CONSONANT
    ]
