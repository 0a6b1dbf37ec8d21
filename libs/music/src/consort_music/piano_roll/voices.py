"""Who plays: the voices of a file, each with a name, instruments, a colour and its notes.

A voice is a track; a track that uses several channels, as in every type 0 file, is one voice for each channel.
Colours are given to all voices of the file before any are chosen, so that a voice keeps its colour in every picture.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from consort_music.errors import MusicError
from consort_music.instruments import DRUMS, INSTRUMENTS
from consort_music.midi.model import DRUM_CHANNEL, Event, MidiFile, Track
from consort_music.midi.notes import pair_notes
from consort_music.midi.parts import ChannelPrograms, Part
from consort_music.midi.timing import last_tick
from consort_music.midi.track_names import track_name
from consort_music.piano_roll.colours import DRUM_COLOUR, voice_colour


class Sounding(NamedTuple):
    """A note as the picture needs it, in ticks."""

    start: int
    end: int
    pitch: int
    velocity: int


@dataclass(slots=True)
class Voice:
    """`detail` says what the name does not: the instruments of a named track, the channel of an instrument."""

    name: str
    detail: str
    colour: str
    is_drums: bool
    notes: list[Sounding]


def find_voices(file: MidiFile, tracks: Collection[int] | None) -> list[Voice]:
    """The voices with notes in these tracks (all if None); raises INVALID_PICTURE for a track that is not there."""
    if tracks is not None and not tracks:
        raise MusicError("INVALID_PICTURE", "No track is chosen; leave the choice out to see them all.", field="tracks")
    missing = sorted(set(tracks or ()) - set(range(len(file.tracks))))
    if missing:
        told = f"There is no track {missing[0]}; tracks are 0 to {len(file.tracks) - 1}."
        raise MusicError("INVALID_PICTURE", told, [f"0 to {len(file.tracks) - 1}"], "tracks")
    parts = [Part.of(track) for track in file.tracks]
    shared_programs = ChannelPrograms(parts)
    voices: list[Voice] = []
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
                voices.append(Voice(name, detail, colour, is_drums, notes[channel]))
    return voices


def _named(track: str, index: int, instruments: list[str], channel: int, channels: int) -> tuple[str, str]:
    played = ", ".join(dict.fromkeys(instruments))
    if channels > 1:
        return played, f"channel {channel + 1}"
    return (track or f"Track {index}"), (played if played.casefold() != track.casefold() else "")


def longest_track(file: MidiFile) -> int:
    """The track of a type 2 file that ends last; its tracks are pieces of their own, and one of them can be shown."""
    return max(range(len(file.tracks)), key=lambda index: last_tick(file.tracks[index : index + 1]), default=0)


def timeline_of(file: MidiFile, tracks: Collection[int] | None) -> list[Track]:
    """Return the tracks whose metres count the bars: all, or of a type 2 file the longest of those that are chosen."""
    if file.format != 2:
        return list(file.tracks)
    chosen = [file.tracks[index] for index in (range(len(file.tracks)) if tracks is None else sorted(tracks))]
    return [max(chosen, key=lambda track: last_tick([track]))] if chosen else []


def _notes_by_channel(events: Sequence[Event]) -> dict[int, list[Sounding]]:
    notes: defaultdict[int, list[Sounding]] = defaultdict(list)
    for note in pair_notes(events).notes:
        notes[note.channel].append(Sounding(note.start, note.end, note.pitch, note.velocity))
    return notes
