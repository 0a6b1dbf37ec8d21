"""The sessions of the agent: starting, controlling and ending them, and what happens when a port or player is lost."""

import asyncio
import time
from contextlib import suppress
from typing import Any

from consort_kit import logs
from consort_kit.errors import ConsortError, InvalidInput, ServiceDown
from consort_kit.ids import new_id
from consort_music.errors import MusicError, in_field
from consort_playback.music import arrangement
from consort_playback.music.arrangement import LoopRange
from consort_playback.music.gesture import gesture
from consort_playback.music.mix import carried_over, mixed
from consort_playback.player.synth import JACK_SOUND, SILENT_SOUND
from consort_playback.playing import changes
from consort_playback.playing.changes import Command
from consort_playback.playing.fetching import Fetcher
from consort_playback.playing.models import (
    ControlPlayback,
    DeviceInfo,
    DeviceList,
    GetPlayback,
    Playback,
    PlaybackMidi,
    Playbacks,
    SendMidi,
    Sent,
    Started,
    State,
    Stopped,
    StopPlayback,
)
from consort_playback.playing.session import Edition, Session
from consort_playback.playing.sessions import Sessions
from consort_playback.ports.devices import Device, Devices
from consort_playback.ports.player import PortPlayer, silence
from consort_playback.settings import PlaybackSettings

IDLE_S = 10.0
"""A port is kept open so long after its last playback; a virtual one for good, for others are connected to it."""
TIDY_EVERY_S = 0.5
FOLLOW_EVERY_S = 0.3
MOST_EDITIONS = 5
"""Tries to change a song that goes over to another edition under one's hands."""


