"""Music that a composer tool is given by the id of what the studio keeps."""

from consort_compose.composer.source import Sources
from consort_compose.songs.models import CreateSong
from consort_compose.songs.note_models import AddNotes
from consort_kit.client import ServiceClient
from consort_kit.settings import Settings
from consort_music.note_list import format_note_list, parse_note_list
from tests.song_desk import Desk


def sources(desk: Desk) -> Sources:
    return Sources(desk.scores, desk.songs, ServiceClient(Settings(token="t")))


def test_a_song_by_its_id(desk: Desk) -> None:
    song_id = desk.run(desk.songs.create(CreateSong(tracks={"Lead": "flute"}))).song_id
    desk.run(desk.editor.add_notes(AddNotes(song_id=song_id, track="Lead", notes="C4 1; D4 1; E4 2")))
    score = desk.run(sources(desk).read(song_id, None, "music")).score
    assert format_note_list(score) == format_note_list(parse_note_list('"Lead" C4:q D4:q E4:h'))


def test_a_score_by_its_id(desk: Desk) -> None:
    score = parse_note_list("C4:q D4:q E4:h")
    score_id = desk.run(desk.scores.keep(score))
    assert format_note_list(desk.run(sources(desk).read(score_id, None, "music")).score) == format_note_list(score)
