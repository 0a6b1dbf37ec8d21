"""Write a song through the gateway as an assistant does, from the first bar to the file, with a restart in between."""

import asyncio
import io
import tempfile
from collections.abc import Awaitable, Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx2
import mido
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from consort_kit.ids import new_id
from evaluation.mcp_answers import answer_of, error_of
from tests.support.servers.studio import CONSORT, Studio

SECTIONS = [
    {"name": "Verse", "start_measure": 1, "end_measure": 4, "key": "Dm", "description": "quiet"},
    {"name": "Waltz", "start_measure": 5, "end_measure": 8, "key": "F", "tempo": 132, "time_signature": "3/4"},
]
LEAD = "D4 1/3; E4; F4; A4 3; G4 1/2 x8; [F4 1; E4; D4 2] x2; @16 C5 1; D5; E5; F5 3; A4,C5 2; R; C5 @25 3 v90"
BASS = "D2 2 x8; F2 3; C2; F2; F2"
KIT = "[kick 1; snare; kick; snare; @0 hat 1/2 x8] x4; [kick 1; hat; hat] x4"
PAD = [{"track": "Pad", "pitch": ["D3", "F3", "A3"], "start": f"{4 * n}", "duration": 4} for n in range(4)]
PAD += [{"track": "Pad", "pitch": ["F3", "A3", "C4"], "start": 16 + 3 * n, "duration": "3"} for n in range(4)]

Call = Callable[..., Awaitable[dict[str, Any]]]


def over_stdio(studio: Studio, work: Callable[[Call], Awaitable[None]]) -> None:
    """Start `consort mcp`, as Claude Desktop does. Calls must succeed unless they are expected to fail."""

    async def main() -> None:
        server = StdioServerParameters(command=CONSORT[0], args=[*CONSORT[1:], "mcp"], env=studio.environment)
        async with Client(stdio_client(server)) as client:

            async def call(tool: str, fails: bool = False, **arguments: Any) -> dict[str, Any]:
                answer = await client.call_tool(tool, arguments)
                result: dict[str, Any] = error_of(answer) if fails else answer_of(answer)
                return result

            await work(call)

    asyncio.run(main())


def absolute(track: Any) -> list[tuple[int, Any]]:
    tick, found = 0, []
    for message in track:
        tick += message.time
        found.append((tick, message))
    return found


def test_eight_bars_four_tracks_undo_restart_export(own_studio: Studio) -> None:
    own_studio.up()
    kept: dict[str, Any] = {}

    async def compose(call: Call) -> None:
        made = await call(
            "create_song",
            title="River",
            tempo=96,
            tracks={"Lead": "Flute", "Bass": "Acoustic Bass", "Kit": "drums"},
            sections=SECTIONS,
        )
        await call("add_track", name="Pad", instrument="strings", volume=90, pan=30)
        added = await call("add_notes", notes={"Lead": LEAD, "Bass": BASS, "Kit": KIT})
        assert added["song_id"] == made["song_id"], "the song used last"
        await call("add_notes", notes=PAD)
        await call("set_chords", chords="Dm | Gm | A7 | Dm | F | C7 | F | F")
        exported = await call("song_export_midi", filepath=f"{new_id('river')}.mid")
        info = await call("get_song_info", overview=True)
        assert (info["total_measures"], info["note_count"]) == (8, exported["note_count"])
        assert [row["section"] for row in info["overview"]] == ["Verse", "Waltz"]
        kept.update(song_id=made["song_id"], before=exported, notes=(await call("get_notes", format="text"))["notes"])
        for step in range(12):  # more than can be undone
            await call("add_notes", track="Bass", notes=f"C1 @{step}")
        for left in range(9, 4, -1):
            assert (await call("undo_last_action"))["undo_steps_left"] == left

    async def go_on(call: Call) -> None:
        info = await call("get_song_info")
        assert info["song_id"] == kept["song_id"] and len(info["can_undo"]) == 5 and len(info["can_redo"]) == 5
        for left in range(4, -1, -1):
            assert (await call("undo_last_action"))["undo_steps_left"] == left
        error = await call("undo_last_action", fails=True)
        assert error["code"] == "NOTHING_TO_UNDO"
        for left in range(9, -1, -1):
            assert (await call("redo_last_action"))["redo_steps_left"] == left
        assert (await call("redo_last_action", fails=True))["code"] == "NOTHING_TO_REDO"
        await call("remove_notes_in_range", track="Bass", start_time=0, end_time=12, pitch="C1")
        assert (await call("redo_last_action", fails=True))["code"] == "NOTHING_TO_REDO", "a new action clears redo"
        assert (await call("get_notes", format="text"))["notes"] == kept["notes"]
        kept.update(after=await call("song_export_midi"))

    over_stdio(own_studio, compose)
    own_studio.down()
    over_stdio(own_studio, go_on)  # starts the studio again
    assert kept["after"]["midi_file_id"] == kept["before"]["midi_file_id"]
    content = httpx2.get(kept["after"]["download_url"]).content
    assert (own_studio.data / kept["before"]["export_path"]).read_bytes() == content
    look_with_mido(content)
    listen_with_music21(content)


