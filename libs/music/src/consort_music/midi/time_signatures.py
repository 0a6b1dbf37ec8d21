"""Read and write the time signatures of a file, and find its bars."""

from collections.abc import Iterable

from consort_music.bars import Bars
from consort_music.metre import Metre, metre_in_limits
from consort_music.midi.model import META_TIME_SIGNATURE, Track
from consort_music.midi.tempo_map import metas_in_order

_HIGHEST_POWER = 7
"""The denominator is stored as a power of 2. Larger powers are not computed: a damaged file may have 255."""
_CLOCKS_A_CLICK, _THIRTY_SECONDS_A_QUARTER = 24, 8


def metre_of_payload(payload: bytes) -> Metre | None:
    """Return the metre of a time signature's payload, or None if the payload is too short or the metre not accepted."""
    if len(payload) < 2 or payload[1] > _HIGHEST_POWER:
        return None
    return metre_in_limits(payload[0], 2 ** payload[1])


def payload_of_metre(metre: Metre) -> bytes:
    """Return the payload of a time signature with this metre."""
    power = metre.denominator.bit_length() - 1
    return bytes((metre.numerator, power, _CLOCKS_A_CLICK, _THIRTY_SECONDS_A_QUARTER))


def metres_of(tracks: Iterable[Track]) -> list[tuple[int, Metre]]:
    """Return the metres of tracks that play together, as pairs (tick, metre). Invalid ones are left out."""
    return metas_in_order(tracks, META_TIME_SIGNATURE, metre_of_payload)[0]


def bars_of(tracks: Iterable[Track], ppq: int) -> Bars:
    """Return the bars of tracks that play together, in ticks."""
    return Bars(metres_of(tracks), ppq)
