"""Time signatures of files: all readers have the same limits, and mido reads what is written."""

import io
from fractions import Fraction

import mido
import pytest

from consort_music.metre import DENOMINATORS, MAX_NUMERATOR, Metre
from consort_music.midi.model import META, META_TIME_SIGNATURE, Event, MidiFile
from consort_music.midi.summary import summarize
from consort_music.midi.time_signatures import bars_of, metre_of_payload, metres_of, payload_of_metre
from consort_music.midi.writer import write_midi
from consort_music.note_sequence.from_midi_file import sequence_from_midi

USABLE = [Metre(upper, lower) for upper in (1, 3, 4, 7, 64, 65, MAX_NUMERATOR) for lower in DENOMINATORS]
DAMAGED = [b"", b"\4", b"\0\2", b"\4\7\x18\x08", b"\4\x0a\x18\x08", b"\4\xff\x18\x08", b"\0\xff"]


def file_with(*signatures: tuple[int, bytes]) -> MidiFile:
    events: list[Event] = [(tick, META, bytes([META_TIME_SIGNATURE]) + payload) for tick, payload in signatures]
    return MidiFile(1, 480, [[*events, (9600, META, b"\x2f")]])


def test_any_payload_is_read_or_ignored() -> None:
    for upper in range(256):
        for power in range(256):
            metre = metre_of_payload(bytes((upper, power, 24, 8)))
            assert metre == (Metre(upper, 2**power) if upper and power <= 6 else None)


def test_mido_reads_what_is_written() -> None:
    file = file_with(*((480 * place, payload_of_metre(metre)) for place, metre in enumerate(USABLE)))
    read = mido.MidiFile(file=io.BytesIO(write_midi(file)))
    found = [(each.numerator, each.denominator) for each in read.tracks[0] if each.type == "time_signature"]
    assert found == [(metre.numerator, metre.denominator) for metre in USABLE]
    assert [metre for _, metre in metres_of(file.tracks)] == USABLE


@pytest.mark.parametrize("payload", DAMAGED)
def test_all_readers_ignore_a_damaged_signature(payload: bytes) -> None:
    file = file_with((0, b"\3\2\x18\x08"), (480 * 3, payload))
    assert metres_of(file.tracks) == [(0, Metre(3, 4))]
    assert [(each.tick, each.numerator) for each in summarize(file).time_signatures] == [(0, 3)]
    assert summarize(file).warnings == ["1 time signature without a usable value was ignored."]
    assert sequence_from_midi(file, []).time_signatures == [(Fraction(0), 3, 4)]
    assert bars_of(file.tracks, 480).number_at(480 * 6) == 3
