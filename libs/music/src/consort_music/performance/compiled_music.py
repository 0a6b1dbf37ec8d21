"""Compiles a MIDI file into arrays of messages with exact times, in the order in which they are sent.

Tracks are merged by time. Messages at the same tick are sorted by track; within a track they keep the order of the
file. Meta events are not sent. A system exclusive message that the file splits into packets is sent as one message at
the time of its last packet. The sequences of a type 2 file follow one another. If a file has a note-off before its
own note-on at the same tick, the note-off is sent one tick later.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from operator import itemgetter

from consort_music.errors import MusicError
from consort_music.midi.model import DRUM_CHANNEL, META, SYSTEM_DATA_LENGTHS, MidiFile, Track
from consort_music.midi.notes import with_offs_behind_ons
from consort_music.midi.reader import ReaderLimits, read_midi
from consort_music.midi.rights import rights_notes
from consort_music.midi.tempo_map import last_tick
from consort_music.midi.track_names import has_title_track, track_names
from consort_music.performance.clock import Clock

MAX_TRACKS = 0xFFFF
_END_OF_EXCLUSIVE = 0xF7
_DATA_BYTES = {0x80: 2, 0x90: 2, 0xA0: 2, 0xB0: 2, 0xC0: 1, 0xD0: 1, 0xE0: 2}

TimedMessage = tuple[int, int, bytes]
"""Tick, track index, and bytes of the message."""


@dataclass(frozen=True, slots=True)
class CompiledMusic:
    clock: Clock
    ticks: "array[int]"
    times: "array[int]"
    """Nanoseconds from the first tick, at the written tempo."""
    tracks: "array[int]"
    offsets: "array[int]"
    """Message i is `messages[offsets[i]:offsets[i + 1]]`."""
    messages: bytes
    end_tick: int
    end: int
    """The length of the music in nanoseconds."""
    track_names: list[str]
    warnings: list[str] = field(default_factory=list)
    has_title_track: bool = False
    """Whether the first track has no notes, only the title and such things as tempos."""

    @property
    def count(self) -> int:
        return len(self.times)

    def index(self, tick: int) -> int:
        """Return the index of the first event at this tick or later."""
        return bisect_left(self.ticks, tick)

    def message(self, index: int) -> bytes:
        return self.messages[self.offsets[index] : self.offsets[index + 1]]


def compile_midi(content: bytes, max_bytes: int, transpose: int = 0, longest_message: int = 65_000) -> CompiledMusic:
    """Compile the bytes of a MIDI file. Raise MusicError if it is not a MIDI file or has more than `max_bytes`.

    See `compile_file` for the other parameters.
    """
    return compile_file(read_midi(content, ReaderLimits(max_bytes=max_bytes)), transpose, longest_message)


def compile_file(file: MidiFile, transpose: int, longest_message: int) -> CompiledMusic:
    """Compile a parsed file, transposed by `transpose` semitones. Raise MusicError if it has too many tracks.

    System exclusive messages of more than `longest_message` bytes are left out, with a warning.
    """
    file = on_one_timeline(file)
    tracks = list(map(with_offs_behind_ons, file.tracks))
    if len(tracks) > MAX_TRACKS:
        raise MusicError(
            "INVALID_MIDI",
            f"The file has {len(tracks)} tracks, but at most {MAX_TRACKS} can be played. "
            "Merge some with transform_midi.",
        )
    clock = Clock(file, tracks)
    warnings = [*file.warnings[:10], *rights_notes(file.tracks)]
    found: list[TimedMessage] = []
    for index, track in enumerate(tracks):
        found.extend((tick, index, message) for tick, message in _messages(track, longest_message, warnings))
    found.sort(key=itemgetter(0))  # a stable sort: messages at the same tick stay sorted by track
    if not any(message[0] & 0xF0 == 0x90 and message[2] for _, _, message in found):
        warnings.append("The music has no notes, so nothing will be heard.")
    if transpose:
        found = [(tick, track, _transpose(message, transpose)) for tick, track, message in found]
    end_tick = last_tick(tracks)
    offsets = array("I", [0])
    position = 0
    for _, _, message in found:
        position += len(message)
        offsets.append(position)
    return CompiledMusic(
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
        has_title_track=has_title_track(file),
    )


def on_one_timeline(file: MidiFile) -> MidiFile:
    """Return a type 2 file as a type 1 file whose tracks each start where the previous one ends; others unchanged."""
    if file.format != 2:
        return file
    shifted: list[Track] = []
    start = 0
    for track in file.tracks:
        shifted.append([(start + tick, status, data) for tick, status, data in track])
        start += last_tick([track])
    return replace(file, format=1, tracks=shifted)


def _times(clock: Clock, messages: list[TimedMessage]) -> Iterator[int]:
    """Yield the time of each message in nanoseconds."""
    last, time = -1, 0
    for tick, _, _ in messages:
        if tick != last:
            last, time = tick, clock.ns(tick)
        yield time


def _messages(track: Track, longest: int, warnings: list[str]) -> Iterator[tuple[int, bytes]]:
    """Yield the tick and the bytes of each message of a track that is sent.

    These are channel messages, complete system exclusives of at most `longest` bytes, and messages in escape events
    (F7). If others are left out, add a text to `warnings`.
    """
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
        elif status == _END_OF_EXCLUSIVE and unfinished is not None:
            unfinished += data
        else:
            message = data if status == _END_OF_EXCLUSIVE else bytes((status,)) + data
            if _is_one_message(message):
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


def _is_one_message(message: bytes) -> bool:
    """Return whether these bytes are exactly one complete MIDI message."""
    if not message or not message[1:].removesuffix(b"\xf7").isascii():
        return False
    status = message[0]
    if status == 0xF0:
        return len(message) > 1 and message[-1] == _END_OF_EXCLUSIVE
    wanted = _DATA_BYTES.get(status & 0xF0) if status < 0xF0 else SYSTEM_DATA_LENGTHS.get(status)
    return wanted is not None and len(message) == 1 + wanted and _END_OF_EXCLUSIVE not in message[1:]


def _transpose(message: bytes, semitones: int) -> bytes:
    """Transpose a note-on, note-off or key pressure, unless it is on the drum channel; return others unchanged.

    A pitch outside 0 to 127 is moved back into that range by octaves.
    """
    if message[0] >= 0xB0 or message[0] & 15 == DRUM_CHANNEL:
        return message
    pitch = message[1] + semitones
    while pitch > 127:
        pitch -= 12
    while pitch < 0:
        pitch += 12
    return bytes((message[0], pitch, message[2]))
