"""Limits of the readers. They are large enough for an opera, and small enough to be read within seconds."""

from fractions import Fraction

from consort_music.errors import MusicError
from consort_music.metre import COMMON_TIME
from consort_music.score import Score

MAX_NOTES = 200_000
MAX_PARTS = 500
MAX_BARS = 20_000
MAX_TIME_BITS = 256
MAX_SYLLABLE = 80
MAX_VERSES = 20


def check_common_divisor(moment: Fraction, measure: int) -> None:
    """Raise PARSE_ERROR if a time has a huge denominator.

    This happens if lengths have no common divisor, as no real music has. Sums of such times become slower and slower.
    """
    if moment.denominator.bit_length() > MAX_TIME_BITS:
        raise MusicError(
            "PARSE_ERROR",
            f"The lengths of the notes up to measure {measure} have no note value in common. Write usual ones.",
        )


def check_bar_count(score: Score) -> Score:
    """Return the score. Raise TOO_LARGE if it has too many bars, for example because of a note of a million beats."""
    changes = score.metres or ((Fraction(0), COMMON_TIME),)
    ends = [*(at for at, _ in changes[1:]), score.length]
    bars = Fraction(0)
    for (start, metre), end in zip(changes, ends, strict=True):
        bars += max(end - start, Fraction(0)) / metre.bar
    if bars > MAX_BARS:
        raise MusicError("TOO_LARGE", f"The music has about {int(bars):,} bars. Send at most {MAX_BARS:,}.")
    return score
