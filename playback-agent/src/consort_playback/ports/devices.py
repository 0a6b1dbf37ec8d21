"""Lists the ports that can be played on: those that `list_ports` reports, our virtual port, and the synth.

Also finds a port by name, and chooses the default port.
"""

import asyncio
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from consort_kit.errors import InvalidInput, NotFound
from consort_music.synth.soundfonts import describe_missing, find_soundfont
from consort_playback.ports.child_process import ChildProcess
from consort_playback.protocol.commands import (
    FIRST_COMMANDS,
    PORT_LISTS,
    ListPorts,
    PortList,
    PortSpec,
    SynthOptions,
)
from consort_playback.protocol.socket_frames import ConnectionClosed
from consort_playback.settings import PlaybackSettings

DeviceKind = Literal["hardware", "software", "virtual", "synth"]

SYNTH_ID, SYNTH_NAME = "synth", "Consort Synth"
VIRTUAL_ID, VIRTUAL_NAME = "virtual", "Consort Virtual Port"
NO_LIST_S = 2.0
"""If `list_ports` sends nothing for this many seconds, it hangs, and the agent starts it again."""
MAX_NO_LIST_S = 8.0
"""After each hang the time is doubled, up to this: killing a client of JACK can delay the next client."""
FIRST_LIST_S = 4.0
"""Seconds that a call waits for a new list; then it uses the last one."""
UNUSED_S = 15.0
"""If nothing plays, `list_ports` is stopped this many seconds after the last call that needed it."""
END_S = 0.5
"""Seconds that `list_ports` gets to exit by itself."""

_JACK_HARDWARE = re.compile(r"^(system:|a2j:|alsa_midi:|Midi-Bridge:)")
_ALSA_CLIENT = re.compile(r" ([0-9]+):[0-9]+$")
_ALSA_FIRST_PROGRAM = 128
"""ALSA numbers the clients of programs from here on. Devices have smaller numbers."""
_SOFTWARE = re.compile(r"(?i)through|IAC|wavetable|virtual|loopback|network session")


@dataclass(frozen=True)
class Device:
    id: str
    name: str
    kind: DeviceKind
    spec: PortSpec


