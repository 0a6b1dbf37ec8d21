"""Which tracks of a piece are heard."""

from dataclasses import dataclass

from consort_music.errors import MusicError
from consort_playback.music.piece import Piece


@dataclass(frozen=True, slots=True)
class Mix:
    """Tracks that were muted and soloed, and those that are not heard for it: with a solo all others too."""

    mute: list[int]
    solo: list[int]
    silent: list[int]


def mixed(piece: Piece, mute: list[int], solo: list[int]) -> Mix:
    count = len(piece.track_names)
    for field, tracks in (("mute", mute), ("solo", solo)):
        for index in tracks:
            if not 0 <= index < count:
                message = f"There is no track {index}; tracks are 0 to {count - 1}."
                raise MusicError("UNKNOWN_TRACK", message, [f"0 to {count - 1}"], field)
    silent = set(mute)
    if solo:
        silent |= set(range(count)) - set(solo)
    return Mix(mute, solo, sorted(silent))


def carried_over(mix: Mix, old: Piece, new: Piece) -> Mix:
    """The same for a song that was changed: its tracks go by their names, and one that is gone counts no more."""
    places = {name: index for index, name in reversed(list(enumerate(new.track_names)))}

    def found(tracks: list[int]) -> list[int]:
        return [places[name] for name in (old.track_names[index] for index in tracks) if name in places]

    return mixed(new, found(mix.mute), found(mix.solo))
