"""The synth and the virtual port, which are there without any device."""

import subprocess
import sys
import time
from array import array
from pathlib import Path

import pytest

from consort_playback.player import synth
from tests.jack import JackServer
from tests.playback_agent import Agent

_LISTENER = """
import sys, time, rtmidi
port = rtmidi.MidiIn(rtmidi.API_UNIX_JACK, name="daw")
end = time.monotonic() + 20
while not (found := [name for name in port.get_ports() if "Consort Virtual Port" in name]):
    assert time.monotonic() < end
    time.sleep(0.05)
port.open_port(port.get_ports().index(found[0]))
print("connected", flush=True)
while time.monotonic() < end:
    if heard := port.get_message():
        print(bytes(heard[0]).hex(), flush=True)
    time.sleep(0.001)
"""


def test_synth_is_heard(jack: JackServer, tmp_path: Path) -> None:
    """Into a file, where there is no sound device: silent before the note, loud in it."""
    sound = tmp_path / "sound.wav"
    agent = Agent(tmp_path, {**jack.environment, "CONSORT_SYNTH_AUDIO": f"file:{sound}"})
    try:
        started = agent.call("playback_midi", notes="R:q C4+E4+G4:q", port_name="synth")
        assert started["port"] == "Consort Synth" and str(sound) in started["sound"]
        agent.wait_until(started["playback_id"], "finished")
    finally:
        agent.stop()
    data = sound.read_bytes()
    samples = array("h", data[44 : 44 + (len(data) - 44) // 4 * 4])
    loud = [index for index, value in enumerate(samples) if abs(value) > 500]
    assert loud and max(map(abs, samples)) > 1000
    assert loud[0] > 2 * 44_100 * 0.3, "there is a rest before it"


def test_without_the_synth_it_is_said_how_to_get_it(jack: JackServer, tmp_path: Path) -> None:
    agent = Agent(tmp_path, {**jack.environment, "CONSORT_SOUNDFONT": "/nowhere/font.sf2"})
    try:
        listed = agent.call("list_devices")
    finally:
        agent.stop()
    assert "synth" not in {each["kind"] for each in listed["outputs"]}
    assert "The built-in synth lacks the soundfont /nowhere/font.sf2" in listed["warnings"][0]


def test_what_is_missing_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert synth.missing(None) is None
    monkeypatch.setattr(synth, "find_library", lambda: None)
    assert "The built-in synth lacks FluidSynth's library" in (synth.missing(None) or "")
    font = tmp_path / "own.sf2"
    font.touch()
    assert synth.find_soundfont(None, (tmp_path,)) is not None
    assert synth.find_soundfont(str(font)) == font


def test_a_program_listens_to_the_virtual_port(agent: Agent, jack: JackServer) -> None:
    agent.call("send_midi", controllers={"7": 100}, port_name="virtual")  # opens it, for good
    with subprocess.Popen(
        [sys.executable, "-c", _LISTENER], env=jack.environment, stdout=subprocess.PIPE, text=True
    ) as listener:
        assert listener.stdout is not None
        assert listener.stdout.readline() == "connected\n"
        time.sleep(0.1)
        agent.call("playback_midi", notes="C4:s", port_name="Consort Virtual Port")
        assert [listener.stdout.readline().strip() for _ in range(3)] == ["c000", "903c40", "803c40"]
        listener.kill()
