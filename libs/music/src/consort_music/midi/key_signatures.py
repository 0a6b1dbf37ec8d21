"""The key signatures of a file.

Many programs write one into every track, and a wrong one (C major, mostly) into those where it means nothing. So where
tracks differ at one tick, the key of most tracks with pitched notes holds, then that of the most pitched notes, then
the first; a track with drums only is heard where no other track has a key signature.
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


class Witness(NamedTuple):
    """One track: its meta events, and how many notes it has in all and with pitch."""

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
    """From which tick on each key holds, in tracks that play together."""
    return keys_told_by([Witness.of(track) for track in tracks])[0]


def keys_told_by(witnesses: Sequence[Witness]) -> tuple[list[tuple[int, Key]], int]:
    """As `keys_of`, and how many key signatures were unusable."""
    said: list[tuple[int, Witness, Key]] = []
    unusable = 0
    for witness in witnesses:
        for tick, status, data in witness.metas:
            if status == META and data[0] == META_KEY_SIGNATURE:
                key = key_of_payload(data[1:])
                if key is None:
                    unusable += 1
                else:
                    said.append((tick, witness, key))
    if not all(witness.is_drums_only for _, witness, _ in said):
        said = [each for each in said if not each[1].is_drums_only]
    said.sort(key=itemgetter(0))
    return [(tick, _winner(list(votes))) for tick, votes in groupby(said, itemgetter(0))], unusable


def _winner(votes: Sequence[tuple[int, Witness, Key]]) -> Key:
    """The key that holds at one tick; of several in one track the last counts."""
    if len(votes) == 1:
        return votes[0][2]
    tracks: Counter[Key] = Counter()
    notes: Counter[Key] = Counter()
    for witness, key in {id(witness): (witness, key) for _, witness, key in votes}.values():
        tracks[key] += witness.pitched_notes > 0
        notes[key] += witness.pitched_notes
    return max(tracks, key=lambda key: (tracks[key], notes[key]))  # of equals the first


def key_of_payload(payload: bytes) -> Key | None:
    """None where it makes no sense."""
    if len(payload) < 2 or payload[1] > 1:
        return None
    sharps = payload[0] - 256 if payload[0] > 127 else payload[0]
    return _key_of(sharps, "minor" if payload[1] else "major") if abs(sharps) <= MOST_SHARPS else None


_key_of = cache(key_of_signature)  # 30 in all