def look_with_mido(content: bytes) -> None:
    file = mido.MidiFile(file=io.BytesIO(content))
    assert (file.type, file.ticks_per_beat, len(file.tracks)) == (1, 480, 5)
    conductor, lead, bass, kit, pad = map(absolute, file.tracks)
    metas = {
        kind: [(tick, message) for tick, message in conductor if message.type == kind]
        for kind in ("set_tempo", "time_signature", "key_signature", "marker")
    }
    assert [(tick, each.tempo) for tick, each in metas["set_tempo"]] == [(0, 625_000), (7680, round(60e6 / 132))]
    assert [(tick, each.numerator, each.denominator) for tick, each in metas["time_signature"]] == [
        (0, 4, 4),
        (7680, 3, 4),
    ]
    assert [(tick, each.key) for tick, each in metas["key_signature"]] == [(0, "Dm"), (7680, "F")]
    assert [(tick, each.text) for tick, each in metas["marker"]] == [(0, "Verse"), (7680, "Waltz")]
    programs = [[(m.program, m.channel) for _, m in track if m.type == "program_change"] for track in (lead, bass, pad)]
    assert programs == [[(73, 0)], [(32, 1)], [(48, 2)]]
    assert {m.channel for _, m in kit if not m.is_meta} == {9}
    assert [(m.control, m.value) for _, m in pad if m.type == "control_change"] == [(7, 90), (10, 30)]
    starts = [tick for tick, m in lead if m.type == "note_on"]
    ends = [tick for tick, m in lead if m.type == "note_off"]
    assert starts[:5] == [0, 160, 320, 480, 1920] and ends[:4] == [160, 320, 480, 1920]
    assert starts[-1] == 25 * 480 and ends[-1] == 28 * 480
    assert [tick for tick, m in bass if m.type == "note_on"] == [*range(0, 7680, 960), 7680, 9120, 10560, 12000]
    hats = [tick for tick, m in kit if m.type == "note_on" and m.note == 42]
    assert hats[:32] == list(range(0, 7680, 240))


def listen_with_music21(content: bytes) -> None:
    from music21 import converter, meter, tempo  # slow to import

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "river.mid"
        path.write_bytes(content)
        score: Any = converter.parse(path, quantizePost=False, forceSource=True)
    lead = next(part for part in score.parts if part.partName == "Lead").stripTies().flatten().notes
    assert [Fraction(str(note.offset)).limit_denominator(960) for note in lead][:5] == [
        *(Fraction(n, 3) for n in range(4)),
        4,
    ]
    flat = score.flatten()
    assert {(float(each.offset), each.ratioString) for each in flat.getElementsByClass(meter.TimeSignature)} == {
        (0.0, "4/4"),
        (16.0, "3/4"),
    }
    marks = {(float(each.offset), round(each.number)) for each in flat.getElementsByClass(tempo.MetronomeMark)}
    assert marks == {(0.0, 96), (16.0, 132)}


