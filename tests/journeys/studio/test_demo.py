"""`consort demo` on a real studio: six pieces, added once, good enough to show, and taken out completely."""

from typing import Any

from consort_cli.demo.demo_pieces import load_demo_pieces
from tests.support.servers.studio import Studio

TITLES = [piece.title for piece in load_demo_pieces()]
SONGS = ["Paper Lanterns", "Harbour Waltz", "Evening Chorale"]
PROJECTS = ["Harbour at night", "Rain on the roof"]
EXERCISE = "G major in two octaves.mid"


def stored(studio: Studio) -> dict[str, dict[str, Any]]:
    """Return what the studio keeps: for each kind, names and ids."""
    lists = {
        "songs": (studio.call("list_songs", limit=100)["items"], "title", "song_id"),
        "files": (studio.call("list_midi", limit=100)["items"], "name", "midi_file_id"),
        "sounds": (studio.call("list_audio", limit=100)["items"], "name", "audio_file_id"),
        "projects": (studio.call("list_projects", limit=100)["projects"], "name", "name"),
    }
    return {kind: {item[name]: item[its_id] for item in items} for kind, (items, name, its_id) in lists.items()}


def demo(studio: Studio, *options: str) -> str:
    done = studio.consort("demo", *options, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_six_pieces_are_added_once_and_taken_out(studio: Studio) -> None:
    before = stored(studio)
    shown = demo(studio)
    assert len(TITLES) == 6 and all(f"  {title}: " in shown for title in TITLES)
    assert shown.count("hear  http") == 6 and "is there already" not in shown
    after = stored(studio)
    new = {kind: things.keys() - before[kind].keys() for kind, things in after.items()}
    assert new["songs"] == set(SONGS) and new["files"] == {EXERCISE} and new["projects"] == set(PROJECTS)
    check_music(studio, after, new["sounds"])

    assert demo(studio).count("is there already") == 6
    assert stored(studio) == after
    studio.call("delete_project", project_name="Rain on the roof", confirm=True)
    assert demo(studio).count("is there already") == 5 and stored(studio) == after

    assert demo(studio, "--remove").count("taken out") == 6
    assert stored(studio) == before and not (studio.data / "demo.json").exists()
    assert "There is nothing to take out." in demo(studio, "--remove")


def check_music(studio: Studio, things: dict[str, dict[str, Any]], sounds: set[str]) -> None:
    for title in SONGS:
        song_id = things["songs"][title]
        checked = studio.call("check_song", song_id=song_id)
        assert checked["ok"] and checked["counts"].keys() <= {"passing"}, checked
    chorale = studio.call("analyze_harmony", music=things["songs"]["Evening Chorale"], chord_rhythm="per_beat")["data"]
    assert chorale["cadences"][-1]["kind"] == "perfect"
    assert all("parallel" not in fault and "leading" not in fault for fault in chorale["part_writing"])
    for name in PROJECTS:
        script = studio.call("get_song", project_name=name)["script"]
        assert studio.call("validate_script", script_content=script)["valid"]
    assert len(sounds) == 4
    for name in sounds:
        heard = studio.call("get_audio_info", audio_file_id=things["sounds"][name])
        assert heard["peak"] < 0 and -20 < heard["loudness"] < -12 and heard["duration"] > 20
