"""One playback, as the agent knows it: what plays where, what was asked for, and what the player said last."""

import time
from dataclasses import dataclass, field
from typing import Any

from consort_playback.music.arrangement import LoopRange
from consort_playback.music.piece import Piece
from consort_playback.playing.models import LatenessInfo, Playback, State
from consort_playback.ports.player import PortPlayer


@dataclass
class Session:
    id: str
    source: str
    piece: Piece
    player: PortPlayer
    tempo_scale: float = 1.0
    loop: LoopRange | None = None
    transpose: int = 0
    mute: list[int] = field(default_factory=list)
    solo: list[int] = field(default_factory=list)
    muted: list[int] = field(default_factory=list)
    song_id: str | None = None
    song_version: str | None = None
    next_piece: Piece | None = None
    """Of a song that was changed: what the player goes on with when the loop begins again."""
    edition: int = 0
    """Of the next piece, or of the one that plays."""
    is_gesture: bool = False
    state: State = "playing"
    reason: str | None = None
    ended_at: float | None = None
    last: dict[str, Any] = field(default_factory=dict)
    """The player's last word: time, loops, lateness."""

    @property
    def is_active(self) -> bool:
        return self.ended_at is None

    def end(self, state: State, reason: str | None = None) -> None:
        if self.is_active:
            self.state, self.reason, self.ended_at = state, reason, time.monotonic()

    def heard(self, told: dict[str, Any]) -> None:
        self.last = told
        if self.next_piece is not None and told["edition"] == self.edition:
            self.piece, self.next_piece = self.next_piece, None
        if self.is_active:
            self.state = told["state"]

    def told(self) -> Playback:
        clock = self.piece.clock
        now = self.last.get("time", 0)
        tick = min(clock.tick(max(0, now)), self.piece.end_tick)
        lateness = self.last.get("lateness")
        return Playback(
            playback_id=self.id,
            state=self.state,
            reason=self.reason,
            source=self.source,
            port=self.player.device.name,
            position_ms=max(0, now) / 1e6,
            position=clock.bar_and_beat(tick),
            tick=tick,
            duration_ms=round(self.piece.end / 1e6, 3),
            loop=self.loop is not None,
            loops=self.last.get("loops", 0),
            tempo_scale=self.tempo_scale,
            muted=self.muted or None,
            lateness_ms=LatenessInfo(**lateness) if lateness else None,
            realtime=self.player.priority,
            sound=self.player.sound or None,
        )
