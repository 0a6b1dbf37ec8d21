"""Which tracks of a piece are heard."""

from collections.abc import Sequence
from dataclasses import dataclass

from consort_music.midi.track_names import find_tracks
from consort_playback.music.piece import Piece


@dataclass(frozen=True, slots=True)
class Mix:
    """Tracks that were muted and soloed, and those that are not heard for it: with a solo all others too."""

    mute: list[int]
    solo: list[int]
    silent: list[int]


def mixed(piece: Piece, mute: Sequence[int | str], solo: Sequence[int | str]) -> Mix:
    muted, soloed = (
        find_tracks(piece.track_names, wanted, field) for wanted, field in ((mute, "mute"), (solo, "solo"))
    )
    silent = set(muted)
    if soloed:
        silent |= set(range(len(piece.track_names))) - set(soloed)
    return Mix(muted, soloed, sorted(silent))


def carried_over(mix: Mix, old: Piece, new: Piece) -> Mix:
    """The same for a song that was changed: its tracks go by their names, and one that is gone counts no more."""
    places = {name: index for index, name in reversed(list(enumerate(new.track_names)))}

    def found(tracks: list[int]) -> list[int]:
        return [places[name] for name in (old.track_names[index] for index in tracks) if name in places]

    return mixed(new, found(mix.mute), found(mix.solo))
