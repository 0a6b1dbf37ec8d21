"""What a call of control_playback comes to: the commands for the player, and what is wanted of the session then."""

from dataclasses import replace
from typing import Any

from consort_playback.music import arrangement
from consort_playback.music.arrangement import LoopRange
from consort_playback.music.mix import Mix, mixed
from consort_playback.playing.models import ControlPlayback
from consort_playback.playing.session import Session

Command = tuple[str, dict[str, Any]]


def commands(session: Session, request: ControlPlayback) -> list[Command]:
    """All that is asked for, checked before any of it is done."""
    piece = session.piece
    found: list[Command] = []
    scale = request.tempo_scale or session.tempo_scale
    loop_range = wanted_loop(session, request)
    loop = arrangement.loop(piece, loop_range, scale)
    if request.action == "pause":
        found.append(("pause", {}))
    if request.mute is not None or request.solo is not None:
        found.append(("mute", {"muted": wanted_mix(session, request).silent}))
    if {request.loop, request.loop_start, request.loop_end} != {None}:
        found.append(("loop", {"loop": loop}))
    if request.tempo_scale is not None:
        found.append(("speed", {"speed": arrangement.speed_of(scale)}))
    if request.seek is not None:
        tick = arrangement.start_tick(piece, request.seek, "seek", loop_range)
        found.append(("seek", {"place": arrangement.place(piece, tick)}))
    if request.action == "resume":
        found.append(("resume", {}))
    return found


def wanted_mix(session: Session, request: ControlPlayback) -> Mix:
    now = session.mix
    return mixed(
        session.piece,
        now.mute if request.mute is None else request.mute,
        now.solo if request.solo is None else request.solo,
    )


def wanted_loop(session: Session, request: ControlPlayback) -> LoopRange | None:
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
