"""The sessions that the agent can report: active ones, the last ones that ended, and those of a killed agent."""

from pathlib import Path

from consort_kit.errors import InvalidInput, NotFound
from consort_playback.playbacks.models import Playback
from consort_playback.playbacks.playbacks_file import PlaybacksFile
from consort_playback.playbacks.session import PlaybackSession
from consort_playback.ports.devices import Device

MAX_REMEMBERED = 20
"""How many ended sessions `get_playback` can still report by id."""
MAX_LISTED = 5
"""How many ended sessions `get_playback` lists without an id. It is low to keep the result short for an assistant."""
MAX_PLAYBACKS = 32
"""How many playbacks can be active at the same time, including those of `send_midi`."""


class SessionRegistry:
    def __init__(self, playbacks_file: Path) -> None:
        self._all: dict[str, PlaybackSession] = {}
        self._file = PlaybacksFile(playbacks_file)
        self._lost = self._file.read_lost()

    def add(self, session: PlaybackSession) -> None:
        if len(self.active()) >= MAX_PLAYBACKS:
            raise InvalidInput(
                f"{MAX_PLAYBACKS} playbacks are already playing, which is the maximum. Stop one with stop_playback.",
                code="TOO_MANY_PLAYBACKS",
                suggestions=["stop_playback"],
            )
        self._forget_oldest()
        self._all[session.id] = session

    def get(self, playback_id: str) -> PlaybackSession | None:
        return self._all.get(playback_id)

    def find(self, playback_id: str) -> PlaybackSession | Playback:
        """Return a session, or the saved description of a playback that ended because its agent was killed.

        Raise NotFound if the id is unknown.
        """
        found = self._all.get(playback_id) or self._lost.get(playback_id)
        if found is None:
            raise NotFound(
                f"'playback_id' is {playback_id}, but there is no such playback; it may have ended long ago. "
                "get_playback shows what plays.",
                field="playback_id",
                suggestions=[each.id for each in self.active()][:10] or ["get_playback shows what plays"],
            )
        return found

    def only_active(self) -> PlaybackSession | None:
        """Return the only active session, or None if there is none. Sessions of `send_midi` are not counted.

        Raise InvalidInput (SEVERAL_PLAYBACKS) if there are several; the error lists them.
        """
        playing = [each for each in self.active() if not each.is_immediate]
        if len(playing) <= 1:
            return playing[0] if playing else None
        listed = ", ".join(f"{each.id} ({each.title}, on {each.port.device.name})" for each in playing[:MAX_LISTED])
        more = f" and {len(playing) - MAX_LISTED} more" if len(playing) > MAX_LISTED else ""
        raise InvalidInput(
            f"{len(playing)} playbacks are playing: {listed}{more}. Give the 'playback_id' of one, or all: true.",
            code="SEVERAL_PLAYBACKS",
            field="playback_id",
            suggestions=[*(each.id for each in playing[:MAX_LISTED]), "all: true"],
        )

    def active(self) -> list[PlaybackSession]:
        return [each for each in self._all.values() if each.is_active]

    def on_device(self, device: Device) -> list[PlaybackSession]:
        """Return the active sessions on a device."""
        return [each for each in self.active() if each.port.device.id == device.id]

    def listed(self) -> list[PlaybackSession]:
        """Return the sessions that `get_playback` lists without an id, oldest first."""
        sessions = [each for each in self._all.values() if not each.is_immediate]
        ended = sorted(each.ended_at for each in sessions if each.ended_at is not None)
        since = ended[-MAX_LISTED] if len(ended) > MAX_LISTED else 0.0
        return [each for each in sessions if each.ended_at is None or each.ended_at >= since]

    def lost(self) -> list[Playback]:
        """Return the playbacks of the previous agent when it was killed, at most `MAX_LISTED`."""
        return list(self._lost.values())[:MAX_LISTED]

    def save(self) -> None:
        """Write the active sessions to the file, for the next agent if this one is killed."""
        self._file.write(self.active())

    def close(self) -> None:
        """Write that nothing is playing, because this agent is being stopped normally."""
        self._file.write([])

    def _forget_oldest(self) -> None:
        """Forget all ended sessions of `send_midi`, and all but the last `MAX_REMEMBERED` other ended sessions."""
        for each in [each for each in self._all.values() if each.is_immediate and not each.is_active]:
            del self._all[each.id]
        ended = {each.id: each.ended_at for each in self._all.values() if each.ended_at is not None}
        for session_id in sorted(ended, key=ended.__getitem__)[:-MAX_REMEMBERED]:
            del self._all[session_id]
