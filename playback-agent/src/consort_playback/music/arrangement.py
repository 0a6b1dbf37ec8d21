"""How a session plays a piece: where it begins, what it loops, how it counts in; as the player is told."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from consort_music.errors import MusicError, in_field
from consort_music.metre import DOWNBEAT, OFFBEAT
from consort_playback.music.chase import state_at
from consort_playback.music.piece import Piece

SHORTEST_LOOP_NS = 20_000_000
SPEED_UNIT = 1_000_000
_CLICK_STATUS, _CLICK_VELOCITY, _SOFT_CLICK_VELOCITY = 0x99, 100, 60
_HIGH_CLICK, _LOW_CLICK = 76, 77  # wood blocks of the General MIDI drum kit


@dataclass(frozen=True, slots=True)
class LoopRange:
    """What the user asked for; None is the beginning or the end of the piece."""

    start: str | None = None
    end: str | None = None


def opening(
    piece: Piece,
    *,
    start_ms: float | None = None,
    count_in_bars: int = 0,
    loop_range: LoopRange | None = None,
    tempo_scale: float = 1.0,
    muted: list[int] | None = None,
) -> dict[str, Any]:
    """All that the player is told when a session begins, but for the events themselves. Who names a loop's start wants
    to hear it from there."""
    looped = loop(piece, loop_range, tempo_scale)
    if start_ms is not None:
        tick = start_tick(piece, f"{start_ms:.6f} ms", "start_at_ms", loop_range)
    else:
        tick = piece.clock.tick_of(loop_range.start, "loop_start") if loop_range and loop_range.start else 0
    clicks, length = count_in(piece, tick, count_in_bars, tempo_scale)
    return {
        "count": piece.count,
        "end": piece.end,
        "start": place(piece, tick) if tick else {"time": 0, "event": 0, "chase": []},
        "loop": looped,
        "muted": muted or [],
        "speed": speed_of(tempo_scale),
        "count_in": clicks,
        "count_in_length": length,
    }


def speed_of(tempo_scale: float) -> tuple[int, int]:
    """Nanoseconds of music in so many nanoseconds of wall time."""
    return int(Fraction(str(tempo_scale)) * SPEED_UNIT), SPEED_UNIT


def place(piece: Piece, tick: int) -> dict[str, Any]:
    """A place to go on from, as the player takes it."""
    chase = [(key, message.hex()) for key, message in state_at(piece, tick)]
    return {"time": piece.clock.ns(tick), "event": piece.index(tick), "chase": chase}


def loop(piece: Piece, wanted: LoopRange | None, tempo_scale: float) -> dict[str, Any] | None:
    """A loop as the player takes it. A range past the end is cut there, for a song may become shorter."""
    if wanted is None:
        return None
    if not piece.end_tick:
        raise MusicError(
            "INVALID_LOOP", "There is nothing to loop: the music has no length yet. Add notes.", ["add_notes"], "loop"
        )
    start = 0 if wanted.start is None else piece.clock.tick_of(wanted.start, "loop_start")
    end = _loop_end(piece, wanted)
    if start >= end:
        is_past_the_end = start >= piece.end_tick
        raise MusicError(
            "INVALID_LOOP",
            f"The loop would end at {describe(piece, end)}, which is not after its start at {describe(piece, start)}. "
            + ("Give a 'loop_start' before that end." if is_past_the_end else "Give a 'loop_end' after that start."),
            [f"before {describe(piece, end)}" if is_past_the_end else f"after {describe(piece, start)}"],
            "loop_start" if is_past_the_end else "loop_end",
        )
    length = piece.clock.ns(end) - piece.clock.ns(start)
    if length < SHORTEST_LOOP_NS * Fraction(str(tempo_scale)):
        field = "loop" if wanted.end is None else "loop_end"
        raise MusicError(
            "INVALID_LOOP",
            "The loop would last less than 20 ms. Give a longer one, or a smaller 'tempo_scale'.",
            [],
            field,
        )
    # what is sent exactly at the end belongs to the next round, but a whole piece is played with its last tick
    end_index = piece.count if end == piece.end_tick else piece.index(end)
    return {"start": place(piece, start), "end_time": piece.clock.ns(end), "end_index": end_index}


def _loop_end(piece: Piece, wanted: LoopRange) -> int:
    end = piece.end_tick if wanted.end is None else piece.clock.tick_of(wanted.end, "loop_end")
    return min(end, piece.end_tick)


def start_tick(piece: Piece, position: str, field: str, loop_range: LoopRange | None = None) -> int:
    tick = piece.clock.tick_of(position, field)
    if tick > piece.end_tick or (tick == piece.end_tick and tick):
        raise MusicError(
            "INVALID_POSITION",
            f"'{field}' is at {describe(piece, tick)}, and must be before the end of the piece at "
            f"{describe(piece, piece.end_tick)}.",
            ["1:1"] if field != "start_at_ms" else ["0"],
            field,
        )
    if loop_range is not None and tick and tick >= (end := _loop_end(piece, loop_range)):
        raise MusicError(
            "INVALID_POSITION",
            f"'{field}' is at {describe(piece, tick)}, and must be before the end of the loop at "
            f"{describe(piece, end)}. Or change 'loop_end', or give loop: false.",
            ["loop: false", "another loop_end"],
            field,
        )
    return tick


def describe(piece: Piece, tick: int) -> str:
    bar = piece.clock.bar_and_beat(tick)
    return f"{round(piece.clock.ns(tick) / 1_000_000)} ms" + (f" (bar {bar})" if bar else "")


def count_in(piece: Piece, tick: int, bars: int, tempo_scale: float) -> tuple[list[tuple[int, str]], int]:
    """Clicks with their times, which end at the tick's own, and their whole length."""
    if not bars:
        return [], 0
    with in_field("count_in_bars"):
        clicks, length = piece.clock.clicks_before(tick, bars, Fraction(str(tempo_scale)))
    begin = piece.clock.ns(tick) - length
    events = []
    for time, strength in clicks:
        pitch = _HIGH_CLICK if strength == DOWNBEAT else _LOW_CLICK
        velocity = _SOFT_CLICK_VELOCITY if strength == OFFBEAT else _CLICK_VELOCITY
        events.append((begin + time, bytes((_CLICK_STATUS, pitch, velocity)).hex()))
        events.append((begin + time + length // len(clicks) // 2, bytes((_CLICK_STATUS, pitch, 0)).hex()))
    return events, length
