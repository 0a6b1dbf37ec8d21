"""The clicks of a metronome."""

import mido
import pytest

from consort_music.errors import MusicError
from consort_music.midi.model import END_OF_TRACK, META, MidiFile
from consort_music.performance.clicks import metronome
from consort_music.performance.compiled_music import CompiledMusic, compile_file, compile_midi
from tests.support.midi_files import midi_bytes


def clicks(music: CompiledMusic, start: int = 0, end: int | None = None) -> list[tuple[int, str]]:
    """Return the time in milliseconds and the kind of each click."""
    kinds = {(76, 100): "high", (77, 100): "low", (77, 60): "soft"}
    found = metronome(music.clock, start, music.end_tick if end is None else end)
    return [(time // 1_000_000, kinds[message[1], message[2]]) for time, message in found if message[2]]


def test_clicks_follow_changes_of_metre_and_tempo() -> None:
    """A bar of 3/4 at 120, then a bar of 6/8 at 60 quarters a minute, where beats are slow and units have clicks."""
    music = compile_midi(
        midi_bytes(
            [
                mido.MetaMessage("time_signature", numerator=3, denominator=4),
                mido.MetaMessage("time_signature", numerator=6, denominator=8, time=3 * 480),
                mido.MetaMessage("set_tempo", tempo=1_000_000),
                mido.MetaMessage("end_of_track", time=3 * 480),
            ]
        ),
        10**6,
    )
    slow = [(1500, "high"), (2000, "soft"), (2500, "soft"), (3000, "low"), (3500, "soft"), (4000, "soft")]
    assert clicks(music) == [(0, "high"), (500, "low"), (1000, "low"), *slow]
    assert clicks(music, start=480, end=3 * 480 + 1) == [(500, "low"), (1000, "low"), (1500, "high")]


def test_a_short_bar_has_no_clicks_after_its_end() -> None:
    """A time signature in the middle of a bar starts a new bar."""
    change = mido.MetaMessage("time_signature", numerator=2, denominator=4, time=2 * 480 + 240)
    music = compile_midi(midi_bytes([change, mido.MetaMessage("end_of_track", time=2 * 480)]), 10**6)
    assert clicks(music) == [(0, "high"), (500, "low"), (1000, "low"), (1250, "high"), (1750, "low")]


def test_music_without_bars_has_no_metronome() -> None:
    music = compile_file(MidiFile(1, 0xE728, [[(1000, META, END_OF_TRACK)]]), 0, 1000)
    with pytest.raises(MusicError, match="Leave 'metronome' out") as error:
        clicks(music)
    assert (error.value.code, error.value.field) == ("NEEDS_BEATS", "metronome")
