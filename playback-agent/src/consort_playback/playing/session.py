"""One playback, as the agent knows it: what plays where, what was asked for, and what the player said last."""

import time
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from consort_playback.music.arrangement import LoopRange
from consort_playback.music.mix import Mix
from consort_playback.music.piece import Piece
from consort_playback.playing.models import LatenessInfo, Playback, State
from consort_playback.ports.player import PortPlayer


class Edition(NamedTuple):
    """A song as it was changed to."""

    number: int
    piece: Piece
    mix: Mix


@dataclass
class Session:
    id: str
    title: str
    source: str
    piece: Piece
    player: PortPlayer
    mix: Mix
    tempo_scale: float = 1.0
    loop: LoopRange | None = None
    transpose: int = 0
    song_id: str | None = None
    song_version: str | None = None
    edition: int = 0
    """Of the piece; it counts up with each change of a song that is followed."""
    coming: Edition | None = None
    """Of a song that was changed: what the player goes on with when the loop begins again."""
    last_edition: int = 0
    is_gesture: bool = False
    state: State = "playing"
    reason: str | None = None
    """Why it failed, if not for its player; or why the song is not followed."""
    ended_at: float | None = None
    last: dict[str, Any] = field(default_factory=dict)
    """The player's last word: time, loops, lateness."""

    @property
    def is_active(self) -> bool:
        return self.ended_at is None

    def end(self, state: State, reason: str | None = None) -> None:
        if self.is_active:
            self.state, self.reason, self.ended_at = state, reason, time.monotonic()

    def begin_again(self, piece: Piece, mix: Mix, song_version: str | None) -> None:
        """From the start, maybe with other music; also if it came to its end this moment."""
        self.piece, self.mix, self.song_version = piece, mix, song_version
        self.edition, self.coming, self.last = 0, None, {}
        self.state, self.reason, self.ended_at = "playing", None, None

    def heard(self, told: dict[str, Any]) -> None:
        self.last = told
        if self.coming is not None and told["edition"] == self.coming.number:
            (self.edition, self.piece, self.mix), self.coming = self.coming, None
        if self.is_active:
            self.state = told["state"]

    @property
    def edits(self) -> str | None:
        """When an edit of the song will be heard."""
        if self.song_id is None or not self.is_active:
            return None
        if self.loop is None:
            return 'Edits of the song are heard after control_playback with action "restart".'
        when = "The last edit is" if self.coming is not None else "Edits of the song are"
        return f'{when} heard from the next round on, or at once with action "restart".'

    def told(self, *, with_timing: bool = False) -> Playback:
        clock = self.piece.clock
        now = self.last.get("time", 0)
        tick = min(clock.tick(max(0, now)), self.piece.end_tick)
        lateness = self.last.get("lateness") if with_timing else None
        return Playback(
            playback_id=self.id,
            state=self.state,
            reason=self.reason or (self.player.why_lost if self.state == "failed" else None),
            title=self.title,
            edits=self.edits,
            source=self.source,
            port=self.player.device.name,
            position_ms=max(0, now) / 1e6,
            position=clock.bar_and_beat(tick),
            tick=tick,
            duration_ms=round(self.piece.end / 1e6, 3),
            loop=self.loop is not None,
            loops=self.last.get("loops", 0),
            tempo_scale=self.tempo_scale,
            muted=self.mix.silent or None,
            lateness_ms=LatenessInfo(**lateness) if lateness else None,
            realtime=self.player.priority if with_timing else None,
            sound=self.player.sound or None,
        )
