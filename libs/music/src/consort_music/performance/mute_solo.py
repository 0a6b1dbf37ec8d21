"""Works out which tracks are silent, from the muted and the soloed tracks."""

from collections.abc import Sequence
from dataclasses import dataclass

from consort_music.midi.track_names import find_tracks
from consort_music.performance.compiled_music import CompiledMusic


@dataclass(frozen=True, slots=True)
class MuteSolo:
    """The tracks that were muted and soloed, and the tracks that are silent as a result, by index."""

    mute: list[int]
    solo: list[int]
    silent: list[int]
    """The muted tracks; and, if at least one track is soloed, also all tracks that are not soloed."""


def resolve_mute_solo(music: CompiledMusic, mute: Sequence[int | str], solo: Sequence[int | str]) -> MuteSolo:
    """Find tracks by number (from 0) or name. Raise MusicError (UNKNOWN_TRACK) if there is no such track."""
    muted, soloed = (
        find_tracks(music.track_names, wanted, field) for wanted, field in ((mute, "mute"), (solo, "solo"))
    )
    silent = set(muted)
    if soloed:
        silent |= set(range(len(music.track_names))) - set(soloed)
    return MuteSolo(muted, soloed, sorted(silent))


def transfer_mute_solo(before: MuteSolo, old: CompiledMusic, new: CompiledMusic) -> MuteSolo:
    """Apply the mutes and solos `before` of the `old` music to the `new` music, an edited version of the same song.

    Tracks are matched by name. Tracks that were renamed or deleted are dropped.
    """
    places = {name: index for index, name in reversed(list(enumerate(new.track_names)))}

    def find(tracks: list[int]) -> list[int]:
        return [places[name] for name in (old.track_names[index] for index in tracks) if name in places]

    return resolve_mute_solo(new, find(before.mute), find(before.solo))
