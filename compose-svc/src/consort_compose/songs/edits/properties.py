"""Change the title, tempo, metre and key of a song."""

from dataclasses import replace

from consort_compose.songs.document.names import MAX_TITLE, check_name
from consort_compose.songs.document.song import Song
from consort_compose.songs.document.tempos import parse_tempo_changes, without_repeats
from consort_compose.songs.edits.sections import read_key, require_change
from consort_compose.songs.models.songs import CreateSong, EditSong


def with_properties(song: Song, given: CreateSong | EditSong) -> Song:
    """Return the song with the given properties. Those that are None do not change; an empty key removes the key."""
    return replace(
        song,
        title=check_name(given.title, "title", MAX_TITLE) if given.title else song.title,
        tempo=given.tempo or song.tempo,
        time_signature=given.time_signature.name if given.time_signature else song.time_signature,
        key=song.key if given.key is None else read_key(given.key),
    )


def tempo_warnings(song: Song, tempo: float | None) -> list[str]:
    """Return a warning if `tempo`, the new tempo, holds only up to the first tempo change; otherwise an empty list."""
    if tempo is None or not song.tempo_changes:
        return []
    count = len(song.tempo_changes)
    return [
        f'The tempo holds up to the first of {count} tempo changes. To remove them: edit_song with tempo_changes "".'
    ]


def edit(song: Song, request: EditSong) -> Song:
    """Return the song changed by an edit_song request."""
    require_change(("title", "tempo", "time_signature", "key", "tempo_changes"), request)
    edited = with_properties(song, request)
    if request.tempo_changes is None:
        return edited
    return replace(edited, tempo_changes=without_repeats(parse_tempo_changes(request.tempo_changes), edited.tempo))
