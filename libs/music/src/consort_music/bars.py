"""Bars: where each begins, how long it is, and in which metre."""

from fractions import Fraction
from typing import NamedTuple

from consort_music.metre import Metre


class Bar(NamedTuple):
    """A bar from its start; a pickup has the number 0."""

    number: int
    start: Fraction
    length: Fraction
    metre: Metre

    @property
    def end(self) -> Fraction:
        return self.start + self.length

    @property
    def missing(self) -> Fraction:
        """How much a pickup bar lacks at its front."""
        return self.metre.bar - self.length if self.number == 0 else Fraction(0)
