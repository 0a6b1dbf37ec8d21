"""Intervals between pitches, and transposition by an interval.

An interval is named by a quality (P M m A d) and a number: M2 is two semitones, A1 is one. Intervals keep the spelling:
an augmented second above C is D sharp, a minor third above C is E flat.
"""

import re
from dataclasses import dataclass

from consort_music.errors import MusicError, quoted
from consort_music.pitch import LETTER_SEMITONES, Pitch

_PERFECT = frozenset({0, 3, 4})
"""The steps, modulo 7, of intervals that can be perfect: unison, fourth, fifth and octave."""
_NAME = re.compile(r"(P|M|m|A{1,2}|d{1,2})([1-9][0-9]?)")
_EXAMPLES = ("P5", "M3", "m2")
_USUAL_STEPS = (0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6)
"""The steps of the usual interval of 0 to 11 semitones.

Six semitones are an augmented fourth; all other intervals are perfect, major or minor.
"""


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval: `steps` is the number of letters it moves (4 for a fifth). A descending interval is negative."""

    steps: int
    semitones: int

    @property
    def name(self) -> str:
        """The name without direction, such as `P5` or `m10`. Triple augmented and diminished are `AAA4` and `ddd4`."""
        if self.steps < 0 or (self.steps == 0 and self.semitones < 0):
            return (-self).name
        return _quality(self.steps, self.semitones) + str(self.steps + 1)

    def __neg__(self) -> "Interval":
        return Interval(-self.steps, -self.semitones)


def parse_interval(text: str) -> Interval:
    """Read an ascending interval such as `P5` or `m10`. Raise INVALID_INTERVAL for any other text."""
    match = _NAME.fullmatch(text.strip()) if len(text) <= 8 else None
    if match is None:
        raise _invalid(
            text,
            f"{quoted(text)} is not an interval. Write P, M, m, A or d and a number: P5 (fifth), M3 (major third), "
            "m2 (semitone).",
        )
    quality, steps = match[1], int(match[2]) - 1
    perfect = steps % 7 in _PERFECT
    if (perfect and quality in "Mm") or (not perfect and quality == "P"):
        kind = (
            "perfect (P), augmented (A) or diminished (d)"
            if perfect
            else "major (M), minor (m), augmented (A) or diminished (d)"
        )
        example = f"{'P' if perfect else 'M'}{match[2]}"
        raise _invalid(text, f"{quoted(text.strip())} is not an interval: a {match[2]} is {kind}, such as {example}.")
    below = {"P": 0, "M": 0, "m": -1, "A": 1, "AA": 2, "d": -1, "dd": -2}[quality]
    if quality.startswith("d") and not perfect:
        below -= 1
    semitones = _natural(steps) + below
    if semitones < 0:
        raise _invalid(
            text, f"{quoted(text.strip())} would be less than 0 semitones. Write A1, in the other direction."
        )
    return Interval(steps, semitones)


def usual_interval(semitones: int) -> Interval:
    """Return the usual interval of a number of semitones, up or down: 7 is a perfect fifth."""
    octaves, rest = divmod(abs(semitones), 12)
    interval = Interval(7 * octaves + _USUAL_STEPS[rest], abs(semitones))
    return interval if semitones >= 0 else -interval


def interval_between(first: Pitch, second: Pitch) -> Interval:
    """Return the interval from `first` to `second`. It is negative if it descends."""
    return Interval(second.staff - first.staff, _semitones(second) - _semitones(first))


def transpose(pitch: Pitch, interval: Interval) -> Pitch:
    """Return the pitch an interval away. A result with three accidentals is respelled with a neighbouring letter."""
    place = pitch.staff + interval.steps
    wanted = _semitones(pitch) + interval.semitones
    for nearer in (0, 1, -1, 2, -2, 3, -3):
        alter = wanted - _natural(place + nearer)
        if abs(alter) <= 2:
            return Pitch.from_staff(place + nearer, alter)
    raise _invalid("", f"{pitch.name} cannot be moved by {interval.semitones} semitones. Choose a smaller interval.")


def _quality(steps: int, semitones: int) -> str:
    away = semitones - _natural(steps)
    if steps % 7 in _PERFECT:
        return "P" if away == 0 else ("A" if away > 0 else "d") * abs(away)
    if away in (0, -1):
        return "M" if away == 0 else "m"
    return "A" * away if away > 0 else "d" * (-away - 1)


def _natural(steps: int) -> int:
    """Return the semitones from C up to the letter `steps` above it, without accidentals."""
    return 12 * (steps // 7) + LETTER_SEMITONES[steps % 7]


def _semitones(pitch: Pitch) -> int:
    return _natural(pitch.staff) + pitch.alter


def _invalid(text: str, message: str) -> MusicError:
    number = re.search(r"[1-9][0-9]?", text[:8])
    if number is None:
        return MusicError("INVALID_INTERVAL", message, _EXAMPLES)
    qualities = "P" if (int(number[0]) - 1) % 7 in _PERFECT else "Mm"
    return MusicError("INVALID_INTERVAL", message, [quality + number[0] for quality in qualities])
