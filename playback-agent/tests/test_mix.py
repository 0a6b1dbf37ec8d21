"""Muted and soloed tracks while the song they belong to is changed."""

import io

import mido
import pytest

from consort_music.errors import MusicError
from consort_playback.music.mix import Mix, carried_over, mixed
from consort_playback.music.piece import Piece, compile_midi


def song(*names: str) -> Piece:
    tracks = [mido.MidiTrack([mido.MetaMessage("track_name", name=name)]) for name in names]
    out = io.BytesIO()
    mido.MidiFile(tracks=tracks).save(file=out)
    return compile_midi(out.getvalue(), 10**6)


OLD = song("song", "lead", "bass")


@pytest.mark.parametrize(
    ("mute", "solo", "names", "wanted"),
    [
        ([], [1], ("song", "lead", "bass", "drums"), Mix([], [1], [0, 2, 3])),
        ([2], [], ("song", "bass", "lead"), Mix([1], [], [1])),
        ([2], [], ("song", "lead"), Mix([], [], [])),
        ([], [2], ("song", "bass"), Mix([], [1], [0])),
        ([], [2], ("song", "lead"), Mix([], [], [])),
    ],
    ids=["a new track is no part of the solo", "tracks moved", "muted one is gone", "moved solo", "solo is gone"],
)
def test_it_goes_by_names(mute: list[int], solo: list[int], names: tuple[str, ...], wanted: Mix) -> None:
    assert carried_over(mixed(OLD, mute, solo), OLD, song(*names)) == wanted


def test_tracks_are_told_by_number_or_name() -> None:
    piece = song("", "Piano", "piano", "12", "Bass")
    assert mixed(piece, ["PIANO", 4], []).silent == [1, 2, 4]
    assert mixed(piece, [], ["bass "]).silent == [0, 1, 2, 3]
    assert mixed(piece, ["12", "0"], []).mute == [0, 3], "a name that is a number is a name first"
    for unknown in ("", "violin", "9", 9, -1, 12, "\u0661"):
        with pytest.raises(MusicError) as refused:
            mixed(piece, [], [unknown])
        assert (refused.value.code, refused.value.field) == ("UNKNOWN_TRACK", "solo")
        assert refused.value.suggestions[:2] == ["0 to 4", "Piano"]
