"""Tempo, trim, split, extract and merge; and what an assistant may ask for."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from consort_midi_store.transforms.apply import Result, apply, files_needed
from consort_midi_store.transforms.models import Operation, Operations
from consort_music.errors import MusicError
from consort_music.midi.model import END_OF_TRACK, META, META_TEMPO, Event, MidiFile, Track
from consort_music.midi.notes import Note, pair_notes
from consort_music.midi.reader import read_midi
from consort_music.midi.summary import summarize
from consort_music.midi.timing import elapsed_ms, last_tick, tempo_changes
from consort_music.midi.writer import write_midi

PPQ = 96
OTHER = "midi_" + "0" * 26
OPERATION: TypeAdapter[Operation] = TypeAdapter(Operation)


def on(tick: int, pitch: int, velocity: int = 80, channel: int = 0) -> Event:
    return tick, 0x90 | channel, bytes((pitch, velocity))


def off(tick: int, pitch: int, release: int = 64, channel: int = 0) -> Event:
    return tick, 0x80 | channel, bytes((pitch, release))


def end(tick: int) -> Event:
    return tick, META, END_OF_TRACK


def name(text: str) -> Event:
    return 0, META, b"\x03" + text.encode()


def tempo(tick: int, microseconds: int) -> Event:
    return tick, META, bytes((META_TEMPO,)) + microseconds.to_bytes(3, "big")


def meter(tick: int, numerator: int, power: int) -> Event:
    return tick, META, bytes((0x58, numerator, power, 24, 8))


@st.composite
def tracks(draw: st.DrawFn) -> Track:
    """Controllers, programs and notes that may overlap on a key, but are whole."""
    events: list[tuple[int, int, Event]] = [(0, 1, name(draw(st.sampled_from(["Lead", "Bass"]))))]
    for _ in range(draw(st.integers(0, 12))):
        start, length = draw(st.integers(0, 400)), draw(st.integers(1, 150))
        pitch, channel = draw(st.sampled_from([40, 60, 61])), draw(st.sampled_from([0, 3, 9]))
        events.append((start, 2, on(start, pitch, draw(st.integers(1, 127)), channel)))
        events.append((start + length, 0, off(start + length, pitch, draw(st.integers(0, 127)), channel)))
    for _ in range(draw(st.integers(0, 6))):
        tick = draw(st.integers(0, 400))
        status, data = draw(
            st.sampled_from([(0xB0, b"\x07\x50"), (0xB3, b"\x40\x7f"), (0xC0, b"\x05"), (0xE0, b"\x00\x20")])
        )
        events.append((tick, 1, (tick, status, data)))
    for tick in draw(st.lists(st.integers(0, 400), max_size=2)):
        events.append((tick, 1, tempo(tick, draw(st.sampled_from([300_000, 600_000])))))
    events.sort(key=lambda item: item[:2])
    track = [event for _, _, event in events]
    return [*track, end(track[-1][0] + draw(st.integers(0, 40)))]


files = st.builds(lambda tracks: MidiFile(1, PPQ, tracks), st.lists(tracks(), min_size=1, max_size=4))


def run(file: MidiFile, *operations: dict[str, Any], others: dict[str, MidiFile] | None = None) -> Result:
    result = apply(file, [OPERATION.validate_python(operation) for operation in operations], others)
    for outcome in result.outcomes:
        again = read_midi(write_midi(outcome.file))
        assert [list(track) for track in again.tracks] == [list(track) for track in outcome.file.tracks]
    return result


def one(result: Result) -> MidiFile:
    (outcome,) = result.outcomes
    return outcome.file


def notes_of(file: MidiFile) -> list[Note]:
    return [note for index, track in enumerate(file.tracks) for note in pair_notes(track, index).notes]


def sounds(file: MidiFile) -> list[tuple[int, ...]]:
    """All notes, whichever track they are in."""
    return sorted(note[1:7] for note in notes_of(file))


def programs_heard(file: MidiFile) -> set[tuple[int, int, str]]:
    return {
        (channel, 0, name)
        for track in summarize(file).tracks
        for channel in track.channels
        for name in track.instruments
    }


# tempo


@settings(deadline=None)
@given(files, st.sampled_from([0.25, 0.5, 1.1, 2, 3]))
def test_scaling_the_tempo_scales_the_length_and_nothing_else(file: MidiFile, scale: float) -> None:
    result = one(run(file, {"type": "tempo", "scale": scale}))
    assert all(
        [event for event in new if event[2][:1] != b"\x51"] == [event for event in old if event[2][:1] != b"\x51"]
        for old, new in zip(file.tracks, result.tracks, strict=True)
    )
    was, now = (elapsed_ms(each, tempo_changes(each.tracks)[0], last_tick(each.tracks)) for each in (file, result))
    assert abs(now - was / scale) < 2 + 1 / scale


@settings(deadline=None)
@given(files, st.sampled_from([30, 90.5, 200]))
def test_setting_the_tempo_leaves_one(file: MidiFile, bpm: float) -> None:
    result = run(file, {"type": "tempo", "bpm": bpm})
    assert tempo_changes(one(result).tracks)[0] == [(0, round(60_000_000 / bpm))]
    old = [event for track in file.tracks for event in track if event[2][:1] == b"\x51"]
    changed = result.reports[0].changed
    assert changed.get("tempos_removed", 0) == max(len(old) - 1, 0)
    assert changed.get("tempos_changed", 0) == (bool(old) and tempo(0, round(60_000_000 / bpm)) not in old)
    assert changed.get("tempos_added", 0) == (not old)
    again = run(one(result), {"type": "tempo", "bpm": bpm})
    assert one(again) is one(result) and not again.reports[0].changed


def test_a_file_without_a_tempo_gets_one_behind_its_name() -> None:
    file = MidiFile(0, PPQ, [[name("Lead"), on(0, 60), off(96, 60), tempo(96, 400_000), end(100)]])
    result = run(file, {"type": "tempo", "scale": 2})
    assert list(one(result).tracks[0])[:3] == [name("Lead"), tempo(0, 250_000), on(0, 60)]
    assert tempo(96, 200_000) in one(result).tracks[0]
    assert result.reports[0].changed == {"tempos_changed": 1, "tempos_added": 1}


def test_a_tempo_slower_than_a_file_can_say_is_limited_with_a_warning() -> None:
    result = run(MidiFile(0, PPQ, [[tempo(0, 10_000_000), end(96)]]), {"type": "tempo", "scale": 0.05})
    assert one(result).tracks[0][0] == tempo(0, 0xFFFFFF)
    assert result.reports[0].changed["tempos_limited"] == 1 and result.reports[0].warnings


def test_each_piece_of_a_type_2_file_has_its_own_tempo() -> None:
    file = MidiFile(2, PPQ, [[tempo(0, 500_000), end(96)], [on(0, 60), off(9, 60), end(96)]])
    result = one(run(file, {"type": "tempo", "scale": 2}))
    assert [track[0] for track in result.tracks] == [tempo(0, 250_000), tempo(0, 250_000)]


# trim


@settings(deadline=None)
@given(files, st.integers(0, 300), st.integers(1, 300))
def test_trimming_keeps_what_sounds(file: MidiFile, start: int, length: int) -> None:
    stop = start + length
    if start >= last_tick(file.tracks) and start:
        return
    result = run(file, {"type": "trim", "start": start / PPQ, "end": stop / PPQ})
    counts = result.reports[0].changed
    expected = [
        (note.channel, note.pitch, max(note.start, start) - start, min(note.end, stop) - start, note.velocity)
        for note in notes_of(file)
        if note.start < stop and note.end > start
    ]
    got = [(note.channel, note.pitch, note.start, note.end, note.velocity) for note in notes_of(one(result))]
    assert len(got) == len(expected) - counts.get("duplicates_removed", 0)
    if "duplicates_removed" not in counts and "shortened" not in counts:
        assert sorted(got) == sorted(expected)
    removed = sum(not (note.start < stop and note.end > start) for note in notes_of(file))
    cut = sum(
        note.start < stop and note.end > start and (note.start < start or note.end > stop) for note in notes_of(file)
    )
    assert (counts.get("removed", 0), counts.get("cut", 0)) == (removed, cut)
    assert last_tick(one(result).tracks) <= length


@settings(deadline=None)
@given(files, st.integers(1, 300))
def test_trimming_keeps_the_state_in_force(file: MidiFile, start: int) -> None:
    if start >= last_tick(file.tracks):
        return
    result = one(run(file, {"type": "trim", "start": start / PPQ}))

    def state(file: MidiFile, until: int) -> dict[Any, bytes]:
        events = [event for track in file.tracks for event in track if event[0] <= until and event[1] >= 0xB0]
        events.sort(key=lambda event: event[0])
        names = {(META, 0x03), (META, 0x2F)}
        told = {
            (status, data[0] if status & 0xF0 == 0xB0 or status == META else None): data for _, status, data in events
        }
        return {thing: data for thing, data in told.items() if thing not in names}

    assert state(result, 0) == state(file, start)
    for old, new in zip(file.tracks, result.tracks, strict=True):
        later = [(tick - start, status, data) for tick, status, data in old if tick > start and status >= 0xB0]
        assert [event for event in new if event[0] > 0 and event[1] >= 0xB0 and event[2] != END_OF_TRACK] == [
            event for event in later if event[2] != END_OF_TRACK
        ]
    was = tempo_changes(file.tracks)[0]
    assert tempo_changes(result.tracks)[0][0][1] == [value for tick, value in was if tick <= start][-1]


@settings(deadline=None)
@given(files)
def test_trimming_nothing_changes_nothing(file: MidiFile) -> None:
    assert one(run(file, {"type": "trim"}, {"type": "trim", "end": 1000})) is file


def test_trimming_by_time_follows_the_tempo() -> None:
    track = [tempo(0, 500_000), tempo(192, 1_000_000), on(240, 60), off(288, 60), on(300, 62), off(384, 62), end(384)]
    result = one(run(MidiFile(1, PPQ, [track]), {"type": "trim", "start": 1500, "end": 2500, "unit": "ms"}))
    notes = [(note.pitch, note.start, note.end) for note in notes_of(result)]
    assert notes == [(60, 0, 48), (62, 60, 96)]  # 1.5 s are 192 ticks at 120 bpm and 48 at 60
    assert result.tracks[0][0] == tempo(0, 1_000_000)


def test_state_is_brought_about_in_the_right_order() -> None:
    setup: Track = [
        *((0, 0xB0, bytes((controller, value))) for controller, value in ((0, 1), (32, 2))),
        (0, 0xC0, b"\x10"),
        *((5, 0xB0, bytes((controller, value))) for controller, value in ((101, 0), (100, 0), (6, 12), (101, 127))),
        (6, 0xB0, b"\x00\x07"),  # a bank for the next program, which never came
        (7, 0xB0, b"\x01\x40"),
        (7, 0xE0, b"\x00\x50"),
        (8, 0xB0, b"\x07\x63"),
        (9, 0xB0, b"\x79\x00"),  # takes the modulation, the bend and the parameters back, not the volume
        (9, 0xF0, b"\x7e\xf7"),
    ]
    track = [*setup, on(50, 60), off(90, 60), end(96)]
    result = one(run(MidiFile(1, PPQ, [track]), {"type": "trim", "start": 0.25}))
    told = [(status, data) for tick, status, data in result.tracks[0] if tick == 0]
    assert told == [
        (0xB0, b"\x20\x02"),
        (0xB0, b"\x00\x01"),
        (0xB0, b"\x20\x02"),
        (0xC0, b"\x10"),
        (0xB0, b"\x00\x07"),
        (0xB0, b"\x07\x63"),
        (0xF0, b"\x7e\xf7"),
    ]


def test_the_last_word_of_several_tracks_holds() -> None:
    early, late = [tempo(0, 300_000), (20, 0xC0, b"\x09"), end(192)], [tempo(10, 600_000), (5, 0xC0, b"\x01"), end(192)]
    for tracks in ([early, late], [late, early]):
        result = one(run(MidiFile(1, PPQ, tracks), {"type": "trim", "start": 1}))
        assert sorted(event for track in result.tracks for event in track if event[2] != END_OF_TRACK) == [
            (0, 0xC0, b"\x09"),
            tempo(0, 600_000),
        ]


def test_what_happens_at_the_end_of_a_range_is_not_in_it() -> None:
    track = [on(0, 60), off(96, 60), (96, 0xB0, b"\x07\x01"), (96, META, b"\x06B"), on(96, 62), off(192, 62), end(192)]
    result = one(run(MidiFile(1, PPQ, [track]), {"type": "trim", "end": 1}))
    assert list(result.tracks[0]) == [on(0, 60), off(96, 60), end(96)]


def test_a_range_without_music_is_refused() -> None:
    with pytest.raises(MusicError) as refused:
        run(MidiFile(1, PPQ, [[on(0, 60), off(96, 60), end(192)]]), {"type": "trim", "start": 2})
    assert refused.value.code == "EMPTY_RANGE" and "2 beats" in refused.value.message


# tracks


@settings(deadline=None)
@given(files)
def test_split_by_track_and_merged_again_is_the_same_music(file: MidiFile) -> None:
    parts = run(file, {"type": "split"})
    playing = [track for track in file.tracks if any(status < 0xA0 for _, status, _ in track)]
    if playing:
        assert len(parts.outcomes) == len(playing) == parts.reports[0].changed["files"]
        for outcome, track in zip(parts.outcomes, playing, strict=True):
            assert any(each is track for each in outcome.file.tracks)
            assert tempo_changes(outcome.file.tracks)[0] == tempo_changes(file.tracks)[0]
            assert programs_heard(outcome.file) <= programs_heard(file)
    merged = one(run(file, {"type": "split"}, {"type": "merge", "one_track": False}))
    assert sounds(merged) == sounds(file)
    if playing:
        assert tempo_changes(merged.tracks)[0] == tempo_changes(file.tracks)[0]


@settings(deadline=None)
@given(files)
def test_split_by_channel_shares_the_notes_out(file: MidiFile) -> None:
    parts = run(file, {"type": "split", "by": "channel"})
    assert sorted(note for part in parts.outcomes for note in sounds(part.file)) == sounds(file)
    if not notes_of(file):
        assert one(parts) is file and parts.reports[0].warnings
        return
    for part in parts.outcomes:
        used = {status & 0x0F for track in part.file.tracks for _, status, _ in track if status < 0xF0}
        assert [part.label] == [f"channel {channel + 1}" for channel in used]
        assert tempo_changes(part.file.tracks)[0] == tempo_changes(file.tracks)[0]


@settings(deadline=None)
@given(files)
def test_merging_into_one_track_keeps_every_event(file: MidiFile) -> None:
    result = run(file, {"type": "merge"})
    merged, counts = one(result), result.reports[0].changed
    assert merged.format == 0 and len(merged.tracks) == 1
    others = [
        sorted(e for track in each.tracks for e in track if e[1] >= 0xA0 and e[2] != END_OF_TRACK)
        for each in (file, merged)
    ]
    assert others[0] == others[1]
    assert len(notes_of(merged)) == len(notes_of(file)) - counts.get("duplicates_removed", 0)
    if not counts.keys() & {"duplicates_removed", "shortened"}:
        assert sounds(merged) == sounds(file)
    assert all(note.end > note.start and not note.is_hanging for note in notes_of(merged))
    apart = one(run(merged, {"type": "split", "by": "channel"}, {"type": "merge"}))
    assert sounds(apart) == sounds(merged)


def test_tracks_that_meet_on_a_key_are_settled() -> None:
    file = MidiFile(
        1,
        PPQ,
        [
            [on(0, 60, 50), off(96, 60, 1), on(96, 62), off(100, 62), end(100)],
            [on(48, 60, 70), off(144, 60, 2), on(96, 62, 90), off(120, 62), end(144)],
        ],
    )
    result = run(file, {"type": "merge"})
    notes = [(n.pitch, n.start, n.end, n.velocity, n.release_velocity) for n in notes_of(one(result))]
    assert notes == [(60, 0, 48, 50, 1), (60, 48, 144, 70, 2), (62, 96, 120, 90, 64)]
    assert result.reports[0].changed == {"tracks": 2, "shortened": 1, "duplicates_removed": 1}


def test_in_one_track_note_offs_come_first_and_tracks_keep_their_order() -> None:
    first = [on(0, 60), off(96, 60), (96, 0xB0, b"\x07\x01"), on(96, 62), off(99, 62), end(99)]
    second = [on(0, 40), (96, 0xB0, b"\x07\x02"), off(96, 40), end(96)]
    merged = one(run(MidiFile(1, PPQ, [first, second]), {"type": "merge"})).tracks[0]
    controls = [(96, 0xB0, b"\x07\x01"), (96, 0xB0, b"\x07\x02")]
    assert [event for event in merged if event[0] == 96] == [
        off(96, 60),
        off(96, 40),
        controls[0],
        on(96, 62),
        controls[1],
    ]


def test_a_part_of_a_split_keeps_what_was_set_up_for_it_in_another_track() -> None:
    setup = [tempo(0, 400_000), (0, 0xC0, b"\x21"), (0, 0xC1, b"\x05"), end(0)]
    file = MidiFile(1, PPQ, [setup, [on(0, 60), off(9, 60), end(9)], [on(0, 60, 80, 1), off(9, 60, 64, 1), end(9)]])
    first, second = (outcome.file for outcome in run(file, {"type": "split"}).outcomes)
    assert list(first.tracks[0]) == [tempo(0, 400_000), (0, 0xC0, b"\x21"), end(0)]
    assert list(second.tracks[0]) == [tempo(0, 400_000), (0, 0xC1, b"\x05"), end(0)]


def test_extracting_keeps_the_tracks_as_they_are_and_the_tempo_of_the_others() -> None:
    conductor = [name("Song"), tempo(0, 400_000), meter(0, 3, 2), end(0)]
    lead = [name("Lead"), on(0, 60), off(96, 60), end(96)]
    bass = [name("Bass"), on(0, 40), tempo(50, 700_000), off(96, 40), end(96)]
    file = MidiFile(1, PPQ, [conductor, lead, bass])
    result = run(file, {"type": "extract_tracks", "tracks": ["lead"]})
    kept = one(result).tracks
    assert kept[0] is conductor and kept[1] is lead
    assert list(kept[2]) == [name("Bass"), tempo(50, 700_000), end(96)]
    assert result.reports[0].changed == {"tracks_kept": 1, "tracks_removed": 2}
    assert one(run(file, {"type": "extract_tracks", "tracks": [0, 1, 2]})) is file
    labels = [outcome.label for outcome in run(file, {"type": "split"}).outcomes]
    assert labels == ["Lead", "Bass"]


def test_pieces_of_a_type_2_file_are_split_into_plain_files() -> None:
    file = MidiFile(2, PPQ, [[tempo(0, 400_000), on(0, 60), off(9, 60), end(9)], [on(0, 61), off(9, 61), end(9)]])
    result = run(file, {"type": "split"})
    assert [(outcome.file.format, len(outcome.file.tracks)) for outcome in result.outcomes] == [(0, 1), (0, 1)]
    assert one(run(file, {"type": "split"}, {"type": "merge", "order": "sequence"})).format == 0
    with pytest.raises(MusicError) as refused:
        run(file, {"type": "merge"})
    assert refused.value.code == "NEEDS_ONE_TIMELINE"


def test_too_many_files_are_refused() -> None:
    file = MidiFile(1, PPQ, [[on(0, 60), off(1, 60), end(1)]] * 129)
    with pytest.raises(MusicError) as refused:
        run(file, {"type": "split"})
    assert refused.value.code == "TOO_MANY_FILES"


# merging files


def merged_with(file: MidiFile, other: MidiFile, **fields: Any) -> Result:
    return run(file, {"type": "merge", "midi_file_ids": [OTHER], **fields}, others={OTHER: other})


@settings(deadline=None)
@given(files, files, st.sampled_from(["parallel", "sequence"]), st.sampled_from([96, 120, 480]))
def test_merging_files_keeps_the_notes_of_both(file: MidiFile, other: MidiFile, order: str, ppq: int) -> None:
    other = MidiFile(1, ppq, other.tracks)
    result = merged_with(file, other, order=order)
    merged = one(result)
    assert merged.format == 1 and len(notes_of(merged)) == len(notes_of(file)) + len(notes_of(other))
    assert merged.ppq is not None and merged.ppq % ppq == merged.ppq % PPQ == 0
    if ppq == PPQ:
        assert all(new is old for new, old in zip(merged.tracks, file.tracks, strict=False))
    lengths = sorted((note.end - note.start) * 480 // merged.ppq for note in notes_of(merged))
    assert lengths == sorted(
        (note.end - note.start) * 480 // each.division for each in (file, other) for note in notes_of(each)
    )


def test_files_in_sequence_begin_at_a_bar_line_as_they_would_alone() -> None:
    first = MidiFile(
        1,
        PPQ,
        [
            [
                meter(0, 3, 2),
                tempo(0, 300_000),
                (0, 0xC0, b"\x05"),
                (0, 0xB0, b"\x40\x7f"),
                on(0, 60),
                off(300, 60),
                end(300),
            ]
        ],
    )
    second = MidiFile(1, PPQ, [[on(0, 62), off(96, 62), end(96)]])
    added = list(one(merged_with(first, second, order="sequence")).tracks[1])
    start = 2 * 3 * PPQ
    assert added == [
        tempo(start, 500_000),
        meter(start, 4, 2),
        (start, 0xB0, b"\x79\x00"),
        (start, 0xC0, b"\x00"),
        on(start, 62),
        off(start + 96, 62),
        end(start + 96),
    ]


def test_files_in_parallel_share_the_first_ones_tempo_and_get_channels_of_their_own() -> None:
    first = MidiFile(1, PPQ, [[tempo(0, 300_000), (0, 0xC0, b"\x05"), on(0, 60), off(96, 60), end(96)]])
    second = MidiFile(
        1,
        PPQ,
        [
            [tempo(0, 600_000), end(0)],
            [(0, 0xC0, b"\x21"), on(0, 40), on(0, 36, 80, 9), off(96, 40), off(96, 36, 64, 9), end(96)],
        ],
    )
    result = merged_with(first, second)
    merged = one(result)
    assert len(merged.tracks) == 2 and merged.tracks[0] is first.tracks[0]
    assert {status for _, status, _ in merged.tracks[1] if status < 0xF0} == {0xC1, 0x91, 0x81, 0x99, 0x89}
    assert tempo_changes(merged.tracks)[0] == [(0, 300_000)]
    report = result.reports[0]
    assert report.changed == {"files": 2, "channels_moved": 1} and report.warnings and "tempo" in report.warnings[0]


def test_resolutions_without_a_common_one_are_rounded_with_a_warning() -> None:
    first = MidiFile(1, 32767, [[on(0, 60), off(32767, 60), end(32767)]])
    second = MidiFile(1, 480, [[on(1, 60), off(2, 60), end(480)]])
    result = merged_with(first, second)
    assert one(result).division == 32767 and result.reports[0].warnings
    assert notes_of(one(result))[1][3:5] == (68, 137)


def test_files_with_and_without_beats_do_not_merge() -> None:
    with pytest.raises(MusicError) as refused:
        merged_with(MidiFile(1, 0xE728, [[end(0)]]), MidiFile(1, PPQ, [[end(0)]]))
    assert refused.value.code == "NEEDS_BEATS"


def test_what_a_file_cannot_hold_is_refused() -> None:
    long = MidiFile(1, PPQ, [[on(0, 60), off(200_000_000, 60), end(200_000_000)]])
    with pytest.raises(MusicError) as refused:
        run(long, {"type": "merge", "midi_file_ids": [OTHER] * 12, "order": "sequence"}, others={OTHER: long})
    assert refused.value.code == "RESULT_TOO_LARGE"
    gap = MidiFile(1, PPQ, [[on(0, 60), off(9, 60), on(200_000_000, 127), off(200_000_001, 127), end(400_000_000)]])
    with pytest.raises(MusicError) as refused:
        run(gap, {"type": "transpose", "semitones": 1, "out_of_range": "drop"})
    assert refused.value.code == "RESULT_TOO_LARGE"


# what may be asked for


@pytest.mark.parametrize(
    "operation",
    [
        {"type": "transpose", "semitones": 128},
        {"type": "transpose", "semitones": 1, "channels": [0]},
        {"type": "quantize", "grid": "1/5"},
        {"type": "quantize", "grid": "1/8", "strength": 1.1},
        {"type": "swing", "amount": 80},
        {"type": "tempo"},
        {"type": "tempo", "bpm": 100, "scale": 2},
        {"type": "velocity", "min": 100, "max": 50},
        {"type": "trim", "start": 4, "end": 4},
        {"type": "merge", "midi_file_ids": ["../etc/passwd"]},
        {"type": "reverse"},
    ],
)
def test_what_makes_no_sense_is_refused(operation: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        OPERATION.validate_python(operation)


def test_a_misspelt_field_is_told() -> None:
    with pytest.raises(ValidationError, match="did you mean 'semitones'"):
        OPERATION.validate_python({"type": "transpose", "semitone": 1})


def test_the_files_needed_are_named_once() -> None:
    merge = OPERATION.validate_python({"type": "merge", "midi_file_ids": [OTHER, OTHER]})
    assert files_needed([merge, OPERATION.validate_python({"type": "split"}), merge]) == [OTHER]


def test_the_operations_schema_stays_small() -> None:
    """It is in every listing of the tools; the gateway leaves out titles and null alternatives besides."""
    schema = json.dumps(TypeAdapter(Operations).json_schema(), separators=(",", ":"))
    assert len(schema) < 8_000
