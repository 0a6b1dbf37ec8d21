"""Time signatures: the length of a bar, its beats, and the metrical strength of each moment in it.

Compound metres (6/8, 9/8, 12/8) have dotted beats. Irregular metres are grouped as usual: 7/8 is 2+2+3, and 5/4 is 3+2.
Lengths and offsets are exact, in quarter notes. An offset is the time since the start of the bar.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from consort_music.errors import MusicError, quoted

DOWNBEAT, STRONG, BEAT, OFFBEAT = 3, 2, 1, 0
"""The metrical strengths of a moment in a bar, from the strongest to the weakest."""
_SYMBOLS = {"C": (4, 4), "c": (4, 4), "C|": (2, 2), "c|": (2, 2)}
_SIGNATURE = re.compile(r"([0-9]{1,3})\s*/\s*([0-9]{1,3})")
DENOMINATORS = (1, 2, 4, 8, 16, 32, 64)
"""The lower numbers that are accepted in files."""
MAX_NUMERATOR = 255
"""The largest upper number: a MIDI file has one byte for it."""
_MAX_TYPED = 64
_TYPED_DENOMINATORS = DENOMINATORS[:-1]


@dataclass(frozen=True)
class Metre:
    numerator: int
    denominator: int

    @property
    def name(self) -> str:
        return f"{self.numerator}/{self.denominator}"

    @cached_property
    def unit(self) -> Fraction:
        """The length of the lower number's note value: 1/2 in 6/8."""
        return Fraction(4, self.denominator)

    @cached_property
    def bar(self) -> Fraction:
        """The length of a bar."""
        return self.numerator * self.unit

    @property
    def is_compound(self) -> bool:
        return self.numerator > 3 and self.numerator % 3 == 0 and self.denominator >= 8

    @cached_property
    def beats(self) -> tuple[Fraction, ...]:
        """The offset of each beat."""
        starts, at = [], Fraction(0)
        for units in self._units():
            starts.append(at)
            at += units * self.unit
        return tuple(starts)

    @cached_property
    def strong_beats(self) -> tuple[Fraction, ...]:
        """The offsets of the downbeat and, in a bar of several halves or groups, of the first beat of each."""
        count = len(self.beats)
        if self._is_irregular:
            return self.beats if self.denominator >= 8 else (Fraction(0), self._half_of_odd() * self.unit)
        if count >= 4 and count % 2 == 0:
            return tuple(self.beats[index] for index in range(0, count, 2))
        return self.beats[:1]

    def strength(self, offset: Fraction) -> int:
        """Return the metrical strength at an offset: DOWNBEAT, STRONG, BEAT or OFFBEAT."""
        if offset == 0:
            return DOWNBEAT
        if offset in self.strong_beats:
            return STRONG
        return BEAT if offset in self.beats else OFFBEAT

    def beat_number(self, offset: Fraction) -> Fraction:
        """Return the beat at an offset, counted from 1: halfway through the second beat is 5/2."""
        for index in range(len(self.beats) - 1, -1, -1):
            begin = self.beats[index]
            if offset >= begin:
                end = self.beats[index + 1] if index + 1 < len(self.beats) else self.bar
                return 1 + index + (offset - begin) / (end - begin)
        return Fraction(1)

    def offset_of(self, number: Fraction) -> Fraction:
        """Return the offset of a beat number. This is the inverse of `beat_number`.

        In 4/4, `number` is at least 1 and less than 5.
        """
        index = min(int(number) - 1, len(self.beats) - 1)
        begin = self.beats[index]
        end = self.beats[index + 1] if index + 1 < len(self.beats) else self.bar
        return begin + (number - 1 - index) * (end - begin)

    @property
    def _is_irregular(self) -> bool:
        return self.numerator in (5, 7, 11, 13)

    def _half_of_odd(self) -> int:
        return self.numerator // 2 + 1

    def _units(self) -> list[int]:
        """Return how many units of the lower number each beat has."""
        if self.is_compound:
            return [3] * (self.numerator // 3)
        if self.denominator >= 8 and self.numerator > 3 and self.numerator % 2:
            return [2] * ((self.numerator - 3) // 2) + [3]
        if self.denominator >= 8 and self.numerator > 3:
            return [2] * (self.numerator // 2)
        return [1] * self.numerator


COMMON_TIME = Metre(4, 4)


def metre_in_limits(numerator: int, denominator: int) -> Metre | None:
    """Return the metre, or None if a file cannot hold it."""
    is_usable = 1 <= numerator <= MAX_NUMERATOR and denominator in DENOMINATORS
    return Metre(numerator, denominator) if is_usable else None


def parse_metre(text: str) -> Metre:
    """Read a time signature such as `6/8`, `C` or `C|`. Raise INVALID_TIME_SIGNATURE for any other text."""
    stripped = text.strip()
    if stripped in _SYMBOLS:
        return Metre(*_SYMBOLS[stripped])
    match = _SIGNATURE.fullmatch(stripped) if len(text) <= 16 else None
    if match is None:
        raise _invalid(text, ["4/4", "3/4", "6/8"])
    numerator, denominator = int(match[1]), int(match[2])
    if not 1 <= numerator <= _MAX_TYPED or denominator not in _TYPED_DENOMINATORS:
        near = min(_TYPED_DENOMINATORS, key=lambda allowed: abs(allowed - denominator))
        raise _invalid(text, [f"{min(max(numerator, 1), _MAX_TYPED)}/{near}"])
    return Metre(numerator, denominator)


def _invalid(text: str, suggestions: list[str]) -> MusicError:
    return MusicError(
        "INVALID_TIME_SIGNATURE",
        f"{quoted(text)} is not a time signature. Write a number of beats (1 to {_MAX_TYPED}), a slash and a note "
        f"value ({', '.join(map(str, _TYPED_DENOMINATORS))}): 4/4, 6/8.",
        suggestions,
    )
