"""How much music is read: enough for an opera, and no more than a machine does in seconds."""

from fractions import Fraction

from consort_music.errors import MusicError
from consort_music.metre import COMMON_TIME
from consort_music.score import Score

MAX_NOTES = 200_000
MAX_PARTS = 500
MAX_BARS = 20_000
MAX_TIME_BITS = 256


def refuse_uneven(moment: Fraction, measure: int) -> None:
    """Refuse times that have next to no divisor in common: nobody wrote them, and each makes the next one cost more."""
    if moment.denominator.bit_length() > MAX_TIME_BITS:
        raise MusicError(
            "PARSE_ERROR",
            f"The lengths of the notes up to measure {measure} have no note value in common. Write usual ones.",
        )


def refuse_too_long(score: Score) -> Score:
    """The score, if it has a reasonable number of bars: a note of a million beats is no music either."""
    changes = score.metres or ((Fraction(0), COMMON_TIME),)
    ends = [*(at for at, _ in changes[1:]), score.length]
    bars = Fraction(0)
    for (start, metre), end in zip(changes, ends, strict=True):
        bars += max(end - start, Fraction(0)) / metre.bar
    if bars > MAX_BARS:
        raise MusicError("TOO_LARGE", f"The music has about {int(bars):,} bars. Send at most {MAX_BARS:,}.")
    return score
