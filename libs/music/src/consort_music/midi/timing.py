"""How long ticks last: the tempo changes of tracks that play together, and the time up to a tick.

Sums are kept as exact integers, so that the length of a file does not depend on how many tempo changes it has.
"""

from collections.abc import Sequence
from operator import itemgetter

from consort_music.midi.model import META, META_TEMPO, MidiFile, Track

DEFAULT_TEMPO = 500_000  # microseconds per quarter note, 120 bpm: what the standard says where a file says nothing


def last_tick(tracks: Sequence[Track]) -> int:
    """The tick at which the last of these tracks ends (its end-of-track event included)."""
    return max((track[-1][0] for track in tracks if track), default=0)


def metas_in_order(tracks: Sequence[Track], meta_type: int) -> list[tuple[int, bytes]]:
    """`(tick, payload)` of the meta events of one type, in whichever of these tracks they stand, by time."""
    found = [
        (tick, data[1:]) for track in tracks for tick, status, data in track if status == META and data[0] == meta_type
    ]
    found.sort(key=itemgetter(0))
    return found


def tempo_changes(tracks: Sequence[Track]) -> tuple[list[tuple[int, int]], int]:
    """All `(tick, microseconds per quarter note)` from tick 0 on, and how many unusable tempo events were left out.

    Of several at one tick the last holds.
    """
    tempo_at = {0: DEFAULT_TEMPO}
    unusable = 0
    for tick, payload in metas_in_order(tracks, META_TEMPO):
        tempo = int.from_bytes(payload, "big") if len(payload) == 3 else 0
        if tempo:
            tempo_at[tick] = tempo
        else:
            unusable += 1
    return list(tempo_at.items()), unusable


def elapsed_ms(file: MidiFile, tempos: Sequence[tuple[int, int]], end: int) -> int:
    """Milliseconds from tick 0 to `end`, to the nearest; in SMPTE files tempo has no say."""
    if file.smpte_ticks_per_second is not None:
        exact = end * 1000 / file.smpte_ticks_per_second
        return (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)
    stops = [tick for tick, _ in tempos[1:]] + [end]
    total = sum(
        (min(stop, end) - start) * tempo for (start, tempo), stop in zip(tempos, stops, strict=True) if start < end
    )
    per_ms = file.division * 1000
    return (2 * total + per_ms) // (2 * per_ms)
