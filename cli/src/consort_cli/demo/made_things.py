"""What `consort demo` has added to a studio: `demo.json` in its data folder."""

import json
from pathlib import Path
from typing import Any

Things = dict[str, list[str]]
"""Ids by the name of their field, such as {"song_id": ["song_4r0c…"]}."""

FIELDS = ("song_id", "midi_file_id", "audio_file_id", "project_name")
"""The fields of answers that name what is kept. Scores expire by themselves."""


def things_in(answer: Any) -> Things:
    found = {name: answer[name] for name in FIELDS if isinstance(answer, dict) and isinstance(answer.get(name), str)}
    return {name: [value] for name, value in found.items()}


class MadeThings:
    """The things of each piece. They are written to the file at each change."""

    def __init__(self, data: Path) -> None:
        self._path = data / "demo.json"
        try:
            self._by_piece: dict[str, Things] = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            self._by_piece = {}

    def pieces(self) -> list[str]:
        return list(self._by_piece)

    def of(self, piece: str) -> Things:
        return self._by_piece.get(piece, {})

    def add(self, piece: str, things: Things) -> None:
        mine = self._by_piece.setdefault(piece, {})
        for name, values in things.items():
            mine[name] = list(dict.fromkeys([*mine.get(name, []), *values]))
        self._save()

    def forget(self, piece: str) -> None:
        self._by_piece.pop(piece, None)
        self._save()

    def _save(self) -> None:
        if not self._by_piece:
            self._path.unlink(missing_ok=True)
            return
        temporary = self._path.with_suffix(".part")
        temporary.write_text(json.dumps(self._by_piece, indent=1, ensure_ascii=False), encoding="utf-8")
        temporary.replace(self._path)