class PlaybackService:
    def __init__(self, settings: PlaybackSettings, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._devices = Devices(settings, self._ports_changed)
        self._players: dict[str, PortPlayer] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self._sessions = Sessions(journal=settings.data / "run" / "playbacks.json")
        self._owed: dict[str, tuple[Device, list[bytes]]] = {}
        """Ports that went away while notes were sounding on them, and what would end these."""
        self._background: set[asyncio.Task[Any]] = set()

    def start(self) -> None:
        self._do(self._tidy_up())

    async def aclose(self) -> None:
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await asyncio.gather(*(player.close() for player in self._players.values()))
        await self._devices.aclose()
        self._sessions.close()

    def _do(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    # devices

    async def list_devices(self) -> DeviceList:
        devices = await self._devices.fresh()
        default, no_default = None, None
        try:
            default = self._devices.default(devices)[0].id
        except ConsortError as error:
            no_default = str(error)
        problems = (self._devices.problem, self._nothing_runs(), self._devices.synth_problem(), no_default)
        warnings = [text for text in problems if text]
        return DeviceList(
            outputs=[
                DeviceInfo(
                    id=each.id,
                    name=each.name,
                    kind=each.kind,
                    in_use=len(self._sessions.on(each)),
                    is_default=True if each.id == default else None,
                )
                for each in devices
            ],
            warnings=warnings or None,
        )

    def _nothing_runs(self) -> str | None:
        if self._devices.systems():
            return None
        return (
            "No MIDI system answers, so no device is listed. On Linux start a JACK server, or give access to "
            "/dev/snd (ALSA)."
        )

    # playing

    async def play(self, request: PlaybackMidi) -> Started:
        with in_field(request.source):
            music = await self._fetcher.fetch(request)
            device, reason = await self._devices.choose(request.port_name)
            piece = await self._fetcher.compile(music.content, request.transpose, device.longest_message)
        wants_loop = request.loop or request.loop_start is not None or request.loop_end is not None
        loop = LoopRange(request.loop_start, request.loop_end) if wants_loop else None
        mix = mixed(piece, request.mute or [], request.solo or [])
        opening = arrangement.opening(
            piece,
            start_ms=request.start_at_ms,
            count_in_bars=request.count_in_bars,
            loop_range=loop,
            tempo_scale=request.tempo_scale,
            muted=mix.silent,
        )
        session = Session(new_id("play"), music.title, music.source, piece, await self._player(device), mix)
        session.tempo_scale, session.loop, session.transpose = request.tempo_scale, loop, request.transpose
        session.song_id, session.song_version = request.song_id, music.version
        await self._begin(session, opening)
        if session.song_id is not None:
            self._do(self._follow(session))
        return Started(
            playback_id=session.id,
            title=session.title,
            edits=session.edits,
            port=device.name,
            port_reason=reason,
            duration_est_ms=int(piece.end / 1_000_000 / request.tempo_scale),
            tracks=piece.track_names[:100],
            sound=session.player.sound or None,
            warnings=piece.warnings or None,
        )

    async def send(self, request: SendMidi) -> Sent:
        piece = gesture(
            request.channel - 1,
            request.instrument,
            request.controllers or {},
            request.pitch_bend,
            request.notes,
            request.velocity,
        )
        device, reason = await self._devices.choose(request.port_name)
        player = await self._player(device)
        mix = mixed(piece, [], [])
        session = Session(new_id("play"), "send_midi", "send_midi", piece, player, mix, is_gesture=True)
        await self._begin(session, arrangement.opening(piece))
        return Sent(port=device.name, port_reason=reason, messages=piece.count, sound=session.player.sound or None)

    async def _begin(self, session: Session, opening: dict[str, Any]) -> None:
        self._sessions.add(session)
        logs.note(playback_id=session.id)
        self._devices.is_playing = True
        try:
            await session.player.command("play", session.piece.payload(), session=session.id, **opening)
        except BaseException:
            session.end("failed", "It could not be started.")
            session.player.drop(session.id)
            raise
        self._sessions.keep()

    def _only_one(self, device: Device) -> asyncio.Lock:
        """Held by who opens a port: what ends old notes must not cut off new ones."""
        return self._opening.setdefault(device.id, asyncio.Lock())

    async def _player(self, device: Device) -> PortPlayer:
        async with self._only_one(device):
            player = self._players.get(device.id)
            if player is not None and not player.is_lost and not self._could_be_heard_now(player):
                return player
            if player is not None:
                await player.close()
            player = PortPlayer(device, self._finished, self._lost)
            await player.open(self._owed[device.id][1] if device.id in self._owed else [])
            self._owed.pop(device.id, None)
            player.systems = self._devices.systems()
            self._players[device.id] = player
            return player

    def _could_be_heard_now(self, player: PortPlayer) -> bool:
        """Whether a synth found no sound device, but a server came since that may be one."""
        is_silent = player.device.kind == "synth" and player.sound == SILENT_SOUND
        return is_silent and player.systems != self._devices.systems() and not self._sessions.on(player.device)

    # controlling

    async def control(self, request: ControlPlayback) -> Playback:
        logs.note(playback_id=request.playback_id)
        session = self._sessions.find(request.playback_id)
        if isinstance(session, Playback) or not session.is_active:
            raise _not_playing(session.state)
        if session.song_id is not None:
            await self._ask(session.player)  # what plays by now may be the song as it was changed to
        for _ in range(MOST_EDITIONS):
            if await self._obeyed(session, changes.commands(session, request)):
                break
            await self._ask(session.player)
        if request.changes_rounds:
            session.song_version, session.coming = None, None  # what was to come had another loop, or other tracks
        session.tempo_scale = request.tempo_scale or session.tempo_scale
        session.loop = changes.wanted_loop(session, request)
        session.mix = changes.wanted_mix(session, request)
        if request.action == "restart":
            await self._restart(session)
        await self._ask(session.player)
        return session.told()

    async def _restart(self, session: Session) -> None:
        """Play it from the start again, a song as it is now."""
        piece, mix, version = session.piece, session.mix, session.song_version
        if session.song_id is not None:
            newest = await self._fetcher.newer(session.song_id, None)
            assert newest is not None
            version = newest.version
            longest = session.player.device.longest_message
            with in_field("playback_id"):
                piece = await self._fetcher.compile(newest.content, session.transpose, longest)
            mix = carried_over(mix, session.piece, piece)
        opening = arrangement.opening(piece, loop_range=session.loop, tempo_scale=session.tempo_scale, muted=mix.silent)
        await session.player.command("stop", session=session.id)
        session.begin_again(piece, mix, version)
        await session.player.command("play", piece.payload(), session=session.id, **opening)

    async def _obeyed(self, session: Session, commands: list[Command]) -> bool:
        """False if the song went over to another edition meanwhile, so that its places are others."""
        edition = session.edition
        for command, told in commands:
            answer = await session.player.command(command, session=session.id, edition=edition, **told)
            if answer.get("is_stale") and session.is_active:
                return False
        return True

    async def stop(self, request: StopPlayback) -> Stopped:
        if request.all:
            return await self._stop_all()
        session = self._sessions.only() if request.playback_id is None else self._sessions.find(request.playback_id)
        if session is None or isinstance(session, Playback) or not session.is_active:
            return Stopped(stopped=[], titles=[])
        logs.note(playback_id=session.id)
        session.end("stopped")
        await self._ask(session.player, "stop", session=session.id)
        return Stopped(stopped=[session.id], titles=[session.title])

    async def _stop_all(self) -> Stopped:
        active = self._sessions.active()
        for session in active:
            session.end("stopped")
        players = [player for player in self._players.values() if not player.is_lost]
        await asyncio.gather(*(self._ask(player, "panic") for player in players), return_exceptions=True)
        music = [session for session in active if not session.is_gesture]
        return Stopped(stopped=[session.id for session in music], titles=[session.title for session in music])

    async def report(self, request: GetPlayback) -> Playbacks:
        one = None if request.playback_id is None else self._sessions.find(request.playback_id)
        if isinstance(one, Playback):
            return Playbacks(playbacks=[one])
        sessions = self._sessions.listed() if one is None else [one]
        players = {each.player for each in sessions if each.is_active and not each.player.is_lost}
        await asyncio.gather(*map(self._ask, players))
        newest_first = [each.told(with_timing=request.include_timing) for each in reversed(sessions)]
        if one is None:
            newest_first += self._sessions.lost_before()
        return Playbacks(playbacks=newest_first, warnings=[self._devices.problem] if self._devices.problem else None)

    async def _ask(self, player: PortPlayer, do: str = "report", **more: Any) -> None:
        """Have a player report, stop or panic, and note where its sessions are; a lost one's notes end all the same."""
        with suppress(ServiceDown):
            answer = await player.command(do, **more)
            for session_id, told in answer["sessions"].items():
                if session := self._sessions.get(session_id):
                    session.heard(told)

    # what happens by itself

    async def _follow(self, session: Session) -> None:
        """Give the player a song anew whenever it was changed, for the next round of its loop."""
        assert session.song_id is not None
        while session.is_active:
            await asyncio.sleep(FOLLOW_EVERY_S)
            if session.loop is None:
                continue
            try:
                if newer := await self._fetcher.newer(session.song_id, session.song_version):
                    session.song_version = newer.version
                    await self._replace(session, newer.content)
                    session.reason = None
            except (ConsortError, MusicError) as error:  # deleted, empty, or compose is down: what plays goes on
                if session.is_active:
                    session.reason = f"Edits of the song are not heard, and it plays as it was: {error}"

    async def _replace(self, session: Session, content: bytes) -> None:
        """Have a song played as it is now from the next round on."""
        piece = await self._fetcher.compile(content, session.transpose, session.player.device.longest_message)
        loop = arrangement.loop(piece, session.loop, session.tempo_scale)
        if not session.is_active or loop is None:
            return
        mix = carried_over(session.mix, session.piece, piece)
        session.last_edition += 1
        coming = Edition(session.last_edition, piece, mix)
        told = {"next_edition": coming.number, "next_loop": loop, "next_muted": mix.silent}
        try:
            answer = await session.player.command(
                "replace", piece.payload(), session=session.id, count=piece.count, end=piece.end, **told
            )
            for where in answer["sessions"].values():
                session.heard(where)  # it may have gone over to what was to come before
        finally:
            session.coming = coming

    def _finished(self, session_id: str, told: dict[str, Any]) -> None:
        if session := self._sessions.get(session_id):
            session.last = told
            session.end("finished")

    def _lost(self, player: PortPlayer) -> None:
        if player.owed:
            self._owed[player.device.id] = player.device, player.owed
        for session in self._sessions.active():
            if session.player is player:
                session.end("failed")

    def _ports_changed(self) -> None:
        """A receiver that vanished raises nothing in the player: it is seen here."""
        for player in self._players.values():
            if player.is_lost:
                continue
            if player.sound == JACK_SOUND and "jack" not in self._devices.systems():
                player.give_up("The JACK server died, by which the synth was heard")
            elif not self._devices.is_there(player.device):
                gone = f"The port {player.device.name!r} is gone (unplugged, closed, or its server died)"
                player.give_up(gone, is_port_gone=True)
            elif player.jack_server != self._devices.jack_server and player.jack_server is not None:
                player.give_up("The JACK server died, and another one runs now", is_port_gone=True)
        for device, _ in self._owed.values():
            if self._devices.is_there(device):
                self._do(self._end_owed(device))

    async def _end_owed(self, device: Device) -> None:
        async with self._only_one(device):
            if device.id in self._owed and await silence(device.spec, self._owed[device.id][1]):
                del self._owed[device.id]

    async def _tidy_up(self) -> None:
        while True:
            await asyncio.sleep(TIDY_EVERY_S)
            self._sessions.keep()
            self._devices.is_playing = bool(self._sessions.active() or self._owed or self._players)
            now = time.monotonic()
            for device_id, player in list(self._players.items()):
                idle = now - player.used_at > IDLE_S and not self._sessions.on(player.device)
                if player.is_lost or (idle and player.device.kind != "virtual"):
                    await player.close()
                    if self._players.get(device_id) is player:  # else another was opened meanwhile
                        del self._players[device_id]


def _not_playing(state: State) -> InvalidInput:
    return InvalidInput(
        f"'playback_id' names a playback that has {state}. Start it again with playback_midi.",
        code="NOT_PLAYING",
        field="playback_id",
        suggestions=["playback_midi"],
    )
