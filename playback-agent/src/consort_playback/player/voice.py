"""One session in the player: its events, where it is, and how wall time follows from the time of the music.

Times of music are nanoseconds from the first tick. Wall time is `anchor_wall + (time - anchor_time) / speed` in whole
numbers; every jump and every change of speed sets a new anchor at an exact place, so that nothing drifts.
"""

from array import array
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from consort_playback.player.held import KEYS
from consort_playback.player.lateness import Lateness

State = Literal["counting_in", "playing", "paused"]
NEVER = 1 << 62


class Jump(NamedTuple):
    """A place to go on from: its time, the event that comes next, and what the device must be set to there."""

    time: int
    event: int
    chase: list[tuple[str, bytes]]

    @classmethod
    def of(cls, told: dict[str, Any]) -> "Jump":
        return cls(told["time"], told["event"], [(key, bytes.fromhex(text)) for key, text in told["chase"]])


class Events:
    """The compiled music, as it came over the wire; nothing is copied."""

    def __init__(self, head: dict[str, Any], payload: bytes | bytearray) -> None:
        count, view = head["count"], memoryview(payload)
        times, offsets, tracks = 8 * count, 4 * (count + 1), 2 * count
        self.count: int = count
        self.end: int = head["end"]
        self.times: Sequence[int] = view[:times].cast("q")
        self.offsets: Sequence[int] = view[times : times + offsets].cast("I")
        self.tracks: Sequence[int] = view[times + offsets : times + offsets + tracks].cast("H")
        self.messages = view[times + offsets + tracks :]

    @staticmethod
    def pack(times: "array[int]", offsets: "array[int]", tracks: "array[int]", messages: bytes) -> bytes:
        return times.tobytes() + offsets.tobytes() + tracks.tobytes() + messages


class Loop(NamedTuple):
    start: Jump
    end_time: int
    end_index: int

    @classmethod
    def of(cls, told: dict[str, Any] | None) -> "Loop | None":
        return None if told is None else cls(Jump.of(told["start"]), told["end_time"], told["end_index"])


class NextMusic(NamedTuple):
    edition: int
    events: Events
    loop: Loop
    muted: set[int]


class Voice:
    def __init__(self, session: str, head: dict[str, Any], payload: bytes | bytearray) -> None:
        self.session = session
        self.events = Events(head, payload)
        self.loop = Loop.of(head["loop"])
        self.edition = 0
        """Which of the pieces that the agent sent it plays."""
        self.next_music: NextMusic | None = None
        """What to go on with when the loop begins again."""
        self.muted: set[int] = set(head["muted"])
        self.is_filtered = bool(self.muted)
        """Whether notes were ever left out, so that note-offs may come without their note-ons."""
        self.speed: tuple[int, int] = (head["speed"][0], head["speed"][1])
        """So many nanoseconds of music in so many of wall time."""
        self.lateness = Lateness()
        self.loops = 0

        self.own = bytearray(KEYS)
        """By `channel << 7 | pitch`: how often this session holds the note."""
        self.by_track: dict[tuple[int, int], int] = {}
        self.channels = 0
        """A bit for each channel on which it sent anything."""
        self.device: dict[str, bytes] = {}
        """What it set programs, controllers and the like to."""

        start = Jump.of(head["start"])
        self.count_in: list[tuple[int, bytes]] = [(time, bytes.fromhex(text)) for time, text in head["count_in"]]
        self.count_in_at = 0
        self.cursor = start.event
        self.chase = start.chase
        self.start_time = start.time
        self.paused_at: int | None = None
        self.anchor_time: int = start.time - head["count_in_length"]
        self.anchor_wall = 0
        self.due = NEVER

    def begin(self, wall: int) -> None:
        self.anchor_wall = wall
        self.plan()

    @property
    def stop_index(self) -> int:
        return self.loop.end_index if self.loop else self.events.count

    @property
    def stop_time(self) -> int:
        return self.loop.end_time if self.loop else self.events.end

    def wall(self, time: int) -> int:
        speed, unit = self.speed
        return self.anchor_wall + (time - self.anchor_time) * unit // speed

    def time_at(self, wall: int) -> int:
        """Where in the music it is at a moment, never past what is due next."""
        if self.paused_at is not None:
            return self.paused_at
        speed, unit = self.speed
        return min(self.anchor_time + max(0, wall - self.anchor_wall) * speed // unit, self.next_time())

    def next_time(self) -> int:
        if self.count_in_at < len(self.count_in):
            return self.count_in[self.count_in_at][0]
        return self.events.times[self.cursor] if self.cursor < self.stop_index else self.stop_time

    def plan(self) -> None:
        """Work out when something is to be done next."""
        self.due = NEVER if self.paused_at is not None else self.wall(self.next_time())

    def state(self, wall: int) -> State:
        if self.paused_at is not None:
            return "paused"
        return "counting_in" if self.count_in and self.time_at(wall) < self.start_time and not self.loops else "playing"

    def set_anchor(self, time: int, wall: int) -> None:
        self.anchor_time, self.anchor_wall = time, wall

    def pause(self, wall: int) -> None:
        if self.paused_at is None:
            self.paused_at = self.time_at(wall)
            self.plan()

    def resume(self, wall: int) -> None:
        if self.paused_at is not None:
            self.set_anchor(self.paused_at, wall)
            self.paused_at = None
            self.plan()

    def set_speed(self, speed: tuple[int, int], wall: int) -> None:
        if self.paused_at is None:
            self.set_anchor(self.time_at(wall), wall)
        self.speed = speed
        self.plan()

    def go_to(self, place: Jump, wall: int) -> None:
        """Go on from another place; `wall` is when."""
        self.count_in, self.count_in_at = [], 0
        self.cursor = place.event
        if self.paused_at is not None:
            self.paused_at = place.time
        self.set_anchor(place.time, wall)
        self.plan()

    def set_loop(self, loop: Loop | None, wall: int) -> None:
        """What was to come at the old loop's end is dropped. Where it is past the new end, the loop begins at once."""
        time = self.time_at(wall)
        self.loop, self.next_music = loop, None
        if loop is not None and time >= loop.end_time:
            self.set_anchor(time, wall)
        self.plan()

    def mute(self, muted: set[int]) -> None:
        self.muted = muted
        self.is_filtered = self.is_filtered or bool(muted)

    def again(self) -> Jump | None:
        """Back to the beginning of the loop, exactly at its end; where that is. None if there is no loop."""
        if self.loop is None:
            return None
        # an end that lay behind already is over now, not long ago: nothing is made up for
        ended = max(self.wall(self.loop.end_time), self.anchor_wall)
        if self.next_music is not None:
            (self.edition, self.events, self.loop, muted), self.next_music = self.next_music, None
            self.mute(muted)
        self.loops += 1
        self.go_to(self.loop.start, ended)
        return self.loop.start
