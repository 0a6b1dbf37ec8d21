"""The rules of harmonization, implemented independently of the engine, on plain numbers.

Chord symbols are read with a small table. The beats of each metre, and the chords of each style in major and minor, are
written by hand.
"""

import re
from collections.abc import Container, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

# Tones and roots are in semitones: tones above the root of a chord, roots above the tonic of a key.
LETTERS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
TRIADS = {"": (0, 4, 7), "m": (0, 3, 7), "dim": (0, 3, 6)}
SEVENTHS = {"7": (0, 4, 7, 10), "maj7": (0, 4, 7, 11), "m7": (0, 3, 7, 10), "m7b5": (0, 3, 6, 10), "dim7": (0, 3, 6, 9)}
OTHER_CHORDS = {
    "6": (0, 4, 7, 9), "m6": (0, 3, 7, 9), "9": (0, 2, 4, 7, 10), "maj9": (0, 2, 4, 7, 11), "m9": (0, 2, 3, 7, 10),
    "13": (0, 2, 4, 7, 9, 10), "m11": (0, 2, 3, 5, 7, 10), "7b9": (0, 1, 4, 7, 10), "7sus4": (0, 5, 7, 10),
    "maj7#11": (0, 4, 6, 7, 11), "sus4": (0, 5, 7), "sus2": (0, 2, 7), "add9": (0, 2, 4, 7), "aug": (0, 4, 8),
    "7#9": (0, 3, 4, 7, 10),
}  # fmt: skip
CHORD_TONES = TRIADS | SEVENTHS | OTHER_CHORDS
ACCIDENTALS = {"##": 2, "#": 1, "b": -1, "bb": -2, None: 0}
SYMBOL = re.compile(r"([A-G])(##?|bb?)?([^/]*)(?:/([A-G])(##?|bb?)?)?")
MAJOR, MINOR = (0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10)

StyleChords = set[tuple[int, str]]
"""Chords as pairs of root and suffix."""
CLASSICAL: dict[str, StyleChords] = {
    "major": {(0, ""), (2, "m"), (2, "7"), (4, "m"), (5, ""), (7, ""), (7, "7"), (9, "m"), (11, "dim")},
    "minor": {(0, "m"), (2, "dim"), (3, ""), (5, "m"), (7, ""), (7, "7"), (8, ""), (10, ""), (11, "dim")},
}
POP: dict[str, StyleChords] = {
    "major": {(0, ""), (2, "m"), (5, ""), (7, ""), (9, "m")},
    "minor": {(0, "m"), (3, ""), (5, "m"), (7, "m"), (7, ""), (8, ""), (10, "")},
}

SCALES = {
    "major": MAJOR, "minor": MINOR, "dorian": (0, 2, 3, 5, 7, 9, 10), "phrygian": (0, 1, 3, 5, 7, 8, 10),
    "lydian": (0, 2, 4, 6, 7, 9, 11), "mixolydian": (0, 2, 4, 5, 7, 9, 10), "locrian": (0, 1, 3, 5, 6, 8, 10),
    "harmonic minor": (0, 2, 3, 5, 7, 8, 11), "melodic minor": (0, 2, 3, 5, 7, 9, 11),
    "harmonic major": (0, 2, 4, 5, 7, 8, 11), "phrygian dominant": (0, 1, 4, 5, 7, 8, 10),
    "lydian dominant": (0, 2, 4, 6, 7, 9, 10), "whole tone": (0, 2, 4, 6, 8, 10),
    "major pentatonic": MAJOR, "minor pentatonic": MINOR, "blues": MINOR, "major blues": MAJOR,
}  # fmt: skip
"""By mode: the tones that its chords are made of. Pentatonic and blues scales use the tones of major or minor."""
BORROWED_FROM = ("major", "mixolydian", "dorian", "minor", "phrygian", "harmonic minor", "melodic minor")
DOMINANT_SUFFIXES = ("", "7", "9", "13", "7b9", "7sus4")
LEADING_TONE_SUFFIXES = ("dim", "dim7", "m7b5")


