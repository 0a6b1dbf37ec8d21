"""The synth and the virtual port, which exist without any device."""

import subprocess
import sys
import time
from array import array
from pathlib import Path

import mido

from evaluation.processes.jack import JackServer
from evaluation.processes.playback_agent import AgentProcess
from tests.support.midi_files import as_base64, midi_bytes

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


def test_the_synth_is_heard(jack: JackServer, tmp_path: Path) -> None:
    """The sound is written to a file, because there is no sound device. It is silent during the rest, then loud."""
    sound = tmp_path / "sound.wav"
    with AgentProcess(tmp_path, {**jack.environment, "CONSORT_SYNTH_AUDIO": f"file:{sound}"}) as agent:
        started = agent.call("playback_midi", notes="R:q C4+E4+G4:q", port_name="synth")
        assert started["port"] == "Consort Synth" and str(sound) in started["sound"]
        agent.wait_until(started["playback_id"], "finished")
    data = sound.read_bytes()
    samples = array("h", data[44 : 44 + (len(data) - 44) // 4 * 4])
    loud = [index for index, value in enumerate(samples) if abs(value) > 500]
    assert loud and max(map(abs, samples)) > 1000
    assert loud[0] > 2 * 44_100 * 0.3, "the rest is first"


def test_a_missing_soundfont_is_a_warning(jack: JackServer, tmp_path: Path) -> None:
    with AgentProcess(tmp_path, {**jack.environment, "CONSORT_SOUNDFONT": "/nowhere/font.sf2"}) as agent:
        listed = agent.call("list_devices")
    assert "synth" not in {each["kind"] for each in listed["outputs"]}
    assert "The built-in synth lacks the soundfont /nowhere/font.sf2" in listed["warnings"][0]


def test_a_program_listens_to_the_virtual_port(agent: AgentProcess, jack: JackServer) -> None:
    agent.call("send_midi", controllers={"7": 100}, port_name="virtual")  # opens the port, which stays open
    with subprocess.Popen(
        [sys.executable, "-c", _LISTENER], env=jack.environment, stdout=subprocess.PIPE, text=True
    ) as listener:
        assert listener.stdout is not None
        assert listener.stdout.readline() == "connected\n"
        time.sleep(0.1)
        agent.call("playback_midi", notes="C4:s", port_name="Consort Virtual Port")
        assert [listener.stdout.readline().strip() for _ in range(3)] == ["c000", "903c40", "803c40"]
        listener.kill()


def test_a_silent_synth_says_how_to_hear_the_music(jack: JackServer, tmp_path: Path) -> None:
    with AgentProcess(tmp_path, {**jack.environment, "CONSORT_SYNTH_AUDIO": "none"}) as agent:
        started = agent.call("playback_midi", notes="C4:s", port_name="synth")
    assert started["sound"].startswith("silent")
    assert started["warnings"] == [
        "Nothing is heard, because the synth is silent. midi_to_audio gives a link that plays in any browser."
    ]


def test_a_piano_after_other_programs_does_not_stop_the_synth(jack: JackServer, tmp_path: Path) -> None:
    """Decoding its samples a second time would take so long that the player would count as hung."""
    track = [mido.Message("program_change", channel=channel, program=40) for channel in range(16)]
    track += [mido.Message("program_change", program=0, time=240), mido.Message("note_on", note=60)]
    track += [mido.Message("note_off", note=60, time=960)]
    with AgentProcess(tmp_path, {**jack.environment, "CONSORT_SYNTH_AUDIO": "none"}) as agent:
        started = agent.call("playback_midi", base64=as_base64(midi_bytes(track)), port_name="synth")
        assert agent.wait_until(started["playback_id"], "finished")["position_ms"] == 1250
