"""From notes in beats to a MIDI file of type 1: a conductor track, then a track for each part.

Beats become ticks once, on the absolute start and the absolute end of a note, so that nothing drifts. At one tick
note-offs come first, then everything else, then note-ons: a repeated note sounds again. A note that rounding would
leave without length gets one tick.
"""

from collections.abc import Iterable

from consort_music.beats import to_ticks
from consort_music.metre import Metre
from consort_music.midi.channels import Place, places_of
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
from consort_music.midi.resolution import exact_ppq
from consort_music.midi.time_signatures import payload_of_metre
from consort_music.midi_text import MidiText, TextNote, TextTrack
from consort_music.wording import counted

MICROSECONDS_A_MINUTE = 60_000_000
RELEASE_VELOCITY = 64
VOLUME, PAN = 7, 10


def build_midi(music: MidiText, ppq: int | None = None) -> MidiFile:
    """Without `ppq` it is 480, or as many others as it takes for every beat to be exact."""
    ppq = ppq or exact_ppq(music)
    tracks = [_conductor(music, ppq)]
    tracks += [_part(track, place, ppq) for track, place in zip(music.tracks, places_of(music.tracks), strict=True)]
    return MidiFile(format=1, division=ppq, tracks=tracks)


def nested_note_warnings(music: MidiText) -> list[str]:
    """Warn about notes that end before an earlier one of their pitch: a reader would exchange the two ends."""
    return [
        f"Track {track.name!r} has {counted(count, 'note')} inside a longer one of the same pitch, and a MIDI file ends"
        " the earlier note first. Shorten the longer one, or use two tracks."
        for track in music.tracks
        if (count := _count_nested(track.notes))
    ]


def _count_nested(notes: Iterable[TextNote]) -> int:
    latest: dict[int, tuple[float, TextNote]] = {}
    count = 0
    for note in sorted(notes, key=lambda note: (float(note.start), note.start, note.duration)):
        end = float(note.start) + float(note.duration)  # fractions take long, and matter only where floats are close
        latest_end, other = latest.get(note.pitch, (0.0, note))
        is_close = abs(end - latest_end) < 1e-6
        if end < latest_end if not is_close else note.start + note.duration < other.start + other.duration:
            count += 1
        else:
            latest[note.pitch] = end, note
    return count


def _conductor(music: MidiText, ppq: int) -> Track:
    events: list[Event] = []
    if music.title:
        events.append((0, META, bytes([META_TRACK_NAME]) + music.title.encode()))
    for beat, bpm in music.tempos:
        microseconds = min(round(MICROSECONDS_A_MINUTE / bpm), 0xFFFFFF)
        events.append((to_ticks(beat, ppq), META, bytes([META_TEMPO]) + microseconds.to_bytes(3, "big")))
    for beat, numerator, denominator in music.time_signatures:
        data = bytes([META_TIME_SIGNATURE]) + payload_of_metre(Metre(numerator, denominator))
        events.append((to_ticks(beat, ppq), META, data))
    for beat, sharps, is_minor in music.key_signatures:
        events.append((to_ticks(beat, ppq), META, bytes([META_KEY_SIGNATURE, sharps % 256, is_minor])))
    for beat, text in music.markers:
        events.append((to_ticks(beat, ppq), META, bytes([META_MARKER]) + text.encode()))
    events.sort(key=lambda event: event[0])
    return _ended(events, to_ticks(music.end, ppq))


def _part(track: TextTrack, place: Place, ppq: int) -> Track:
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
    times.sort(key=lambda time: time[1] - time[0])  # of equal notes that begin at once the first to end
    ons: list[Event] = [(start, 0x90 | channel, bytes([pitch, velocity])) for start, _, pitch, velocity in times]
    offs: list[Event] = [(end, 0x80 | channel, bytes([pitch, RELEASE_VELOCITY])) for _, end, pitch, _ in times]
    events = [*offs, *head, *ons]
    events.sort(key=lambda event: event[0])  # stable: at one tick the order above stays
    return _ended(events)


def _ended(events: list[Event], at_least: int = 0) -> Track:
    last = events[-1][0] if events else 0
    return [*events, (max(last, at_least), META, END_OF_TRACK)]
