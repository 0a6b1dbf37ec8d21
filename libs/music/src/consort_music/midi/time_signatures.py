"""The time signatures of a file: their payloads, and the bars that they make."""

from collections.abc import Iterable

from consort_music.bars import Bars
from consort_music.metre import Metre, metre_in_limits
from consort_music.midi.model import META_TIME_SIGNATURE, Track
from consort_music.midi.timing import metas_in_order

_HIGHEST_POWER = 7
"""Beyond it the lower figure is not worked out: a damaged file may say 2 to the power of 255."""
_CLOCKS_A_CLICK, _THIRTY_SECONDS_A_QUARTER = 24, 8


def metre_of_payload(payload: bytes) -> Metre | None:
    """Read a time signature; None if it is too short or its metre is out of limits."""
    if len(payload) < 2 or payload[1] > _HIGHEST_POWER:
        return None
    return metre_in_limits(payload[0], 2 ** payload[1])


def payload_of_metre(metre: Metre) -> bytes:
    """Write a metre as the payload of a time signature."""
    power = metre.denominator.bit_length() - 1
    return bytes((metre.numerator, power, _CLOCKS_A_CLICK, _THIRTY_SECONDS_A_QUARTER))


def metres_of(tracks: Iterable[Track]) -> list[tuple[int, Metre]]:
    """Return from which tick on each metre holds, in tracks that play together; unusable ones are left out."""
    return metas_in_order(tracks, META_TIME_SIGNATURE, metre_of_payload)[0]


def bars_of(tracks: Iterable[Track], ppq: int) -> Bars:
    """Return the bars of tracks that play together, in ticks."""
    return Bars(metres_of(tracks), ppq)
