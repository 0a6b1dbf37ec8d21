"""One session in `play_port`: its events, its position, and when its next event is due.

Music times are in nanoseconds from the first tick, at the written tempo. Wall time is in nanoseconds of the monotonic
clock: `anchor_wall + (time - anchor_time) / speed`, in integer arithmetic. Every jump and every change of speed sets a
new anchor with exact times, so loops do not drift.
"""

from typing import NamedTuple

from consort_playback.child_programs.lateness import Lateness
from consort_playback.protocol.commands import JumpTarget, Loop, Play, SessionReport, SessionState
from consort_playback.protocol.event_arrays import EventArrays
from consort_playback.protocol.midi_messages import NOTE_KEYS

NEVER = 1 << 62
"""A wall time that is never reached."""


class NextMusic(NamedTuple):
    """A later edition of a song, which starts to play when the loop starts again."""

    edition: int
    events: EventArrays
    loop: Loop
    muted: set[int]


class ScheduledSession:
    def __init__(self, command: Play) -> None:
        self.id = command.session
        self.events = EventArrays(command.count, command.end, command.payload)
        self.loop = command.loop
        self.edition = 0
        """The number that the agent gave to the edition that is playing."""
        self.next_music: NextMusic | None = None
        """The music to play when the loop starts again, if it changes."""
        self.muted = set(command.muted)
        self.was_ever_muted = bool(self.muted)
        """Whether tracks were muted at any time. If so, there can be note-offs whose note-ons were not sent."""
        self.speed = command.speed
        """A ratio: nanoseconds of music, and the nanoseconds of wall time in which they are played."""
        self.lateness = Lateness()
        self.loops = 0

        self.held = bytearray(NOTE_KEYS)
        """`held[note_key]` is the number of note-ons of this session that have not ended yet."""
        self.held_by_track: dict[tuple[int, int], int] = {}
        """The same counts, by track and note key."""
        self.used_channels = 0
        """Bit n is set if this session has sent anything on channel n (from 0)."""
        self.device_state: dict[str, bytes] = {}
        """By state key: the last message that this session sent to set this program, controller and so on."""

        self.count_in = command.count_in
        self.count_in_index = 0
        self.next_event = command.start.event
        self.pending_state = command.start.device_state
        """Pairs of state key and message, to be sent before the next event."""
        self.start_time = command.start.time
        self.paused_at: int | None = None
        """The music time at which the session is paused, or None if it is not paused."""
        self.anchor_time = command.start.time - command.count_in_length
        self.anchor_wall = 0
        self.due = NEVER
        """The wall time of the next click, event or end."""

    def begin(self, wall: int) -> None:
        """Start to play at the wall time `wall`."""
        self.anchor_wall = wall
        self.schedule()

    @property
    def end_index(self) -> int:
        return self.loop.end_index if self.loop else self.events.count

    @property
    def end_time(self) -> int:
        return self.loop.end_time if self.loop else self.events.end

    def wall_of(self, time: int) -> int:
        """Return the wall time of the music time `time`."""
        speed, unit = self.speed
        return self.anchor_wall + (time - self.anchor_time) * unit // speed

    def time_at(self, wall: int) -> int:
        """Return the music time at the wall time `wall`, or the time of the next event if that is earlier."""
        if self.paused_at is not None:
            return self.paused_at
        speed, unit = self.speed
        return min(self.anchor_time + max(0, wall - self.anchor_wall) * speed // unit, self.next_time())

    def next_time(self) -> int:
        """Return the music time of the next click or event, or of the end of the loop or music."""
        if self.count_in_index < len(self.count_in):
            return self.count_in[self.count_in_index][0]
        return self.events.times[self.next_event] if self.next_event < self.end_index else self.end_time

    def schedule(self) -> None:
        """Set `due` for the next click, event or end."""
        self.due = NEVER if self.paused_at is not None else self.wall_of(self.next_time())

    def state(self, wall: int) -> SessionState:
        if self.paused_at is not None:
            return "paused"
        return "counting_in" if self.count_in and self.time_at(wall) < self.start_time and not self.loops else "playing"

    def report(self, wall: int) -> SessionReport:
        return SessionReport(self.state(wall), self.time_at(wall), self.loops, self.edition, self.lateness.report())

    def set_anchor(self, time: int, wall: int) -> None:
        self.anchor_time, self.anchor_wall = time, wall

    def pause(self, wall: int) -> None:
        if self.paused_at is None:
            self.paused_at = self.time_at(wall)
            self.schedule()

    def resume(self, wall: int) -> None:
        if self.paused_at is not None:
            self.set_anchor(self.paused_at, wall)
            self.paused_at = None
            self.schedule()

    def set_speed(self, speed: tuple[int, int], wall: int) -> None:
        if self.paused_at is None:
            self.set_anchor(self.time_at(wall), wall)
        self.speed = speed
        self.schedule()

    def jump(self, target: JumpTarget, wall: int) -> None:
        """Continue from `target` at the wall time `wall`; if the session is paused, it stays paused there."""
        self.count_in, self.count_in_index = [], 0
        self.next_event = target.event
        if self.paused_at is not None:
            self.paused_at = target.time
        self.set_anchor(target.time, wall)
        self.schedule()

    def set_loop(self, loop: Loop | None, wall: int) -> None:
        """Set the loop, or remove it if `loop` is None. Discard `next_music`, which was made for the old loop.

        If the position is past the end of the new loop, the loop starts immediately.
        """
        time = self.time_at(wall)
        self.loop, self.next_music = loop, None
        if loop is not None and time >= loop.end_time:
            self.set_anchor(time, wall)
        self.schedule()

    def mute(self, muted: set[int]) -> None:
        self.muted = muted
        self.was_ever_muted = self.was_ever_muted or bool(muted)

    def begin_next_round(self) -> JumpTarget | None:
        """Jump from the end of the loop to its start. Return the start, or None if there is no loop."""
        if self.loop is None:
            return None
        # if the end of the loop had already passed, the round starts now; missed rounds are not played
        ended = max(self.wall_of(self.loop.end_time), self.anchor_wall)
        if self.next_music is not None:
            (self.edition, self.events, self.loop, muted), self.next_music = self.next_music, None
            self.mute(muted)
        self.loops += 1
        self.jump(self.loop.start, ended)
        return self.loop.start
