"""trim: keep a part of the music, with the settings made before it."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from consort_music.errors import MusicError
from consort_music.midi.model import END_OF_TRACK, META, MidiFile, Track
from consort_music.midi.tempo_map import last_tick, tempo_changes
from tests.support.transform_inputs import (
    PPQ,
    all_notes,
    end,
    meter,
    off,
    on,
    one,
    run,
    settings_at,
    tempo,
    whole_files,
)


@settings(deadline=None)
@given(whole_files, st.integers(0, 300), st.integers(1, 300))
def test_trim_keeps_the_notes_in_the_range(file: MidiFile, start: int, length: int) -> None:
    stop = start + length
    assume(not start or start < last_tick(file.tracks))
    result = run(file, {"type": "trim", "start": start / PPQ, "end": stop / PPQ})
    counts = result.reports[0].changed
    expected = [
        (note.channel, note.pitch, max(note.start, start) - start, min(note.end, stop) - start, note.velocity)
        for note in all_notes(file)
        if note.start < stop and note.end > start
    ]
    got = [(note.channel, note.pitch, note.start, note.end, note.velocity) for note in all_notes(one(result))]
    assert len(got) == len(expected) - counts.get("duplicates_removed", 0)
    if "duplicates_removed" not in counts and "shortened" not in counts:
        assert sorted(got) == sorted(expected)
    removed = sum(not (note.start < stop and note.end > start) for note in all_notes(file))
    cut = sum(
        note.start < stop and note.end > start and (note.start < start or note.end > stop) for note in all_notes(file)
    )
    assert (counts.get("removed", 0), counts.get("cut", 0)) == (removed, cut)
    assert last_tick(one(result).tracks) <= length


@settings(deadline=None)
@given(whole_files, st.integers(1, 300))
def test_trim_keeps_the_settings_in_force(file: MidiFile, start: int) -> None:
    assume(start < last_tick(file.tracks))
    result = one(run(file, {"type": "trim", "start": start / PPQ}))
    assert settings_at(result, 0) == settings_at(file, start)
    for old, new in zip(file.tracks, result.tracks, strict=True):
        later = [(tick - start, status, data) for tick, status, data in old if tick > start and status >= 0xB0]
        assert [event for event in new if event[0] > 0 and event[1] >= 0xB0 and event[2] != END_OF_TRACK] == [
            event for event in later if event[2] != END_OF_TRACK
        ]
    was = tempo_changes(file.tracks)[0]
    assert tempo_changes(result.tracks)[0][0][1] == [value for tick, value in was if tick <= start][-1]


@settings(deadline=None)
@given(whole_files)
def test_trim_without_a_range_changes_nothing(file: MidiFile) -> None:
    assert one(run(file, {"type": "trim"}, {"type": "trim", "end": 1000})) is file


def test_trim_in_milliseconds_follows_the_tempo() -> None:
    track = [tempo(0, 500_000), tempo(192, 1_000_000), on(240, 60), off(288, 60), on(300, 62), off(384, 62), end(384)]
    result = one(run(MidiFile(1, PPQ, [track]), {"type": "trim", "start": 1500, "end": 2500, "unit": "ms"}))
    notes = [(note.pitch, note.start, note.end) for note in all_notes(result)]
    assert notes == [(60, 0, 48), (62, 60, 96)]  # 1.5 s are 192 ticks at 120 bpm and 48 at 60
    assert result.tracks[0][0] == tempo(0, 1_000_000)


def test_settings_are_restored_in_a_working_order() -> None:
    setup: Track = [
        *((0, 0xB0, bytes((controller, value))) for controller, value in ((0, 1), (32, 2))),
        (0, 0xC0, b"\x10"),
        *((5, 0xB0, bytes((controller, value))) for controller, value in ((101, 0), (100, 0), (6, 12), (101, 127))),
        (6, 0xB0, b"\x00\x07"),  # a bank for the next program change, which never comes
        (7, 0xB0, b"\x01\x40"),
        (7, 0xE0, b"\x00\x50"),
        (8, 0xB0, b"\x07\x63"),
        (9, 0xB0, b"\x79\x00"),  # resets modulation, pitch bend and parameters, but not the volume
        (9, 0xF0, b"\x7e\xf7"),
    ]
    track = [*setup, on(50, 60), off(90, 60), end(96)]
    result = one(run(MidiFile(1, PPQ, [track]), {"type": "trim", "start": 0.25}))
    restored = [(status, data) for tick, status, data in result.tracks[0] if tick == 0]
    assert restored == [
        (0xB0, b"\x20\x02"),
        (0xB0, b"\x00\x01"),
        (0xB0, b"\x20\x02"),
        (0xC0, b"\x10"),
        (0xB0, b"\x00\x07"),
        (0xB0, b"\x07\x63"),
        (0xF0, b"\x7e\xf7"),
    ]


def test_the_latest_setting_of_several_tracks_wins() -> None:
    early, late = [tempo(0, 300_000), (20, 0xC0, b"\x09"), end(192)], [tempo(10, 600_000), (5, 0xC0, b"\x01"), end(192)]
    for tracks in ([early, late], [late, early]):
        result = one(run(MidiFile(1, PPQ, tracks), {"type": "trim", "start": 1}))
        assert sorted(event for track in result.tracks for event in track if event[2] != END_OF_TRACK) == [
            (0, 0xC0, b"\x09"),
            tempo(0, 600_000),
        ]


def test_events_at_the_end_of_a_range_are_not_in_it() -> None:
    track = [on(0, 60), off(96, 60), (96, 0xB0, b"\x07\x01"), (96, META, b"\x06B"), on(96, 62), off(192, 62), end(192)]
    result = one(run(MidiFile(1, PPQ, [track]), {"type": "trim", "end": 1}))
    assert list(result.tracks[0]) == [on(0, 60), off(96, 60), end(96)]


def test_a_range_without_music_is_rejected() -> None:
    with pytest.raises(MusicError) as error:
        run(MidiFile(1, PPQ, [[on(0, 60), off(96, 60), end(192)]]), {"type": "trim", "start": 2})
    assert error.value.code == "EMPTY_RANGE" and "2 beats" in error.value.message


def waltz(bars: int) -> MidiFile:
    """Return two bars of 4/4, then bars of 3/4. Each bar has one note on its downbeat; its pitch is the bar number."""
    metres = [meter(0, 4, 2), meter(8 * PPQ, 3, 2), end(0)]
    starts = [0, 4 * PPQ, *(8 * PPQ + 3 * PPQ * place for place in range(bars - 2))]
    notes = [event for bar, tick in enumerate(starts, 1) for event in (on(tick, bar), off(tick + PPQ, bar))]
    return MidiFile(1, PPQ, [[*metres[:2], end(8 * PPQ)], [*notes, end(starts[-1] + 3 * PPQ)]])


@pytest.mark.parametrize(
    ("bars", "kept"),
    [
        ({"first_bar": 2, "last_bar": 4}, [(2, 0), (3, 4 * PPQ), (4, 7 * PPQ)]),
        ({"first_bar": 4}, [(4, 0), (5, 3 * PPQ), (6, 6 * PPQ)]),
        ({"last_bar": 1}, [(1, 0)]),
        ({"first_bar": 6, "last_bar": 60}, [(6, 0)]),
    ],
)
def test_bars_are_counted_through_changes_of_metre(bars: dict[str, int], kept: list[tuple[int, int]]) -> None:
    result = one(run(waltz(6), {"type": "trim", **bars}))
    assert [(note.pitch, note.start) for note in all_notes(result)] == kept


def test_a_bar_after_the_end_is_rejected_with_the_last_bar_as_suggestion() -> None:
    for operation in ("trim", "cut"):
        with pytest.raises(MusicError, match=r"The music ends in bar 6, so there is nothing from bar 7 on\.") as error:
            run(waltz(6), {"type": operation, "first_bar": 7})
        assert (error.value.code, error.value.field) == ("EMPTY_RANGE", "operations.0.first_bar")
        assert error.value.suggestions == ["first_bar: 6"]
