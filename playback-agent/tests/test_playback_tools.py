"""The tools over HTTP, on real ports: JACK connects the agent to a receiver."""

import time
from collections.abc import Iterator

import pytest

from evaluation.processes.jack import JackServer, Receiver, sounding
from evaluation.processes.playback_agent import AgentError, AgentProcess
from tests.support.midi_files import as_base64, tune

NOTES = "C4:q E4:q G4:h"
TEXT = "tempo 60\nC4 80 0 40"
EMPTY = as_base64(b"MThd\0\0\0\6\0\0\0\1\1\xe0MTrk\0\0\0\4\0\xff\x2f\0")


def test_devices_are_listed(agent: AgentProcess, receiver: Receiver) -> None:
    outputs = {each["id"]: each for each in agent.call("list_devices")["outputs"]}
    assert outputs[f"jack:{receiver.port}"] == {
        "id": f"jack:{receiver.port}",
        "name": receiver.port,
        "kind": "software",
        "in_use": 0,
        "is_default": True,
    }
    assert outputs["virtual"]["kind"] == "virtual"
    assert outputs["synth"]["kind"] == "synth"
    agent.call("playback_midi", notes=NOTES)
    in_use = {each["id"]: each["in_use"] for each in agent.call("list_devices")["outputs"]}
    assert in_use == {f"jack:{receiver.port}": 1, "virtual": 0, "synth": 0}


def test_music_plays_to_the_end(agent: AgentProcess, receiver: Receiver) -> None:
    started = agent.call("playback_midi", notes=NOTES, tempo_scale=5)
    assert started["status"] == "started" and started["port"] == receiver.port
    assert started["port_reason"] == "the only port" and started["duration_est_ms"] == 400
    ended = agent.wait_until(started["playback_id"], "finished")
    assert (ended["position_ms"], ended["position"], ended["tick"]) == (2000, "2:1", 1920)
    assert ended["lateness_ms"]["count"] == 7
    heard = receiver.new()
    assert [message.hex() for _, message in heard] == [
        *("c000", "903c40", "803c40", "904040", "804040", "904340", "804340")
    ]
    spread = [(each.when - heard[1].when) / 1e6 for each in heard]
    assert spread[2:] == pytest.approx([100, 100, 200, 200, 400], abs=90)  # a busy machine is late


def test_stop_ends_the_notes_and_can_be_repeated(agent: AgentProcess, receiver: Receiver) -> None:
    started = agent.call("playback_midi", notes="C4:w E4:w")
    heard = receiver.wait_for(2)
    assert sounding(heard) == {(0, 60)}
    assert agent.call("stop_playback", playback_id=started["playback_id"])["stopped"] == [started["playback_id"]]
    heard += receiver.wait_for(4)
    assert sounding(heard) == set()
    assert [message.hex() for _, message in heard[2:]] == ["803c40", "b04000", "b07b00", "b07800"]
    assert agent.call("stop_playback", playback_id=started["playback_id"])["stopped"] == []
    time.sleep(0.2)
    assert receiver.messages() == []
    assert agent.playback(started["playback_id"])["state"] == "stopped"


@pytest.mark.parametrize("which", ["one", "all"])
def test_the_position_of_a_stopped_playback_is_reported(agent: AgentProcess, receiver: Receiver, which: str) -> None:
    """It is the position at the stop, even if no position was requested before. Every playback has its own."""
    first = agent.call("playback_midi", notes="C4:q " * 40)["playback_id"]
    second = agent.call("playback_midi", notes="C5:q " * 40, start_at_ms=10_000)["playback_id"]
    receiver.wait_for(6)
    for arguments in [{"all": True}] if which == "all" else [{"playback_id": first}, {"playback_id": second}]:
        agent.call("stop_playback", **arguments)
    for playback_id, begin in ((first, 0), (second, 10_000)):
        playback = agent.playback(playback_id)
        assert playback["state"] == "stopped" and begin < playback["position_ms"] < begin + 10_000
        assert playback["lateness_ms"]["count"] >= 2
        assert agent.playback(playback_id) == playback, "the position does not change after the stop"


