"""Convert a note sequence to a MIDI file of type 1: a tempo track, then a track for each track of the sequence.

The absolute start and end of each note are rounded to ticks, so rounding errors do not add up. Of the events at one
tick, note-offs come first, then other events, then note-ons, so that a repeated note sounds again. A note that would
have zero length after rounding is one tick long.
"""

from collections.abc import Iterable

from consort_music.beats import to_ticks
from consort_music.metre import Metre
from consort_music.midi.model import (
    END_OF_TRACK,
    META,
    META_KEY_SIGNATURE,
    META_MARKER,
    META_TEMPO,
    META_TIME_SIGNATURE,
    META_TRACK_NAME,
    Event,
    MidiFile,
    Track,
)
from consort_music.midi.tempo_map import MICROSECONDS_A_MINUTE, SLOWEST_TEMPO
from consort_music.midi.time_signatures import payload_of_metre
from consort_music.note_sequence.channels import ChannelAssignment, assign_channels
from consort_music.note_sequence.model import NoteSequence, SequenceNote, SequenceTrack
from consort_music.note_sequence.resolution import exact_ppq
from consort_music.texts.plurals import counted

RELEASE_VELOCITY = 64
VOLUME, PAN = 7, 10


def sequence_to_midi(music: NoteSequence, ppq: int | None = None) -> MidiFile:
    """Return the file. Without `ppq` it has 480 ticks per beat, or another resolution in which every beat is exact."""
    ppq = ppq or exact_ppq(music)
    tracks = [_conductor(music, ppq)]
    tracks += [
        _track_events(track, place, ppq)
        for track, place in zip(music.tracks, assign_channels(music.tracks), strict=True)
    ]
    return MidiFile(format=1, division=ppq, tracks=tracks)


def nested_note_warnings(music: NoteSequence) -> list[str]:
    """Return warnings about notes inside a longer note of the same pitch. Readers of the file exchange their ends."""
    return [
        f"Track {track.name!r} has {counted(count, 'note')} inside a longer one of the same pitch, and a MIDI file ends"
        " the earlier note first. Shorten the longer one, or use two tracks."
        for track in music.tracks
        if (count := _count_nested(track.notes))
    ]


def _count_nested(notes: Iterable[SequenceNote]) -> int:
    latest: dict[int, tuple[float, SequenceNote]] = {}
    count = 0
    for note in sorted(notes, key=lambda note: (float(note.start), note.start, note.duration)):
        end = float(note.start) + float(note.duration)  # Fractions are slow; compare them only if the floats are close
        latest_end, other = latest.get(note.pitch, (0.0, note))
        is_close = abs(end - latest_end) < 1e-6
        if end < latest_end if not is_close else note.start + note.duration < other.start + other.duration:
            count += 1
        else:
            latest[note.pitch] = end, note
    return count


def _conductor(music: NoteSequence, ppq: int) -> Track:
    events: list[Event] = []
    if music.title:
        events.append((0, META, bytes([META_TRACK_NAME]) + music.title.encode()))
    for beat, bpm in music.tempos:
        microseconds = min(round(MICROSECONDS_A_MINUTE / bpm), SLOWEST_TEMPO)
        events.append((to_ticks(beat, ppq), META, bytes([META_TEMPO]) + microseconds.to_bytes(3, "big")))
    for beat, numerator, denominator in music.time_signatures:
        data = bytes([META_TIME_SIGNATURE]) + payload_of_metre(Metre(numerator, denominator))
        events.append((to_ticks(beat, ppq), META, data))
    for beat, sharps, is_minor in music.key_signatures:
        events.append((to_ticks(beat, ppq), META, bytes([META_KEY_SIGNATURE, sharps % 256, is_minor])))
    for beat, text in music.markers:
        events.append((to_ticks(beat, ppq), META, bytes([META_MARKER]) + text.encode()))
    events.sort(key=lambda event: event[0])
    return _with_end_of_track(events, to_ticks(music.end, ppq))


def _track_events(track: SequenceTrack, place: ChannelAssignment, ppq: int) -> Track:
    channel = place.channel
    head: list[Event] = [(0, META, bytes([META_TRACK_NAME]) + track.name.encode())]
    head += [(to_ticks(beat, ppq), 0xC0 | channel, bytes([program])) for beat, program in place.programs]
    for controller, value in ((VOLUME, track.volume), (PAN, track.pan)):
        if value is not None:
            head.append((0, 0xB0 | channel, bytes([controller, value])))
    times = [
        (start, max(to_ticks(note.start + note.duration, ppq), start + 1), note.pitch, note.velocity)
        for note in track.notes
        for start in (to_ticks(note.start, ppq),)
    ]
    times.sort(key=lambda time: time[1] - time[0])  # so that equal notes with the same start end in their own order
    ons: list[Event] = [(start, 0x90 | channel, bytes([pitch, velocity])) for start, _, pitch, velocity in times]
    offs: list[Event] = [(end, 0x80 | channel, bytes([pitch, RELEASE_VELOCITY])) for _, end, pitch, _ in times]
    events = [*offs, *head, *ons]
    events.sort(key=lambda event: event[0])  # the sort is stable: events at one tick keep the order above
    return _with_end_of_track(events)


def _with_end_of_track(events: list[Event], at_least: int = 0) -> Track:
    last = events[-1][0] if events else 0
    return [*events, (max(last, at_least), META, END_OF_TRACK)]
