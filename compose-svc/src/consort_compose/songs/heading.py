"""What stands above a song: its title, tempo, metre and key."""

from dataclasses import replace

from consort_compose.songs.models import CreateSong, EditSong
from consort_compose.songs.sections import key_given, time_signature_given
from consort_compose.songs.song import Song
from consort_compose.songs.tempos import tempo_changes_given, without_repeats
from consort_compose.songs.words import MAX_TITLE, name_given, refuse_no_change


def with_heading(song: Song, given: CreateSong | EditSong) -> Song:
    """What is left out stays; an empty key means none."""
    return replace(
        song,
        title=name_given(given.title, "title", MAX_TITLE) if given.title else song.title,
        tempo=given.tempo or song.tempo,
        time_signature=time_signature_given(given.time_signature) or song.time_signature,
        key=song.key if given.key is None else key_given(given.key),
    )


def tempo_warnings(song: Song, tempo: float | None) -> list[str]:
    """Warn that a tempo just given holds only until the first tempo change, if the song has any."""
    if tempo is None or not song.tempo_changes:
        return []
    count = len(song.tempo_changes)
    return [f'The tempo holds up to the first of {count} tempo changes; edit_song with tempo_changes "" removes them.']


def edit(song: Song, request: EditSong) -> Song:
    refuse_no_change(("title", "tempo", "time_signature", "key", "tempo_changes"), request)
    edited = with_heading(song, request)
    if request.tempo_changes is None:
        return edited
    return replace(edited, tempo_changes=without_repeats(tempo_changes_given(request.tempo_changes), edited.tempo))
