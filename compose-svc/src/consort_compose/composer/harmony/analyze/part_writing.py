"""Find the faults between two to four voices. The result has one line of text for each kind of fault and its voices.

In music for two voices these are reported too: dissonances where both voices begin a note, dissonances entered and left
by leap, tritones left by leap, melodic tritones, and fifths or octaves on successive downbeats. In free music they may
be intended. `composer.species_marking` marks strict counterpoint.
"""

from bisect import bisect_right
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from statistics import mean

from consort_compose.composer.species_marking.read_exercise import is_monophonic
from consort_compose.composer.voice_leading import VoiceLeading, analyze_voice_leading
from consort_music.bars import BarPosition
from consort_music.score import Note, Part, Score

_MOST_VOICES = 4
_MOST_PLACES = 20
_OCTAVE, _TRITONE, _STEP = 12, 6, 2
_PERFECT = {0: "octaves", 7: "fifths"}
_CONSONANT = {0, 3, 4, 7, 8, 9}
_FAULT_NAMES = {
    "parallel_fifths": "parallel fifths",
    "parallel_octaves": "parallel octaves or unisons",
    "voice_crossings": "crossing",
    "direct_intervals": "direct fifths or octaves",
    "spacing_issues": "more than an octave apart",
}
_LEAP_NAMES = {"no_recovery": "leap without a step back", "same_direction": "two leaps in one direction"}


def part_writing_faults(score: Score) -> list[str] | None:
    """Return the faults as lines of text, or None if the music is not two to four voices with one note at a time."""
    voices = [part for part in score.parts if part.notes]
    if not 2 <= len(voices) <= _MOST_VOICES or not all(is_monophonic(part) for part in voices):
        return None
    voices.sort(key=lambda part: -mean(note.midi for note in part.notes))
    lines = _voice_leading_lines(analyze_voice_leading(voices, score.position_at))
    return lines + _two_voices(voices[0], voices[1], score) if len(voices) == 2 else lines


def _two_voices(upper: Part, lower: Part, score: Score) -> list[str]:
    both = (upper.name, lower.name)
    struck = _dissonances(upper, lower)
    lines = _line("dissonance", both, map(score.position_at, struck))
    leaps, tritones = set[Fraction](), set[Fraction]()
    for moving, other in ((upper, lower), (lower, upper)):
        for before, note, after in zip(moving.notes, moving.notes[1:], moving.notes[2:], strict=False):
            interval = _interval(note, other)
            if interval is not None and interval % _OCTAVE not in _CONSONANT and _leaps(note, after):
                leaps |= {note.start} if _leaps(before, note) else set()
                tritones |= {note.start} if interval % _OCTAVE == _TRITONE else set()
    lines += _line("dissonance entered and left by leap", both, map(score.position_at, sorted(leaps - set(struck))))
    lines += _line("tritone left by leap", both, map(score.position_at, sorted(tritones)))
    for voice in (upper, lower):
        sung = [two.start for one, two in pairwise(voice.notes) if abs(two.midi - one.midi) == _TRITONE]
        lines += _line("melodic tritone", (voice.name,), map(score.position_at, sung))
    for words, places in _downbeats(upper, lower, score).items():
        lines += _line(words, both, places)
    return lines


def _interval(note: Note, other: Part) -> int | None:
    """Return the semitones between a note and the other voice at its start, or None if the other voice rests."""
    against = _sounding(other, note.start)
    return None if against is None else abs(note.midi - against.midi)


def _leaps(one: Note, two: Note) -> bool:
    return one.end == two.start and abs(two.midi - one.midi) > _STEP


def _downbeats(upper: Part, lower: Part, score: Score) -> dict[str, list[BarPosition]]:
    """Return the places of fifths or octaves on successive downbeats with notes between them, by kind.

    Without notes between them they are parallels, which `voice_leading` reports.
    """
    found: dict[str, list[BarPosition]] = {}
    onsets = {note.start for voice in (upper, lower) for note in voice.notes}
    for one, two in pairwise(score.bars):
        pairs = [[_sounding(voice, bar.start) for voice in (upper, lower)] for bar in (one, two)]
        notes = [(high.midi, low.midi) for high, low in pairs if high is not None and low is not None]
        if len(notes) < 2 or not any(one.start < onset < two.start for onset in onsets):
            continue
        before, now = notes
        kind = _PERFECT.get((now[0] - now[1]) % _OCTAVE)
        moves = before[0] != now[0] and before[1] != now[1]
        if kind and moves and (before[0] - before[1] - now[0] + now[1]) % _OCTAVE == 0:
            found.setdefault(f"{kind} on successive downbeats", []).append(score.position_at(two.start))
    return found


def _sounding(part: Part, moment: Fraction) -> Note | None:
    index = bisect_right(part.notes, moment, key=lambda note: note.start) - 1
    return part.notes[index] if index >= 0 and part.notes[index].end > moment else None


def _voice_leading_lines(found: VoiceLeading) -> list[str]:
    places: dict[tuple[str, tuple[str, ...]], list[BarPosition]] = {}
    for name, words in _FAULT_NAMES.items():
        for fault in getattr(found, name):
            places.setdefault((words, fault.voices), []).append(fault.place)
    for leap in found.leaps:
        places.setdefault((_LEAP_NAMES[leap.kind], leap.voices), []).append(leap.place)
    return [line for (words, voices), where in places.items() for line in _line(words, voices, where)]


def _line(words: str, voices: tuple[str, ...], places: Iterable[BarPosition]) -> list[str]:
    where = [place.text for place in places]
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