def is_expected(mode: str, root: int, suffix: str) -> bool:
    """Return whether a musician would expect a chord in a mode, in any style.

    These chords are expected:

    - chords of the mode's own tones
    - chords borrowed from another mode on the same tonic
    - the dominant, its tritone substitute and the leading-tone chord of each major or minor triad of the mode
    - in blues, dominants on degrees 1, 4 and 5

    In A minor, for example, G# major, F# major and C minor are not expected.
    """
    tones = {(root + tone) % 12 for tone in CHORD_TONES[suffix]}
    own = set(SCALES[mode])
    if mode == "whole tone":
        own |= set(MAJOR)
    if mode == "blues" and root in (0, 5, 7) and suffix in (*DOMINANT_SUFFIXES, "7#9"):
        return True
    if any(tones <= set(scale) for scale in (own, *(SCALES[other] for other in BORROWED_FROM))):
        return True
    goals = {
        goal
        for goal in own
        if any({(goal + tone) % 12 for tone in triad} <= own for triad in (TRIADS[""], TRIADS["m"]))
    }
    if suffix in DOMINANT_SUFFIXES and (
        (root + 5) % 12 in goals or (suffix in ("7", "9") and (root + 11) % 12 in goals)
    ):
        return True
    return suffix in LEADING_TONE_SUFFIXES and (root + 1) % 12 in goals


class CheckedChord(NamedTuple):
    root: int
    suffix: str
    bass: int

    @property
    def tones(self) -> frozenset[int]:
        return frozenset((self.root + tone) % 12 for tone in CHORD_TONES[self.suffix])


def read_symbol(symbol: str) -> CheckedChord:
    match = SYMBOL.fullmatch(symbol)
    assert match is not None and match[3] in CHORD_TONES, symbol
    root = LETTERS[match[1]] + ACCIDENTALS[match[2]]
    bass = root if match[4] is None else LETTERS[match[4]] + ACCIDENTALS[match[5]]
    return CheckedChord(root % 12, match[3], bass % 12)


class CheckedMetre(NamedTuple):
    """A metre: the length of a bar, its beats, its strong beats and the start of its second half, in quarters."""

    name: str
    bar: Fraction
    beats: tuple[Fraction, ...]
    strong: tuple[Fraction, ...]
    half: Fraction


def _quarters(*values: str) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, values))


METRES = [
    CheckedMetre("4/4", Fraction(4), _quarters("0", "1", "2", "3"), _quarters("0", "2"), Fraction(2)),
    CheckedMetre("3/4", Fraction(3), _quarters("0", "1", "2"), _quarters("0"), Fraction(2)),
    CheckedMetre("2/4", Fraction(2), _quarters("0", "1"), _quarters("0"), Fraction(1)),
    CheckedMetre("6/8", Fraction(3), _quarters("0", "3/2"), _quarters("0"), Fraction("3/2")),
    CheckedMetre("9/8", Fraction("9/2"), _quarters("0", "3/2", "3"), _quarters("0"), Fraction(3)),
    CheckedMetre("12/8", Fraction(6), _quarters("0", "3/2", "3", "9/2"), _quarters("0", "3"), Fraction(3)),
    CheckedMetre("5/4", Fraction(5), _quarters("0", "1", "2", "3", "4"), _quarters("0", "3"), Fraction(3)),
    CheckedMetre("2/2", Fraction(4), _quarters("0", "2"), _quarters("0"), Fraction(2)),
]

TimedPitch = tuple[Fraction, Fraction, int]
"""A melody note: start and end in quarters, and MIDI number."""


def chord_points(metre: CheckedMetre, pickup: Fraction, end: Fraction, rhythm: str) -> list[Fraction]:
    """Return the times at which chords must begin."""
    points = []
    bar = pickup - metre.bar if pickup else Fraction(0)
    while bar < end:
        places = metre.beats if rhythm == "per_beat" else (Fraction(0),)
        if rhythm == "per_half":
            places = (Fraction(0), metre.half)
        inside = [bar + place for place in places if 0 <= bar + place < end]
        if bar < 0 and 0 not in inside:
            inside = [Fraction(0), *inside]  # a pickup has a chord too
        points += inside
        bar += metre.bar
    return sorted(set(points))


