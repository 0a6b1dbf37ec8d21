"""The notes of tracks met in one run of operations: those that follow each other often need the same ones."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from consort_midi_store.transforms.notes import WholeTrack, make_whole
from consort_music.midi.model import Track
from consort_music.midi.notes import Pairs

if TYPE_CHECKING:
    from consort_midi_store.transforms.column_notes import WholeColumns

MIN_ROWS = 500
"""A shorter track is changed sooner as it is."""


class NoteCache:
    """`use_columns` is for big files: it is worth the time and memory that numpy takes to be imported."""

    def __init__(self, *, use_columns: bool = False) -> None:
        self._known: dict[int, tuple[Track, WholeTrack]] = {}
        self._columns: dict[int, tuple[Track, WholeColumns | None]] = {}
        self._use_columns = use_columns

    def of(self, track: Track) -> WholeTrack:
        known = self._known.get(id(track))
        if known is None:
            known = self._known[id(track)] = track, make_whole(track)
        return known[1]

    def put(self, track: Track, pairs: Pairs) -> None:
        """For an operation that knows the pairs of a track it has made."""
        self._known[id(track)] = track, WholeTrack(track, pairs)

    def columns_of(self, track: Track) -> "WholeColumns | None":
        """The track as columns; None where `of` shall do."""
        if not self._use_columns or len(track) < MIN_ROWS:
            return None
        known = self._columns.get(id(track))
        if known is None:
            from consort_midi_store.transforms.column_notes import WholeColumns

            known = self._columns[id(track)] = track, WholeColumns.of(track)
        return known[1]

    def put_columns(self, whole: "WholeColumns") -> None:
        self._columns[id(whole.events)] = whole.events, whole

    def forget_all_but(self, tracks: Iterable[Track]) -> None:
        kept = {id(track) for track in tracks}
        self._known = {key: known for key, known in self._known.items() if key in kept}
        self._columns = {key: known for key, known in self._columns.items() if key in kept}
