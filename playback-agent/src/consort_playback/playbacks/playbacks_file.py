"""Saves the current playbacks in a file, so that the next agent can report them if this one is killed."""

import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from consort_kit.data_folder import make_private_folder
from consort_playback.playbacks.models import Playback
from consort_playback.playbacks.session import PlaybackSession

_LOST = "The playback agent died and was started again; the notes were ended."
_PLAYBACKS = TypeAdapter(list[Playback])


class PlaybacksFile:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._written: list[str] | None = None

    def read_lost(self) -> dict[str, Playback]:
        """Return the playbacks of the previous agent when it was killed, by id. Empty if it was stopped normally."""
        try:
            found = _PLAYBACKS.validate_json(self._path.read_bytes())
        except (OSError, ValidationError):
            return {}
        return {each.playback_id: each.model_copy(update={"state": "failed", "reason": _LOST}) for each in found}

    def write(self, sessions: Iterable[PlaybackSession]) -> None:
        """Write the active sessions, except those of `send_midi`. Do nothing if the file already has the same ids."""
        playing = [each for each in sessions if not each.is_immediate]
        ids = [each.id for each in playing]
        if ids == self._written:
            return
        text = json.dumps([each.describe().model_dump(mode="json", exclude_none=True) for each in playing])
        new = self._path.with_suffix(".new")
        with suppress(OSError):  # a full disk must not stop the music
            make_private_folder(self._path.parent)
            new.write_text(text)
            new.replace(self._path)
            self._written = ids
