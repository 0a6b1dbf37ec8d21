"""Muted and soloed tracks, and how they are found again after the song was edited."""

import mido
import pytest

from consort_music.errors import MusicError
from consort_music.midi.reader import read_midi
from consort_music.midi.summary import summarize
from consort_music.performance.compiled_music import CompiledMusic, compile_midi
from consort_music.performance.mute_solo import MuteSolo, change_mute_solo, resolve_mute_solo, transfer_mute_solo
from tests.support.midi_files import midi_bytes


def file_with_tracks(*names: str, charset: str = "latin1") -> bytes:
    return midi_bytes(*([mido.MetaMessage("track_name", name=name)] for name in names), charset=charset)


def song(*names: str) -> CompiledMusic:
    return compile_midi(file_with_tracks(*names), 10**6)


OLD = song("song", "lead", "bass")


@pytest.mark.parametrize(
    ("mute", "solo", "names", "wanted"),
    [
        ([], [1], ("song", "lead", "bass", "drums"), MuteSolo([], [1], [0, 2, 3])),
        ([2], [], ("song", "bass", "lead"), MuteSolo([1], [], [1])),
        ([2], [], ("song", "lead"), MuteSolo([], [], [])),
        ([], [2], ("song", "bass"), MuteSolo([], [1], [0])),
        ([], [2], ("song", "lead"), MuteSolo([], [], [])),
    ],
    ids=["new track", "muted track moved", "muted track deleted", "soloed track moved", "soloed track deleted"],
)
def test_tracks_of_an_edited_song_are_found_by_name(
    mute: list[int], solo: list[int], names: tuple[str, ...], wanted: MuteSolo
) -> None:
    assert transfer_mute_solo(resolve_mute_solo(OLD, mute, solo), OLD, song(*names)) == wanted


def test_a_hidden_title_track_is_not_counted() -> None:
    music = song("Rain", "Lead", "Rain")
    before = resolve_mute_solo(music, ["rain"], [], first_track=1)
    assert (before.mute, before.shown_silent) == ([2], [1])
    assert change_mute_solo(before, music, None, [1]) == MuteSolo([2], [2], [1, 2], 1)
    assert transfer_mute_solo(before, music, song("Rain", "Rain")).mute == [1]
    with pytest.raises(MusicError, match="0 to 1, or a name: Lead, Rain"):
        resolve_mute_solo(music, [2], [], first_track=1)


def test_a_name_selects_every_track_with_that_name() -> None:
    music = song("", "Piano", "piano", "12", "Bass")
    assert resolve_mute_solo(music, ["PIANO", 4], []).silent == [1, 2, 4]
    assert resolve_mute_solo(music, [], ["bass "]).silent == [0, 1, 2, 3]
    with pytest.raises(MusicError) as rejected:
        resolve_mute_solo(music, [], ["violin"])
    assert (rejected.value.code, rejected.value.field) == ("UNKNOWN_TRACK", "solo")


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8"])
def test_a_name_that_get_midi_shows_can_be_muted(encoding: str) -> None:
    content = file_with_tracks("Cello", "Fl\u00f6te", charset=encoding)
    shown = summarize(read_midi(content)).tracks[1].name
    assert shown == "Fl\u00f6te"
    assert resolve_mute_solo(compile_midi(content, 10**6), [shown], []).mute == [1]
