"""merge: merge tracks into one track, and files into one file."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_midi_store.transforms.apply_operations import TransformResult
from consort_music.errors import MusicError
from consort_music.midi.model import END_OF_TRACK, MidiFile, Track
from consort_music.midi.summary import summarize
from consort_music.midi.tempo_map import tempo_changes
from consort_music.midi.track_names import track_name
from tests.support.transform_inputs import (
    PPQ,
    all_notes,
    end,
    meter,
    name,
    notes_of,
    off,
    on,
    one,
    run,
    sounds,
    tempo,
    whole_files,
)

OTHER = "midi_" + "0" * 26


@settings(deadline=None)
@given(whole_files)
def test_merging_tracks_keeps_every_event(file: MidiFile) -> None:
    result = run(file, {"type": "merge"})
    merged, counts = one(result), result.reports[0].changed
    assert merged.format == 0 and len(merged.tracks) == 1
    others = [
        sorted(e for track in each.tracks for e in track if e[1] >= 0xA0 and e[2] != END_OF_TRACK)
        for each in (file, merged)
    ]
    assert others[0] == others[1]
    assert len(all_notes(merged)) == len(all_notes(file)) - counts.get("duplicates_removed", 0)
    if not counts.keys() & {"duplicates_removed", "shortened"}:
        assert sounds(merged) == sounds(file)
    assert all(note.end > note.start and not note.is_hanging for note in all_notes(merged))
    apart = one(run(merged, {"type": "split", "by": "channel"}, {"type": "merge"}))
    assert sounds(apart) == sounds(merged)


def test_collisions_of_merged_tracks_are_resolved() -> None:
    file = MidiFile(
        1,
        PPQ,
        [
            [on(0, 60, 50), off(96, 60, 1), on(96, 62), off(100, 62), end(100)],
            [on(48, 60, 70), off(144, 60, 2), on(96, 62, 90), off(120, 62), end(144)],
        ],
    )
    result = run(file, {"type": "merge"})
    notes = [(n.pitch, n.start, n.end, n.velocity, n.release_velocity) for n in all_notes(one(result))]
    assert notes == [(60, 0, 48, 50, 1), (60, 48, 144, 70, 2), (62, 96, 120, 90, 64)]
    assert result.reports[0].changed == {"tracks": 2, "shortened": 1, "duplicates_removed": 1}


def test_in_the_merged_track_note_offs_come_first_at_each_tick() -> None:
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


def merged_with(file: MidiFile, other: MidiFile, **fields: Any) -> TransformResult:
    return run(file, {"type": "merge", "midi_file_ids": [OTHER], **fields}, others={OTHER: other})


@settings(deadline=None)
@given(whole_files, whole_files, st.sampled_from(["parallel", "sequence"]), st.sampled_from([96, 120, 480]))
def test_merging_files_keeps_the_notes_of_both(file: MidiFile, other: MidiFile, order: str, ppq: int) -> None:
    other = MidiFile(1, ppq, other.tracks)
    result = merged_with(file, other, order=order)
    merged = one(result)
    assert merged.format == 1 and len(all_notes(merged)) == len(all_notes(file)) + len(all_notes(other))
    assert merged.ppq is not None and merged.ppq % ppq == merged.ppq % PPQ == 0
    if ppq == PPQ and order == "parallel":
        assert all(new is old for new, old in zip(merged.tracks, file.tracks, strict=False))
    lengths = sorted((note.end - note.start) * 480 // merged.ppq for note in all_notes(merged))
    assert lengths == sorted(
        (note.end - note.start) * 480 // each.division for each in (file, other) for note in all_notes(each)
    )


def test_a_file_in_sequence_begins_at_a_bar_line_with_default_settings() -> None:
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


def band(title: str, **players: tuple[int, int]) -> MidiFile:
    """Return a file with a tempo track that has the title, and a track for each player (program, pitch)."""
    tracks: list[Track] = [[name(title), tempo(0, 400_000), end(0)]]
    for channel, (player, (program, pitch)) in enumerate(players.items()):
        notes = [on(0, pitch, 80, channel), off(4 * PPQ, pitch, 64, channel)]
        tracks.append([name(player), (0, 0xC0 | channel, bytes((program,))), *notes, end(4 * PPQ)])
    return MidiFile(1, PPQ, tracks)


def test_in_sequence_tracks_with_the_same_name_are_joined() -> None:
    first = band("Verse", Piano=(0, 60), Bass=(33, 40))
    second = band("Chorus", bass=(33, 41), Piano=(0, 61), Lead=(80, 70), Guitar=(25, 50))
    result = merged_with(first, second, order="sequence")
    merged = one(result)
    assert [track_name(track) for track in merged.tracks] == ["Verse", "Piano", "Bass", "Lead", "Guitar"]
    assert [[note.pitch for note in notes_of(track)] for track in merged.tracks] == [[], [60, 61], [40, 41], [70], [50]]
    assert result.reports[0].changed == {"files": 2, "tracks_joined": 3}
    markers = [(tick, data) for track in merged.tracks for tick, _, data in track if data[:1] == b"\x06"]
    assert markers == [(4 * PPQ, b"\x06Chorus")]
    assert sum(data[:1] == b"\x03" for _, status, data in merged.tracks[1] if status == 0xFF) == 1
    instruments = [track.instruments for track in summarize(merged).tracks[1:3]]
    assert instruments == [["Acoustic Grand Piano"], ["Electric Bass (finger)"]]


def test_tracks_with_the_same_name_and_other_instruments_are_joined() -> None:
    first, second = band("A", Lead=(0, 60)), band("A", Lead=(40, 62))
    conductor, lead = one(merged_with(first, second, order="sequence")).tracks
    assert [note.pitch for note in notes_of(lead)] == [60, 62]
    assert summarize(MidiFile(1, PPQ, [conductor, lead])).tracks[1].instruments == ["Acoustic Grand Piano", "Violin"]


def test_tracks_with_the_same_name_and_instrument_are_joined_first() -> None:
    first, second = band("A", Lead=(0, 60), lead=(40, 62)), band("A", Lead=(40, 64), lead=(0, 65))
    merged = one(merged_with(first, second, order="sequence"))
    assert [[note.pitch for note in notes_of(track)] for track in merged.tracks] == [[], [60, 65], [62, 64]]


def test_a_track_of_a_later_file_is_named_at_tick_0() -> None:
    merged = one(merged_with(band("A", Lead=(0, 60)), band("A", Bass=(33, 40)), order="sequence"))
    assert merged.tracks[2][0] == (0, 0xFF, b"\x03Bass")


def test_drums_and_tracks_without_a_name_are_not_joined() -> None:
    drums = MidiFile(1, PPQ, [[name("Lead"), on(0, 36, 80, 9), off(PPQ, 36, 64, 9), end(PPQ)]])
    lead = MidiFile(1, PPQ, [[name("Lead"), on(0, 60), off(PPQ, 60), end(PPQ)]])
    assert len(one(merged_with(lead, drums, order="sequence")).tracks) == 2
    nameless = MidiFile(1, PPQ, [[on(0, 60), off(PPQ, 60), end(PPQ)]])
    assert len(one(merged_with(nameless, nameless, order="sequence")).tracks) == 2


def test_two_tracks_with_one_name_are_joined_to_two_tracks() -> None:
    pair = MidiFile(1, PPQ, [[name("Piano"), on(0, pitch), off(PPQ, pitch), end(PPQ)] for pitch in (72, 48)])
    merged = one(merged_with(pair, pair, order="sequence"))
    assert [[note.pitch for note in notes_of(track)] for track in merged.tracks] == [[72, 72], [48, 48]]


def test_a_hanging_note_ends_before_the_next_file() -> None:
    hanging = MidiFile(1, PPQ, [[name("Piano"), on(0, 60), end(PPQ)]])
    whole = MidiFile(1, PPQ, [[name("Piano"), on(0, 60), off(PPQ, 60), end(PPQ)]])
    merged = one(merged_with(hanging, whole, order="sequence"))
    assert [(note.start, note.end) for note in all_notes(merged)] == [(0, PPQ), (4 * PPQ, 5 * PPQ)]


def test_files_in_parallel_share_the_first_tempo_and_get_separate_channels() -> None:
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
    assert report.changed == {"files": 2, "channels_moved": 1} and "tempo" in report.warnings[0]


def test_resolutions_without_a_common_multiple_are_rounded_with_a_warning() -> None:
    first = MidiFile(1, 32767, [[on(0, 60), off(32767, 60), end(32767)]])
    second = MidiFile(1, 480, [[on(1, 60), off(2, 60), end(480)]])
    result = merged_with(first, second)
    assert one(result).division == 32767 and result.reports[0].warnings
    assert all_notes(one(result))[1][3:5] == (68, 137)


def test_files_with_and_without_beats_cannot_be_merged() -> None:
    with pytest.raises(MusicError) as error:
        merged_with(MidiFile(1, 0xE728, [[end(0)]]), MidiFile(1, PPQ, [[end(0)]]))
    assert error.value.code == "NEEDS_BEATS"


def test_a_result_that_no_file_can_hold_is_rejected() -> None:
    long = MidiFile(1, PPQ, [[on(0, 60), off(200_000_000, 60), end(200_000_000)]])
    with pytest.raises(MusicError) as error:
        run(long, {"type": "merge", "midi_file_ids": [OTHER] * 12, "order": "sequence"}, others={OTHER: long})
    assert error.value.code == "RESULT_TOO_LARGE"
    gap = MidiFile(1, PPQ, [[on(0, 60), off(9, 60), on(200_000_000, 127), off(200_000_001, 127), end(400_000_000)]])
    with pytest.raises(MusicError) as error:
        run(gap, {"type": "transpose", "semitones": 1, "out_of_range": "drop"})
    assert error.value.code == "RESULT_TOO_LARGE"


def test_files_in_parallel_do_not_change_how_the_other_sounds() -> None:
    """Channels are moved, because a pedal or a volume of one file would change how the other sounds."""
    first = MidiFile(1, PPQ, [[(0, 0xC0, b"\x00"), (0, 0xB2, b"\x07\x10"), on(0, 60), off(96, 60), end(96)]])
    pedal = (0, 0xB0, b"\x40\x7f")
    second = MidiFile(1, PPQ, [[pedal, on(0, 40), on(0, 50, 80, 2), off(96, 40), off(96, 50, 64, 2), end(96)]])
    result = merged_with(first, second)
    assert {status for _, status, _ in one(result).tracks[1] if status < 0xF0} == {0xB1, 0x91, 0x81, 0x93, 0x83}
    assert result.reports[0].changed == {"files": 2, "channels_moved": 2} and not result.reports[0].warnings


def test_files_with_equal_settings_share_a_channel() -> None:
    first = MidiFile(1, PPQ, [[(0, 0xC0, b"\x00"), on(0, 60), off(96, 60), end(96)]])
    second = MidiFile(1, PPQ, [[on(0, 40), off(96, 40), end(96)]])
    assert one(merged_with(first, second)).tracks[1] is second.tracks[0]


def test_different_drum_kits_give_a_warning() -> None:
    drums = [on(0, 36, 80, 9), off(96, 36, 64, 9), end(96)]
    result = merged_with(MidiFile(1, PPQ, [drums]), MidiFile(1, PPQ, [[(0, 0xC9, b"\x19"), *drums]]))
    assert "channel 10" in result.reports[0].warnings[0]


def test_a_later_file_that_sets_the_tempo_gives_a_warning() -> None:
    plain = MidiFile(1, PPQ, [[on(0, 60), off(96, 60), end(96)]])
    timed = MidiFile(1, PPQ, [[tempo(0, 300_000), on(0, 40), off(96, 40), end(96)]])
    assert merged_with(plain, timed).reports[0].warnings == [
        "Only file 1 has a tempo or signatures. They apply to all files."
    ]
    assert merged_with(timed, timed).reports[0].warnings == []
    assert merged_with(timed, plain).reports[0].warnings == []
