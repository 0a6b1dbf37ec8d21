"""What a teacher would mark in an exercise of two to four voices: each kind of fault in one line, with its places.

Two voices are also listed with their dissonances (where both begin a note, and where one enters and leaves it by leap),
tritones that are left by leap or sung, and perfect intervals on downbeats in a row. In free music such a note may well
be right; `composer.species` marks strict counterpoint.
"""

from bisect import bisect_right
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from statistics import mean

from consort_compose.composer.species.exercise import is_line
from consort_compose.composer.voice_leading import VoiceLeading, analyse_voice_leading
from consort_music.bars import Place
from consort_music.score import Note, Part, Score

_MOST_VOICES = 4
_MOST_PLACES = 20
_OCTAVE, _TRITONE, _STEP = 12, 6, 2
_PERFECT = {0: "octaves", 7: "fifths"}
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
    if not 2 <= len(voices) <= _MOST_VOICES or not all(is_line(part) for part in voices):
        return None
    voices.sort(key=lambda part: -mean(note.midi for note in part.notes))
    lines = _told(analyse_voice_leading(voices, score.place))
    return lines + _two_voices(voices[0], voices[1], score) if len(voices) == 2 else lines


def _two_voices(upper: Part, lower: Part, score: Score) -> list[str]:
    both = (upper.name, lower.name)
    struck = _dissonances(upper, lower)
    lines = _line("dissonance", both, map(score.place, struck))
    leaps, tritones = set[Fraction](), set[Fraction]()
    for moving, other in ((upper, lower), (lower, upper)):
        for before, note, after in zip(moving.notes, moving.notes[1:], moving.notes[2:], strict=False):
            interval = _interval(note, other)
            if interval is not None and interval % _OCTAVE not in _CONSONANT and _leaps(note, after):
                leaps |= {note.start} if _leaps(before, note) else set()
                tritones |= {note.start} if interval % _OCTAVE == _TRITONE else set()
    lines += _line("dissonance entered and left by leap", both, map(score.place, sorted(leaps - set(struck))))
    lines += _line("tritone left by leap", both, map(score.place, sorted(tritones)))
    for voice in (upper, lower):
        sung = [two.start for one, two in pairwise(voice.notes) if abs(two.midi - one.midi) == _TRITONE]
        lines += _line("melodic tritone", (voice.name,), map(score.place, sung))
    for words, places in _downbeats(upper, lower, score).items():
        lines += _line(words, both, places)
    return lines


def _interval(note: Note, other: Part) -> int | None:
    """Semitones to what the other voice sings at the beginning of a note."""
    against = _sounding(other, note.start)
    return None if against is None else abs(note.midi - against.midi)


def _leaps(one: Note, two: Note) -> bool:
    return one.end == two.start and abs(two.midi - one.midi) > _STEP


def _downbeats(upper: Part, lower: Part, score: Score) -> dict[str, list[Place]]:
    """Fifths or octaves on one downbeat and the next, with other notes between: bare parallels are listed already."""
    found: dict[str, list[Place]] = {}
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
            found.setdefault(f"{kind} on successive downbeats", []).append(score.place(two.start))
    return found


def _sounding(part: Part, moment: Fraction) -> Note | None:
    index = bisect_right(part.notes, moment, key=lambda note: note.start) - 1
    return part.notes[index] if index >= 0 and part.notes[index].end > moment else None


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
