"""extract_tracks and split: make files from some tracks or channels."""

import pytest
from hypothesis import assume, given, settings

from consort_music.errors import MusicError
from consort_music.midi.model import MidiFile
from consort_music.midi.summary import summarize
from consort_music.midi.tempo_map import tempo_changes
from tests.support.transform_inputs import (
    PPQ,
    all_notes,
    end,
    meter,
    name,
    off,
    on,
    one,
    run,
    sounds,
    tempo,
    whole_files,
)


def programs_used(file: MidiFile) -> set[tuple[int, int, str]]:
    return {
        (channel, 0, name)
        for track in summarize(file).tracks
        for channel in track.channels
        for name in track.instruments
    }


@settings(deadline=None)
@given(whole_files)
def test_merging_the_parts_of_a_split_gives_the_same_music(file: MidiFile) -> None:
    parts = run(file, {"type": "split"})
    playing = [track for track in file.tracks if any(status < 0xA0 for _, status, _ in track)]
    assume(playing)
    assert len(parts.files) == len(playing) == parts.reports[0].changed["files"]
    for part, track in zip(parts.files, playing, strict=True):
        assert any(each is track for each in part.file.tracks)
        assert tempo_changes(part.file.tracks)[0] == tempo_changes(file.tracks)[0]
        assert programs_used(part.file) <= programs_used(file)
    merged = one(run(file, {"type": "split"}, {"type": "merge", "one_track": False}))
    assert sounds(merged) == sounds(file)
    assert tempo_changes(merged.tracks)[0] == tempo_changes(file.tracks)[0]


@settings(deadline=None)
@given(whole_files)
def test_the_parts_of_a_split_by_channel_have_all_notes(file: MidiFile) -> None:
    parts = run(file, {"type": "split", "by": "channel"})
    assert sorted(note for part in parts.files for note in sounds(part.file)) == sounds(file)
    assume(all_notes(file))
    for part in parts.files:
        used = {status & 0x0F for track in part.file.tracks for _, status, _ in track if status < 0xF0}
        (channel,) = used
        assert (part.label or "").endswith(f" (channel {channel + 1})")
        assert tempo_changes(part.file.tracks)[0] == tempo_changes(file.tracks)[0]


@pytest.mark.parametrize("by", ["track", "channel"])
def test_splitting_a_file_without_notes_changes_nothing_and_gives_a_warning(by: str) -> None:
    file = MidiFile(1, PPQ, [[tempo(0, 400_000), end(9)], [name("Lead"), end(9)]])
    parts = run(file, {"type": "split", "by": by})
    assert one(parts) is file and parts.reports[0].warnings == ["There are no notes, so there is nothing to split."]


def test_a_part_of_a_split_keeps_its_settings_from_other_tracks() -> None:
    setup = [tempo(0, 400_000), (0, 0xC0, b"\x21"), (0, 0xC1, b"\x05"), end(0)]
    file = MidiFile(1, PPQ, [setup, [on(0, 60), off(9, 60), end(9)], [on(0, 60, 80, 1), off(9, 60, 64, 1), end(9)]])
    first, second = (part.file for part in run(file, {"type": "split"}).files)
    assert list(first.tracks[0]) == [tempo(0, 400_000), (0, 0xC0, b"\x21"), end(0)]
    assert list(second.tracks[0]) == [tempo(0, 400_000), (0, 0xC1, b"\x05"), end(0)]


def test_extracting_keeps_the_tracks_and_the_tempo_of_the_others() -> None:
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
    labels = [part.label for part in run(file, {"type": "split"}).files]
    assert labels == ["Lead", "Bass"]


def test_a_type_2_file_is_split_into_type_0_files() -> None:
    file = MidiFile(2, PPQ, [[tempo(0, 400_000), on(0, 60), off(9, 60), end(9)], [on(0, 61), off(9, 61), end(9)]])
    result = run(file, {"type": "split"})
    assert [(part.file.format, len(part.file.tracks)) for part in result.files] == [(0, 1), (0, 1)]
    assert one(run(file, {"type": "split"}, {"type": "merge", "order": "sequence"})).format == 0
    with pytest.raises(MusicError) as error:
        run(file, {"type": "merge"})
    assert error.value.code == "NEEDS_ONE_TIMELINE"


def test_too_many_files_are_rejected() -> None:
    file = MidiFile(1, PPQ, [[on(0, 60), off(1, 60), end(1)]] * 129)
    with pytest.raises(MusicError) as error:
        run(file, {"type": "split"})
    assert error.value.code == "TOO_MANY_FILES"


@pytest.mark.parametrize("by", ["track", "channel"])
def test_hanging_notes_are_ended_in_the_parts(by: str) -> None:
    whole = [name("Whole"), on(0, 60), off(9, 60), off(10, 60), end(50)]
    file = MidiFile(1, PPQ, [whole, [on(0, 62, 80, 1), on(20, 64, 80, 1), off(30, 64, 64, 1), end(50)]])
    parts = run(file, {"type": "split", "by": by})
    assert any(track is whole for track in parts.files[0].file.tracks)
    notes = all_notes(parts.files[1].file)
    assert [(note.pitch, note.start, note.end, note.is_hanging) for note in notes] == [
        (62, 0, 50, False),
        (64, 20, 30, False),
    ]
    assert parts.reports[0].changed == {"closed": 1, "files": 2} and parts.reports[0].warnings


@pytest.mark.parametrize(
    ("by", "labels"),
    [
        ("track", ["Flute (track 1)", "Walking", "Drums (track 3)"]),
        ("channel", ["Flute (channel 1)", "Acoustic Bass (channel 2)", "Drums (channel 10)"]),
    ],
)
def test_parts_are_labelled_by_their_instruments(by: str, labels: list[str]) -> None:
    setup = [tempo(0, 400_000), (0, 0xC0, b"\x49"), (0, 0xC1, b"\x20"), end(0)]
    bass = [name("Walking"), on(0, 40, 80, 1), off(9, 40, 64, 1), end(9)]
    file = MidiFile(
        1, PPQ, [setup, [on(0, 60), off(9, 60), end(9)], bass, [on(0, 36, 80, 9), off(9, 36, 64, 9), end(9)]]
    )
    assert [part.label for part in run(file, {"type": "split", "by": by}).files] == labels
