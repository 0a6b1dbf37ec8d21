"""Which ports there are: what the scout tells, our own virtual port and the synth; and which one a name means."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from consort_kit.errors import InvalidInput, NotFound
from consort_playback.player import synth
from consort_playback.player.port_spec import LONGEST_ELSEWHERE, LONGEST_MESSAGE, PortSpec, has_virtual_ports
from consort_playback.player.wire import Closed
from consort_playback.ports.child import Child
from consort_playback.settings import PlaybackSettings

Kind = Literal["hardware", "software", "virtual", "synth"]

SYNTH_ID, SYNTH_NAME = "synth", "Consort Synth"
VIRTUAL_ID, VIRTUAL_NAME = "virtual", "Consort Virtual Port"
SILENT_S = 2.0
"""A scout that tells nothing for so long hangs, and is replaced."""
MOST_PATIENCE_S = 8.0
"""Each scout in a row that hangs is waited for twice as long: to kill a client can be what holds the next one up."""
FIRST_LIST_S = 4.0
UNUSED_S = 15.0
END_S = 0.5

_JACK_HARDWARE = re.compile(r"^(system:|a2j:|alsa_midi:|Midi-Bridge:)")
_ALSA_CLIENT = re.compile(r" ([0-9]+):[0-9]+$")
_ALSA_FIRST_PROGRAM = 128
_SOFTWARE = re.compile(r"(?i)through|IAC|wavetable|virtual|loopback|network session")


@dataclass(frozen=True)
class Device:
    id: str
    name: str
    kind: Kind
    spec: PortSpec

    @property
    def longest_message(self) -> int:
        return LONGEST_MESSAGE.get(self.spec["api"], LONGEST_ELSEWHERE)


class Devices:
    def __init__(self, settings: PlaybackSettings, changed: Callable[[], None]) -> None:
        self._settings = settings
        self._changed = changed
        self._scout: asyncio.Task[None] | None = None
        self._child: Child | None = None
        self._ports: dict[str, list[str] | None] = {}
        self._asked = 0
        self._waiting: dict[int, asyncio.Future[None]] = {}
        """Those who want to know the ports as they are after a number was asked."""
        self._used_at = 0.0
        self.is_playing = False
        """Whether ports must be watched."""
        self.jack_server: str | None = None
        """Which one runs; another one has none of the clients of the one before."""
        self.problem: str | None = None

    async def fresh(self, anew: bool = False) -> list[Device]:
        """The ports as they are now; `anew`, whatever the MIDI system told a moment ago."""
        self._used_at = time.monotonic()
        if self._scout is None:
            self._scout = asyncio.create_task(self._keep_scouting())
        self._asked += 1
        number = self._asked
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        if self._child is not None:
            self._child.write({"asked": number, "anew": anew})
        with suppress(TimeoutError):
            async with asyncio.timeout(FIRST_LIST_S):
                await answer
        self._waiting.pop(number, None)
        return self.known()

    def known(self) -> list[Device]:
        """The ports as they were told last."""
        devices = [each for api, names in self._ports.items() for each in _ports_of(api, names or [])]
        if virtual := self._virtual():
            devices.append(virtual)
        if self.synth_problem() is None:
            devices.append(self._synth())
        return devices

    def systems(self) -> frozenset[str]:
        """The MIDI systems that answer."""
        return frozenset(api for api, names in self._ports.items() if names is not None)

    def is_there(self, device: Device) -> bool:
        if device.spec["is_virtual"]:
            return device.spec["api"] in self.systems()
        return device.kind == "synth" or any(each.id == device.id for each in self.known())

    def synth_problem(self) -> str | None:
        return synth.missing(self._settings.soundfont, (self._settings.data / "soundfonts",))

    def _synth(self) -> Device:
        font = synth.find_soundfont(self._settings.soundfont, (self._settings.data / "soundfonts",))
        wanted = {"soundfont": str(font), "audio": self._settings.synth_audio}
        spec = PortSpec(api="synth", name=SYNTH_NAME, nth=0, is_virtual=False, synth=wanted)
        return Device(SYNTH_ID, SYNTH_NAME, "synth", spec)

    def _virtual(self) -> Device | None:
        api = next((api for api in ("coremidi", "alsa", "jack") if api in self.systems()), None)
        if api is None or not has_virtual_ports():
            return None
        spec = PortSpec(api=api, name=VIRTUAL_NAME, nth=0, is_virtual=True, synth={})
        return Device(VIRTUAL_ID, VIRTUAL_NAME, "virtual", spec)

    async def _keep_scouting(self) -> None:
        patience = SILENT_S
        while self.is_playing or time.monotonic() - self._used_at < UNUSED_S:
            child = self._child = await Child.start("scout", {})
            child.write({"asked": self._asked})
            try:
                while self.is_playing or time.monotonic() - self._used_at < UNUSED_S:
                    async with asyncio.timeout(patience):
                        frame = await child.read()
                    patience = SILENT_S
                    before = self._ports, self.jack_server
                    self._ports, self.jack_server = frame.head["ports"], frame.head["jack_server"]
                    self.problem = None
                    for number, answer in self._waiting.items():
                        if number <= frame.head["asked"] and not answer.done():
                            answer.set_result(None)
                    if before != (self._ports, self.jack_server):
                        self._changed()
            except Closed:
                self.problem = "The process that lists the ports died and was started again."
            except TimeoutError:
                patience = min(2 * patience, MOST_PATIENCE_S)
                self.problem = (
                    "The MIDI system or this machine is too busy to list the ports; these are the last known."
                )
            finally:
                self._child = None
                await child.finish(END_S)
        self._scout = None

    async def aclose(self) -> None:
        if self._scout is not None:
            self._scout.cancel()
            with suppress(asyncio.CancelledError):
                await self._scout

    async def choose(self, wanted: str | None) -> tuple[Device, str | None]:
        """The port that a name means, or the default one, and then why it is that."""
        devices = await self.fresh()
        if wanted is None:
            return self.default(devices)
        try:
            return find(devices, wanted), None
        except NotFound:  # it may have come with a server that was started just now
            return find(await self.fresh(anew=True), wanted), None

    def default(self, devices: list[Device]) -> tuple[Device, str]:
        if wanted := self._settings.playback_port:
            try:
                return find(devices, wanted), "set by CONSORT_PLAYBACK_PORT"
            except NotFound as error:
                raise NotFound(
                    f"CONSORT_PLAYBACK_PORT is {wanted[:80]!r}, and there is no such port now. Give 'port_name'.",
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
            "There is no MIDI port to play on, and no built-in synth. Connect a device, or start a synth.",
            code="NO_DEVICE",
            suggestions=["connect a device or start a synth", f"for the built-in synth: {self.synth_problem()}"],
        )


def find(devices: list[Device], wanted: str) -> Device:
    """By id, by name, or by a part of a name that only one port has."""
    low = wanted.strip().lower()
    same = [each for each in devices if wanted in (each.id, each.name)]
    same = same or [each for each in devices if low in (each.id.lower(), each.name.lower())]
    same = same or ([each for each in devices if low in each.name.lower()] if low else [])
    names = [each.name for each in devices][:20]
    if not same:
        raise NotFound(
            f"'port_name' is {wanted[:80]!r}, and there is no such port now. list_devices shows what there is.",
            code="UNKNOWN_PORT",
            field="port_name",
            suggestions=names,
        )
    if len(same) > 1 and not any(wanted == each.id for each in same):
        raise InvalidInput(
            f"'port_name' is {wanted[:80]!r}, and {len(same)} ports are named so. Give the id of one.",
            code="AMBIGUOUS_PORT",
            field="port_name",
            suggestions=[each.id for each in same][:20],
        )
    return same[0]


def _ports_of(api: str, names: list[str]) -> list[Device]:
    seen: Counter[str] = Counter()
    devices = []
    for name in names:
        nth = seen[name]
        seen[name] += 1
        spec = PortSpec(api=api, name=name, nth=nth, is_virtual=False, synth={})
        number = f"#{nth + 1}" if nth else ""
        devices.append(Device(f"{api}:{name}{number}", name, _kind(api, name), spec))
    return devices


def _kind(api: str, name: str) -> Kind:
    if api == "jack":
        return "hardware" if _JACK_HARDWARE.match(name) else "software"
    client = _ALSA_CLIENT.search(name) if api == "alsa" else None
    if (client and int(client[1]) >= _ALSA_FIRST_PROGRAM) or _SOFTWARE.search(name):
        return "software"
    return "hardware"
