"""Caches the repaired tracks and their note pairs during one call, because several operations often need the same."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from consort_midi_store.transforms.notes.repair import RepairedTrack, repair_track
from consort_music.midi.model import Track
from consort_music.midi.notes import Pairs

if TYPE_CHECKING:
    from consort_midi_store.transforms.large_files.note_columns import RepairedColumns

MIN_ROWS = 500
"""A track with fewer events is changed faster without columns."""


class NoteCache:
    """Repaired tracks by the identity of the track object.

    `use_columns` is True for large files only: for small files, importing numpy would cost too much time and memory.
    """

    def __init__(self, *, use_columns: bool = False) -> None:
        self._known: dict[int, tuple[Track, RepairedTrack]] = {}
        self._columns: dict[int, tuple[Track, RepairedColumns | None]] = {}
        self._use_columns = use_columns

    def repaired(self, track: Track) -> RepairedTrack:
        known = self._known.get(id(track))
        if known is None:
            known = self._known[id(track)] = track, repair_track(track)
        return known[1]

    def put(self, track: Track, pairs: Pairs) -> None:
        """Add a track that an operation has made, with its note pairs, so that they are not computed again."""
        self._known[id(track)] = track, RepairedTrack(track, pairs)

    def columns(self, track: Track) -> "RepairedColumns | None":
        """Return the repaired track as columns, or None if the caller must use `repaired` instead."""
        if not self._use_columns or len(track) < MIN_ROWS:
            return None
        known = self._columns.get(id(track))
        if known is None:
            from consort_midi_store.transforms.large_files.note_columns import RepairedColumns

            known = self._columns[id(track)] = track, RepairedColumns.of(track)
        return known[1]

    def put_columns(self, repaired: "RepairedColumns") -> None:
        self._columns[id(repaired.events)] = repaired.events, repaired

    def keep_only(self, tracks: Iterable[Track]) -> None:
        """Forget all other tracks, to free their memory."""
        kept = {id(track) for track in tracks}
        self._known = {key: known for key, known in self._known.items() if key in kept}
        self._columns = {key: known for key, known in self._columns.items() if key in kept}
