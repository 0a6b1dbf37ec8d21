"""Starts, controls, stops and reports sessions, and plays the edits of looped songs."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from consort_kit import logs
from consort_kit.errors import ConsortError, InvalidInput, ServiceDown
from consort_kit.ids import new_id
from consort_music.errors import MusicError, in_field
from consort_music.performance.compiled_music import CompiledMusic
from consort_music.performance.mute_solo import resolve_mute_solo, transfer_mute_solo
from consort_playback.music.immediate_messages import compile_messages
from consort_playback.music.start_and_loop import LoopRange, make_loop, play_command
from consort_playback.playbacks.control_commands import control_commands, wanted_loop, wanted_mute_solo
from consort_playback.playbacks.fetch_music import MusicFetcher
from consort_playback.playbacks.models import (
    ControlPlayback,
    DeviceInfo,
    DeviceList,
    GetPlayback,
    Playback,
    PlaybackMidi,
    Playbacks,
    PlaybackState,
    SendMidi,
    Sent,
    Started,
    Stopped,
    StopPlayback,
)
from consort_playback.playbacks.session import Edition, PlaybackSession
from consort_playback.playbacks.session_registry import SessionRegistry
from consort_playback.ports.port_pool import PortPool
from consort_playback.ports.port_process import PortProcess
from consort_playback.protocol.commands import (
    SILENT_PREFIX,
    ControlCommand,
    Panic,
    Play,
    ReplaceMusic,
    ReportSessions,
    SessionReport,
    Stop,
)
from consort_playback.protocol.event_arrays import pack_music
from consort_playback.settings import PlaybackSettings

TIDY_EVERY_S = 0.5
FETCH_EDITS_EVERY_S = 0.3
EDITION_TRIES = 5
"""How often control commands are computed if the port process starts another edition of the song in the meantime."""


class PlaybackService:
    def __init__(self, settings: PlaybackSettings, fetcher: MusicFetcher, ports: PortPool) -> None:
        self._fetcher = fetcher
        self._ports = ports
        self._sessions = SessionRegistry(settings.data / "run" / "playbacks.json")
        self._background: set[asyncio.Task[None]] = set()
        ports.connect(self._finished, self._lost, lambda device: bool(self._sessions.on_device(device)))

    def start(self) -> None:
        self._start_task(self._tidy_up())

    async def aclose(self) -> None:
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await self._ports.aclose()
        self._sessions.close()

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    # devices

    async def list_devices(self) -> DeviceList:
        devices = self._ports.devices
        present = await devices.refresh()
        default, no_default = None, None
        try:
            default = devices.default(present)[0].id
        except ConsortError as error:
            no_default = str(error)
        problems = (devices.problem, self._no_midi_system(), devices.synth_problem(), no_default)
        warnings = [text for text in problems if text]
        return DeviceList(
            outputs=[
                DeviceInfo(
                    id=each.id,
                    name=each.name,
                    kind=each.kind,
                    in_use=len(self._sessions.on_device(each)),
                    is_default=True if each.id == default else None,
                )
                for each in present
            ],
            warnings=warnings or None,
        )

    def _no_midi_system(self) -> str | None:
        if self._ports.devices.systems():
            return None
        return (
            "No MIDI system is running, so no device is listed. On Linux, start a JACK server, or give access to "
            "/dev/snd (ALSA)."
        )

    # playing

    async def play(self, request: PlaybackMidi) -> Started:
        with in_field(request.source):
            source = await self._fetcher.fetch(request)
            device, reason = await self._ports.devices.choose(request.port_name)
            music = await self._fetcher.compile(source.content, request.transpose, device.spec.longest_message)
        wants_loop = request.loop or request.loop_start is not None or request.loop_end is not None
        loop = LoopRange(request.loop_start, request.loop_end) if wants_loop else None
        first_track = int(source.hides_title and music.has_title_track)
        mute_solo = resolve_mute_solo(music, request.mute or [], request.solo or [], first_track)
        playback_id = new_id("play")
        command = play_command(
            playback_id,
            music,
            start_ms=request.start_at_ms,
            count_in_bars=request.count_in_bars,
            loop_range=loop,
            tempo_scale=request.tempo_scale,
            muted=mute_solo.silent,
        )
        port = await self._ports.process_for(device)
        session = PlaybackSession(playback_id, source.title, source.source, music, port, mute_solo)
        session.tempo_scale, session.loop, session.transpose = request.tempo_scale, loop, request.transpose
        session.song_id, session.song_version = request.song_id, source.version
        await self._begin(session, command)
        if session.song_id is not None:
            self._start_task(self._play_edits(session))
        return Started(
            playback_id=session.id,
            title=session.title,
            edits=session.edits,
            port=device.name,
            port_reason=reason,
            duration_est_ms=int(music.end / 1_000_000 / request.tempo_scale),
            tracks=music.track_names[first_track:][:100],
            sound=port.sound or None,
            warnings=[*music.warnings, *_silence_warnings(port.sound)] or None,
        )

    async def send(self, request: SendMidi) -> Sent:
        music = compile_messages(
            request.channel - 1,
            request.instrument,
            request.controllers or {},
            request.pitch_bend,
            request.notes,
            request.velocity,
        )
        device, reason = await self._ports.devices.choose(request.port_name)
        port = await self._ports.process_for(device)
        mute_solo = resolve_mute_solo(music, [], [])
        session = PlaybackSession(new_id("play"), "send_midi", "send_midi", music, port, mute_solo, is_immediate=True)
        await self._begin(session, play_command(session.id, music))
        return Sent(port=device.name, port_reason=reason, messages=music.count, sound=port.sound or None)

    async def _begin(self, session: PlaybackSession, command: Play) -> None:
        self._sessions.add(session)
        logs.add_ids(playback_id=session.id)
        self._ports.devices.is_watched = True
        try:
            await session.port.send(command)
        except BaseException:
            session.end("failed", "It could not be started.")
            session.port.drop(session.id)
            raise
        self._sessions.save()

    # controlling

    async def control(self, request: ControlPlayback) -> Playback:
        logs.add_ids(playback_id=request.playback_id)
        session = self._sessions.find(request.playback_id)
        if isinstance(session, Playback) or not session.is_active:
            raise _not_playing(session.state)
        if session.song_id is not None:
            await self._ask(session.port, ReportSessions())  # the port process may have started the next edition
        for _ in range(EDITION_TRIES):
            if await self._send_all(session, control_commands(session, request)):
                break
            await self._ask(session.port, ReportSessions())
        if request.changes_loop or request.changes_tracks:
            # the next edition has the previous loop and muted tracks, so fetch and compile the song again
            session.song_version, session.next_edition = None, None
        session.tempo_scale = request.tempo_scale or session.tempo_scale
        session.loop = wanted_loop(session, request)
        session.mute_solo = wanted_mute_solo(session, request)
        if request.action == "restart":
            await self._restart(session)
        await self._ask(session.port, ReportSessions())
        return session.describe()

    async def _restart(self, session: PlaybackSession) -> None:
        """Play from the start again. For a song, play its current version."""
        music, mute_solo, version = session.music, session.mute_solo, session.song_version
        if session.song_id is not None:
            newest = await self._fetcher.fetch_newer(session.song_id, None)
            assert newest is not None
            version = newest.version
            with in_field("playback_id"):
                music = await self._compile_for(session, newest.content)
            mute_solo = transfer_mute_solo(mute_solo, session.music, music)
        command = play_command(
            session.id, music, loop_range=session.loop, tempo_scale=session.tempo_scale, muted=mute_solo.silent
        )
        await session.port.send(Stop(session.id))
        session.begin_again(music, mute_solo, version)
        await session.port.send(command)

    async def _send_all(self, session: PlaybackSession, commands: list[ControlCommand]) -> bool:
        """Send the commands in order. Return False if one is stale, because another edition is playing."""
        for command in commands:
            answer = await session.port.send(command)
            if answer.is_stale and session.is_active:
                return False
        return True

    async def stop(self, request: StopPlayback) -> Stopped:
        if request.all:
            return await self._stop_all()
        session = (
            self._sessions.only_active() if request.playback_id is None else self._sessions.find(request.playback_id)
        )
        if session is None or isinstance(session, Playback) or not session.is_active:
            return Stopped(stopped=[], titles=[])
        logs.add_ids(playback_id=session.id)
        session.end("stopped")
        await self._ask(session.port, Stop(session.id))
        return Stopped(stopped=[session.id], titles=[session.title])

    async def _stop_all(self) -> Stopped:
        active = self._sessions.active()
        for session in active:
            session.end("stopped")
        await asyncio.gather(*(self._ask(port, Panic()) for port in self._ports.running()), return_exceptions=True)
        named = [session for session in active if not session.is_immediate]
        return Stopped(stopped=[session.id for session in named], titles=[session.title for session in named])

    async def report(self, request: GetPlayback) -> Playbacks:
        one = None if request.playback_id is None else self._sessions.find(request.playback_id)
        if isinstance(one, Playback):
            return Playbacks(playbacks=[one])
        sessions = self._sessions.listed() if one is None else [one]
        ports = {each.port for each in sessions if each.is_active and not each.port.is_lost}
        await asyncio.gather(*(self._ask(port, ReportSessions()) for port in ports))
        newest_first = [each.describe(with_timing=request.include_timing) for each in reversed(sessions)]
        if one is None:
            newest_first += self._sessions.lost()
        problem = self._ports.devices.problem
        return Playbacks(playbacks=newest_first, warnings=[problem] if problem else None)

    async def _ask(self, port: PortProcess, command: ReportSessions | Stop | Panic) -> None:
        """Send a command and record the reports in its answer. Ignore a lost process: its notes are ended anyway."""
        with suppress(ServiceDown):
            answer = await port.send(command)
            for session_id, report in answer.sessions.items():
                if session := self._sessions.get(session_id):
                    session.record_report(report)

    # in the background

    async def _play_edits(self, session: PlaybackSession) -> None:
        """As long as the session is active, fetch its song after each edit. The next round of the loop plays it."""
        assert session.song_id is not None
        while session.is_active:
            await asyncio.sleep(FETCH_EDITS_EVERY_S)
            if session.loop is None:
                continue
            try:
                if newer := await self._fetcher.fetch_newer(session.song_id, session.song_version):
                    session.song_version = newer.version
                    await self._replace_music(session, newer.content)
                    session.reason = None
            except (ConsortError, MusicError) as error:  # the song is deleted or empty, or compose is down
                if session.is_active:
                    session.reason = f"Edits of the song are not heard; the previous version plays on: {error}"

    async def _replace_music(self, session: PlaybackSession, content: bytes) -> None:
        """Send a new edition of the song to the port process, which plays it from the next round of the loop."""
        music = await self._compile_for(session, content)
        loop = make_loop(music, session.loop, session.tempo_scale)
        if not session.is_active or loop is None:
            return
        mute_solo = transfer_mute_solo(session.mute_solo, session.music, music)
        session.last_edition += 1
        edition = Edition(session.last_edition, music, mute_solo)
        command = ReplaceMusic(
            session=session.id,
            next_edition=edition.number,
            count=music.count,
            end=music.end,
            loop=loop,
            muted=mute_solo.silent,
            payload=pack_music(music),
        )
        try:
            answer = await session.port.send(command)
            for report in answer.sessions.values():
                session.record_report(report)  # the port process may have started the edition before this one
        finally:
            session.next_edition = edition

    async def _compile_for(self, session: PlaybackSession, content: bytes) -> CompiledMusic:
        return await self._fetcher.compile(content, session.transpose, session.port.device.spec.longest_message)

    def _finished(self, session_id: str, report: SessionReport) -> None:
        if session := self._sessions.get(session_id):
            session.finish(report)

    def _lost(self, port: PortProcess) -> None:
        for session in self._sessions.active():
            if session.port is port:
                session.end("failed")

    async def _tidy_up(self) -> None:
        while True:
            await asyncio.sleep(TIDY_EVERY_S)
            self._sessions.save()
            self._ports.devices.is_watched = bool(self._sessions.active()) or self._ports.must_be_watched()
            await self._ports.close_idle()


def _not_playing(state: PlaybackState) -> InvalidInput:
    return InvalidInput(
        f"'playback_id' names a playback that has {state}. Start it again with playback_midi.",
        code="NOT_PLAYING",
        field="playback_id",
        suggestions=["playback_midi"],
    )


def _silence_warnings(sound: str) -> list[str]:
    """Return a warning if the synth is silent. `sound` says where its sound goes."""
    if not sound.startswith(SILENT_PREFIX):
        return []
    return ["Nothing is heard, because the synth is silent. midi_to_audio gives a link that plays in any browser."]
