"""The events of one track chunk: the inner loop of the reader, written for speed because files may be dense.

What makes it fast: one pass by index over the whole file without copies, running status as a local variable, and one
dictionary lookup in place of checking and allocating the data bytes of each message (see `KnownData`).

Data bytes over 127, which buggy programs write for velocities and controllers that left their range, are set to 127;
a track in which they are common is refused, because then it is not MIDI that is being read.
"""

from dataclasses import dataclass, field
from itertools import repeat

from consort_music.errors import MusicError
from consort_music.midi.model import END_OF_TRACK, META, META_END_OF_TRACK, META_TEMPO, SYSTEM_DATA_LENGTHS, Event

_ALWAYS_CLAMPED = 64  # so many data bytes over 127 are believed to be slips; more, only if 9 of 10 events have none
_MAX_KNOWN_METAS = 16_384
_MAX_KNOWN_META_LENGTH = 8
_SINGLE_BYTES = [bytes((byte,)) for byte in range(256)]


def refusal(message: str) -> MusicError:
    return MusicError("INVALID_MIDI", message)


class _CutOff(Exception):
    """An event goes on past the end of its track."""


@dataclass(slots=True)
class KnownData:
    """Data bytes already found valid in this file: of channel messages by how many there are, and of short metas.

    There are only 128 single and 16,384 pairs of data bytes, so nearly every message repeats one: looking it up
    replaces the check, and sharing the object saves 40 bytes an event. Metas are known by type, length and payload,
    without end-of-track and tempo, which the reader must see.
    """

    singles: dict[bytes, bytes] = field(default_factory=dict)
    pairs: dict[bytes, bytes] = field(default_factory=dict)
    metas: dict[bytes, bytes] = field(default_factory=dict)


@dataclass(slots=True)
class TrackBody:
    """What was read of one track: how far, how it ended, and which oddities were tolerated.

    The last of `events` is always an end-of-track, made up if `has_end` is False; `tempos` are among the events.
    """

    stop: int
    events: list[Event] = field(default_factory=list)
    tempos: list[Event] = field(default_factory=list)
    has_end: bool = False
    is_cut: bool = False
    kept_running_status: bool = False
    system_messages: int = 0
    clamped: int = 0


def read_events(data: bytes, start: int, end: int, max_events: int, known: KnownData) -> TrackBody:
    """Read events from `start` to end-of-track, or to `end` if there is none.

    An event that goes on past `end` is left out and sets `is_cut`; any other fault raises INVALID_MIDI.
    """
    body = TrackBody(stop=end)
    try:
        _read_into(body, data, start, end, max_events, known)
    except (_CutOff, IndexError):  # IndexError: a read past the last byte of the file
        body.is_cut = True
    if not body.has_end:
        body.events.append((body.events[-1][0] if body.events else 0, META, END_OF_TRACK))
    return body


def _read_into(body: TrackBody, data: bytes, at: int, end: int, max_events: int, known: KnownData) -> None:
    events = body.events
    append = events.append
    metas = known.metas
    tick = status = width = 0
    valid = known.pairs
    status_is_stale = True  # there is none yet; later: a system or meta event came in between
    for _ in repeat(None, max_events):
        if at >= end:
            break
        delta = data[at]
        at += 1
        if delta:  # else the events of a chord share one number object
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
                    status_is_stale = True
                    if byte == META:
                        raw = data[at : at + 2 + data[at + 1]]
                        if raw in metas:
                            append((tick, META, metas[raw]))
                            at += len(raw)
                            continue
                    payload, at = _read_system_event(data, at, end, byte, body, metas)
                    append((tick, byte, payload))
                    if byte == META:
                        if payload == END_OF_TRACK:
                            body.has_end, body.stop = True, at
                            return
                        if payload[0] == META_TEMPO:
                            body.tempos.append(events[-1])
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
        append((tick, status, valid.get(raw) or _learn(valid, raw, at, width, body)))
        at = stop
    if at > end:
        events.pop()
        raise _CutOff
    if at < end:
        raise refusal(f"The file has more events than are allowed; the limit is reached at byte {at}. Split the file.")


def _learn(valid: dict[bytes, bytes], raw: bytes, at: int, width: int, body: TrackBody) -> bytes:
    """Check data bytes met for the first time, and remember them if they need no change."""
    if len(raw) < width:
        raise _CutOff
    if raw.isascii():
        valid[raw] = raw
        return raw
    return _clamp(raw, at, body)


def _clamp(raw: bytes, at: int, body: TrackBody) -> bytes:
    """Set the data bytes over 127 to 127."""
    body.clamped += sum(byte > 127 for byte in raw)
    if body.clamped > _ALWAYS_CLAMPED and body.clamped * 10 > len(body.events):
        raise refusal(
            f"Byte {at} or the next is the {body.clamped}th above 0x7F inside a message, where data bytes are below "
            "0x80: the track is damaged, or this is not MIDI."
        )
    return bytes(min(byte, 127) for byte in raw)


def _read_quantity(data: bytes, at: int) -> tuple[int, int]:
    """A variable-length number of at most four bytes, and the position after it."""
    value = 0
    for position in range(at, at + 4):
        byte = data[position]
        value = value << 7 | byte & 127
        if byte < 128:
            return value, position + 1
    raise refusal(f"The variable-length number at byte {at} goes on past its fourth byte.")


def _read_system_event(
    data: bytes, at: int, end: int, status: int, body: TrackBody, metas: dict[bytes, bytes]
) -> tuple[bytes, int]:
    """The data of a meta, system exclusive or stray system event whose status byte is before `at`."""
    kind = data[at]
    if status == META:
        at += 1
    elif status != 0xF0 and status != 0xF7:
        return _read_stray_message(data, at, end, status, body)
    length = data[at]
    at += 1
    is_short = length < 128
    if not is_short:
        length, at = _read_quantity(data, at - 1)
    stop = at + length
    if stop > end:
        raise _CutOff
    if status != META:
        return data[at:stop], stop
    if kind == META_END_OF_TRACK:
        return END_OF_TRACK, stop
    payload = _SINGLE_BYTES[kind] + data[at:stop]
    if length <= _MAX_KNOWN_META_LENGTH and is_short and kind != META_TEMPO and len(metas) < _MAX_KNOWN_METAS:
        metas[data[at - 2 : stop]] = payload
    return payload, stop


def _read_stray_message(data: bytes, at: int, end: int, status: int, body: TrackBody) -> tuple[bytes, int]:
    length = SYSTEM_DATA_LENGTHS.get(status)
    if length is None:
        raise refusal(f"Byte {at - 1} is 0x{status:02X}, a status that MIDI does not define.")
    stop = at + length
    if stop > end:
        raise _CutOff
    body.system_messages += 1
    payload = data[at:stop]
    return payload if payload.isascii() else _clamp(payload, at, body), stop
