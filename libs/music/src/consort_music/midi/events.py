"""Read the events of one track chunk. This is the inner loop of the reader, optimised because files can be dense.

- It makes one pass with an iterator over the bytes, which takes half the time of indexing.
- Data bytes are looked up in tables of all valid data. This checks them, and no new object is made for each message.
- Most files consist mainly of runs of messages with two data bytes, with or without status bytes. Special loops read
  such runs, whole messages at once, and leave everything else to the general loop.

Data bytes over 127, which faulty programs write for values out of range, are set to 127. A track with many of them is
rejected, because it is probably not MIDI.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice, repeat
from operator import length_hint
from typing import TypeAlias

from consort_music.errors import MusicError
from consort_music.midi.model import END_OF_TRACK, META, META_END_OF_TRACK, META_TEMPO, SYSTEM_DATA_LENGTHS, Event

KnownMetas: TypeAlias = dict[bytes, bytes]
"""A cache of the data of short meta events by their bytes (type, length, payload), shared by all tracks of a file.

Files repeat these events, and hostile files may consist of them. End-of-track and tempo events are not cached, because
the reader handles each of them.
"""

_ALWAYS_CLAMPED = 64
"""Up to this many data bytes over 127 are accepted in a track; more only if they are at most a tenth of its events."""
_MAX_KNOWN_METAS = 16_384
_MAX_KNOWN_META_LENGTH = 8
_SHORT_RUN, _SINGLY = 8, 64
"""After a run of less than `_SHORT_RUN` messages, `_SINGLY` messages are read by the general loop."""
_EXCLUSIVE = frozenset({0xF0, 0xF7})
_REAL_TIME = frozenset(status for status, length in SYSTEM_DATA_LENGTHS.items() if not length)
_SINGLE_BYTES = [bytes((byte,)) for byte in range(256)]
_SINGLES: list[bytes | None] = [*_SINGLE_BYTES[:128], *repeat(None, 128)]
"""For each byte, the data of a message with this one data byte, or None if the byte is over 127."""


Pairs: TypeAlias = list[list[bytes | None]]
_NO_PAIRS: Pairs = [[None] * 256] * 256


@cache
def _pairs() -> Pairs:
    """Return a table with the data of a message for its first and second data byte, or None if one is over 127."""
    rows: Pairs = [[*(bytes((first, second)) for second in range(128)), *repeat(None, 128)] for first in range(128)]
    return rows + _NO_PAIRS[128:]


@cache
def _pairs_by_status() -> list[Pairs]:
    """Return a table for each byte: `_pairs` if it is a status with two data bytes, otherwise a table of None."""
    return [_pairs() if 0x80 <= byte < 0xC0 or 0xE0 <= byte < 0xF0 else _NO_PAIRS for byte in range(256)]


def invalid_midi(message: str) -> MusicError:
    return MusicError("INVALID_MIDI", message)


class _CutOff(Exception):
    """Raised if an event continues past the end of its track."""


@dataclass(slots=True)
class TrackBody:
    """The result of reading one track: its events, the position after it (`stop`), and the faults that it has.

    The last of `events` is always an end-of-track. If the track has none, `has_end` is False and one is added. `tempos`
    are those of `events` that set a tempo. `clamped` counts the data bytes that were set to 127.
    """

    stop: int
    events: list[Event] = field(default_factory=list)
    tempos: list[Event] = field(default_factory=list)
    has_end: bool = False
    is_cut: bool = False
    kept_running_status: bool = False
    system_messages: int = 0
    clamped: int = 0


def read_events(data: bytes, start: int, end: int, max_events: int, metas: KnownMetas) -> TrackBody:
    """Read the events from position `start` to the end-of-track event, or to position `end` if there is none.

    An event that continues past `end` is left out and sets `is_cut`. Raise INVALID_MIDI if an event is invalid or there
    are more than `max_events`.
    """
    body = TrackBody(stop=end)
    try:
        _read_into(body, data, start, end, max_events, metas)
    except MusicError:
        raise
    except (_CutOff, StopIteration, IndexError, ValueError):  # the track, or the file, ends within an event
        body.is_cut = True
    if not body.has_end:
        body.events.append((body.events[-1][0] if body.events else 0, META, END_OF_TRACK))
    return body


def _read_into(body: TrackBody, data: bytes, start: int, end: int, max_events: int, metas: KnownMetas) -> None:
    # The current position is end - length_hint(rest). To go back or to skip a payload, __setstate__ (made for pickling)
    # sets the position of the iterator; slicing the iterator would take twice the time.
    rest = iter(data[start:end])
    go_to: Callable[[int], None] = rest.__setstate__  # type: ignore[attr-defined]
    events = body.events
    append = events.append
    pairs, singles = _pairs(), _SINGLES
    tick = status = 0
    has_pairs = True
    singly = 0
    status_is_stale = True  # no status yet, or a system or meta event came after it
    for delta, byte in zip(rest, rest, strict=True):
        if len(events) == max_events:
            at = end - length_hint(rest) - 2
            raise invalid_midi(
                f"The file has more events than are allowed; the limit is reached at byte {at}. Split the file."
            )
        if delta:  # otherwise the events of a chord share one integer object
            if delta > 127:
                delta = (delta & 127) << 7 | byte if byte < 128 else _longer_delta(delta, byte, rest, end)
                byte = next(rest)
            tick += delta
        if byte > 127:
            if byte != status:
                if byte >= 0xF0:
                    status_is_stale = True
                    if byte in _REAL_TIME:
                        append((tick, byte, b""))
                        body.system_messages += 1
                        continue
                    at = end - length_hint(rest)
                    if byte != META:
                        length = data[at]
                        stop = at + 1 + length
                        if length < 128 and stop <= end and byte in _EXCLUSIVE:
                            append((tick, byte, data[at + 1 : stop]))
                            go_to(stop - start)
                            continue
                    elif data[at] != META_TEMPO:
                        raw = data[at : at + 2 + data[at + 1]]
                        if raw in metas and at + len(raw) <= end:
                            append((tick, META, metas[raw]))
                            go_to(at + len(raw) - start)
                            continue
                    payload, stop = _read_system_event(data, at, end, byte, body, metas)
                    append((tick, byte, payload))
                    if stop > at:
                        go_to(stop - start)
                    if byte == META:
                        if payload == END_OF_TRACK:
                            body.has_end, body.stop = True, stop
                            return
                        if payload[0] == META_TEMPO:
                            body.tempos.append(events[-1])
                    continue
                status = byte
                has_pairs = not 0xC0 <= byte < 0xE0
            status_is_stale = False
            byte = next(rest)
            read_run = read_run_with_status
        else:
            if status_is_stale:
                if not status:
                    at = end - length_hint(rest) - 1
                    raise invalid_midi(
                        f"Byte {at} is 0x{byte:02X} where the track's first event needs a status, 0x80 or above."
                    )
                body.kept_running_status = True
                status_is_stale = False
            read_run = read_run_without_status
        if has_pairs:
            second = next(rest)
            append((tick, status, pairs[byte][second] or _clamp((byte, second), end - length_hint(rest) - 2, body)))
            if singly:
                singly -= 1
                continue
            before = len(events)
            read_run(rest, end - start, events, max_events)
            tick, status, _ = events[-1]
            if len(events) - before < _SHORT_RUN:
                singly = _SINGLY
        else:
            append((tick, status, singles[byte] or _clamp((byte,), end - length_hint(rest) - 1, body)))


def read_run_with_status(rest: Iterator[int], size: int, events: list[Event], max_events: int) -> None:
    """Read messages with a status byte, two data bytes, and a delta time of at most two bytes.

    Stop before any other event. Each round reads only as many messages as the remaining bytes are sure to hold, so that
    no bytes are consumed without a complete message.
    """
    tick, append, pairs = events[-1][0], events.append, _pairs_by_status()
    while most := min(length_hint(rest) // 5, max_events - len(events)):
        for delta, byte, first, second in islice(zip(rest, rest, rest, rest, strict=False), most):
            if delta < 128:
                known = pairs[byte][first][second]
                if known is None:
                    rest.__setstate__(size - length_hint(rest) - 4)  # type: ignore[attr-defined]
                    return
                if delta:
                    tick += delta
                append((tick, byte, known))
            else:
                known = pairs[first][second][next(rest)]
                if known is None or byte > 127:
                    rest.__setstate__(size - length_hint(rest) - 5)  # type: ignore[attr-defined]
                    return
                tick += (delta & 127) << 7 | byte
                append((tick, first, known))


def read_run_without_status(rest: Iterator[int], size: int, events: list[Event], max_events: int) -> None:
    """Read messages with two data bytes and no status byte (running status), like `read_run_with_status`."""
    tick, status, _ = events[-1]
    append, pairs = events.append, _pairs()
    while most := min(length_hint(rest) // 4, max_events - len(events)):
        for delta, first, second in islice(zip(rest, rest, rest, strict=False), most):
            if delta < 128:
                known = pairs[first][second]
                if known is None:
                    rest.__setstate__(size - length_hint(rest) - 3)  # type: ignore[attr-defined]
                    return
                if delta:
                    tick += delta
            else:
                known = pairs[second][next(rest)]
                if known is None or first > 127:
                    rest.__setstate__(size - length_hint(rest) - 4)  # type: ignore[attr-defined]
                    return
                tick += (delta & 127) << 7 | first
            append((tick, status, known))


def _longer_delta(first: int, second: int, rest: Iterator[int], end: int) -> int:
    """Return the variable-length number of three or four bytes whose first two bytes are given."""
    delta = (first & 127) << 14 | (second & 127) << 7
    third = next(rest)
    if third < 128:
        return delta | third
    fourth = next(rest)
    if fourth < 128:
        return (delta | third & 127) << 7 | fourth
    raise _endless_number(end - length_hint(rest) - 4)


def _clamp(raw: Sequence[int], at: int, body: TrackBody) -> bytes:
    """Return the data bytes with those over 127 set to 127. Raise INVALID_MIDI if the track has too many of them."""
    body.clamped += sum(byte > 127 for byte in raw)
    if body.clamped > _ALWAYS_CLAMPED and body.clamped * 10 > len(body.events):
        raise invalid_midi(
            f"Byte {at} or the next is the {body.clamped}th above 0x7F inside a message, where data bytes are below "
            "0x80: the track is damaged, or this is not MIDI."
        )
    return bytes(min(byte, 127) for byte in raw)


def _read_quantity(data: bytes, at: int) -> tuple[int, int]:
    """Return a variable-length number of at most four bytes, and the position after it."""
    value = 0
    for position in range(at, at + 4):
        byte = data[position]
        value = value << 7 | byte & 127
        if byte < 128:
            return value, position + 1
    raise _endless_number(at)


def _endless_number(at: int) -> MusicError:
    return invalid_midi(f"The variable-length number at byte {at} goes on past its fourth byte.")


def _read_system_event(
    data: bytes, at: int, end: int, status: int, body: TrackBody, metas: KnownMetas
) -> tuple[bytes, int]:
    """Return the data of a meta or system event, and the position after it. `at` is the byte after its status."""
    kind = data[at]
    if status == META:
        at += 1
    elif status not in _EXCLUSIVE:
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
        raise invalid_midi(f"Byte {at - 1} is 0x{status:02X}, a status that MIDI does not define.")
    stop = at + length
    if stop > end:
        raise _CutOff
    body.system_messages += 1
    payload = data[at:stop]
    return payload if payload.isascii() else _clamp(payload, at, body), stop
