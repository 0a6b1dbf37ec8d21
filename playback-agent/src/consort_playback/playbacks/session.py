"""One session: its music, its port, its options, and the last report of the port process."""

import time
from dataclasses import dataclass
from typing import NamedTuple

from consort_music.performance.compiled_music import CompiledMusic
from consort_music.performance.mute_solo import MuteSolo
from consort_playback.music.start_and_loop import LoopRange
from consort_playback.playbacks.models import LatenessInfo, Playback, PlaybackState
from consort_playback.ports.port_process import PortProcess
from consort_playback.protocol.commands import SessionReport


class Edition(NamedTuple):
    """One compiled version of a song, made after an edit."""

    number: int
    music: CompiledMusic
    mute_solo: MuteSolo


@dataclass
class PlaybackSession:
    id: str
    title: str
    source: str
    music: CompiledMusic
    port: PortProcess
    mute_solo: MuteSolo
    tempo_scale: float = 1.0
    loop: LoopRange | None = None
    transpose: int = 0
    song_id: str | None = None
    song_version: str | None = None
    edition: int = 0
    """The number of the edition in `music`; 0 is the song as it was when the session started."""
    next_edition: Edition | None = None
    """The edition that waits in the port process until the loop starts again."""
    last_edition: int = 0
    """The highest edition number used so far."""
    is_immediate: bool = False
    """Whether the session belongs to a `send_midi` call. No tool shows the id of such a session."""
    state: PlaybackState = "playing"
    reason: str | None = None
    """Why it failed, unless its port process was lost; or why edits of the song are not heard."""
    ended_at: float | None = None
    """In seconds of the monotonic clock; None while it is active."""
    last_report: SessionReport | None = None

    @property
    def is_active(self) -> bool:
        return self.ended_at is None

    def end(self, state: PlaybackState, reason: str | None = None) -> None:
        if self.is_active:
            self.state, self.reason, self.ended_at = state, reason, time.monotonic()

    def finish(self, report: SessionReport) -> None:
        """Record that the music was played to its end. `report` is the last one."""
        self.last_report = report
        self.end("finished")

    def begin_again(self, music: CompiledMusic, mute_solo: MuteSolo, song_version: str | None) -> None:
        """Reset the session to the start, with this music. This also works if the session has just ended."""
        self.music, self.mute_solo, self.song_version = music, mute_solo, song_version
        self.edition, self.next_edition, self.last_report = 0, None, None
        self.state, self.reason, self.ended_at = "playing", None, None

    def record_report(self, report: SessionReport) -> None:
        """Record a report of the port process. If it has started the next edition, make that the current one.

        Ignore a report of a finished session: it was made before the end, but read after it.
        """
        if self.state == "finished":
            return
        self.last_report = report
        if self.next_edition is not None and report.edition == self.next_edition.number:
            (self.edition, self.music, self.mute_solo), self.next_edition = self.next_edition, None
        if self.is_active:
            self.state = report.state

    @property
    def edits(self) -> str | None:
        """A text for the user: when edits of the song will be heard. None if this is not a song or has ended."""
        if self.song_id is None or not self.is_active:
            return None
        if self.loop is None:
            return 'Edits of the song are heard after control_playback with action "restart".'
        when = "The last edit is" if self.next_edition is not None else "Edits of the song are"
        return f'{when} heard from the next round on, or at once with action "restart".'

    def describe(self, *, with_timing: bool = False) -> Playback:
        """Return what `get_playback` shows."""
        clock, report = self.music.clock, self.last_report
        time_ns = max(0, report.time) if report else 0
        tick = min(clock.tick(time_ns), self.music.end_tick)
        return Playback(
            playback_id=self.id,
            state=self.state,
            reason=self.reason or (self.port.why_lost if self.state == "failed" else None),
            title=self.title,
            edits=self.edits,
            source=self.source,
            port=self.port.device.name,
            position_ms=time_ns / 1e6,
            position=clock.bar_and_beat(tick),
            tick=tick,
            duration_ms=round(self.music.end / 1e6, 3),
            loop=self.loop is not None,
            loops=report.loops if report else 0,
            tempo_scale=self.tempo_scale,
            muted=self.mute_solo.shown_silent or None,
            lateness_ms=LatenessInfo.of(report.lateness) if report and with_timing else None,
            realtime=self.port.priority if with_timing else None,
            sound=self.port.sound or None,
        )
