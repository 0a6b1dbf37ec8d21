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
    first_track: int = 0
    """The index of the track that users call 0: 1 if there is a title track, which they do not see."""

    @property
    def shown_silent(self) -> list[int]:
        """The numbers that users give for the silent tracks."""
        return [index - self.first_track for index in self.silent]


def resolve_mute_solo(
    music: CompiledMusic, mute: Sequence[int | str], solo: Sequence[int | str], first_track: int = 0
) -> MuteSolo:
    """Find tracks by number (from 0, which is the track `first_track`) or name.

    Raise MusicError (UNKNOWN_TRACK) if there is no such track.
    """
    names = music.track_names[first_track:]
    muted, soloed = (
        [first_track + index for index in find_tracks(names, wanted, field)]
        for wanted, field in ((mute, "mute"), (solo, "solo"))
    )
    return _mute_solo(music, muted, soloed, first_track)


def change_mute_solo(
    before: MuteSolo, music: CompiledMusic, mute: Sequence[int | str] | None, solo: Sequence[int | str] | None
) -> MuteSolo:
    """Return mute and solo after a change. None leaves one of them as it was."""
    wanted = resolve_mute_solo(music, mute or [], solo or [], before.first_track)
    muted = before.mute if mute is None else wanted.mute
    soloed = before.solo if solo is None else wanted.solo
    return _mute_solo(music, muted, soloed, before.first_track)


def _mute_solo(music: CompiledMusic, muted: list[int], soloed: list[int], first_track: int) -> MuteSolo:
    silent = set(muted)
    if soloed:
        silent |= set(range(first_track, len(music.track_names))) - set(soloed)
    return MuteSolo(muted, soloed, sorted(silent), first_track)


def transfer_mute_solo(before: MuteSolo, old: CompiledMusic, new: CompiledMusic) -> MuteSolo:
    """Apply the mutes and solos `before` of the `old` music to the `new` music, an edited version of the same song.

    Tracks are matched by name. Tracks that were renamed or deleted are dropped.
    """
    first = before.first_track
    places = {name: index for index, name in reversed(list(enumerate(new.track_names))) if index >= first}

    def find(tracks: list[int]) -> list[int]:
        return sorted(places[name] for name in (old.track_names[index] for index in tracks) if name in places)

    return _mute_solo(new, find(before.mute), find(before.solo), first)