def test_title_and_source_are_reported_and_timing_only_on_request(agent: AgentProcess, receiver: Receiver) -> None:
    started = agent.call("playback_midi", notes="C4:w E4:w")
    assert started["title"] == "note list" and "edits" not in started
    playback = agent.call("get_playback")["playbacks"][0]
    assert (playback["title"], playback["source"]) == ("note list", "note list")
    assert not {"lateness_ms", "realtime", "edits"} & set(playback)
    moved = agent.call("control_playback", playback_id=started["playback_id"], tempo_scale=0.5)
    assert not {"lateness_ms", "realtime"} & set(moved)
    timed = agent.call("get_playback", include_timing=True)["playbacks"][0]
    assert {"lateness_ms", "realtime"} <= set(timed)


def test_stop_without_an_id_stops_the_only_playback(agent: AgentProcess, receiver: Receiver) -> None:
    assert agent.call("stop_playback") == {"status": "stopped", "stopped": [], "titles": []}, "nothing plays"
    first = agent.call("playback_midi", notes="C4:w " * 9)["playback_id"]
    assert agent.call("stop_playback") == {"status": "stopped", "stopped": [first], "titles": ["note list"]}
    both = [
        agent.call("playback_midi", **music)["playback_id"] for music in ({"notes": "C4:w " * 9}, {"midi_text": TEXT})
    ]
    with pytest.raises(AgentError) as rejected:
        agent.call("stop_playback")
    assert rejected.value.code == "SEVERAL_PLAYBACKS" and rejected.value.error["field"] == "playback_id"
    assert all(f"{each} (" in rejected.value.error["message"] for each in both)
    assert "MIDI text" in rejected.value.error["message"] and rejected.value.error["suggestions"] == [
        *both,
        "all: true",
    ]
    assert {agent.playback(each)["state"] for each in both} == {"playing"}
    assert sorted(agent.call("stop_playback", all=True)["titles"]) == ["MIDI text", "note list"]


@pytest.mark.parametrize("loop", [False, True])
def test_restart_begins_at_the_start_of_the_music_or_the_loop(
    agent: AgentProcess, receiver: Receiver, loop: bool
) -> None:
    range_of = {"loop": True, "loop_start": "2:1"} if loop else {}
    started = agent.call("playback_midi", notes="C4:q " * 40, **range_of)["playback_id"]
    agent.call("control_playback", playback_id=started, seek="9:1")
    again = agent.call("control_playback", playback_id=started, action="restart", tempo_scale=0.5)
    begin = 2000 if loop else 0
    assert again["state"] == "playing" and begin <= again["position_ms"] < begin + 1500
    assert (again["loop"], again["tempo_scale"]) == (loop, 0.5)
    agent.call("control_playback", playback_id=started, action="pause")
    assert agent.call("control_playback", playback_id=started, action="restart")["state"] == "playing"


@pytest.mark.parametrize(
    ("seek", "position"),
    [
        ("9:1", "9:1"),
        ("bar 9", "9:1"),
        ("Bar 9 beat 3", "9:3"),
        ("9:2+1/2", "9:2.5"),
        ("4000 ms", "3:1"),
        ("4 s", "3:1"),
    ],
)
def test_seek_accepts_positions_as_people_write_them(
    agent: AgentProcess, receiver: Receiver, seek: str, position: str
) -> None:
    started = agent.call("playback_midi", notes="C4:q " * 40)["playback_id"]
    agent.call("control_playback", playback_id=started, action="pause")
    assert agent.call("control_playback", playback_id=started, seek=seek)["position"] == position


