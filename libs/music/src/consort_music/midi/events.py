"""The events of one track chunk: the inner loop of the reader, written for speed because files may be dense.

What makes it fast: one pass of an iterator over the bytes (half the cost of indexing), taking as many at once as there
must be, running status as a local variable, and tables of all valid data bytes, which check them and spare an object
for each message. Most of most files are messages of two data bytes one after the other, with or without their status:
these runs have loops of their own, which take a message whole and leave all else to the general one.

Data bytes over 127, which buggy programs write for velocities and controllers that left their range, are set to 127;
a track in which they are common is refused, because then it is not MIDI that is being read.
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
"""The data of short meta events by their bytes (type, length, payload), shared by all tracks of a file.

Files repeat them, and hostile ones consist of them. Left out are end-of-track and tempo, which the reader must see.
"""

_ALWAYS_CLAMPED = 64  # so many data bytes over 127 are believed to be slips; more, only if 9 of 10 events have none
_MAX_KNOWN_METAS = 16_384
_MAX_KNOWN_META_LENGTH = 8
_SHORT_RUN, _SINGLY = 8, 64
"""After a run of fewer messages than the first, so many are read one by one before another run is expected."""
_EXCLUSIVE = frozenset({0xF0, 0xF7})
_REAL_TIME = frozenset(status for status, length in SYSTEM_DATA_LENGTHS.items() if not length)
_SINGLE_BYTES = [bytes((byte,)) for byte in range(256)]
_SINGLES: list[bytes | None] = [*_SINGLE_BYTES[:128], *repeat(None, 128)]
"""The data of a message with one data byte, by that byte; None if it is over 127."""


Pairs: TypeAlias = list[list[bytes | None]]
_NO_PAIRS: Pairs = [[None] * 256] * 256


@cache
def _pairs() -> Pairs:
    """The data of a message with two data bytes, by the first and the second; None if one of them is over 127."""
    rows: Pairs = [[*(bytes((first, second)) for second in range(128)), *repeat(None, 128)] for first in range(128)]
    return rows + _NO_PAIRS[128:]


@cache
def _pairs_by_status() -> list[Pairs]:
    """The same for each status of a message with two data bytes; no data for other bytes in its place."""
    return [_pairs() if 0x80 <= byte < 0xC0 or 0xE0 <= byte < 0xF0 else _NO_PAIRS for byte in range(256)]


def refusal(message: str) -> MusicError:
    return MusicError("INVALID_MIDI", message)


class _CutOff(Exception):
    """An event goes on past the end of its track."""


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


def read_events(data: bytes, start: int, end: int, max_events: int, metas: KnownMetas) -> TrackBody:
    """Read events from `start` to end-of-track, or to `end` if there is none.

    An event that goes on past `end` is left out and sets `is_cut`; any other fault raises INVALID_MIDI.
    """
    body = TrackBody(stop=end)
    try:
        _read_into(body, data, start, end, max_events, metas)
    except MusicError:
        raise
    except (_CutOff, StopIteration, IndexError, ValueError):  # the track's bytes, or the file's, end within an event
        body.is_cut = True
    if not body.has_end:
        body.events.append((body.events[-1][0] if body.events else 0, META, END_OF_TRACK))
    return body


def _read_into(body: TrackBody, data: bytes, start: int, end: int, max_events: int, metas: KnownMetas) -> None:
    # Where the position is needed, the iterator's length tells it: end - length_hint(rest). To jump back, or over a
    # payload, what iterators of bytes have for pickling is used; slices of the iterator would double the cost there.
    rest = iter(data[start:end])
    go_to: Callable[[int], None] = rest.__setstate__  # type: ignore[attr-defined]
    events = body.events
    append = events.append
    pairs, singles = _pairs(), _SINGLES
    tick = status = 0
    has_pairs = True
    singly = 0
    status_is_stale = True  # there is none yet; later: a system or meta event came in between
    for delta, byte in zip(rest, rest, strict=True):
        if len(events) == max_events:
            at = end - length_hint(rest) - 2
            raise refusal(
                f"The file has more events than are allowed; the limit is reached at byte {at}. Split the file."
            )
        if delta:  # else the events of a chord share one number object
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
            read_run = _read_stated
        else:
            if status_is_stale:
                if not status:
                    at = end - length_hint(rest) - 1
                    raise refusal(
                        f"Byte {at} is 0x{byte:02X} where the track's first event needs a status, 0x80 or above."
                    )
                body.kept_running_status = True
                status_is_stale = False
            read_run = _read_running
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


def _read_stated(rest: Iterator[int], size: int, events: list[Event], max_events: int) -> None:
    """Messages of two data bytes that say their status, after delta times of at most two bytes.

    Stops before anything else. It takes at most as many as are surely there, so that no byte is lost at the end.
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


def _read_running(rest: Iterator[int], size: int, events: list[Event], max_events: int) -> None:
    """The same for messages that leave out their status, which is that of the last event."""
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
    """The variable-length number of three or four bytes that begins with these two."""
    delta = (first & 127) << 14 | (second & 127) << 7
    third = next(rest)
    if third < 128:
        return delta | third
    fourth = next(rest)
    if fourth < 128:
        return (delta | third & 127) << 7 | fourth
    raise _endless_number(end - length_hint(rest) - 4)


def _clamp(raw: Sequence[int], at: int, body: TrackBody) -> bytes:
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
    raise _endless_number(at)


def _endless_number(at: int) -> MusicError:
    return refusal(f"The variable-length number at byte {at} goes on past its fourth byte.")


def _read_system_event(
    data: bytes, at: int, end: int, status: int, body: TrackBody, metas: KnownMetas
) -> tuple[bytes, int]:
    """The data of a meta, system exclusive or stray system event whose status byte is before `at`."""
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
        raise refusal(f"Byte {at - 1} is 0x{status:02X}, a status that MIDI does not define.")
    stop = at + length
    if stop > end:
        raise _CutOff
    body.system_messages += 1
    payload = data[at:stop]
    return payload if payload.isascii() else _clamp(payload, at, body), stop
