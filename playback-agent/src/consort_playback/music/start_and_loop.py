"""Makes the commands for the port process that set where a session starts, what it loops and how fast it plays."""

from dataclasses import dataclass
from fractions import Fraction

from consort_music.errors import MusicError
from consort_music.performance.clicks import count_in
from consort_music.performance.compiled_music import CompiledMusic
from consort_music.performance.device_state import state_at
from consort_music.performance.positions import Position, parse_position
from consort_playback.protocol.commands import JumpTarget, Loop, Play
from consort_playback.protocol.event_arrays import pack_music

MIN_LOOP_NS = 20_000_000
SPEED_UNIT = 1_000_000


@dataclass(frozen=True, slots=True)
class LoopRange:
    """The loop that the user asked for. None means the beginning or the end of the music."""

    start: Position | None = None
    end: Position | None = None


def play_command(
    session: str,
    music: CompiledMusic,
    *,
    start_ms: float | None = None,
    count_in_bars: int = 0,
    loop_range: LoopRange | None = None,
    tempo_scale: float = 1.0,
    muted: list[int] | None = None,
) -> Play:
    """Return the command that starts a session.

    If `start_ms` is None, the session starts at the start of the loop, or at the beginning of the music. Raise
    MusicError if a position, the loop or the count-in is not possible in this music.
    """
    loop = make_loop(music, loop_range, tempo_scale)
    if start_ms is not None:
        position = parse_position(f"{start_ms:.6f} ms", "start_at_ms")
        tick = start_tick(music, position, "start_at_ms", loop_range)
    else:
        tick = music.clock.tick_of(loop_range.start, "loop_start") if loop_range and loop_range.start else 0
    clicks, length = count_in(music.clock, tick, count_in_bars, tempo_scale)
    return Play(
        session=session,
        count=music.count,
        end=music.end,
        start=jump_target(music, tick) if tick else JumpTarget(0, 0, []),
        loop=loop,
        muted=muted or [],
        speed=speed_of(tempo_scale),
        count_in=clicks,
        count_in_length=length,
        payload=pack_music(music),
    )


def speed_of(tempo_scale: float) -> tuple[int, int]:
    """Return a ratio: nanoseconds of music, and the nanoseconds of wall time in which they are played."""
    return int(Fraction(str(tempo_scale)) * SPEED_UNIT), SPEED_UNIT


def jump_target(music: CompiledMusic, tick: int) -> JumpTarget:
    return JumpTarget(music.clock.ns(tick), music.index(tick), state_at(music, tick))


def make_loop(music: CompiledMusic, wanted: LoopRange | None, tempo_scale: float) -> Loop | None:
    """Return the loop for a range, or None if `wanted` is None.

    If the range ends after the music, the loop ends with the music, because a song can become shorter. Raise
    MusicError (INVALID_LOOP) if the music has no length, if the loop does not end after its start, or if it lasts less
    than 20 ms at this tempo.
    """
    if wanted is None:
        return None
    if not music.end_tick:
        raise MusicError(
            "INVALID_LOOP", "There is nothing to loop: the music has no length yet. Add notes.", ["add_notes"], "loop"
        )
    start = 0 if wanted.start is None else music.clock.tick_of(wanted.start, "loop_start")
    end = _loop_end(music, wanted)
    if start >= end:
        is_past_the_end = start >= music.end_tick
        raise MusicError(
            "INVALID_LOOP",
            f"The loop would end at {_describe(music, end)}, which is not after its start at "
            f"{_describe(music, start)}. "
            + ("Give a 'loop_start' before that end." if is_past_the_end else "Give a 'loop_end' after that start."),
            [f"before {_describe(music, end)}" if is_past_the_end else f"after {_describe(music, start)}"],
            "loop_start" if is_past_the_end else "loop_end",
        )
    length = music.clock.ns(end) - music.clock.ns(start)
    if length < MIN_LOOP_NS * Fraction(str(tempo_scale)):
        raise MusicError(
            "INVALID_LOOP",
            "The loop would last less than 20 ms. Give a longer one, or a smaller 'tempo_scale'.",
            [],
            "loop" if wanted.end is None else "loop_end",
        )
    # events exactly at the end of the loop belong to the next round, unless the loop ends with the music
    end_index = music.count if end == music.end_tick else music.index(end)
    return Loop(jump_target(music, start), music.clock.ns(end), end_index)


def _loop_end(music: CompiledMusic, wanted: LoopRange) -> int:
    end = music.end_tick if wanted.end is None else music.clock.tick_of(wanted.end, "loop_end")
    return min(end, music.end_tick)


def start_tick(music: CompiledMusic, position: Position, field: str, loop_range: LoopRange | None = None) -> int:
    """Return the tick of a position to play from.

    Raise MusicError (INVALID_POSITION) if it is not before the end of the music and of the loop. Tick 0 is allowed.
    """
    tick = music.clock.tick_of(position, field)
    if tick > music.end_tick or (tick == music.end_tick and tick):
        raise MusicError(
            "INVALID_POSITION",
            f"'{field}' is at {_describe(music, tick)}, and must be before the end of the piece at "
            f"{_describe(music, music.end_tick)}.",
            ["1:1"] if field != "start_at_ms" else ["0"],
            field,
        )
    if loop_range is not None and tick and tick >= (end := _loop_end(music, loop_range)):
        raise MusicError(
            "INVALID_POSITION",
            f"'{field}' is at {_describe(music, tick)}, and must be before the end of the loop at "
            f"{_describe(music, end)}. Or change 'loop_end', or give loop: false.",
            ["loop: false", "another loop_end"],
            field,
        )
    return tick


def _describe(music: CompiledMusic, tick: int) -> str:
    """Return the position for an error message, such as `4000 ms (bar 3:1)`."""
    bar = music.clock.bar_and_beat(tick)
    return f"{round(music.clock.ns(tick) / 1_000_000)} ms" + (f" (bar {bar})" if bar else "")