def test_eight_bars_with_four_tracks_take_three_calls(studio: Studio) -> None:
    tracks = {"Lead": "Flute", "Bass": "Acoustic Bass", "Kit": "drums", "Pad": "strings"}
    studio.call("create_song", title="Short", tracks=tracks, sections=SECTIONS)
    studio.call("add_notes", notes={"Lead": LEAD, "Bass": BASS, "Kit": KIT, "Pad": "D3,F3,A3 4 x4; F3,A3,C4 3 x4"})
    exported = studio.call("song_export_midi")
    assert studio.call("get_midi", midi_file_id=exported["midi_file_id"])["metadata"]["note_count"] > 100


def test_other_tools_take_the_file_and_it_becomes_a_song_again(studio: Studio) -> None:
    song = studio.call("create_song", title="Loop", tracks={"Lead": "Flute"})
    studio.call("add_notes", track="Lead", notes="C4 1/3 x12; G4 1")
    exported = studio.call("song_export_midi")
    assert studio.call("render_piano_roll", midi_file_id=exported["midi_file_id"])["content"]
    again = studio.call("create_song", midi_file_id=exported["midi_file_id"])
    assert (again["title"], again["note_count"]) == ("Loop", 13)
    notes = [studio.call("get_notes", song_id=each["song_id"], format="text")["notes"] for each in (song, again)]
    assert notes[0] == notes[1]
    bytes_of = httpx2.get(f"{studio.url_of('compose')}/songs/{song['song_id']}.mid", headers=studio.headers)
    assert bytes_of.content == httpx2.get(exported["download_url"]).content
    studio.call("delete_song", song_id=song["song_id"])
    assert studio.call("get_midi", midi_file_id=exported["midi_file_id"]), "what was exported stays"
    ok, result = studio.try_call("song_export_midi", song_id=again["song_id"], name=exported["name"], overwrite=False)
    assert not ok and result["error"]["code"] == "ALREADY_EXISTS"


def instruments(count: int) -> dict[str, str]:
    return {f"T{number}": str(number) for number in range(count)}


