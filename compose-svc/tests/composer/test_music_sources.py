"""Reading music by the id of a song or a score, and the imports of the child process that parses music."""

from consort_compose.composer.music_sources import ScoreSources
from consort_compose.songs.models.notes import AddNotes
from consort_compose.songs.models.songs import CreateSong
from consort_kit.http.service_client import ServiceClient
from consort_kit.settings import Settings
from consort_music.music_ids import MUSIC_ROUTES
from consort_music.notation.note_list import format_note_list, parse_note_list
from tests.support.imports import HEAVY_PACKAGES, modules_loaded_by
from tests.support.song_services import SongServices


def sources(services: SongServices) -> ScoreSources:
    return ScoreSources(services.scores, services.reader, ServiceClient(Settings(token="t"), MUSIC_ROUTES))


def test_a_song_by_its_id(services: SongServices) -> None:
    song_id = services.run(services.songs.create(CreateSong(tracks={"Lead": "flute"}))).song_id
    services.run(services.editor.add_notes(AddNotes(song_id=song_id, track="Lead", notes="C4 1; D4 1; E4 2")))
    score = services.run(sources(services).read(song_id, None, "music")).score
    assert format_note_list(score) == format_note_list(parse_note_list('"Lead" C4:q D4:q E4:h'))


def test_a_score_by_its_id(services: SongServices) -> None:
    score = parse_note_list("C4:q D4:q E4:h")
    score_id = services.run(services.scores.keep(score))
    assert format_note_list(services.run(sources(services).read(score_id, None, "music")).score) == format_note_list(
        score
    )


def test_the_child_process_that_reads_music_imports_no_service() -> None:
    loaded = modules_loaded_by("consort_compose.composer.music_reading")
    assert "consort_music.notation.read_music" in loaded
    assert HEAVY_PACKAGES.isdisjoint(loaded) and "consort_kit" not in loaded
