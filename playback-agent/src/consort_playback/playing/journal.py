"""What plays, kept in a file: an agent that was killed is followed by one that can tell of it."""

import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from consort_playback.playing.models import Playback
from consort_playback.playing.session import Session

_LOST = "The playback agent died and was started again; the notes were ended."
_PLAYBACKS = TypeAdapter(list[Playback])


class Journal:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._written: list[str] | None = None

    def lost(self) -> dict[str, Playback]:
        """What the agent before was playing when it was killed, by id; nothing if it ended in order."""
        try:
            found = _PLAYBACKS.validate_json(self._path.read_bytes())
        except (OSError, ValidationError):
            return {}
        return {each.playback_id: each.model_copy(update={"state": "failed", "reason": _LOST}) for each in found}

    def note(self, sessions: Iterable[Session]) -> None:
        """Keep what plays now, if that is not what is kept."""
        playing = [each for each in sessions if not each.is_gesture]
        ids = [each.id for each in playing]
        if ids == self._written:
            return
        text = json.dumps([each.told().model_dump(mode="json", exclude_none=True) for each in playing])
        new = self._path.with_suffix(".new")
        with suppress(OSError):  # a full disk is no reason not to play
            self._path.parent.mkdir(parents=True, exist_ok=True)
            new.write_text(text)
            new.replace(self._path)
            self._written = ids
