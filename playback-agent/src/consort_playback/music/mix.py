"""Which tracks of a piece are heard."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from consort_music.errors import MusicError, quoted
from consort_playback.music.piece import Piece

_NUMBER = re.compile("[0-9]{1,5}")


@dataclass(frozen=True, slots=True)
class Mix:
    """Tracks that were muted and soloed, and those that are not heard for it: with a solo all others too."""

    mute: list[int]
    solo: list[int]
    silent: list[int]


def mixed(piece: Piece, mute: Sequence[int | str], solo: Sequence[int | str]) -> Mix:
    muted, soloed = _numbers(piece, mute, "mute"), _numbers(piece, solo, "solo")
    silent = set(muted)
    if soloed:
        silent |= set(range(len(piece.track_names))) - set(soloed)
    return Mix(muted, soloed, sorted(silent))


def _numbers(piece: Piece, tracks: Sequence[int | str], field: str) -> list[int]:
    """Of tracks that are told by number or name; a name that several have means all of them."""
    count = len(piece.track_names)
    places: dict[str, list[int]] = {}
    for index, name in enumerate(piece.track_names):
        if name:
            places.setdefault(name.lower(), []).append(index)
    found: set[int] = set()
    for track in tracks:
        same = places.get(track.strip().lower(), []) if isinstance(track, str) else []
        if not same and (number := _NUMBER.fullmatch(str(track))) and int(number[0]) < count:
            same = [int(number[0])]
        if not same:
            numbers = f"0 to {count - 1}"
            raise MusicError(
                "UNKNOWN_TRACK",
                f"There is no track {quoted(str(track))}; tracks are {numbers}, or go by their names.",
                [numbers, *filter(None, piece.track_names[:20])],
                field,
            )
        found.update(same)
    return sorted(found)


def carried_over(mix: Mix, old: Piece, new: Piece) -> Mix:
    """The same for a song that was changed: its tracks go by their names, and one that is gone counts no more."""
    places = {name: index for index, name in reversed(list(enumerate(new.track_names)))}

    def found(tracks: list[int]) -> list[int]:
        return [places[name] for name in (old.track_names[index] for index in tracks) if name in places]

    return mixed(new, found(mix.mute), found(mix.solo))