@pytest.mark.parametrize(
    ("seek", "texts"),
    [
        ("9", ['"9:1"', '"bar 9"', '"9 ms"']),
        ("1500.5", ['"1500.5 ms"']),
        (9, ['"9:1"', '"bar 9"', '"9 ms"']),
        (1500.5, ['"1500.5 ms"']),
        ("0:1", ["counted from 1"]),
        ("soon", ['"9:1"', '"bar 9"', '"5000 ms"', '"12.5 s"']),
        ("9:5", ["4/4", "1 to 4"]),
        ("400:1", ["before the end"]),
    ],
)
def test_an_invalid_position_is_rejected_with_the_accepted_forms(
    agent: AgentProcess, receiver: Receiver, seek: str | float, texts: list[str]
) -> None:
    started = agent.call("playback_midi", notes="C4:q " * 40)["playback_id"]
    with pytest.raises(AgentError) as rejected:
        agent.call("control_playback", playback_id=started, seek=seek)
    message = rejected.value.error["message"]
    assert rejected.value.code == "INVALID_POSITION" and rejected.value.error["field"] == "seek"
    assert message.startswith("'seek' is ") and message.endswith(".") and all(each in message for each in texts)


def test_an_unknown_start_bar_suggests_loop_start_and_not_count_in(agent: AgentProcess) -> None:
    with pytest.raises(AgentError, match="Did you mean 'loop_start'"):
        agent.call("playback_midi", notes="C4:q", start_bar=3)


def test_every_kind_of_source_plays(agent: AgentProcess, receiver: Receiver) -> None:
    content = tune(3)
    text = "tempo 600\nC4 80\nE4 80\nG4 80"
    for source in ({"base64": as_base64(content)}, {"midi_text": text}, {"notes": "C4:e E4:e G4:e"}):
        for arguments in (source, {"source": source}):
            started = agent.call("playback_midi", **arguments, tempo_scale=10)
            agent.wait_until(started["playback_id"], "finished")
            heard = receiver.messages()
            assert sum(message[0] & 0xF0 == 0x90 and message[2] > 0 for message in heard) == 3, source


def test_tracks_by_name_and_music_without_notes(agent: AgentProcess, receiver: Receiver) -> None:
    text = "tempo 600\ntrack Lead violin\nC4 80\ntrack Bass cello\nC2 80 0 1"
    started = agent.call("playback_midi", midi_text=text, solo=["lead"])
    assert agent.wait_until(started["playback_id"], "finished")["muted"] == [0, 2]
    assert [message[1] for message in receiver.messages() if message[0] & 0xF0 == 0x90] == [60]
    silent = agent.call("playback_midi", base64=EMPTY)
    assert silent["warnings"] == ["The music has no notes, so nothing will be heard."]


def test_send_midi_sends_settings_and_notes_at_once(agent: AgentProcess, receiver: Receiver) -> None:
    sent = agent.call(
        "send_midi",
        channel=3,
        instrument="violin",
        controllers={"7": 90},
        pitch_bend=-8192,
        notes="A4:t",
        velocity=99,
    )
    assert sent["messages"] == 5 and sent["port"] == receiver.port
    heard = [message.hex() for _, message in receiver.wait_for(5)]
    assert heard == ["c228", "b2075a", "e20000", "924563", "824540"]


@pytest.fixture(scope="module")
def other(shared_agent: AgentProcess, jack: JackServer) -> Iterator[tuple[Receiver, str]]:
    """A playback that must not be changed, and its receiver."""
    listener = Receiver(jack)
    started = shared_agent.call("playback_midi", notes="C2:w", tempo_scale=0.05)
    listener.wait_for(2)
    yield listener, started["playback_id"]
    listener.close()