def unresolved_degrees(
    melody: Sequence[TimedPitch],
    metre: CheckedMetre,
    pickup: Fraction,
    start: Fraction,
    end: Fraction,
    tones: Container[int],
) -> list[int]:
    """Return the pitch classes at strong beats of a chord that are not among its tones and do not resolve.

    A note resolves if the next note follows before `end`, by one or two semitones, and is one of the tones.
    """
    found = []
    bar = pickup - metre.bar if pickup else Fraction(0)
    while bar < end:
        for moment in (bar + place for place in metre.strong):
            for index, (begin, stop, midi) in enumerate(melody):
                if not (start <= moment < end and begin <= moment < stop) or midi % 12 in tones:
                    continue
                after = melody[index + 1] if index + 1 < len(melody) else None
                resolves = (
                    after is not None and after[0] < end and abs(after[2] - midi) in (1, 2) and after[2] % 12 in tones
                )
                if not resolves:
                    found.append(midi % 12)
        bar += metre.bar
    return found


def leaping_dissonances(
    melody: Sequence[TimedPitch],
    beat: Fraction,
    bar_end: Fraction,
    start: Fraction,
    end: Fraction,
    tones: Container[int],
) -> list[int]:
    """Return the pitch classes of notes that sound for a beat or more over a chord, are foreign to it and leap away.

    A note leaps away if the next other note is farther than a whole tone, or does not follow within a beat. Repeated
    notes count as one. The last note of a bar and notes that are held beyond the chord are left out: they may belong to
    the next chord.
    """
    found = []
    for index, (begin, stop, midi) in enumerate(melody):
        if not start <= begin < end or midi % 12 in tones:
            continue
        if index and melody[index - 1][2] == midi and melody[index - 1][1] == begin and melody[index - 1][0] >= start:
            continue
        after = index + 1
        while after < len(melody) and melody[after][2] == midi and melody[after][0] == stop:
            stop, after = melody[after][1], after + 1
        if stop > end or stop >= bar_end or stop - begin < beat:
            continue
        following = melody[after] if after < len(melody) else None
        if following is None or following[0] - stop >= beat or abs(following[2] - midi) > 2:
            found.append(midi % 12)
    return found


def parallels(voices: Sequence[Sequence[TimedPitch]]) -> list[tuple[Fraction, int, int]]:
    """Return the time and the indices of both voices for each parallel fifth or octave."""
    found = []
    for upper in range(len(voices)):
        for lower in range(upper + 1, len(voices)):
            moments = sorted({event[0] for event in (*voices[upper], *voices[lower])})
            before: tuple[int, int] | None = None
            for moment in moments:
                pair = _sounding(voices[upper], moment), _sounding(voices[lower], moment)
                now = (pair[0], pair[1]) if pair[0] is not None and pair[1] is not None else None
                if before and now and now[0] != before[0] and now[1] != before[1]:
                    interval = (now[0] - now[1]) % 12
                    same = interval == (before[0] - before[1]) % 12
                    if same and interval in (0, 7) and (now[0] > before[0]) == (now[1] > before[1]):
                        found.append((moment, upper, lower))
                before = now
    return found


def _sounding(voice: Iterable[TimedPitch], moment: Fraction) -> int | None:
    return next((midi for start, end, midi in voice if start <= moment < end), None)


def crossings(voices: Sequence[Sequence[TimedPitch]]) -> list[tuple[Fraction, int]]:
    """Return the time and the index of the upper voice for each crossing of neighbours. `voices[0]` is the highest."""
    found = []
    moments = sorted({event[0] for voice in voices for event in voice})
    for moment in moments:
        sounding = [_sounding(voice, moment) for voice in voices]
        for index, (upper, lower) in enumerate(pairwise(sounding)):
            if upper is not None and lower is not None and upper < lower:
                found.append((moment, index))
    return found
