"""Answers of check_song: grouped problems with their first places, likely mistakes first."""

import json
import random
from typing import Any, get_args

import pytest

from consort_compose.songs.models.checks import CheckSong, ProblemKind, SongChecked
from consort_compose.songs.models.chords import SetChords
from consort_compose.songs.models.songs import CreateSong
from tests.support.song_services import SongServices


def new_song(services: SongServices, notes: dict[str, str], chords: str | None = None, **fields: Any) -> str:
    instruments = {name: "drums" if name == "Kit" else "Flute" for name in notes}
    song_id = services.run(services.songs.create(CreateSong(tracks=instruments, key="C", **fields))).song_id
    services.add_notes(song_id, notes=notes)
    if chords:
        services.run(services.editor.set_chords(SetChords(song_id=song_id, chords=chords)))
    return song_id


def checked(services: SongServices, song_id: str, **fields: Any) -> SongChecked:
    return services.run(services.reader.check(CheckSong(song_id=song_id, **fields)))


def problems_of(answer: SongChecked) -> list[tuple[str, str | None, str, int, str | None]]:
    return [(each.kind, each.track, each.message, each.count, each.places) for each in answer.problems]


def test_equal_problems_are_grouped_with_their_first_places(services: SongServices) -> None:
    song_id = new_song(services, {"Lead": "F4 4 x6; F5 4; A4 4", "Alto": "F4 4; C4 28"}, "C | " * 7 + "C")
    answer = checked(services, song_id)
    places = "bar 1 beat 1, bar 2 beat 1, bar 3 beat 1, bar 4 beat 1, bar 5 beat 1 and 2 more"
    assert problems_of(answer) == [
        ("outside_chord", "Lead", "F is not in C.", 7, places),
        ("outside_chord", "Alto", "F4 is not in C.", 1, "bar 1 beat 1"),
        ("outside_chord", "Lead", "A4 is not in C.", 1, "bar 8 beat 1"),
    ]
    assert answer.counts == {"outside_chord": 9} and not answer.ok and answer.next_cursor is None
    more = checked(services, song_id, places=7).problems[0].places
    assert more is not None and more.endswith("bar 6 beat 1, bar 7 beat 1")


def test_likely_mistakes_come_before_passing_notes(services: SongServices) -> None:
    lead = "C4 1; D4; E4 2; C4 @4; C4 @4; C2 @5; C#5 @8 2; C4 @20 1"
    answer = checked(services, new_song(services, {"Lead": lead, "Kit": "kick"}, "C | C"))
    assert [each.kind for each in answer.problems] == [
        "collision",
        "out_of_range",
        "outside_key",
        "empty_bar",
        "passing",
    ]
    assert answer.problems[3].places == "bars 4 to 5"


def test_song_with_only_passing_notes_is_ok(services: SongServices) -> None:
    answer = checked(services, new_song(services, {"Lead": "C4 1; D4; E4; F4; G4 4"}, "C"))
    assert answer.ok and answer.counts == {"passing": 2}
    assert problems_of(answer) == [
        ("passing", "Lead", "Passing notes are outside the key or chord.", 2, "bar 1 beat 2, bar 1 beat 4")
    ]
    assert checked(services, answer.song_id, kinds=["outside_chord"]).problems == []


@pytest.mark.parametrize("seed", range(3))
def test_pages_show_all_groups_and_stay_below_three_kilobytes(services: SongServices, seed: int) -> None:
    dice = random.Random(seed)
    pitches = [
        f"{letter}{octave}" for letter in ("C", "C#", "D", "Eb", "F", "F#", "G", "Ab", "A", "B") for octave in (3, 4)
    ]
    notes = {
        f"Track {number}": "; ".join(f"{dice.choice(pitches)} {dice.choice(('1/2', '1', '2'))}" for _ in range(400))
        for number in range(8)
    }
    chords = " | ".join(dice.choice(("C", "Am7", "F", "G7", "Dm7", "E7")) for _ in range(100))
    song_id = new_song(services, notes, chords)
    answer = checked(services, song_id)
    assert sum(answer.counts.values()) > 1000
    assert len(json.dumps(answer.model_dump(exclude_none=True), separators=(",", ":"))) <= 3000
    found, cursor = [], 0
    while True:
        page = checked(services, song_id, limit=40, cursor=cursor)
        found += page.problems
        if page.next_cursor is None:
            break
        cursor = page.next_cursor
    assert sum(each.count for each in found) == sum(answer.counts.values())
    assert len({(each.kind, each.track, each.message) for each in found}) == len(found)
    order = [get_args(ProblemKind).index(each.kind) for each in found]
    assert order == sorted(order)
