"""Adding, changing and removing tracks: each has a name of its own and a General MIDI instrument, or is drums."""

from dataclasses import replace

from consort_compose.songs.models import EditTrack
from consort_compose.songs.song import MAX_TRACKS, Song, Track
from consort_compose.songs.words import name_given, refuse_no_change, track_of
from consort_music.errors import MusicError, in_field
from consort_music.instruments import find_instrument
from consort_music.midi.channels import MELODIC_CHANNELS


def add(song: Song, name: str, instrument: str, volume: int | None = None, pan: int | None = None) -> Song:
    if len(song.tracks) >= MAX_TRACKS:
        raise MusicError(
            "TOO_MANY_TRACKS",
            f"A song has at most {MAX_TRACKS} tracks. Remove one first, or add the notes to a track that is there.",
            ["remove_track"],
            "name",
        )
    track = Track(song.next_track, _free_name(song, name, "name"), program_given(instrument), volume, pan)
    grown = replace(song, tracks=(*song.tracks, track), next_track=song.next_track + 1)
    _refuse_too_many_instruments(grown)
    return grown


def edit(song: Song, request: EditTrack) -> tuple[Song, Track]:
    track = track_of(song, request.name, "name")
    refuse_no_change(("new_name", "instrument", "volume", "pan"), request)
    changed = track
    if request.new_name is not None:
        others = replace(song, tracks=tuple(each for each in song.tracks if each is not track))
        changed = replace(changed, name=_free_name(others, request.new_name, "new_name"))
    if request.instrument is not None:
        changed = replace(changed, program=program_given(request.instrument), program_changes=())
    if request.volume is not None:
        changed = replace(changed, volume=request.volume)
    if request.pan is not None:
        changed = replace(changed, pan=request.pan)
    grown = song.with_track(changed)
    _refuse_too_many_instruments(grown)
    return grown, changed


def without(song: Song, track: Track) -> Song:
    return replace(song, tracks=tuple(each for each in song.tracks if each.id != track.id))


def program_given(instrument: str) -> int | None:
    with in_field("instrument"):
        found = find_instrument(instrument)
    return None if found.is_drums else found.program


def _free_name(song: Song, text: str, field: str) -> str:
    name = name_given(text, field)
    taken = next((each for each in song.tracks if each.name.casefold() == name.casefold()), None)
    if taken is not None:
        raise MusicError(
            "TRACK_EXISTS",
            f"There is a track {taken.name!r} already. Choose another name, or change that one with edit_track.",
            [f"{name} 2", "edit_track"],
            field,
        )
    return name


def _refuse_too_many_instruments(song: Song) -> None:
    """MIDI has 15 channels besides that of the drums, and one instrument a channel at a time."""
    programs = {track.program for track in song.tracks if track.program is not None}
    if len(programs) > MELODIC_CHANNELS:
        used = sorted(track.instrument.name for track in song.tracks if not track.is_drums)
        raise MusicError(
            "TOO_MANY_INSTRUMENTS",
            f"A song has at most {MELODIC_CHANNELS} different instruments besides drums, as many as MIDI has channels; "
            "use one that is there already.",
            list(dict.fromkeys(used))[:5],
            "instrument",
        )
