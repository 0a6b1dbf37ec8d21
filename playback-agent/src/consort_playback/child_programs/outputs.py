"""Opens an output: a port of the MIDI system, our own virtual port, or the built-in synth."""

import signal
import time
from contextlib import suppress
from typing import Protocol

import rtmidi

from consort_playback.child_programs.jack_server import current_server
from consort_playback.child_programs.output_errors import PortGone, PortNotReady
from consort_playback.protocol.commands import PortSpec

CLIENT_NAME = "Consort"
APIS = {
    "jack": rtmidi.API_UNIX_JACK,
    "alsa": rtmidi.API_LINUX_ALSA,
    "coremidi": rtmidi.API_MACOSX_CORE,
    "winmm": rtmidi.API_WINDOWS_MM,
}
CLOSE_S = 2
"""Seconds after which closing an output counts as hung."""
SETTLE_S = 0.05
"""Seconds between the last message and the end of the process, so that the MIDI system delivers the message."""
TRY_FOR_S, TRY_JACK_FOR_S = 0.3, 3.0
"""How long opening a port is tried: a JACK server rejects clients while it is held up or recovers from a killed one."""
TRY_AGAIN_S = 0.15
"""Seconds between two tries."""


class Output(Protocol):
    def send_message(self, message: bytes) -> None: ...
    def describe(self) -> str:
        """Return a text for the user that says where the sound goes; empty for a MIDI port."""

    def close(self) -> None: ...


class MidiPort:
    """A port of a device or of another program, or our own virtual port, to which other programs connect."""

    def __init__(self, spec: PortSpec) -> None:
        try:
            self._out = rtmidi.MidiOut(APIS[spec.api], name=CLIENT_NAME)
            try:
                self._open(spec)
            except BaseException:
                self._out.delete()  # a client that exits without this blocks a JACK server in synchronous mode
                raise
        except (rtmidi.RtMidiError, NotImplementedError) as error:
            raise PortNotReady(
                f"The port {spec.name!r} cannot be opened: {error}. Choose another port, or close the program that "
                "uses it."
            ) from error
        self.send_message = self._out.send_message

    def _open(self, spec: PortSpec) -> None:
        if spec.is_virtual:
            self._out.open_virtual_port(spec.name)
        else:
            self._out.open_port(port_index(self._out.get_ports(), spec), "out")

    def describe(self) -> str:
        return ""

    def close(self) -> None:
        self._out.close_port()
        self._out.delete()


def close_or_exit(output: Output) -> None:
    """Close the output. If that hangs because the MIDI system has died, SIGALRM ends this process."""
    if hasattr(signal, "alarm"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(CLOSE_S)
    output.close()


def port_index(names: list[str], spec: PortSpec) -> int:
    """Return the index of the port in `names`. Raise PortGone if it is not there."""
    same = [index for index, name in enumerate(names) if name == spec.name]
    if spec.nth >= len(same):
        raise PortGone(f"The port {spec.name!r} no longer exists. list_devices shows the ports.")
    return same[spec.nth]


def open_output(spec: PortSpec) -> Output:
    """Open a port or the synth. Raise OutputError if it cannot be opened."""
    if spec.synth is not None:
        from consort_playback.child_programs.synth import Synth  # imported here because only the synth needs FluidSynth

        return Synth(spec.synth)
    is_on_jack = spec.api == "jack" and current_server() is not None
    last_try = time.monotonic() + (TRY_JACK_FOR_S if is_on_jack else TRY_FOR_S)
    while time.monotonic() < last_try:
        with suppress(PortNotReady):
            return MidiPort(spec)
        time.sleep(TRY_AGAIN_S)
    return MidiPort(spec)


def available_apis() -> list[str]:
    """Return the MIDI systems for which rtmidi was built on this machine."""
    compiled = rtmidi.get_compiled_api()
    return [name for name, number in APIS.items() if number in compiled]
