"""cut: remove a part of the music and close the gap."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from consort_music.errors import MusicError
from consort_music.keys import parse_key
from consort_music.midi.key_signatures import keys_of
from consort_music.midi.model import META, MidiFile
from consort_music.midi.tempo_map import last_tick, tempo_changes
from consort_music.midi.time_signatures import metres_of
from tests.support.transform_inputs import (
    PPQ,
    all_notes,
    end,
    key,
    meter,
    name,
    off,
    on,
    one,
    run,
    settings_at,
    tempo,
    whole_files,
)

BAR = 4 * PPQ


@settings(deadline=None)
@given(whole_files, st.integers(0, 300), st.integers(1, 300))
def test_the_remaining_music_sounds_as_before(file: MidiFile, start: int, length: int) -> None:
    stop, last = start + length, last_tick(file.tracks)
    assume(start < last if start else stop < last)
    result = run(file, {"type": "cut", "start": start / PPQ, "end": stop / PPQ})
    short, counts = one(result), result.reports[0].changed

    def moved(tick: int) -> int:
        return tick if tick <= start else max(start, tick - length)

    kept = [note for note in all_notes(file) if not start <= note.start < stop]
    assert sorted((note[1], note.pitch, note.start, note.end, note.velocity) for note in all_notes(short)) == sorted(
        (note[1], note.pitch, moved(note.start), moved(note.end), note.velocity) for note in kept
    )
    assert counts.get("removed", 0) == len(all_notes(file)) - len(kept)
    assert counts.get("cut", 0) == sum(note.start < start < note.end for note in kept)
    assert last_tick(short.tracks) == moved(last)
    for tick in (stop, stop + 1, stop + 50, last):
        if tick >= stop:
            assert settings_at(short, moved(tick)) == settings_at(file, tick)
    if start:
        assert settings_at(short, start - 1) == settings_at(file, start - 1)


@settings(deadline=None)
@given(whole_files)
def test_a_track_that_ends_before_the_range_stays_the_same(file: MidiFile) -> None:
    early = [on(0, 60), off(5, 60), end(5)]
    tracks = [*file.tracks, early, [on(0, 62), off(2000, 62), end(2000)]]
    result = one(run(MidiFile(1, PPQ, tracks), {"type": "cut", "start": 1000 / PPQ, "end": 1100 / PPQ}))
    assert all(new is old for new, old in zip(result.tracks[:-1], tracks[:-1], strict=True))


def test_settings_made_in_the_cut_apply_from_the_join_on() -> None:
    conductor = [
        *(name("Song"), tempo(0, 500_000), meter(0, 4, 2), key(0, 0)),
        *(tempo(BAR, 400_000), key(BAR, 2), meter(BAR, 3, 2)),
        *(tempo(BAR + 10, 300_000), (BAR + 20, META, b"\x06Verse")),
        *(tempo(BAR + 6 * PPQ, 600_000), end(BAR + 12 * PPQ)),
    ]
    piano = [
        *((0, 0xC0, b"\x05"), (0, 0xB0, b"\x40\x7f"), (0, 0xB0, b"\x07\x40"), on(0, 60), off(PPQ, 60)),
        *((BAR + 5, 0xB0, b"\x40\x00"), (BAR + 5, 0xC0, b"\x06"), (BAR + 6, 0xB0, b"\x07\x40")),
        *(on(BAR + 7 * PPQ, 64), off(BAR + 8 * PPQ, 64), end(BAR + 12 * PPQ)),
    ]
    result = one(run(MidiFile(1, PPQ, [conductor, piano]), {"type": "cut", "first_bar": 2, "last_bar": 3}))
    assert tempo_changes(result.tracks)[0] == [(0, 500_000), (BAR, 600_000)]
    assert [(tick, metre.name) for tick, metre in metres_of(result.tracks)] == [(0, "4/4"), (BAR, "3/4")]
    assert keys_of(result.tracks) == [(0, parse_key("C major")), (BAR, parse_key("D major"))]
    assert not any(data[:1] == b"\x06" for _, status, data in result.tracks[0] if status == META)
    assert list(result.tracks[1]) == [
        *((0, 0xC0, b"\x05"), (0, 0xB0, b"\x40\x7f"), (0, 0xB0, b"\x07\x40"), on(0, 60), off(PPQ, 60)),
        *((BAR, 0xB0, b"\x40\x00"), (BAR, 0xC0, b"\x06")),
        *(on(BAR + PPQ, 64), off(BAR + 2 * PPQ, 64), end(BAR + 6 * PPQ)),
    ]


def test_controllers_that_were_reset_in_the_cut_are_reset_at_the_join() -> None:
    track = [(0, 0xB0, b"\x01\x50"), (BAR, 0xB0, b"\x79\x00"), on(2 * BAR, 60), off(3 * BAR, 60), end(3 * BAR)]
    result = one(run(MidiFile(1, PPQ, [track]), {"type": "cut", "first_bar": 2, "last_bar": 2}))
    assert list(result.tracks[0])[:2] == [(0, 0xB0, b"\x01\x50"), (BAR, 0xB0, b"\x79\x00")]


def test_a_controller_set_again_after_a_reset_in_the_cut_is_set_again_at_the_join() -> None:
    """The pedal is down before and after the cut, but the reset of the modulation would release it."""
    down, wheel = b"\x40\x7f", b"\x01\x50"
    track = [
        *((0, 0xB0, down), (0, 0xB0, wheel), (BAR, 0xB0, b"\x79\x00"), (BAR + 1, 0xB0, down)),
        *(on(2 * BAR, 60), off(3 * BAR, 60), end(3 * BAR)),
    ]
    result = one(run(MidiFile(1, PPQ, [track]), {"type": "cut", "first_bar": 2, "last_bar": 2}))
    assert list(result.tracks[0])[2:4] == [(BAR, 0xB0, b"\x79\x00"), (BAR, 0xB0, down)]


def test_note_offs_at_the_join_come_before_the_next_notes() -> None:
    track = [on(0, 60, 50), off(BAR + 9, 60), on(2 * BAR, 60, 70), off(3 * BAR, 60), end(3 * BAR)]
    result = run(MidiFile(1, PPQ, [track]), {"type": "cut", "first_bar": 2, "last_bar": 2})
    assert [(note.start, note.end, note.velocity) for note in all_notes(one(result))] == [
        (0, BAR, 50),
        (BAR, 2 * BAR, 70),
    ]
    assert result.reports[0].changed == {"cut": 1}


@pytest.mark.parametrize("whole", [{"first_bar": 1}, {"first_bar": 1, "last_bar": 9}, {"start": 0}])
def test_a_cut_that_leaves_nothing_is_rejected(whole: dict[str, int]) -> None:
    with pytest.raises(MusicError, match="Nothing would be left") as error:
        run(MidiFile(1, PPQ, [[on(0, 60), off(BAR, 60), end(BAR)]]), {"type": "cut", **whole})
    assert error.value.code == "EMPTY_RANGE"
