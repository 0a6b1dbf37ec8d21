"""A piece, compiled: every message with its time, in the order in which a player sends them.

Tracks are merged by time; at one tick the order is that of the tracks, and within a track that of the file. Meta
events are not sent. A system exclusive message that the file has in several packets is sent whole, when its last
packet is due. The sequences of a type 2 file are played one after the other. A note-off that stands before its own
note-on at one tick is sent a tick later.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from consort_music.errors import MusicError
from consort_music.midi.model import DRUM_CHANNEL, META, SYSTEM_DATA_LENGTHS, MidiFile, Track
from consort_music.midi.notes import with_offs_behind_ons
from consort_music.midi.reader import Limits, read_midi
from consort_music.midi.timing import last_tick
from consort_music.midi.track_names import track_names
from consort_playback.music.clock import Clock
from consort_playback.player.voice import Events

MAX_TRACKS = 0xFFFF
_ENDS_EXCLUSIVE = 0xF7
_DATA_BYTES = {0x80: 2, 0x90: 2, 0xA0: 2, 0xB0: 2, 0xC0: 1, 0xD0: 1, 0xE0: 2}

Message = tuple[int, int, bytes]
"""Tick, track, bytes."""


@dataclass(frozen=True, slots=True)
class Piece:
    clock: Clock
    ticks: "array[int]"
    times: "array[int]"
    tracks: "array[int]"
    offsets: "array[int]"
    messages: bytes
    end_tick: int
    end: int
    track_names: list[str]
    warnings: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        return len(self.times)

    def payload(self) -> bytes:
        return Events.pack(self.times, self.offsets, self.tracks, self.messages)

    def index(self, tick: int) -> int:
        """The first event at this tick or later."""
        return bisect_left(self.ticks, tick)

    def message(self, index: int) -> bytes:
        return self.messages[self.offsets[index] : self.offsets[index + 1]]


def compile_midi(content: bytes, max_bytes: int, transpose: int = 0, longest_message: int = 65_000) -> Piece:
    return compile_file(read_midi(content, Limits(max_bytes=max_bytes)), transpose, longest_message)


def compile_file(file: MidiFile, transpose: int, longest_message: int) -> Piece:
    tracks = list(map(with_offs_behind_ons, file.tracks))
    if file.format == 2:
        tracks = one_after_the_other(tracks)
    if len(tracks) > MAX_TRACKS:
        raise MusicError(
            "INVALID_MIDI",
            f"The file has {len(tracks)} tracks, and at most {MAX_TRACKS} can be played. transform_midi merges tracks.",
        )
    clock = Clock(file, tracks)
    warnings = list(file.warnings[:10])
    found: list[Message] = []
    for index, track in enumerate(tracks):
        found.extend((tick, index, message) for tick, message in _messages(track, longest_message, warnings))
    found.sort(key=itemgetter(0))  # stable: at one tick in the order of tracks
    if not any(message[0] & 0xF0 == 0x90 and message[2] for _, _, message in found):
        warnings.append("There is no note in it: nothing will be heard.")
    if transpose:
        found = [(tick, track, _transposed(message, transpose)) for tick, track, message in found]
    end_tick = last_tick(tracks)
    offsets = array("I", [0])
    position = 0
    for _, _, message in found:
        position += len(message)
        offsets.append(position)
    return Piece(
        clock=clock,
        ticks=array("q", map(itemgetter(0), found)),
        times=array("q", _times(clock, found)),
        tracks=array("H", map(itemgetter(1), found)),
        offsets=offsets,
        messages=b"".join(map(itemgetter(2), found)),
        end_tick=end_tick,
        end=clock.ns(end_tick),
        track_names=track_names(tracks),
        warnings=warnings,
    )


def one_after_the_other(tracks: Sequence[Track]) -> list[Track]:
    shifted: list[Track] = []
    start = 0
    for track in tracks:
        shifted.append([(start + tick, status, data) for tick, status, data in track])
        start += last_tick([track])
    return shifted


def _times(clock: Clock, messages: list[Message]) -> Iterator[int]:
    last, time = -1, 0
    for tick, _, _ in messages:
        if tick != last:
            last, time = tick, clock.ns(tick)
        yield time


def _messages(track: Track, longest: int, warnings: list[str]) -> Iterator[tuple[int, bytes]]:
    """What of a track is sent: channel messages, whole system exclusives, and what escapes hold."""
    unfinished: bytes | None = None
    left_out = 0
    for tick, status, data in track:
        if status < 0xF0:
            yield tick, bytes((status,)) + data
            continue
        if status == META:
            continue
        if status == 0xF0:
            left_out += unfinished is not None
            unfinished = b"\xf0" + data
        elif status == _ENDS_EXCLUSIVE and unfinished is not None:
            unfinished += data
        else:
            message = data if status == _ENDS_EXCLUSIVE else bytes((status,)) + data
            if is_whole(message):
                yield tick, message
            else:
                left_out += 1
            continue
        if unfinished.endswith(b"\xf7"):
            if len(unfinished) <= longest and unfinished[1:-1].isascii():
                yield tick, unfinished
            else:
                left_out += 1
            unfinished = None
    left_out += unfinished is not None
    if left_out and len(warnings) < 20:
        warnings.append(
            f"{left_out} system messages are incomplete, damaged or over {longest:,} bytes, and are not sent."
        )


def is_whole(message: bytes) -> bool:
    """Whether these bytes are one MIDI message."""
    if not message or not message[1:].removesuffix(b"\xf7").isascii():
        return False
    status = message[0]
    if status == 0xF0:
        return len(message) > 1 and message[-1] == _ENDS_EXCLUSIVE
    wanted = _DATA_BYTES.get(status & 0xF0) if status < 0xF0 else SYSTEM_DATA_LENGTHS.get(status)
    return wanted is not None and len(message) == 1 + wanted and _ENDS_EXCLUSIVE not in message[1:]


def _transposed(message: bytes, semitones: int) -> bytes:
    """Notes and their pressure move, drums do not; what leaves the range comes back by octaves."""
    if message[0] >= 0xB0 or message[0] & 15 == DRUM_CHANNEL:
        return message
    pitch = message[1] + semitones
    while pitch > 127:
        pitch -= 12
    while pitch < 0:
        pitch += 12
    return bytes((message[0], pitch, message[2]))