@pytest.mark.parametrize(
    ("tool", "arguments", "status", "code", "field"),
    [
        ("playback_midi", {"notes": "C4", "port_name": "nowhere"}, 404, "UNKNOWN_PORT", "port_name"),
        ("playback_midi", {"midi_file_id": "midi_1"}, 422, "INVALID_INPUT", "midi_file_id"),
        ("playback_midi", {"base64": "TVRoZA=="}, 422, "INVALID_MIDI", "base64"),
        ("playback_midi", {"base64": "&&"}, 422, "INVALID_BASE64", "base64"),
        ("playback_midi", {"path": "../token"}, 422, "PATH_OUTSIDE_SANDBOX", "path"),
        ("playback_midi", {"path": "import/none.mid"}, 404, "FILE_NOT_FOUND", "path"),
        ("playback_midi", {"midi_text": "tempo 120\nH4 80"}, 422, "INVALID_MIDI_TEXT", "midi_text"),
        ("playback_midi", {"notes": "H4"}, 422, "INVALID_NOTE", "notes"),
        ("playback_midi", {}, 422, "INVALID_INPUT", None),
        ("playback_midi", {"notes": "C4", "start_at_ms": 9000}, 422, "INVALID_POSITION", "start_at_ms"),
        ("playback_midi", {"notes": "C4", "mute": [7]}, 422, "UNKNOWN_TRACK", "mute"),
        ("playback_midi", {"notes": "C4", "mute": [0], "solo": [-1]}, 422, "UNKNOWN_TRACK", "solo"),
        ("playback_midi", {"notes": "C4", "mute": ["part 2"]}, 422, "UNKNOWN_TRACK", "mute"),
        ("playback_midi", {"base64": EMPTY, "loop": True}, 422, "INVALID_LOOP", "loop"),
        ("playback_midi", {"notes": "C4", "loop_start": "1:3"}, 422, "INVALID_LOOP", "loop_start"),
        ("playback_midi", {"notes": "C4:w", "loop_start": "1:3", "loop_end": "1:2"}, 422, "INVALID_LOOP", "loop_end"),
        ("playback_midi", {"notes": "C4:w", "loop_end": "1:1.01"}, 422, "INVALID_LOOP", "loop_end"),
        ("playback_midi", {"notes": "C4", "loop_start": "1:9"}, 422, "INVALID_POSITION", "loop_start"),
        ("playback_midi", {"notes": "C4", "loop_end": "soon"}, 422, "INVALID_POSITION", "loop_end"),
        ("playback_midi", {"notes": "C4:w", "loop": False, "loop_end": "1:3"}, 422, "INVALID_INPUT", None),
        (
            "playback_midi",
            {"notes": "C4:w", "loop_end": "1:2", "start_at_ms": 600},
            422,
            "INVALID_POSITION",
            "start_at_ms",
        ),
        ("playback_midi", {"notes": "C4", "tempo_scale": 0}, 422, "INVALID_INPUT", "tempo_scale"),
        ("stop_playback", {"playback_id": "play_" + "0" * 26}, 404, "NOT_FOUND", "playback_id"),
        ("stop_playback", {"playback_id": "play_" + "0" * 26, "all": True}, 422, "INVALID_INPUT", None),
        ("playback_midi", {"notes": "C4:w", "loop_start": "1"}, 422, "INVALID_POSITION", "loop_start"),
        ("control_playback", {"playback_id": "play_" + "0" * 26, "action": "pause"}, 404, "NOT_FOUND", "playback_id"),
        ("get_playback", {"playback_id": "play_" + "0" * 26}, 404, "NOT_FOUND", "playback_id"),
        ("send_midi", {}, 422, "EMPTY_INPUT", None),
        ("send_midi", {"notes": "C4 " * 65}, 422, "TOO_LARGE", "notes"),
        ("send_midi", {"controllers": {"64": 127}}, 422, "INVALID_CONTROLLER", "controllers"),
        ("send_midi", {"controllers": {"128": 1}}, 422, "INVALID_CONTROLLER", "controllers"),
        ("send_midi", {"instrument": "kazoo of doom"}, 422, "UNKNOWN_INSTRUMENT", "instrument"),
    ],
)
def test_wrong_calls_are_rejected(
    shared_agent: AgentProcess,
    other: tuple[Receiver, str],
    tool: str,
    arguments: dict[str, object],
    status: int,
    code: str,
    field: str | None,
) -> None:
    """The error has the status, code and field. Other sessions continue unchanged."""
    listener, playback_id = other
    with pytest.raises(AgentError) as rejected:
        shared_agent.call(tool, **arguments)
    assert (rejected.value.status, rejected.value.code, rejected.value.error["field"]) == (status, code, field)
    assert listener.messages() == []
    assert shared_agent.playback(playback_id)["state"] == "playing"
