"""Write Standard MIDI Files. Unchanged tracks are written byte for byte.

- A track with a `chunk_body` is written as these bytes. Every complete `ReadTrack` has them, even if some of its
  events are unusual.
- Every other track is written with running status, which any system or meta event ends, and with one end-of-track event
  after its last event. Other end-of-track events are dropped, but the last event still defines the length of the track.
- Extra header bytes and chunks that are not tracks are written where they were. A wrapper and bytes outside of chunks
  are not: the result is always a bare file with correct lengths and a correct number of tracks.
- A type 0 file has one track. If there are more, the file is written as type 1, because many programs require this.

Raise UNWRITABLE_MIDI, with the event in the message, for an event that a file cannot contain.
"""

from collections import defaultdict

from consort_music.errors import MusicError
from consort_music.midi.model import (
    MAX_DELTA,
    META,
    META_END_OF_TRACK,
    SYSTEM_DATA_LENGTHS,
    AlienChunk,
    Event,
    MidiFile,
    Track,
)

_MAX_KNOWN_QUANTITIES = 65_536
_SHORT_QUANTITIES = [bytes((number,)) for number in range(128)]
_END_OF_TRACK = b"\xff\x2f\x00"


def write_midi(file: MidiFile) -> bytes:
    """Return the bytes of a file. Raise UNWRITABLE_MIDI if a file cannot contain its header values or an event."""
    if not (0 <= file.format <= 2 and 0 < file.division <= 0xFFFF and 0 < len(file.tracks) <= 0xFFFF):
        raise _unwritable(
            f"A file has type 0 to 2, a division of 16 bits and 1 to 65535 tracks; this one has type {file.format}, "
            f"division {file.division} and {len(file.tracks)} tracks."
        )
    format_ = 1 if file.format == 0 and len(file.tracks) > 1 else file.format
    head = b"".join(number.to_bytes(2, "big") for number in (format_, len(file.tracks), file.division))
    chunks = [_chunk(b"MThd", head + file.header_extra)]
    aliens: defaultdict[int, list[bytes]] = defaultdict(list)
    for alien in file.alien_chunks:
        aliens[min(alien.before_track, len(file.tracks))].append(_alien_chunk(alien))
    quantities: dict[int, bytes] = {}
    for index, track in enumerate(file.tracks):
        chunk_body: bytes | None = getattr(track, "chunk_body", None)
        chunks += aliens[index]
        chunks.append(_chunk(b"MTrk", chunk_body or _write_events(track, index, quantities)))
    return b"".join(chunks + aliens[len(file.tracks)])


def _unwritable(message: str) -> MusicError:
    return MusicError("UNWRITABLE_MIDI", message)


def _chunk(tag: bytes, body: bytes) -> bytes:
    return b"".join((tag, len(body).to_bytes(4, "big"), body))


def _alien_chunk(alien: AlienChunk) -> bytes:
    if len(alien.tag) != 4 or alien.tag == b"MTrk":
        raise _unwritable(f"{alien.tag!r} cannot be the tag of a chunk that is not a track: it takes four other bytes.")
    return _chunk(alien.tag, alien.body)


def _write_events(track: Track, index: int, quantities: dict[int, bytes]) -> bytes:
    """Return the body of a track chunk. `quantities` is a cache of variable-length numbers for all tracks of a file."""
    out = bytearray()
    append = out.append
    last = running = width = 0
    valid: set[bytes] = set()
    singles: set[bytes] = set()
    pairs: set[bytes] = set()
    event: Event | None = None
    try:
        for event in track:
            tick, status, data = event
            if status == META and data[0] == META_END_OF_TRACK:
                continue
            delta = tick - last
            if 0 <= delta < 128:
                append(delta)
            else:
                out += quantities.get(delta) or _remember(quantities, delta)
            last = tick
            if status != running:
                if status >= 0xF0:
                    running = 0
                    write_system_event(out, status, data)
                    continue
                if status < 0x80:
                    raise ValueError(f"{status} is not a status")
                append(status)
                running = status
                width, valid = (1, singles) if 0xC0 <= status < 0xE0 else (2, pairs)
            if data not in valid:
                _check_data(status, data, width)
                valid.add(data)
            out += data
        end = max(last, track[-1][0]) if track else 0
        out += _quantity(end - last)
    except (ValueError, IndexError, TypeError) as error:
        raise _unwritable(f"Track {index}: the event {_shown(event)} cannot be written: {error}.") from error
    out += _END_OF_TRACK
    return bytes(out)


def _shown(event: Event | None) -> str:
    text = repr(event)
    return text if len(text) <= 80 else text[:80] + "…"


def _check_data(status: int, data: bytes, width: int) -> None:
    if len(data) != width or not data.isascii():
        raise ValueError(f"a message with status 0x{status:02X} has {width} data bytes, each below 0x80")


def write_system_event(out: bytearray, status: int, data: bytes) -> None:
    """Write a system or meta event without its delta time."""
    if status == META:
        out.append(META)
        out.append(data[0])
        out += _quantity(len(data) - 1)
        out += data[1:]
    elif status == 0xF0 or status == 0xF7:
        out.append(status)
        out += _quantity(len(data))
        out += data
    elif SYSTEM_DATA_LENGTHS.get(status) == len(data) and data.isascii():
        out.append(status)
        out += data
    else:
        raise ValueError(f"this is no system message with status 0x{status:02X}")


def _remember(quantities: dict[int, bytes], delta: int) -> bytes:
    raw = _quantity(delta)
    if len(quantities) < _MAX_KNOWN_QUANTITIES:
        quantities[delta] = raw
    return raw


def _quantity(number: int) -> bytes:
    """Return a variable-length number: up to 28 bits in groups of seven; all but the last have the high bit set."""
    if 0 <= number < 128:
        return _SHORT_QUANTITIES[number]
    if number < 0:
        raise ValueError("events must be in the order of time")
    if number > MAX_DELTA:
        raise ValueError(f"{number} is over {MAX_DELTA}, the most that a delta time or a length can be")
    groups = [number & 127]
    while number := number >> 7:
        groups.append(number & 127 | 128)
    return bytes(reversed(groups))
