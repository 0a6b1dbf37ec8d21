"""The playbacks that the agent can tell of: what goes on, what ended last, and what a killed agent was playing."""

from pathlib import Path

from consort_kit.errors import InvalidInput, NotFound
from consort_playback.playing.journal import Journal
from consort_playback.playing.models import Playback
from consort_playback.playing.session import Session
from consort_playback.ports.devices import Device

REMEMBERED = 20
"""Playbacks that ended, and of which get_playback still tells if asked for one."""
LISTED = 5
"""Of these, told among all others: an assistant reads every word."""
MOST_PLAYBACKS = 32
"""At once; more are refused."""


class Sessions:
    def __init__(self, journal: Path) -> None:
        self._all: dict[str, Session] = {}
        self._journal = Journal(journal)
        self._lost_before = self._journal.lost()

    def add(self, session: Session) -> None:
        if len(self.active()) >= MOST_PLAYBACKS:
            raise InvalidInput(
                f"{MOST_PLAYBACKS} playbacks go on already, the most at once. Stop one with stop_playback.",
                code="TOO_MANY_PLAYBACKS",
                suggestions=["stop_playback"],
            )
        self._forget_oldest()
        self._all[session.id] = session

    def get(self, playback_id: str) -> Session | None:
        return self._all.get(playback_id)

    def find(self, playback_id: str) -> Session | Playback:
        """A session, or what is known of one that was lost with an agent before this one."""
        found = self._all.get(playback_id) or self._lost_before.get(playback_id)
        if found is None:
            raise NotFound(
                f"'playback_id' is {playback_id}, and there is no such playback; it may have ended long ago. "
                "get_playback shows what plays.",
                field="playback_id",
                suggestions=[each.id for each in self.active()][:10] or ["get_playback shows what plays"],
            )
        return found

    def only(self) -> Session | None:
        """The one that plays, or None if nothing does; if several do, they are listed in the error."""
        playing = [each for each in self.active() if not each.is_gesture]
        if len(playing) <= 1:
            return playing[0] if playing else None
        listed = ", ".join(f"{each.id} ({each.title}, on {each.player.device.name})" for each in playing[:LISTED])
        more = f" and {len(playing) - LISTED} more" if len(playing) > LISTED else ""
        raise InvalidInput(
            f"{len(playing)} playbacks go on: {listed}{more}. Give the 'playback_id' of one, or all: true.",
            code="SEVERAL_PLAYBACKS",
            field="playback_id",
            suggestions=[*(each.id for each in playing[:LISTED]), "all: true"],
        )

    def active(self) -> list[Session]:
        return [each for each in self._all.values() if each.is_active]

    def on(self, device: Device) -> list[Session]:
        return [each for each in self.active() if each.player.device.id == device.id]

    def listed(self) -> list[Session]:
        sessions = [each for each in self._all.values() if not each.is_gesture]
        ended = sorted(each.ended_at for each in sessions if each.ended_at is not None)
        since = ended[-LISTED] if len(ended) > LISTED else 0.0
        return [each for each in sessions if each.ended_at is None or each.ended_at >= since]

    def lost_before(self) -> list[Playback]:
        """What an agent before this one was playing when it was killed."""
        return list(self._lost_before.values())[:LISTED]

    def keep(self) -> None:
        """For an agent after this one, if this one is killed."""
        self._journal.note(self.active())

    def close(self) -> None:
        """The agent ends in order: nothing is lost."""
        self._journal.note([])

    def _forget_oldest(self) -> None:
        """Of what ended: gestures at once, for nobody knows their ids, and all but the last that ended."""
        for each in [each for each in self._all.values() if each.is_gesture and not each.is_active]:
            del self._all[each.id]
        ended = {each.id: each.ended_at for each in self._all.values() if each.ended_at is not None}
        for session_id in sorted(ended, key=ended.__getitem__)[:-REMEMBERED]:
            del self._all[session_id]
