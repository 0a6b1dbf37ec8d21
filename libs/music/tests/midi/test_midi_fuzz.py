"""Any bytes are rejected with INVALID_MIDI, or read correctly and written back.

`consort bench midi_fuzz` runs 100,000.
"""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from consort_music.midi.reader import read_midi
from evaluation.checkers.midi_codec import check
from evaluation.corpora.hostile_midi import KINDS, hostile_input

HEADER = b"MThd\x00\x00\x00\x06\x00\x01\x00\x02\x01\xe0"


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
@example(b"")
@example(b"RIFF\xff\xff\xff\xffRMIDdata")
def test_any_bytes_are_rejected_or_read_and_written_back(data: bytes) -> None:
    check(data)
    check(HEADER + data)
    check(HEADER + b"MTrk" + len(data).to_bytes(4, "big") + data)
    check(HEADER + b"MTrk\x7f\xff\xff\xff" + data)


@pytest.mark.parametrize("kind", KINDS)
def test_the_hostile_files_of_the_benchmark(kind: str) -> None:
    for number in range(600):
        check(hostile_input(kind, number), with_mido=number % 4 == 0)


def sample() -> bytes:
    """Return the first valid file with several tracks and many events."""
    files = (hostile_input("valid files", number) for number in range(1000))
    return next(data for data in files if data.count(b"MTrk") > 1 and len(data) > 200 and not read_midi(data).warnings)


def test_file_cut_at_every_byte() -> None:
    data = sample()
    for length in range(len(data)):
        check(data[:length], with_mido=False)


def test_a_cut_file_is_read_once_its_first_track_has_started() -> None:
    data = sample()
    for length in range(22, len(data)):
        assert read_midi(data[:length]).warnings
