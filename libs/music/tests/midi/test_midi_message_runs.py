"""The special loops for runs of messages give the same result as the general loop."""

import random

import pytest

from consort_music.errors import MusicError
from consort_music.midi import events
from consort_music.midi.events import TrackBody, read_events

DELTAS = (b"\0", b"\x01", b"\x7f", b"\x81\x00", b"\xff\x7f", b"\x81\x80\x00", b"\x80\x00")
END = b"\x00\xff\x2f\x00"


@pytest.mark.parametrize("seed", range(40))
def test_runs_are_read_like_single_messages(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    tracks = [track(chance) for _ in range(10)]
    cuts = [body[: chance.randrange(len(body))] for body in tracks]
    limits = [chance.randrange(1, 200) for _ in tracks] + [10**6] * len(cuts)
    whole = list(zip(tracks + cuts, limits, strict=True)) + [(body, 10**6) for body in tracks]
    by_runs = [read(*each) for each in whole]
    for run in ("read_run_with_status", "read_run_without_status"):
        monkeypatch.setattr(events, run, lambda *_: None)
    assert by_runs == [read(*each) for each in whole]
    assert any(isinstance(body, TrackBody) and len(body.events) > 100 for body in by_runs)


def read(body: bytes, limit: int) -> TrackBody | str:
    try:
        return read_events(b"before" + body + b"after", 6, 6 + len(body), limit, {})
    except MusicError as error:
        return error.message


def track(chance: random.Random) -> bytes:
    """Return random messages with and without status bytes, interrupted by other events."""
    made = b""
    for _ in range(chance.randrange(1, 8)):
        channel = chance.randrange(16)
        for number in range(chance.choice((1, 3, 9, 40, 80))):
            data = bytes((chance.randrange(128), chance.randrange(128)))
            if chance.random() < 0.01:
                data = bytes((data[0], chance.randrange(128, 256)))
            if made and number and channel % 2:
                made += chance.choice(DELTAS) + data
            else:
                made += chance.choice(DELTAS) + bytes((chance.choice((0x80, 0x90, 0xB0, 0xE0)) | channel,)) + data
        made += chance.choice(
            (b"", b"\x05\xc0\x07", b"\x00\xff\x51\x03\x07\xa1\x20", b"\x01\xf0\x02\x01\xf7", b"\0\xf8")
        )
    return made + chance.choice((END, END, b""))
