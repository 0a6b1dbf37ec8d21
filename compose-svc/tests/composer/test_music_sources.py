"""Reading music by the id of a song or a score, and the imports of the child process that parses music."""

import time
from collections.abc import Iterator

import pytest

from consort_compose.composer.music_sources import ScoreSources
from consort_compose.songs.models.notes import AddNotes
from consort_compose.songs.models.songs import CreateSong
from consort_kit.http.service_client import ServiceClient
from consort_kit.processes.function_workers import FunctionWorkers
from consort_kit.settings import Settings
from consort_music.errors import MusicError
from consort_music.music_ids import MUSIC_ROUTES
from consort_music.notation.note_list import format_note_list, parse_note_list
from tests.support.imports import HEAVY_PACKAGES, modules_loaded_by
from tests.support.song_services import SongServices


@pytest.fixture
def sources(services: SongServices) -> Iterator[ScoreSources]:
    client, workers = ServiceClient(Settings(token="t"), MUSIC_ROUTES), FunctionWorkers(1, [], 1024**3)
    yield ScoreSources(services.scores, services.library, services.reader, client, workers)
    workers.close()


def test_a_song_by_its_id(services: SongServices, sources: ScoreSources) -> None:
    song_id = services.run(services.songs.create(CreateSong(tracks={"Lead": "flute"}))).song_id
    services.run(services.editor.add_notes(AddNotes(song_id=song_id, track="Lead", notes="C4 1; D4 1; E4 2")))
    score = services.run(sources.read(song_id, None, "music")).score
    assert format_note_list(score) == format_note_list(parse_note_list('"Lead" C4:q D4:q E4:h'))


def test_a_score_by_its_id(services: SongServices, sources: ScoreSources) -> None:
    score = parse_note_list("C4:q D4:q E4:h")
    score_id = services.run(services.scores.keep(score))
    assert format_note_list(services.run(sources.read(score_id, None, "music")).score) == format_note_list(score)


def test_the_child_process_that_reads_music_imports_no_service() -> None:
    loaded = modules_loaded_by("consort_compose.composer.music_reading")
    assert "consort_music.notation.read_music" in loaded
    assert HEAVY_PACKAGES.isdisjoint(loaded) and "consort_kit" not in loaded


@pytest.mark.parametrize("text", ["X:1\nK:C\n" + "CDEF" * 5001, "X:1\nK:C\n" + "[CEG]" * 30_000])
def test_too_much_music_does_not_leave_the_worker(services: SongServices, sources: ScoreSources, text: str) -> None:
    """Taking it over would stop the whole service meanwhile, and no tool takes so much."""
    began = time.process_time()
    with pytest.raises(MusicError) as raised:
        services.run(sources.read(text, None, "music"))
    assert (raised.value.code, raised.value.field) == ("TOO_LARGE", "music")
    assert time.process_time() - began < 0.1


def test_an_error_of_the_parser_names_the_field(services: SongServices, sources: ScoreSources) -> None:
    with pytest.raises(MusicError) as raised:
        services.run(sources.read("X:1\nK:C\nC>>>>>D", None, "melody"))
    assert (raised.value.code, raised.value.field) == ("PARSE_ERROR", "melody")
