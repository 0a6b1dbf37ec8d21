"""The key signatures of a file."""

from collections.abc import Iterable

from consort_music.keys import Key, key_of_signature
from consort_music.midi.model import META_KEY_SIGNATURE, Track
from consort_music.midi.timing import metas_in_order

MOST_SHARPS = 7


def keys_of(tracks: Iterable[Track]) -> list[tuple[int, Key]]:
    """From which tick on each key holds."""
    found, _ = metas_in_order(tracks, META_KEY_SIGNATURE, key_of_payload)
    return found


def key_of_payload(payload: bytes) -> Key | None:
    """None where it makes no sense."""
    if len(payload) < 2 or payload[1] > 1:
        return None
    sharps = payload[0] - 256 if payload[0] > 127 else payload[0]
    return key_of_signature(sharps, "minor" if payload[1] else "major") if abs(sharps) <= MOST_SHARPS else None
