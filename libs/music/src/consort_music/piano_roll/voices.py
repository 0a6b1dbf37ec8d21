"""Find the voices of a file, each with a name, instruments, a colour and its notes.

A voice is a track. A track with several channels, as in most type 0 files, is one voice for each channel. Every voice
of the file gets a colour, even if it is not drawn, so that a voice has the same colour in every picture of the file.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from consort_music.errors import MusicError
from consort_music.instruments import DRUMS, INSTRUMENTS
from consort_music.midi.model import DRUM_CHANNEL, Event, MidiFile
from consort_music.midi.notes import pair_notes
from consort_music.midi.tempo_map import last_tick
from consort_music.midi.track_events import ChannelPrograms, TrackEvents
from consort_music.midi.track_names import track_name
from consort_music.pictures.colours import DRUM_COLOUR, voice_colour


class DrawnNote(NamedTuple):
    """A note to be drawn, in ticks."""

    start: int
    end: int
    pitch: int
    velocity: int


@dataclass(slots=True)
class DrawnVoice:
    """A voice to be drawn.

    `detail` adds to the name: the instruments of a named track, or the channel of an instrument.
    """

    name: str
    detail: str
    colour: str
    is_drums: bool
    notes: list[DrawnNote]


def find_voices(file: MidiFile, tracks: Collection[int] | None) -> list[DrawnVoice]:
    """Return the voices with notes in these tracks (None: all). Raise INVALID_PICTURE if a track does not exist."""
    if tracks is not None and not tracks:
        raise MusicError("INVALID_PICTURE", "No track is chosen; leave the choice out to see them all.", field="tracks")
    missing = sorted(set(tracks or ()) - set(range(len(file.tracks))))
    if missing:
        message = f"There is no track {missing[0]}; tracks are 0 to {len(file.tracks) - 1}."
        raise MusicError("INVALID_PICTURE", message, [f"0 to {len(file.tracks) - 1}"], "tracks")
    parts = [TrackEvents.of(track) for track in file.tracks]
    shared_programs = ChannelPrograms(parts)
    voices: list[DrawnVoice] = []
    colours_given = 0
    for index, part in enumerate(parts):
        programs = ChannelPrograms([part]) if file.format == 2 else shared_programs
        instruments: defaultdict[int, list[str]] = defaultdict(list)
        for channel, program in programs.under(part.notes):
            instruments[channel].append(DRUMS.name if channel == DRUM_CHANNEL else INSTRUMENTS[program].name)
        chosen = tracks is None or index in tracks
        notes = _notes_by_channel(part.events) if chosen else {}
        for channel, names in instruments.items():
            is_drums = channel == DRUM_CHANNEL
            colour = DRUM_COLOUR if is_drums else voice_colour(colours_given)
            colours_given += not is_drums
            if chosen:
                name, detail = _named(track_name(part.metas), index, names, channel, len(instruments))
                voices.append(DrawnVoice(name, detail, colour, is_drums, notes[channel]))
    return voices


def _named(track: str, index: int, instruments: list[str], channel: int, channels: int) -> tuple[str, str]:
    played = ", ".join(dict.fromkeys(instruments))
    if channels > 1:
        return played, f"channel {channel + 1}"
    return (track or f"Track {index}"), (played if played.casefold() != track.casefold() else "")


def longest_track(file: MidiFile) -> int:
    """Return the index of the track that ends last. In a type 2 file, where tracks are separate pieces, it is shown."""
    return max(range(len(file.tracks)), key=lambda index: last_tick(file.tracks[index : index + 1]), default=0)


def _notes_by_channel(events: Sequence[Event]) -> dict[int, list[DrawnNote]]:
    notes: defaultdict[int, list[DrawnNote]] = defaultdict(list)
    for note in pair_notes(events).notes:
        notes[note.channel].append(DrawnNote(note.start, note.end, note.pitch, note.velocity))
    return notes