class Devices:
    def __init__(self, settings: PlaybackSettings, on_changed: Callable[[], None]) -> None:
        self._settings = settings
        self._on_changed = on_changed
        self._listing: asyncio.Task[None] | None = None
        self._child: ChildProcess | None = None
        self._ports: dict[str, list[str] | None] = {}
        self._last_request = 0
        self._waiting: dict[int, asyncio.Future[None]] = {}
        """By request number: a future that is resolved when a list arrives that was made after this request."""
        self._used_at = 0.0
        self.is_watched = False
        """Whether `list_ports` must keep running because ports are in use."""
        self.jack_server: str | None = None
        """The identity of the running JACK server (see `jack_server.current_server`)."""
        self.problem: str | None = None
        """A text for the user: why the list may be wrong. None if it is up to date."""

    async def refresh(self, reconnect: bool = False) -> list[Device]:
        """Return an up-to-date list of ports, or the last known one if `list_ports` is too slow.

        With `reconnect`, `list_ports` uses a new JACK client.
        """
        self._used_at = time.monotonic()
        if self._listing is None:
            self._listing = asyncio.create_task(self._keep_listing())
        self._last_request += 1
        number = self._last_request
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        if self._child is not None:
            self._child.write(FIRST_COMMANDS.encode(ListPorts(number, reconnect)))
        with suppress(TimeoutError):
            async with asyncio.timeout(FIRST_LIST_S):
                await answer
        self._waiting.pop(number, None)
        return self.known()

    def known(self) -> list[Device]:
        """Return the last known list of ports, with the virtual port and the synth."""
        devices = [each for api, names in self._ports.items() for each in _devices_of(api, names or [])]
        if virtual := self._virtual():
            devices.append(virtual)
        if self.synth_problem() is None:
            devices.append(self._synth())
        return devices

    def systems(self) -> frozenset[str]:
        """Return the MIDI systems that are running."""
        return frozenset(api for api, names in self._ports.items() if names is not None)

    def is_present(self, device: Device) -> bool:
        if device.spec.is_virtual:
            return device.spec.api in self.systems()
        return device.kind == "synth" or any(each.id == device.id for each in self.known())

    def synth_problem(self) -> str | None:
        """Return a text that says what the synth lacks and how to install it, or None if it can play."""
        return describe_missing(self._settings.soundfont, self._settings.data)

    def _synth(self) -> Device:
        font = find_soundfont(self._settings.soundfont, self._settings.data)
        options = SynthOptions(str(font), self._settings.synth_audio)
        return Device(SYNTH_ID, SYNTH_NAME, "synth", PortSpec("synth", SYNTH_NAME, synth=options))

    def _virtual(self) -> Device | None:
        api = next((api for api in ("coremidi", "alsa", "jack") if api in self.systems()), None)
        if api is None or sys.platform == "win32":
            return None
        return Device(VIRTUAL_ID, VIRTUAL_NAME, "virtual", PortSpec(api, VIRTUAL_NAME, is_virtual=True))

    def _is_needed(self) -> bool:
        return self.is_watched or time.monotonic() - self._used_at < UNUSED_S

    async def _keep_listing(self) -> None:
        """Run `list_ports` as long as the list is needed. Start it again if it dies or hangs."""
        patience = NO_LIST_S
        while self._is_needed():
            child = self._child = await ChildProcess.start(ListPorts(0))
            child.write(FIRST_COMMANDS.encode(ListPorts(self._last_request)))  # for requests made during the start
            try:
                while self._is_needed():
                    async with asyncio.timeout(patience):
                        frame = await child.read()
                    patience = NO_LIST_S
                    self.record_list(PORT_LISTS.decode(frame)[1])
            except ConnectionClosed:
                self.problem = "The process that lists the ports died and was started again."
            except TimeoutError:
                patience = min(2 * patience, MAX_NO_LIST_S)
                self.problem = (
                    "The MIDI system or this machine is too busy to list the ports. These are the last known ones."
                )
            finally:
                self._child = None
                await child.finish(END_S)
        self._listing = None

    def record_list(self, new: PortList) -> None:
        """Record a list from `list_ports`, resolve the waiting requests, and call `on_changed` if it is different."""
        is_changed = (self._ports, self.jack_server) != (new.ports, new.jack_server)
        self._ports, self.jack_server, self.problem = new.ports, new.jack_server, None
        for number, answer in self._waiting.items():
            if number <= new.request and not answer.done():
                answer.set_result(None)
        if is_changed:
            self._on_changed()

    async def aclose(self) -> None:
        if self._listing is not None:
            self._listing.cancel()
            with suppress(asyncio.CancelledError):
                await self._listing

    async def choose(self, wanted: str | None) -> tuple[Device, str | None]:
        """Return the port with the name or id `wanted`, and None. If `wanted` is None, do the same as `default`.

        Raise NotFound or InvalidInput like `find_device` and `default`.
        """
        devices = await self.refresh()
        if wanted is None:
            return self.default(devices)
        try:
            return find_device(devices, wanted), None
        except NotFound:  # the port may belong to a JACK server that was started just now
            return find_device(await self.refresh(reconnect=True), wanted), None

    def default(self, devices: list[Device]) -> tuple[Device, str]:
        """Return the port that is used if a call names none, and the reason for this choice, for the user.

        Raise NotFound if there is no port with the name in CONSORT_PLAYBACK_PORT, InvalidInput (NO_DEVICE) if there is
        no port.
        """
        if wanted := self._settings.playback_port:
            try:
                return find_device(devices, wanted), "set by CONSORT_PLAYBACK_PORT"
            except NotFound as error:
                raise NotFound(
                    f"CONSORT_PLAYBACK_PORT is {wanted[:80]!r}, but there is no such port now. Give 'port_name'.",
                    code="UNKNOWN_PORT",
                    field="port_name",
                    suggestions=error.body.suggestions,
                ) from error
        outside = [each for each in devices if each.kind in ("hardware", "software")]
        if len(outside) == 1:
            return outside[0], "the only port"
        if hardware := [each for each in outside if each.kind == "hardware"]:
            return hardware[0], "the first hardware port"
        if built_in := [each for each in devices if each.kind == "synth"]:
            return built_in[0], "the built-in synth"
        if outside:
            return outside[0], "the first port; the built-in synth is missing"
        raise InvalidInput(
            "There is no MIDI port to play on, and no built-in synth. Connect a device, or start a synth. On a machine "
            "with a synth, midi_to_audio gives a link that plays in any browser.",
            code="NO_DEVICE",
            suggestions=[
                "connect a device or start a synth",
                f"for the built-in synth: {self.synth_problem()}",
                "midi_to_audio",
            ],
        )


def find_device(devices: list[Device], wanted: str) -> Device:
    """Return the port whose id or name is `wanted`, otherwise the only port whose name contains `wanted`.

    Raise NotFound if there is no such port, InvalidInput if there are several.
    """
    low = wanted.strip().lower()
    same = [each for each in devices if wanted in (each.id, each.name)]
    same = same or [each for each in devices if low in (each.id.lower(), each.name.lower())]
    same = same or ([each for each in devices if low in each.name.lower()] if low else [])
    names = [each.name for each in devices][:20]
    if not same:
        raise NotFound(
            f"'port_name' is {wanted[:80]!r}, but there is no such port now. list_devices shows the ports.",
            code="UNKNOWN_PORT",
            field="port_name",
            suggestions=names,
        )
    if len(same) > 1 and not any(wanted == each.id for each in same):
        raise InvalidInput(
            f"'port_name' is {wanted[:80]!r}, which matches {len(same)} ports. Give the id of one.",
            code="AMBIGUOUS_PORT",
            field="port_name",
            suggestions=[each.id for each in same][:20],
        )
    return same[0]


def _devices_of(api: str, names: list[str]) -> list[Device]:
    seen: Counter[str] = Counter()
    devices = []
    for name in names:
        nth = seen[name]
        seen[name] += 1
        number = f"#{nth + 1}" if nth else ""
        devices.append(Device(f"{api}:{name}{number}", name, _kind(api, name), PortSpec(api, name, nth)))
    return devices


def _kind(api: str, name: str) -> DeviceKind:
    if api == "jack":
        return "hardware" if _JACK_HARDWARE.match(name) else "software"
    client = _ALSA_CLIENT.search(name) if api == "alsa" else None
    if (client and int(client[1]) >= _ALSA_FIRST_PROGRAM) or _SOFTWARE.search(name):
        return "software"
    return "hardware"
