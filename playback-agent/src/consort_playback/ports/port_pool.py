"""Manages all port processes: opens one for each port in use, notices lost ports, and closes idle ports.

If notes were sounding on a port that was lost, it ends them when the port comes back.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

from consort_playback.ports.devices import Device, Devices
from consort_playback.ports.port_process import OnFinished, OnLost, PortProcess, end_notes
from consort_playback.protocol.commands import JACK_SOUND, SILENT_SOUND
from consort_playback.settings import PlaybackSettings

IDLE_S = 10.0
"""A port is closed this many seconds after its last playback. The virtual port stays open, because programs connect to
it."""
_SILENCING_TRIES = 8
_SILENCING_RETRY_S = 0.5


class PortPool:
    def __init__(self, settings: PlaybackSettings) -> None:
        self.devices = Devices(settings, self._check_ports)
        self._processes: dict[str, PortProcess] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self._unsent_silencing: dict[str, tuple[Device, list[bytes]]] = {}
        """By device id: a port that was lost while notes sounded on it, and the messages that end these notes."""
        self._background: set[asyncio.Task[None]] = set()
        self._on_finished: OnFinished
        self._on_lost: OnLost
        self._is_in_use: Callable[[Device], bool]

    def connect(self, on_finished: OnFinished, on_lost: OnLost, is_in_use: Callable[[Device], bool]) -> None:
        """Set the callbacks.

        `on_finished` is called when a session has finished, `on_lost` when a port process was lost. `is_in_use` returns
        whether a session is active on a port.
        """
        self._on_finished, self._on_lost, self._is_in_use = on_finished, on_lost, is_in_use

    async def aclose(self) -> None:
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await asyncio.gather(*(process.close() for process in self._processes.values()))
        await self.devices.aclose()

    def running(self) -> list[PortProcess]:
        return [process for process in self._processes.values() if not process.is_lost]

    async def process_for(self, device: Device) -> PortProcess:
        """Return the process that plays on a port. Open the port if necessary.

        Raise NotFound or ServiceDown if it cannot be opened.
        """
        async with self._lock_of(device):
            process = self._processes.get(device.id)
            if process is not None and not process.is_lost and not self.should_reopen(process):
                return process
            if process is not None:
                await process.close()
            process = PortProcess(device, self._on_finished, self._process_lost)
            await process.open(self._unsent_silencing[device.id][1] if device.id in self._unsent_silencing else [])
            self._unsent_silencing.pop(device.id, None)
            process.systems = self.devices.systems()
            self._processes[device.id] = process
            return process

    def _lock_of(self, device: Device) -> asyncio.Lock:
        """Return the lock to hold while a port is opened or its old notes are ended.

        Without it, the messages that end old notes could cut off new ones.
        """
        return self._opening.setdefault(device.id, asyncio.Lock())

    def should_reopen(self, process: PortProcess) -> bool:
        """Return whether a synth must be opened again, because it may be heard now.

        This is so if it found no sound device, the running MIDI systems have changed since, and no session uses it.
        """
        is_silent = process.device.kind == "synth" and process.sound == SILENT_SOUND
        return is_silent and process.systems != self.devices.systems() and not self._is_in_use(process.device)

    async def close_idle(self) -> None:
        """Close the ports that have not been used for `IDLE_S`, and forget lost processes."""
        now = time.monotonic()
        for device_id, process in list(self._processes.items()):
            is_idle = now - process.used_at > IDLE_S and not self._is_in_use(process.device)
            if process.is_lost or (is_idle and process.device.kind != "virtual"):
                await process.close()
                if self._processes.get(device_id) is process:  # it may have been replaced during the close
                    del self._processes[device_id]

    def must_be_watched(self) -> bool:
        """Return whether the list of ports is needed: a port is open, or its notes must be ended when it comes back."""
        return bool(self._unsent_silencing or self._processes)

    def _process_lost(self, process: PortProcess) -> None:
        if process.unsent_silencing:
            self._unsent_silencing[process.device.id] = process.device, process.unsent_silencing
        self._on_lost(process)

    def _check_ports(self) -> None:
        """Give up processes whose port has disappeared, and end old notes on ports that have come back.

        Sending to a port that has disappeared raises no error, so this is called when the list of ports changes.
        """
        for process in self.running():
            if process.sound == JACK_SOUND and "jack" not in self.devices.systems():
                process.give_up("The JACK server that carried the sound of the synth died")
            elif not self.devices.is_present(process.device):
                gone = f"The port {process.device.name!r} is gone (unplugged, closed, or its server died)"
                process.give_up(gone, is_port_gone=True)
            elif process.jack_server != self.devices.jack_server and process.jack_server is not None:
                process.give_up("The JACK server died, and another one runs now", is_port_gone=True)
        for device, _ in self._unsent_silencing.values():
            if self.devices.is_present(device):
                self._start(self._end_old_notes(device))

    async def _end_old_notes(self, device: Device) -> None:
        """End the notes that were sounding when the port disappeared. Try again if the MIDI system is too busy."""
        for _ in range(_SILENCING_TRIES):
            async with self._lock_of(device):
                if device.id not in self._unsent_silencing:
                    return
                if await end_notes(device.spec, self._unsent_silencing[device.id][1]):
                    self._unsent_silencing.pop(device.id, None)
                    return
            await asyncio.sleep(_SILENCING_RETRY_S)
            if not self.devices.is_present(device):
                return  # when it comes back, this is called again

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
