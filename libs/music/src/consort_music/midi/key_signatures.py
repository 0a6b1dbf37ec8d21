"""Read the key signatures of a file.

Many programs write a key signature into every track, often a wrong one (mostly C major). If tracks have different keys
at the same tick, the key of most tracks with pitched notes is used. On a tie it is the key with the most pitched notes
in its tracks, then the first. Tracks with only drums are ignored, unless no other track has a key signature.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, Self

from consort_music.keys import Key, key_of_signature
from consort_music.midi.model import DRUM_CHANNEL, META, META_KEY_SIGNATURE, Track

MOST_SHARPS = 7


class TrackMetas(NamedTuple):
    """The meta events of a track, and the number of its notes: of all, and of those that are not drums."""

    metas: Track
    notes: int
    pitched_notes: int

    @classmethod
    def of(cls, track: Track) -> Self:
        channels = Counter(status & 0x0F for _, status, data in track if 0x90 <= status < 0xA0 and data[1])
        notes = channels.total()
        return cls([event for event in track if event[1] == META], notes, notes - channels[DRUM_CHANNEL])

    @property
    def is_drums_only(self) -> bool:
        return self.notes > 0 and not self.pitched_notes


def keys_of(tracks: Iterable[Track]) -> list[tuple[int, Key]]:
    """Return the keys of tracks that play together, as pairs (tick, key)."""
    return keys_in_metas([TrackMetas.of(track) for track in tracks])[0]


def keys_in_metas(tracks: Sequence[TrackMetas]) -> tuple[list[tuple[int, Key]], int]:
    """Return the keys as `keys_of` does, and the number of invalid key signatures."""
    stated: list[tuple[int, TrackMetas, Key]] = []
    unusable = 0
    for track in tracks:
        for tick, status, data in track.metas:
            if status == META and data[0] == META_KEY_SIGNATURE:
                key = key_of_payload(data[1:])
                if key is None:
                    unusable += 1
                else:
                    stated.append((tick, track, key))
    if not all(track.is_drums_only for _, track, _ in stated):
        stated = [each for each in stated if not each[1].is_drums_only]
    stated.sort(key=itemgetter(0))
    return [(tick, _most_common_key(list(keys))) for tick, keys in groupby(stated, itemgetter(0))], unusable


def _most_common_key(stated: Sequence[tuple[int, TrackMetas, Key]]) -> Key:
    """Return the key to use of those stated at one tick. If a track states several, its last one is used."""
    if len(stated) == 1:
        return stated[0][2]
    tracks: Counter[Key] = Counter()
    notes: Counter[Key] = Counter()
    for track, key in {id(track): (track, key) for _, track, key in stated}.values():
        tracks[key] += track.pitched_notes > 0
        notes[key] += track.pitched_notes
    return max(tracks, key=lambda key: (tracks[key], notes[key]))  # on a tie the first


def key_of_payload(payload: bytes) -> Key | None:
    """Return the key of a key signature's payload, or None if it is invalid."""
    if len(payload) < 2 or payload[1] > 1:
        return None
    sharps = payload[0] - 256 if payload[0] > 127 else payload[0]
    return _key_of(sharps, "minor" if payload[1] else "major") if abs(sharps) <= MOST_SHARPS else None


_key_of = cache(key_of_signature)  # there are only 30
