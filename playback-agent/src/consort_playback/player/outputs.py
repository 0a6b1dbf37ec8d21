"""Where messages go: a port of the MIDI system, a virtual port of our own, or the built-in synth."""

import signal
import time
from contextlib import suppress
from typing import Protocol

import rtmidi

from consort_playback.player.port_spec import PortSpec

CLIENT_NAME = "Consort"
APIS = {
    "jack": rtmidi.API_UNIX_JACK,
    "alsa": rtmidi.API_LINUX_ALSA,
    "coremidi": rtmidi.API_MACOSX_CORE,
    "winmm": rtmidi.API_WINDOWS_MM,
}
CLOSE_S = 2
TRIES = 3
"""To open a port: a JACK server that gets over a killed client lets nobody in for a moment."""
TRY_AGAIN_S = 0.15


class PortGone(Exception):
    """The port is not there, or cannot be opened."""


class PortBusy(PortGone):
    """The MIDI system does not let us in, which may be otherwise in a moment."""


class Output(Protocol):
    def send_message(self, message: bytes) -> None: ...
    def describe(self) -> str:
        """What an assistant should know about where the sound goes; empty if there is nothing to say."""

    def close(self) -> None: ...


class MidiPort:
    """A port that another program or a device offers, or one of our own that others connect to."""

    def __init__(self, spec: PortSpec) -> None:
        try:
            self._out = rtmidi.MidiOut(APIS[spec["api"]], name=CLIENT_NAME)
            try:
                self._open(spec)
            except BaseException:
                self._out.delete()  # a client that goes without a word holds up a synchronous JACK server
                raise
        except (rtmidi.RtMidiError, NotImplementedError) as error:
            raise PortBusy(
                f"The port {spec['name']!r} cannot be opened: {error}. Choose another, or free it."
            ) from error
        self.send_message = self._out.send_message

    def _open(self, spec: PortSpec) -> None:
        if spec["is_virtual"]:
            self._out.open_virtual_port(spec["name"])
        else:
            self._out.open_port(find(self._out.get_ports(), spec), "out")

    def describe(self) -> str:
        return ""

    def close(self) -> None:
        self._out.close_port()
        self._out.delete()


def close_soon(output: Output) -> None:
    """Close in order; but if the MIDI system has died and that hangs, end this process."""
    if hasattr(signal, "alarm"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(CLOSE_S)
    output.close()


def find(names: list[str], spec: PortSpec) -> int:
    same = [index for index, name in enumerate(names) if name == spec["name"]]
    if spec["nth"] >= len(same):
        raise PortGone(f"There is no port {spec['name']!r} any more. list_devices shows what there is.")
    return same[spec["nth"]]


def open_output(spec: PortSpec) -> Output:
    if spec["api"] == "synth":
        from consort_playback.player.synth import Synth

        return Synth(spec["synth"])
    for _ in range(TRIES - 1):
        with suppress(PortBusy):
            return MidiPort(spec)
        time.sleep(TRY_AGAIN_S)
    return MidiPort(spec)


def here() -> list[str]:
    """The MIDI systems that rtmidi was built with on this machine."""
    compiled = rtmidi.get_compiled_api()
    return [name for name, number in APIS.items() if number in compiled]
