"""The events of one track chunk: the inner loop of the reader, written for speed because files may be dense.

What makes it fast: one pass by index over the whole file without copies, running status as a local variable, and one
dictionary lookup in place of checking and allocating the data bytes of each message (see `KnownData`).
"""

from dataclasses import dataclass, field
from itertools import repeat

from consort_music.errors import MusicError
from consort_music.midi.model import META, META_END_OF_TRACK, Track

_SYSTEM_DATA_LENGTHS = {0xF1: 1, 0xF2: 2, 0xF3: 1, 0xF6: 0, 0xF8: 0, 0xFA: 0, 0xFB: 0, 0xFC: 0, 0xFE: 0}


def refusal(message: str) -> MusicError:
    return MusicError("INVALID_MIDI", message)


class _CutOff(Exception):
    """An event goes on past the end of its track."""


@dataclass(slots=True)
class KnownData:
    """Data bytes already found valid in this file, by how many there are.

    There are only 128 single and 16,384 pairs of data bytes, so nearly every message repeats one: looking it up
    replaces the check, and sharing the object saves 40 bytes an event.
    """

    singles: dict[bytes, bytes] = field(default_factory=dict)
    pairs: dict[bytes, bytes] = field(default_factory=dict)


@dataclass(slots=True)
class TrackBody:
    """What was read of one track: how far, how it ended, and which oddities were tolerated."""

    stop: int
    events: Track = field(default_factory=list)
    has_end: bool = False
    is_cut: bool = False
    kept_running_status: bool = False
    system_messages: int = 0


def read_events(data: bytes, start: int, end: int, max_events: int, known: KnownData) -> TrackBody:
    """Read events from `start` to end-of-track, or to `end` if there is none.

    An event that goes on past `end` is left out and sets `is_cut`; any other fault raises INVALID_MIDI.
    """
    body = TrackBody(stop=end)
    try:
        _read_into(body, data, start, end, max_events, known)
    except (_CutOff, IndexError):  # IndexError: a read past the last byte of the file
        body.is_cut = True
    return body


def _read_into(body: TrackBody, data: bytes, at: int, end: int, max_events: int, known: KnownData) -> None:
    events = body.events
    append = events.append
    tick = status = width = 0
    valid = known.pairs
    status_is_stale = True  # there is none yet; later: a system or meta event came in between
    for _ in repeat(None, max_events):
        if at >= end:
            break
        delta = data[at]
        at += 1
        if delta > 127:
            byte = data[at]
            if byte < 128:
                delta = (delta & 127) << 7 | byte
                at += 1
            else:
                delta, at = _read_quantity(data, at - 1)
        tick += delta
        byte = data[at]
        if byte > 127:
            at += 1
            if byte != status:
                if byte >= 0xF0:
                    payload, at = _read_system_event(data, at, end, byte, body)
                    append((tick, byte, payload))
                    if byte == META and payload[0] == META_END_OF_TRACK:
                        body.has_end, body.stop = True, at
                        return
                    status_is_stale = True
                    continue
                status = byte
                if 0xC0 <= byte < 0xE0:
                    width, valid = 1, known.singles
                else:
                    width, valid = 2, known.pairs
            status_is_stale = False
        elif status_is_stale:
            if not status:
                raise refusal(f"Byte {at} is 0x{byte:02X} where the track's first event needs a status, 0x80 or above.")
            body.kept_running_status = True
            status_is_stale = False
        stop = at + width
        raw = data[at:stop]
        append((tick, status, valid.get(raw) or _learn(valid, raw, at, width)))
        at = stop
    if at > end:
        events.pop()
        raise _CutOff
    if at < end:
        raise refusal(f"The file has more events than are allowed; the limit is reached at byte {at}. Split the file.")


def _learn(valid: dict[bytes, bytes], raw: bytes, at: int, width: int) -> bytes:
    """Check data bytes met for the first time, and remember them."""
    if len(raw) < width:
        raise _CutOff
    _check_data_bytes(raw, at)
    valid[raw] = raw
    return raw


def _check_data_bytes(raw: bytes, at: int) -> None:
    for offset, byte in enumerate(raw):
        if byte > 127:
            raise refusal(f"Byte {at + offset} is 0x{byte:02X} inside a message, where data bytes are below 0x80.")


def _read_quantity(data: bytes, at: int) -> tuple[int, int]:
    """A variable-length number of at most four bytes, and the position after it."""
    value = 0
    for position in range(at, at + 4):
        byte = data[position]
        value = value << 7 | byte & 127
        if byte < 128:
            return value, position + 1
    raise refusal(f"The variable-length number at byte {at} goes on past its fourth byte.")


def _read_system_event(data: bytes, at: int, end: int, status: int, body: TrackBody) -> tuple[bytes, int]:
    """The data of a meta, system exclusive or stray system event whose status byte is before `at`."""
    head = b""
    if status == META:
        head = bytes((data[at],))
        length, at = _read_quantity(data, at + 1)
    elif status in (0xF0, 0xF7):
        length, at = _read_quantity(data, at)
    elif status in _SYSTEM_DATA_LENGTHS:
        length = _SYSTEM_DATA_LENGTHS[status]
        body.system_messages += 1
    else:
        raise refusal(f"Byte {at - 1} is 0x{status:02X}, a status that MIDI does not define.")
    stop = at + length
    if stop > end:
        raise _CutOff
    payload = data[at:stop]
    if status not in (META, 0xF0, 0xF7):
        _check_data_bytes(payload, at)
    return head + payload, stop
