"""Muted and soloed tracks while the song they belong to is changed."""

import io

import mido
import pytest

from consort_music.errors import MusicError
from consort_music.midi.reader import read_midi
from consort_music.midi.summary import summarize
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


def test_a_name_means_every_track_that_has_it() -> None:
    piece = song("", "Piano", "piano", "12", "Bass")
    assert mixed(piece, ["PIANO", 4], []).silent == [1, 2, 4]
    assert mixed(piece, [], ["bass "]).silent == [0, 1, 2, 3]
    with pytest.raises(MusicError) as refused:
        mixed(piece, [], ["violin"])
    assert (refused.value.code, refused.value.field) == ("UNKNOWN_TRACK", "solo")


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8"])
def test_what_get_midi_shows_can_be_muted(encoding: str) -> None:
    tracks = [mido.MidiTrack([mido.MetaMessage("track_name", name=name)]) for name in ("Cello", "Fl\u00f6te")]
    out = io.BytesIO()
    mido.MidiFile(tracks=tracks, charset=encoding).save(file=out)
    shown = summarize(read_midi(out.getvalue())).tracks[1].name
    assert shown == "Fl\u00f6te"
    assert mixed(compile_midi(out.getvalue(), 10**6), [shown], []).mute == [1]
