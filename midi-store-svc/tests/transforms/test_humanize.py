"""humanize: change starts and velocities a little at random."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from consort_music.midi.model import META, MidiFile, Track
from consort_music.midi.tempo_map import elapsed_ms, tempo_changes
from tests.support.transform_inputs import (
    PPQ,
    by_identity,
    changed,
    clean_tracks,
    drawn,
    end,
    files,
    humanizings,
    notes_of,
    off,
    on,
)


@settings(deadline=None)
@given(files(clean_tracks()), humanizings)
def test_humanizing_is_repeatable_and_bounded_and_removes_no_note(file: MidiFile, operation: dict[str, Any]) -> None:
    operation = {"velocity": 0, "timing_ticks": 40, **operation}
    result, (report,) = changed(file, operation)
    assert [list(track) for track in changed(file, operation)[0].tracks] == [list(track) for track in result.tracks]
    for old, new in zip(file.tracks, result.tracks, strict=True):
        was, now = notes_of(old), sorted(notes_of(new), key=lambda note: (note.channel, note.pitch, note.start))
        was = sorted(was, key=lambda note: (note.channel, note.pitch, note.start))
        assert len(now) == len(was)
        for before, after in zip(was, now, strict=True):
            assert before[1:3] == after[1:3] and before.release_velocity == after.release_velocity
            assert abs(after.start - before.start) <= operation["timing_ticks"] and after.start >= 0
            assert abs(after.velocity - before.velocity) <= operation["velocity"]
        pairs = sorted(zip(was, now, strict=True), key=lambda pair: pair[0].start)
        latest = 0
        for _, group in _grouped(pairs, lambda pair: pair[0].start):
            assert all(after.start >= latest for _, after in group)
            latest = max([latest, *(after.start for _, after in group)])
    assert report.changed.get("velocity_changed", 0) == sum(
        before != after
        for old, new in zip(file.tracks, result.tracks, strict=True)
        for before, after in zip(_velocities_by_key(old), _velocities_by_key(new), strict=True)
    )


def _grouped(items: list[Any], key: Callable[[Any], Any]) -> list[tuple[Any, list[Any]]]:
    groups: dict[Any, list[Any]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return list(groups.items())


def _velocities_by_key(track: Track) -> list[int]:
    return [note.velocity for note in sorted(notes_of(track), key=lambda note: (note.channel, note.pitch, note.start))]


def test_humanizing_in_milliseconds_follows_the_tempo() -> None:
    slow, fast = (0, META, b"\x51\x0f\x42\x40"), (960, META, b"\x51\x03\xd0\x90")  # 60 and 240 bpm
    notes = [event for tick in range(0, 1920, 10) for event in (on(tick, 60), off(tick + 5, 60))]
    track = sorted([slow, fast, *notes, end(1920)], key=lambda event: event[0])
    result, _ = changed(drawn(track), {"type": "humanize", "timing_ms": 30, "velocity": 0, "seed": 3})
    moves = [
        (before.start, after.start - before.start)
        for before, after in zip(notes_of(track), notes_of(result.tracks[0]), strict=True)
    ]
    assert max(abs(move) for tick, move in moves if tick < 960) <= 2  # 30 ms are 2.88 ticks at 60 bpm
    assert 3 <= max(abs(move) for tick, move in moves if tick >= 960) <= 11  # and 11.52 ticks at 240 bpm


@settings(deadline=None)
@given(clean_tracks(), st.lists(st.tuples(st.integers(0, 400), st.sampled_from([50_000, 500_000, 9_000_000]))))
def test_humanizing_in_milliseconds_keeps_the_order_near_a_tempo_change(
    track: Track, tempos: list[tuple[int, int]]
) -> None:
    tempo_events = sorted((tick, META, b"\x51" + tempo.to_bytes(3, "big")) for tick, tempo in tempos)
    file = MidiFile(1, PPQ, [[*tempo_events, end(500)], track])
    result, _ = changed(file, {"type": "humanize", "timing_ms": 150, "velocity": 0})
    changes = tempo_changes(file.tracks)[0]
    was, now = by_identity(track), by_identity(result.tracks[1])
    assert was.keys() == now.keys()
    for identity, note in was.items():
        tempo = [tempo for tick, tempo in changes if tick <= note.start][-1]
        assert abs(now[identity].start - note.start) * tempo <= 150_000 * PPQ
    places = sorted((note.start, now[identity].start, identity[:2]) for identity, note in was.items())
    for before, after in combinations(places, 2):
        assert before[0] == after[0] or before[1] <= after[1]
        assert before[0] == after[0] or before[2] != after[2] or before[1] < after[1]


def test_different_seeds_give_different_results() -> None:
    file = drawn([event for tick in range(0, 960, 96) for event in (on(tick, 60), off(tick + 90, 60))] + [end(960)])
    results = [changed(file, {"type": "humanize", "seed": seed})[0].tracks[0] for seed in range(3)]
    assert results[0] != results[1] and results[1] != results[2]


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 960), st.integers(150_000, 1_500_000)), max_size=4), st.integers(0, 99))
def test_no_note_moves_too_far_near_a_tempo_change(tempos: list[tuple[int, int]], seed: int) -> None:
    metas = [(tick, META, b"\x51" + tempo.to_bytes(3, "big")) for tick, tempo in sorted(tempos)]
    notes = [event for tick in range(0, 960, 96) for event in (on(tick, 60), off(tick + 24, 60))]
    file = MidiFile(1, PPQ, [[*metas, end(960)], [*notes, end(960)]])
    result, _ = changed(file, {"type": "humanize", "timing_ms": 200, "velocity": 0, "seed": seed})
    changes, _ = tempo_changes(file.tracks)
    for was, now in zip(notes_of(file.tracks[1]), notes_of(result.tracks[1]), strict=True):
        assert (
            abs(elapsed_ms(file, changes, now.start) - elapsed_ms(file, changes, was.start)) <= 201
        )  # both times are rounded
