"""Read Standard MIDI Files from untrusted senders. It accepts whatever a DAW opens, in linear time and within limits.

Damage that leaves the music readable becomes a warning:

- a missing end-of-track event, or a last track cut off by the end of the file;
- chunks that are not tracks, junk between chunks, wrong track counts and lengths;
- running status kept across system exclusive and meta events, or a few data bytes over 127;
- a RIFF or MacBinary wrapper, or a file type whose first byte is damaged.

Any other damage raises INVALID_MIDI with the byte position and the reason. No input raises any other exception.

In messages, tracks and bytes are numbered from 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from consort_music.errors import MusicError
from consort_music.gc_pause import gc_paused
from consort_music.midi.events import KnownMetas, TrackBody, invalid_midi, read_events
from consort_music.midi.model import AlienChunk, Event, MidiFile, ReadTrack, Track
from consort_music.midi.tempo_map import DEFAULT_TEMPO, elapsed_ms, last_tick, tempo_changes

_SMPTE_FRAME_RATES = (24, 25, 29, 30)
_MACBINARY_HEADER = 128


@dataclass(frozen=True, slots=True)
class ReaderLimits:
    """Limits of a file. The defaults accept any real music: 10 MB of the densest notes are 3.5 million events.

    An event takes about 100 bytes of memory and 0.5 microseconds, so `max_events` limits both.
    """

    max_bytes: int = 10 * 1024 * 1024
    max_events: int = 3_500_000
    max_tracks: int = 1024
    max_ticks: int = 2**31 - 1
    max_seconds: int = 24 * 60 * 60


DEFAULT_LIMITS = ReaderLimits()


def read_midi(data: bytes, limits: ReaderLimits = DEFAULT_LIMITS) -> MidiFile:
    """Read the bytes of a Standard MIDI File. Raise INVALID_MIDI if it is damaged or exceeds a limit."""
    if len(data) > limits.max_bytes:
        raise invalid_midi(
            f"The file has {len(data)} bytes; the limit is {limits.max_bytes}. Split it into shorter files."
        )
    warnings: list[str] = []
    start = _find_header(data, warnings)
    if start and data[:1] == b"\0":
        data = _data_fork(data)
    if len(data) < start + 14:
        raise invalid_midi(f"The header at byte {start} is cut off: the file ends at byte {len(data)}.")
    header_length, format_, announced_tracks, division = (
        int.from_bytes(data[start + first : start + last], "big")
        for first, last in ((4, 8), (8, 10), (10, 12), (12, 14))
    )
    if header_length < 6:
        raise invalid_midi(f"The header length at byte {start + 4} is {header_length}; it must be at least 6.")
    if format_ > 0xFF and format_ & 0xFF <= 2:
        warnings.append(f"The file type 0x{format_:04X} is damaged; it was read as type {format_ & 0xFF}.")
        format_ &= 0xFF
    if format_ > 2:
        raise invalid_midi(f"The file type at byte {start + 8} is {format_}; only types 0, 1 and 2 exist.")
    _check_division(division, start + 12)
    if header_length > 6:
        warnings.append(f"The header has {header_length - 6} bytes more than are defined; they were kept unread.")

    first_chunk = start + 8 + header_length
    chunks = _ChunkReader(data, limits, warnings)
    with gc_paused():
        chunks.read_from(first_chunk)
    tracks = chunks.tracks
    if not tracks:
        raise invalid_midi(f"There is no track: no MTrk chunk follows the header, which ends at byte {first_chunk}.")
    if announced_tracks != len(tracks):
        warnings.append(f"The header announces {announced_tracks} tracks; the file has {len(tracks)}.")
    if format_ == 0 and len(tracks) > 1:
        warnings.append(f"A type 0 file should have one track; this one has {len(tracks)}.")
    extra = data[start + 14 : first_chunk]
    file = MidiFile(format_, division, tracks, chunks.alien_chunks, warnings, extra)
    _check_duration(file, chunks.tempos, limits.max_seconds)
    return file


def _check_duration(file: MidiFile, tempos: Sequence[Track], max_seconds: int) -> None:
    together = [(file.tracks, tempos)]
    alone = [([track], [own]) for track, own in zip(file.tracks, tempos, strict=True)]
    for tracks, changes in alone if file.format == 2 else together:
        end = last_tick(tracks)
        if elapsed_ms(file, [(0, _slowest(changes))], end) <= max_seconds * 1000:
            continue  # short enough even at the slowest tempo, so the exact length is not computed
        seconds = elapsed_ms(file, tempo_changes(changes)[0], end) // 1000
        if seconds > max_seconds:
            raise invalid_midi(
                f"The music lasts {seconds} seconds, and the limit is {max_seconds}: "
                "a tempo or a delta time is wrong, or the music is too long."
            )


def _slowest(tempos: Sequence[Track]) -> int:
    """Return the slowest of these tempos, or a slower one. The bytes of tempos sort in the order of the numbers."""
    slowest = max((max(map(itemgetter(2), track)) for track in tempos if track), default=b"")
    return max(DEFAULT_TEMPO, int.from_bytes(slowest[1:4].ljust(3, b"\xff"), "big"))


def _find_header(data: bytes, warnings: list[str]) -> int:
    if data[:4] == b"MThd":
        return 0
    if data[:4] == b"RIFF" and data[8:12] == b"RMID":
        at = 12
        while at + 8 <= len(data):
            if data[at : at + 4] == b"data" and data[at + 8 : at + 12] == b"MThd":
                warnings.append("The file is wrapped in RIFF; only the MIDI file inside was read.")
                return at + 8
            length = int.from_bytes(data[at + 4 : at + 8], "little")
            at += 8 + length + length % 2
        raise invalid_midi("This RIFF file has no 'data' chunk with a MIDI file in it.")
    if data[:1] == b"\0" and data[_MACBINARY_HEADER : _MACBINARY_HEADER + 4] == b"MThd":
        warnings.append("The file is wrapped in MacBinary; only the MIDI file inside was read.")
        return _MACBINARY_HEADER
    if not data:
        raise invalid_midi("The file is empty; send the bytes of a Standard MIDI File (.mid).")
    raise invalid_midi(
        f"This is not a MIDI file: it begins with {data[:4]!r}, and b'MThd' is expected at byte 0. "
        "Send the bytes of a Standard MIDI File (.mid)."
    )


def _data_fork(data: bytes) -> bytes:
    """Return a MacBinary file up to the end of its data fork, or all of it if the header is invalid."""
    end = _MACBINARY_HEADER + int.from_bytes(data[83:87], "big")
    return data[:end] if _MACBINARY_HEADER + 14 <= end <= len(data) else data


def _check_division(division: int, at: int) -> None:
    if division & 0x8000 == 0:
        if division == 0:
            raise invalid_midi(f"The division at byte {at} is 0 ticks per quarter note; it must be at least 1.")
        return
    frames, ticks = 256 - (division >> 8), division & 0xFF
    if frames not in _SMPTE_FRAME_RATES or ticks == 0:
        raise invalid_midi(
            f"The SMPTE division at byte {at} is {frames} frames a second of {ticks} ticks each; "
            "the rate must be 24, 25, 29 or 30 and the ticks at least 1."
        )


class _ChunkReader:
    """Reads the chunks after the header into tracks, other chunks and warnings."""

    def __init__(self, data: bytes, limits: ReaderLimits, warnings: list[str]) -> None:
        self.data = data
        self.limits = limits
        self.warnings = warnings
        self.tracks: list[ReadTrack] = []
        self.tempos: list[list[Event]] = []
        self.alien_chunks: list[AlienChunk] = []
        self.known_metas: KnownMetas = {}
        self.events_left = limits.max_events

    def read_from(self, at: int) -> None:
        data, size = self.data, len(self.data)
        while at < size:
            tag, body = data[at : at + 4], at + 8
            end = body + int.from_bytes(data[at + 4 : body], "big")
            if len(self.tracks) + len(self.alien_chunks) == self.limits.max_tracks:
                raise invalid_midi(
                    f"The file has more than {self.limits.max_tracks} tracks and other chunks; another is at byte {at}."
                )
            if tag == b"MTrk" and body <= size:
                at = self._read_track(body, end)
            elif end <= size and _is_chunk_tag(tag):
                self.warnings.append(f"The chunk {tag!r} at byte {at} is not a track; it was kept unread.")
                self.alien_chunks.append(AlienChunk(len(self.tracks), tag, data[body:end]))
                at = end
            else:
                next_track = data.find(b"MTrk", at + 1)
                stop = size if next_track < 0 else next_track
                self.warnings.append(f"{stop - at} bytes from byte {at} on belong to no chunk and were skipped.")
                at = stop

    def _read_track(self, start: int, declared_end: int) -> int:
        """Read the track whose events start at `start`. Return the start of the next chunk."""
        data, index = self.data, len(self.tracks)
        end = min(declared_end, len(data))
        track = self._read_events(start, end)
        is_longer = False
        if not track.has_end and not self._chunk_may_begin_at(end):
            longer = self._read_past(start, end)
            if longer:
                track, is_longer = longer, True
        if track.is_cut and declared_end <= len(data):
            raise invalid_midi(
                f"Track {index}: event {len(track.events) - 1} goes on past the track's end at byte {end}; "
                f"the event's own length or the track length at byte {start - 4} is wrong."
            )
        if track.events[-1][0] > self.limits.max_ticks:
            raise invalid_midi(
                f"Track {index} lasts {track.events[-1][0]} ticks, and the limit is {self.limits.max_ticks}: "
                "a delta time in it is wrong, or the music is too long."
            )
        # A length that points past the end of the file, or into a track, is wrong.
        length_is_wrong = is_longer or declared_end > end or data.startswith(b"MTrk", track.stop, end)
        stop = track.stop if length_is_wrong else end
        self.tracks.append(ReadTrack.of(track.events, data[start:stop] if track.has_end else None))
        self.tempos.append(track.tempos)
        self._warn_of_oddities(index, track, end, declared_end)
        return stop

    def _read_events(self, start: int, end: int) -> TrackBody:
        track = read_events(self.data, start, end, self.events_left, self.known_metas)
        self.events_left -= len(track.events)
        return track

    def _read_past(self, start: int, end: int) -> TrackBody | None:
        """Read the track again as if it continued after `end`, up to the next track.

        Return None if it has no end-of-track event there. The first reading counts towards the limit of events too, so
        that damage cannot double the cost of a file.
        """
        next_track = self.data.find(b"MTrk", end)
        try:
            track = self._read_events(start, len(self.data) if next_track < 0 else next_track)
        except MusicError:
            return None
        return track if track.has_end else None

    def _chunk_may_begin_at(self, at: int) -> bool:
        data = self.data
        tag, end = data[at : at + 4], at + 8 + int.from_bytes(data[at + 4 : at + 8], "big")
        return at >= len(data) or tag == b"MTrk" or (end <= len(data) and _is_chunk_tag(tag))

    def _warn_of_oddities(self, index: int, track: TrackBody, end: int, declared_end: int) -> None:
        if track.is_cut or (declared_end > end and not track.has_end):
            oddity = f"is cut off by the end of the file; its first {len(track.events) - 1} events were kept"
        elif not track.has_end:
            oddity = "has no end-of-track event; one was added"
        elif track.stop > end:
            oddity = f"declares fewer bytes than it has; it ends at byte {track.stop}"
        elif self.data.startswith(b"MTrk", track.stop, end):
            oddity = f"declares more bytes than it has; the next track begins at byte {track.stop}"
        elif declared_end > end:
            oddity = "declares more bytes than the file has, but is complete"
        elif track.stop < end:
            oddity = f"has {end - track.stop} bytes after its end-of-track event, which were ignored"
        else:
            oddity = ""
        if oddity:
            self.warnings.append(f"Track {index} {oddity}.")
        if track.kept_running_status:
            self.warnings.append(f"Track {index} keeps its running status across system or meta events.")
        if track.clamped:
            self.warnings.append(f"Track {index} has {track.clamped} data bytes over 127, which were read as 127.")
        if track.system_messages:
            count = track.system_messages
            self.warnings.append(
                f"Track {index} has {count} system messages that do not belong in a file, kept as they are."
            )


def _is_chunk_tag(tag: bytes) -> bool:
    return len(tag) == 4 and tag.isascii() and tag.decode().isprintable()
