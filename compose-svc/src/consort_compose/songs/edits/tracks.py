"""Add, change and remove tracks. Each track has a unique name, and a General MIDI instrument or drums."""

from collections.abc import Mapping
from dataclasses import replace

from consort_compose.songs.document.names import check_name, find_track
from consort_compose.songs.document.song import MAX_TRACKS, Song, Track
from consort_compose.songs.edits import tracks
from consort_compose.songs.edits.sections import require_change
from consort_compose.songs.models.tracks import EditTrack
from consort_compose.songs.notes.notes_for_track import NotesForTrack
from consort_music.errors import MusicError, in_field, quoted
from consort_music.instruments import find_instrument, known_instrument
from consort_music.note_sequence.channels import MELODIC_CHANNELS


def add(song: Song, name: str, instrument: str, volume: int | None = None, pan: int | None = None) -> Song:
    """Return the song with a new track after its other tracks."""
    if len(song.tracks) >= MAX_TRACKS:
        raise MusicError(
            "TOO_MANY_TRACKS",
            f"A song has at most {MAX_TRACKS} tracks. Remove one first, or add the notes to an existing track.",
            ["remove_track"],
            "name",
        )
    track = Track(song.next_track, _check_unused_name(song, name, "name"), read_program(instrument), volume, pan)
    changed_song = replace(song, tracks=(*song.tracks, track), next_track=song.next_track + 1)
    _check_instrument_count(changed_song)
    return changed_song


def edit(song: Song, request: EditTrack) -> tuple[Song, Track]:
    """Return the song with a changed track, and the track. A new instrument removes the program changes."""
    track = find_track(song, request.name, "name")
    require_change(("new_name", "instrument", "volume", "pan"), request)
    changed = track
    if request.new_name is not None:
        others = replace(song, tracks=tuple(each for each in song.tracks if each is not track))
        changed = replace(changed, name=_check_unused_name(others, request.new_name, "new_name"))
    if request.instrument is not None:
        changed = replace(changed, program=read_program(request.instrument), program_changes=())
    if request.volume is not None:
        changed = replace(changed, volume=request.volume)
    if request.pan is not None:
        changed = replace(changed, pan=request.pan)
    changed_song = song.with_track(changed)
    _check_instrument_count(changed_song)
    return changed_song, changed


def without(song: Song, track: Track) -> Song:
    return replace(song, tracks=tuple(each for each in song.tracks if each.id != track.id))


def read_program(instrument: str) -> int | None:
    """Return the program of a General MIDI instrument; None for drums. Raise UNKNOWN_INSTRUMENT."""
    with in_field("instrument"):
        found = find_instrument(instrument)
    return None if found.is_drums else found.program


def _check_unused_name(song: Song, text: str, field: str) -> str:
    """Return the name without surrounding spaces. Raise INVALID_NAME or TRACK_EXISTS."""
    name = check_name(text, field)
    taken = next((each for each in song.tracks if each.name.casefold() == name.casefold()), None)
    if taken is not None:
        raise MusicError(
            "TRACK_EXISTS",
            f"There is already a track {taken.name!r}. Choose another name, or change that one with edit_track.",
            [f"{name} 2", "edit_track"],
            field,
        )
    return name


def _check_instrument_count(song: Song) -> None:
    """Raise TOO_MANY_INSTRUMENTS if MIDI's 15 channels besides the drum channel are not enough."""
    programs = {track.program for track in song.tracks if track.program is not None}
    if len(programs) > MELODIC_CHANNELS:
        used = sorted(track.instrument.name for track in song.tracks if not track.is_drums)
        raise MusicError(
            "TOO_MANY_INSTRUMENTS",
            f"A song has at most {MELODIC_CHANNELS} different instruments besides drums, one per MIDI channel. "
            "Use one that the song already has.",
            list(dict.fromkeys(used))[:5],
            "instrument",
        )


def with_missing_tracks(song: Song, written: Mapping[str, NotesForTrack]) -> tuple[Song, list[Track]]:
    """Add the tracks of `written` that the song does not have; return the song and the new tracks.

    The instrument is taken from the track's name or from the part of the score. Raise UNKNOWN_TRACK if neither is a
    known instrument.
    """
    missing = {name: each for name, each in written.items() if song.track_named(name) is None}
    instruments = {name: known_instrument(name) or known_instrument(each.instrument) for name, each in missing.items()}
    unknown = [name for name, instrument in instruments.items() if instrument is None]
    if unknown:
        there = [track.name for track in song.tracks]
        example = ", ".join(f'"{name}": "{there[0] if there else "Flute"}"' for name in missing)
        raise MusicError(
            "UNKNOWN_TRACK",
            f"The song has no track {', '.join(map(quoted, missing))}"
            f" (there are: {', '.join(there[:10]) or 'none yet'}). Name a track for each part in 'parts'."
            " A missing track is added if its name is an instrument.",
            [f"parts: {{{example}}}", "add_track"],
            written[unknown[0]].field,
        )
    before = len(song.tracks)
    for name, instrument in instruments.items():
        assert instrument is not None
        song = tracks.add(song, name, "drums" if instrument.is_drums else instrument.name)
    return song, list(song.tracks[before:])