BAD_INPUT: list[tuple[str, dict[str, Any], str, str]] = [
    ("add_notes", {"notes": {"Piano": "C4"}}, "UNKNOWN_TRACK", "notes.Piano"),
    ("add_notes", {"notes": [{"track": "Leed", "pitch": 60}]}, "UNKNOWN_TRACK", "notes.0.track"),
    ("add_notes", {"track": "Lead", "notes": [{"pitch": 128}]}, "INVALID_PITCH", "notes.0.pitch"),
    ("add_notes", {"track": "Lead", "notes": "C4; 128"}, "INVALID_PITCH", "notes"),
    ("add_notes", {"track": "Lead", "notes": "kick"}, "INVALID_PITCH", "track"),
    ("add_notes", {"track": "Lead", "notes": [{"pitch": 60, "duration": -1}]}, "INVALID_DURATION", "notes.0.duration"),
    ("add_notes", {"track": "Lead", "notes": [{"pitch": 60, "duration": 0}]}, "INVALID_DURATION", "notes.0.duration"),
    (
        "add_notes",
        {"track": "Lead", "notes": [{"pitch": 60, "start": "9**9**9"}]},
        "INVALID_EXPRESSION",
        "notes.0.start",
    ),
    ("get_notes", {"start_time": 8, "end_time": 4}, "END_BEFORE_START", "end_time"),
    ("remove_notes_in_range", {"start_time": "4", "end_time": "8/2"}, "END_BEFORE_START", "end_time"),
    ("remove_notes_in_range", {"track": "Lead"}, "INVALID_INPUT", "first_bar"),
    ("get_notes", {"first_bar": 2, "start_time": 4}, "INVALID_INPUT", "start_time"),
    ("add_notes", {"track": "Lead", "notes": "C4 @64", "first_bar": 5, "last_bar": 8}, "INVALID_INPUT", "last_bar"),
    ("get_notes", {"track": "Nobody"}, "UNKNOWN_TRACK", "track"),
    ("get_notes", {"section": "Vers"}, "UNKNOWN_SECTION", "section"),
    ("edit_notes", {"transpose": 120}, "INVALID_PITCH", "transpose"),
    ("edit_notes", {"move_by": -8}, "NEGATIVE_START", "move_by"),
    ("add_section", {"name": "X", "start_measure": 4, "end_measure": 9}, "SECTION_OVERLAP", "start_measure"),
    ("add_section", {"name": "X", "start_measure": 9, "end_measure": 8}, "END_BEFORE_START", "end_measure"),
    ("add_section", {"name": "verse", "start_measure": 20, "end_measure": 21}, "SECTION_EXISTS", "name"),
    ("add_section", {"name": "X", "start_measure": 0, "end_measure": 1}, "INVALID_INPUT", "start_measure"),
    ("add_section", {"name": "X", "start_measure": 30, "end_measure": 31, "key": "H"}, "INVALID_KEY", "key"),
    ("edit_section", {"name": "Verse", "end_measure": 6}, "SECTION_OVERLAP", "start_measure"),
    ("edit_section", {"name": "Verse", "time_signature": "4/5"}, "INVALID_TIME_SIGNATURE", "time_signature"),
    ("copy_section", {"name": "Nowhere", "to_measure": 9}, "UNKNOWN_SECTION", "name"),
    ("add_track", {"name": "Lead", "instrument": "piano"}, "TRACK_EXISTS", "name"),
    ("add_track", {"name": "X", "instrument": "kazoo quartet"}, "UNKNOWN_INSTRUMENT", "instrument"),
    ("add_track", {"name": "X", "instrument": "piano", "pan": 128}, "INVALID_INPUT", "pan"),
    ("set_chords", {"chords": "C | Hmaj"}, "INVALID_CHORD_SYMBOL", "chords"),
    ("set_chords", {"chords": "", "measure": 4}, "EMPTY_INPUT", "chords"),
    ("create_song", {"tracks": {"a": "zzz"}}, "UNKNOWN_INSTRUMENT", "tracks.a"),
    ("create_song", {"tracks": instruments(17)}, "TOO_MANY_INSTRUMENTS", "tracks.T15"),
    ("create_song", {"tempo": -3}, "INVALID_INPUT", "tempo"),
    ("create_song", {"midi_file_id": "midi_" + "0" * 26}, "NOT_FOUND", "midi_file_id"),
    ("song_export_midi", {"filepath": "../out.mid"}, "INVALID_NAME", "filepath"),
    ("delete_song", {"song_id": "song_" + "0" * 26}, "NOT_FOUND", "song_id"),
]


@pytest.mark.parametrize(("tool", "arguments", "code", "field"), BAD_INPUT, ids=lambda value: str(value)[:40])
def test_bad_input_is_named_and_changes_nothing(
    studio: Studio, tool: str, arguments: dict[str, Any], code: str, field: str
) -> None:
    song = studio.call("create_song", tracks={"Lead": "Flute"}, sections=SECTIONS)["song_id"]
    studio.call("add_notes", song_id=song, track="Lead", notes="C4 x4")
    before = [studio.call(each, song_id=song) for each in ("get_song_info", "get_notes", "get_sections", "get_tracks")]
    songs = studio.call("list_songs", limit=1)["items"]
    ok, result = studio.try_call(tool, **arguments)
    assert not ok
    error = result["error"]
    assert (error["code"], error["field"]) == (code, field), error
    assert error["message"]
    if code != "INVALID_INPUT":
        assert error["suggestions"]
    after = [studio.call(each, song_id=song) for each in ("get_song_info", "get_notes", "get_sections", "get_tracks")]
    assert after == before and studio.call("list_songs", limit=1)["items"] == songs
