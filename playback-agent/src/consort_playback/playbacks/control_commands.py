"""Works out a `control_playback` call: the commands to the port process, and the new loop, mute and solo."""

from dataclasses import replace

from consort_music.performance.mute_solo import MuteSolo, change_mute_solo
from consort_playback.music.start_and_loop import LoopRange, jump_target, make_loop, speed_of, start_tick
from consort_playback.playbacks.models import ControlPlayback
from consort_playback.playbacks.session import PlaybackSession
from consort_playback.protocol.commands import ControlCommand, Pause, Resume, Seek, SetLoop, SetMuted, SetSpeed


def control_commands(session: PlaybackSession, request: ControlPlayback) -> list[ControlCommand]:
    """Return the commands for a request, in the order in which they are sent.

    Raise MusicError if any part of the request is invalid, before anything is sent.
    """
    music, target = session.music, (session.id, session.edition)
    commands: list[ControlCommand] = []
    scale = request.tempo_scale or session.tempo_scale
    loop_range = wanted_loop(session, request)
    loop = make_loop(music, loop_range, scale)
    if request.action == "pause":
        commands.append(Pause(*target))
    if request.changes_tracks:
        commands.append(SetMuted(*target, wanted_mute_solo(session, request).silent))
    if request.changes_loop:
        commands.append(SetLoop(*target, loop))
    if request.tempo_scale is not None:
        commands.append(SetSpeed(*target, speed_of(scale)))
    if request.seek is not None:
        tick = start_tick(music, request.seek, "seek", loop_range)
        commands.append(Seek(*target, jump_target(music, tick)))
    if request.action == "resume":
        commands.append(Resume(*target))
    return commands


def wanted_mute_solo(session: PlaybackSession, request: ControlPlayback) -> MuteSolo:
    """Return mute and solo after the request. A field that is not given stays as it was."""
    return change_mute_solo(session.mute_solo, session.music, request.mute, request.solo)


def wanted_loop(session: PlaybackSession, request: ControlPlayback) -> LoopRange | None:
    """Return the loop after the request, or None for no loop. A start or end that is not given stays as it was."""
    if request.loop is False:
        return None
    loop = session.loop
    if request.loop or request.loop_start is not None or request.loop_end is not None:
        loop = loop or LoopRange()
        if request.loop_start is not None:
            loop = replace(loop, start=request.loop_start)
        if request.loop_end is not None:
            loop = replace(loop, end=request.loop_end)
    return loop
