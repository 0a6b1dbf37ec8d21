"""The rules of species counterpoint, implemented independently of the engine that they check.

The input consists of notes only: onset and length in quarter notes, MIDI number and letter. `faults` returns the
mistakes that a teacher would mark, each with its place. A scale is a list of pairs: letter (0 is C) and pitch class.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from evaluation.corpora.cantus_firmi import Cantus

BAR = 4
"""In quarter notes."""


@dataclass(frozen=True)
class CheckedNote:
    onset: Fraction
    length: Fraction
    midi: int
    letter: int
    """Letters above C0, seven to the octave."""

    @property
    def end(self) -> Fraction:
        return self.onset + self.length


def cantus_notes(cantus: Cantus, octave: int) -> list[CheckedNote]:
    """Return the cantus in whole notes."""
    pairs = cantus.pitches(octave)
    return [CheckedNote(Fraction(BAR * bar), Fraction(BAR), midi, letter) for bar, (midi, letter) in enumerate(pairs)]


def interval(one: CheckedNote, other: CheckedNote) -> tuple[int, int]:
    """Return the number of the interval (1 is a unison, 10 a tenth) and its semitones. The order does not matter."""
    low, high = sorted((one, other), key=lambda note: (note.midi, note.letter))
    return high.letter - low.letter + 1, high.midi - low.midi


def simple(number: int) -> int:
    """Return the interval number reduced to 1 to 7. An octave becomes 1."""
    return (number - 1) % 7 + 1


def is_consonant(one: CheckedNote, other: CheckedNote) -> bool:
    number, semitones = interval(one, other)
    return (simple(number), semitones % 12) in {(1, 0), (3, 3), (3, 4), (5, 7), (6, 8), (6, 9)}


def perfect(one: CheckedNote, other: CheckedNote) -> str | None:
    number, semitones = interval(one, other)
    return {(1, 0): "octave", (5, 7): "fifth"}.get((simple(number), semitones % 12))


def direction(before: CheckedNote, after: CheckedNote) -> int:
    return (after.midi > before.midi) - (after.midi < before.midi)


def is_step(before: CheckedNote, after: CheckedNote) -> bool:
    return abs(after.letter - before.letter) == 1 and abs(after.midi - before.midi) in (1, 2)


def sounding(voice: Sequence[CheckedNote], moment: Fraction) -> CheckedNote | None:
    place = bisect_right(voice, moment, key=lambda note: note.onset) - 1
    return voice[place] if place >= 0 and moment < voice[place].end else None


def faults(
    species: int,
    cantus: Sequence[CheckedNote],
    voice: Sequence[CheckedNote],
    above: bool,
    scale: Sequence[tuple[int, int]],
    low: int,
    high: int,
) -> list[str]:
    """Return a text for each breach of a rule, most with the place in quarters.

    `above` says whether the voice is above the cantus. `low` and `high` are the range of the voice, as MIDI numbers.
    """
    return [
        *_tones(voice, scale, low, high),
        *_rhythm(species, cantus, voice),
        *_melody(species, voice),
        *_verticals(species, cantus, voice, above),
        *_motion(cantus, voice, above),
        *downbeat_parallels(cantus, voice),
        *_ends(cantus, voice, above),
    ]


def _tones(voice: Sequence[CheckedNote], scale: Sequence[tuple[int, int]], low: int, high: int) -> list[str]:
    found = [f"{note.midi} is out of range" for note in voice if not low <= note.midi <= high]
    raised = {-2: (scale[6][0], (scale[0][1] - 1) % 12), -3: (scale[5][0], (scale[0][1] - 3) % 12)}
    for place, note in enumerate(voice):
        tone = (note.letter % 7, note.midi % 12)
        after = voice[place + 1].midi - note.midi if place + 1 < len(voice) else 0
        if tone not in scale and not (tone == raised.get(place - len(voice)) and 1 <= after <= 2):
            found.append(f"{note.midi} at {note.onset} is not in the mode")
    return found


def _rhythm(species: int, cantus: Sequence[CheckedNote], voice: Sequence[CheckedNote]) -> list[str]:
    found = []
    if any(one.end != other.onset for one, other in pairwise(voice)):
        found.append("there is a gap in the voice")
    if voice[-1].onset != cantus[-1].onset or voice[-1].end != cantus[-1].end:
        found.append("the last note is not that of the cantus")
    inner = {note.length for note in voice[:-1]}
    if species == 1 and [note.onset for note in voice] != [note.onset for note in cantus]:
        found.append("not note against note")
    plain_close = voice[-2].length == BAR and voice[-2].onset == cantus[-2].onset  # allowed if two notes have no room
    halves = voice[:-2] if plain_close else voice[:-1]
    if species == 2 and (
        {note.length for note in halves} != {2} or len(halves) != 2 * len(cantus) - 3 - plain_close * 2
    ):
        found.append("not two against one")
    if species == 3 and (inner != {1} or len(voice) != 4 * len(cantus) - 3):
        found.append("not four against one")
    if species == 4:
        tied = sum(note.length == 4 and note.onset % BAR == 2 for note in voice[:-1])
        if tied < (len(cantus) - 2) / 2 or not inner <= {2, 4}:
            found.append(f"only {tied} ligatures in {len(cantus)} bars")
    if species == 5 and (len(inner) < 3 or not inner <= {Fraction(1, 2), 1, 2, 3, 4}):
        found.append("not florid")
    return found


def _melody(species: int, voice: Sequence[CheckedNote]) -> list[str]:
    found = []
    sung = {(2, 1), (2, 2), (3, 3), (3, 4), (4, 5), (5, 7), (8, 12)}
    for place, (one, other) in enumerate(pairwise(voice)):
        number, semitones = interval(one, other)
        where = f"at {other.onset}"
        if one.midi == other.midi:
            before = voice[place - 1] if place else None
            if species != 1 or (before and before.midi == one.midi):
                found.append(f"repeated note {where}")
            continue
        if (number, semitones) not in sung and not ((number, semitones) == (6, 8) and other.midi > one.midi):
            found.append(f"melodic interval of {number} letters, {semitones} semitones {where}")
        if place + 2 < len(voice):
            after = voice[place + 2]
            back = direction(one, other) == -direction(other, after) and is_step(other, after)
            if semitones > 7 and not back:
                found.append(f"leap without recovery {where}")
            leaps = semitones > 2 and abs(after.midi - other.midi) > 2
            if leaps and direction(one, other) == direction(other, after):
                found.append(f"two leaps in one direction {where}")
    return found + _outlines(voice)


def _outlines(voice: Sequence[CheckedNote]) -> list[str]:
    """Return the tritones between successive turning points of the line."""
    line = [voice[0], *(other for one, other in pairwise(voice) if one.midi != other.midi)]
    turns = [line[0]]
    for before, here, after in zip(line, line[1:], line[2:], strict=False):
        if direction(before, here) != direction(here, after):
            turns.append(here)
    turns.append(line[-1])
    return [
        f"tritone outlined up to {other.onset}"
        for one, other in pairwise(turns)
        if interval(one, other) in {(4, 6), (5, 6)}
    ]


def _verticals(species: int, cantus: Sequence[CheckedNote], voice: Sequence[CheckedNote], above: bool) -> list[str]:
    found = []
    for place, note in enumerate(voice):
        before = voice[place - 1] if place else None
        after = voice[place + 1] if place + 1 < len(voice) else None
        moments = {note.onset, *(bar.onset for bar in cantus if note.onset < bar.onset < note.end)}
        for moment in sorted(moments):
            against = sounding(cantus, moment)
            assert against is not None
            where = f"at {moment}"
            if (note.midi < against.midi) if above else (note.midi > against.midi):
                found.append(f"voices cross {where}")
            if note.midi == against.midi and before and after:
                found.append(f"unison {where}")
            if interval(note, against)[1] > 19:
                found.append(f"more than a twelfth apart {where}")
            if is_consonant(note, against):
                continue
            if moment > note.onset:
                if not _is_suspension(species, cantus, note, after, moment, above):
                    found.append(f"not a suspension {where}")
            elif not _is_figure(species, cantus, voice, place):
                found.append(f"dissonance {where}")
    return found


def _is_suspension(
    species: int,
    cantus: Sequence[CheckedNote],
    note: CheckedNote,
    after: CheckedNote | None,
    moment: Fraction,
    above: bool,
) -> bool:
    bar, prepared = sounding(cantus, moment), sounding(cantus, note.onset)
    if species not in (4, 5) or after is None or bar is None or prepared is None:
        return False
    number = simple(interval(note, bar)[0])
    numbers = {7, 4, 2} if above else {2, 4}
    resolves = is_step(note, after) and after.midi < note.midi and is_consonant(after, bar) and after.onset < bar.end
    not_to_unison = after is not None and after.midi != bar.midi
    return number in numbers and resolves and not_to_unison and is_consonant(note, prepared)


def _is_figure(species: int, cantus: Sequence[CheckedNote], voice: Sequence[CheckedNote], place: int) -> bool:
    """Return whether a note is a passing tone, a neighbour or a cambiata on a weak beat, between consonances."""
    note = voice[place]
    if species in (1, 4) or place == 0 or place + 1 >= len(voice) or note.onset % BAR == 0:
        return False
    before, after = voice[place - 1], voice[place + 1]
    at_before, at_after = sounding(cantus, note.onset - Fraction(1, 64)), sounding(cantus, after.onset)
    assert at_before is not None and at_after is not None
    if not (is_consonant(before, at_before) and is_consonant(after, at_after) and is_step(before, note)):
        return False
    passes = is_step(note, after) and direction(before, note) == direction(note, after)
    if species == 2:
        return passes
    if note.length > 1:
        return False
    returns = is_step(note, after) and after.midi == before.midi and after.letter == before.letter
    if passes or returns:
        return True
    if place + 2 >= len(voice):
        return False
    last = voice[place + 2]
    falls = note.midi < before.midi and after.letter == note.letter - 2
    return falls and is_step(after, last) and last.midi > after.midi


def _motion(cantus: Sequence[CheckedNote], voice: Sequence[CheckedNote], above: bool) -> list[str]:
    found = []
    for one, other in pairwise(voice):
        before = sounding(cantus, other.onset - Fraction(1, 64))
        now = sounding(cantus, other.onset)
        assert before is not None and now is not None
        if before is now or before.midi == now.midi or one.midi == other.midi:
            continue
        high, low = ((one, other), (before, now)) if above else ((before, now), (one, other))
        if high[1].midi < low[0].midi or low[1].midi > high[0].midi:
            found.append(f"overlap at {other.onset}")
        kind = perfect(other, now)
        if kind and perfect(one, before) == kind:
            found.append(f"parallel {kind}s at {other.onset}")
        elif kind and direction(one, other) == direction(before, now):
            found.append(f"direct {kind} at {other.onset}")
    return found


def _ends(cantus: Sequence[CheckedNote], voice: Sequence[CheckedNote], above: bool) -> list[str]:
    found = []
    first, last = perfect(voice[0], cantus[0]), perfect(voice[-1], cantus[-1])
    if first is None or (first == "fifth" and not above):
        found.append(f"begins on no perfect consonance at {voice[0].onset}")
    if last != "octave":
        found.append(f"ends on no octave or unison at {voice[-1].onset}")
    if not is_step(voice[-2], voice[-1]):
        found.append(f"no step into the last note at {voice[-2].onset}")
    if is_step(cantus[-2], cantus[-1]):
        if direction(voice[-2], voice[-1]) == direction(cantus[-2], cantus[-1]):
            found.append(f"no contrary motion at the end at {voice[-2].onset}")
        number, semitones = interval(voice[-2], cantus[-2])
        opens, closes = (simple(number), semitones % 12) == (6, 9), simple(number) == 3
        if cantus[-1].midi < cantus[-2].midi and not (opens if above else closes and semitones % 12 == 3):
            found.append(f"no proper cadence at {voice[-2].onset}")
    return found


def downbeat_parallels(cantus: Sequence[CheckedNote], voice: Sequence[CheckedNote]) -> list[str]:
    """Return the fifths or octaves on two successive downbeats, if both voices move between them."""
    found = []
    for one, other in pairwise(cantus):
        first, second = sounding(voice, one.onset), sounding(voice, other.onset)
        if first and second and one.midi != other.midi and first.midi != second.midi:
            kind = perfect(first, one)
            if kind is not None and kind == perfect(second, other):
                found.append(f"{kind}s on two downbeats at {other.onset}")
    return found
