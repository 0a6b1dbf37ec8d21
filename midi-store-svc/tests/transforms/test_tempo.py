"""tempo: change how fast the music is."""

from hypothesis import given, settings
from hypothesis import strategies as st

from consort_music.midi.model import MidiFile
from consort_music.midi.tempo_map import elapsed_ms, last_tick, tempo_changes
from tests.support.transform_inputs import PPQ, end, name, off, on, one, run, tempo, whole_files


@settings(deadline=None)
@given(whole_files, st.sampled_from([0.25, 0.5, 1.1, 2, 3]))
def test_scaling_the_tempo_scales_the_length_and_nothing_else(file: MidiFile, scale: float) -> None:
    result = one(run(file, {"type": "tempo", "scale": scale}))
    assert all(
        [event for event in new if event[2][:1] != b"\x51"] == [event for event in old if event[2][:1] != b"\x51"]
        for old, new in zip(file.tracks, result.tracks, strict=True)
    )
    was, now = (elapsed_ms(each, tempo_changes(each.tracks)[0], last_tick(each.tracks)) for each in (file, result))
    assert abs(now - was / scale) < 2 + 1 / scale


@settings(deadline=None)
@given(whole_files, st.sampled_from([30, 90.5, 200]))
def test_setting_the_tempo_leaves_one_tempo_event(file: MidiFile, bpm: float) -> None:
    result = run(file, {"type": "tempo", "bpm": bpm})
    assert tempo_changes(one(result).tracks)[0] == [(0, round(60_000_000 / bpm))]
    old = [event for track in file.tracks for event in track if event[2][:1] == b"\x51"]
    changed = result.reports[0].changed
    assert changed.get("tempos_removed", 0) == max(len(old) - 1, 0)
    assert changed.get("tempos_changed", 0) == (bool(old) and tempo(0, round(60_000_000 / bpm)) not in old)
    assert changed.get("tempos_added", 0) == (not old)
    again = run(one(result), {"type": "tempo", "bpm": bpm})
    assert one(again) is one(result) and not again.reports[0].changed


def test_a_file_without_a_tempo_at_the_start_gets_one_after_its_name() -> None:
    file = MidiFile(0, PPQ, [[name("Lead"), on(0, 60), off(96, 60), tempo(96, 400_000), end(100)]])
    result = run(file, {"type": "tempo", "scale": 2})
    assert list(one(result).tracks[0])[:3] == [name("Lead"), tempo(0, 250_000), on(0, 60)]
    assert tempo(96, 200_000) in one(result).tracks[0]
    assert result.reports[0].changed == {"tempos_changed": 1, "tempos_added": 1}


def test_a_tempo_too_slow_for_a_file_is_limited_with_a_warning() -> None:
    result = run(MidiFile(0, PPQ, [[tempo(0, 10_000_000), end(96)]]), {"type": "tempo", "scale": 0.05})
    assert one(result).tracks[0][0] == tempo(0, 0xFFFFFF)
    assert result.reports[0].changed["tempos_limited"] == 1 and result.reports[0].warnings


def test_each_piece_of_a_type_2_file_has_its_own_tempo() -> None:
    file = MidiFile(2, PPQ, [[tempo(0, 500_000), end(96)], [on(0, 60), off(9, 60), end(96)]])
    result = one(run(file, {"type": "tempo", "scale": 2}))
    assert [track[0] for track in result.tracks] == [tempo(0, 250_000), tempo(0, 250_000)]
