"""Transposition."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_music.errors import MusicError
from consort_music.midi.key_signatures import keys_of
from consort_music.midi.model import Event, MidiFile, Track
from tests.midi_tracks import (
    PPQ,
    changed,
    clean_tracks,
    drawn,
    end,
    files,
    key,
    messy_tracks,
    notes_of,
    off,
    on,
    others_of,
    transposings,
)


def unpitched(track: Track) -> list[Event]:
    """All events that a transposition leaves alone."""
    return [event for event in others_of(track) if event[1] & 0xF0 != 0xA0 and event[2][:1] != b"\x59"]


@settings(deadline=None)
@given(files(clean_tracks()), st.integers(-127, 127))
def test_transposing_up_and_down_is_the_identity_where_nothing_folds(file: MidiFile, semitones: int) -> None:
    up, down = {"type": "transpose", "semitones": semitones}, {"type": "transpose", "semitones": -semitones}
    there, (report,) = changed(file, up)
    if "folded" in report.changed:
        return
    poly = [data[0] for track in file.tracks for _, status, data in track if status & 0xF0 == 0xA0]
    if all(0 <= pitch + semitones <= 127 for pitch in poly):
        back, _ = changed(there, down)
        assert [list(track) for track in back.tracks] == [list(track) for track in file.tracks]


@settings(deadline=None)
@given(files(messy_tracks()), transposings)
def test_transposing_moves_pitches_and_nothing_else(file: MidiFile, operation: dict[str, Any]) -> None:
    result, (report,) = changed(file, operation)
    drums = operation.get("include_drums", False)
    shift = operation["semitones"]
    out = Counter[str]()
    for old, new in zip(file.tracks, result.tracks, strict=True):
        assert unpitched(new) == unpitched(old)
        if not drums:
            sounding = [
                [(note.start, note.pitch, note.velocity) for note in notes_of(track) if note.channel == 9]
                for track in (old, new)
            ]
            assert sounding[0] == sounding[1]
            assert [e for e in old if e[1] == 0xA9] == [e for e in new if e[1] == 0xA9]
        for note in notes_of(old):
            if note.channel != 9 or drums:
                out["all"] += 1
                out["leaving"] += not 0 <= note.pitch + shift <= 127
    if shift:
        policy = operation.get("out_of_range", "fold")
        assert (
            report.changed.get({"fold": "folded", "clamp": "clamped", "drop": "dropped"}[policy], 0) == out["leaving"]
        )
        lost = report.changed.get("duplicates_removed", 0) + report.changed.get("dropped", 0)
        assert report.changed.get("transposed", 0) == out["all"] - lost


@pytest.mark.parametrize(
    ("semitones", "policy", "pitches"),
    [(12, "fold", [72, 120, 121]), (12, "clamp", [72, 127, 127]), (12, "drop", [72]), (-127, "fold", [5, 5, 6])],
)
def test_what_leaves_the_range(semitones: int, policy: str, pitches: list[int]) -> None:
    track = [
        on(0, 60),
        off(5, 60),
        on(10, 120),
        off(15, 120),
        on(20, 121),
        (22, 0xA0, b"\x79\x05"),
        off(25, 121),
        end(30),
    ]
    result, _ = changed(drawn(track), {"type": "transpose", "semitones": semitones, "out_of_range": policy})
    assert [note.pitch for note in notes_of(result.tracks[0])] == pitches
    pressures = [data[0] for _, status, data in result.tracks[0] if status == 0xA0]
    assert pressures == ([] if policy == "drop" else pitches[-1:])


def tune(*pitches: int, channel: int = 0) -> Track:
    """Quarter notes, without a name or an end."""
    return [
        event
        for place, pitch in enumerate(pitches)
        for event in (on(place * PPQ, pitch, channel=channel), off((place + 1) * PPQ, pitch, channel=channel))
    ]


MAJOR = (0, 4, 7, 12, 11, 9, 7, 5, 4, 2, 0)
MINOR = (0, 3, 7, 12, 10, 8, 7, 5, 3, 2, 0)


@settings(deadline=None)
@given(st.integers(-7, 7), st.booleans(), st.integers(-30, 30))
def test_key_signatures_move_with_the_notes_and_have_the_fewest_accidentals(
    sharps: int, minor: bool, semitones: int
) -> None:
    conductor, notes = [key(0, sharps, minor=minor), end(0)], [*tune(60, 64), end(2 * PPQ)]
    result, (report,) = changed(MidiFile(1, PPQ, [conductor, notes]), {"type": "transpose", "semitones": semitones})
    ((_, old),), ((_, new),) = keys_of([conductor]), keys_of(result.tracks)
    assert new.mode == old.mode and (new.tonic - old.tonic - semitones) % 12 == 0
    if semitones % 12:
        assert abs(new.sharps) <= 6 and report.changed["key_signatures"] == 1
    else:
        assert new == old


def test_signatures_of_one_file_are_spelled_alike_and_none_has_more_than_seven_accidentals() -> None:
    """C major and its modulation to A major, five semitones and one up: Db with Bb, not C# with Bb."""
    track = [key(0, 0), *tune(60, 64), key(2 * PPQ, 3), end(2 * PPQ)]
    (up, _) = changed(drawn(track), {"type": "transpose", "semitones": 1})
    assert [found.name for _, found in keys_of(up.tracks)] == ["Db major", "Bb major"]
    far = [key(0, 7), key(PPQ, 0), key(PPQ, 0), *tune(60, 64), end(2 * PPQ)]
    moved = changed(drawn(far), {"type": "transpose", "semitones": 7})[0]
    assert all(abs(found.sharps) <= 7 for _, found in keys_of(moved.tracks))


@pytest.mark.parametrize(
    ("operation", "moved"),
    [
        ({}, True),
        ({"tracks": ["Lead", "Bass"]}, True),
        ({"tracks": ["Lead"]}, False),
        ({"channels": [1]}, False),
        ({"channels": [1, 2]}, True),
        ({"include_drums": True}, True),
    ],
)
def test_signatures_stay_where_only_some_pitched_notes_move(operation: dict[str, Any], moved: bool) -> None:
    lead = [(0, 0xFF, b"\x03Lead"), key(0, 0), *tune(60), end(PPQ)]
    bass = [(0, 0xFF, b"\x03Bass"), *tune(40, channel=1), end(PPQ)]
    drums = [key(0, 0), *tune(36, channel=9), end(PPQ)]
    result, _ = changed(MidiFile(1, PPQ, [lead, bass, drums]), {"type": "transpose", "semitones": 2, **operation})
    assert [found.name for _, found in keys_of(result.tracks)] == ["D major" if moved else "C major"]


def test_drums_alone_have_no_key_to_move() -> None:
    drums = drawn([key(0, 0), *tune(36, 38, channel=9), end(2 * PPQ)])
    result, _ = changed(drums, {"type": "transpose", "semitones": 2, "include_drums": True})
    assert [found.name for _, found in keys_of(result.tracks)] == ["C major"]
    with pytest.raises(MusicError) as refused:
        changed(drums, {"type": "transpose", "to_key": "D major"})
    assert (refused.value.code, refused.value.field) == ("NO_KEY", "operations.0.to_key")


@pytest.mark.parametrize(
    ("scale", "tonic", "sharps", "to_key", "semitones", "name"),
    [
        (MAJOR, 60, 0, "D major", 2, "D major"),
        (MAJOR, 60, 0, "Bb major", -2, "Bb major"),
        (MAJOR, 60, 0, "F# major", -6, "F# major"),
        (MAJOR, 60, 0, "Db", 1, "Db major"),
        (MAJOR, 60, 0, "C# major", 1, "C# major"),
        (MAJOR, 62, 2, "D major", 0, "D major"),
        (MINOR, 57, 0, "Bb minor", 1, "Bb minor"),
        (MINOR, 57, 0, "B", 2, "B minor"),
        (MINOR, 57, 0, "Bm", 2, "B minor"),
        (MINOR, 57, 0, "d", 5, "D minor"),
        (MAJOR, 62, 0, "E major", 2, None),
        (MAJOR, 63, None, "F major", 2, None),
    ],
    ids=[
        "up",
        "down",
        "tritone",
        "tonic alone",
        "as spelled",
        "there already",
        "minor",
        "minor tonic",
        "short minor",
        "small letter",
        "false",
        "none",
    ],
)
def test_to_key_moves_the_shortest_way_from_the_key_that_is_heard(
    scale: tuple[int, ...], tonic: int, sharps: int | None, to_key: str, semitones: int, name: str | None
) -> None:
    minor = scale is MINOR
    signature = [] if sharps is None else [key(0, sharps, minor=minor)]
    pitches = [tonic + degree for degree in scale]
    file = drawn([*signature, *tune(*pitches), end(len(pitches) * PPQ)])
    result, (report,) = changed(file, {"type": "transpose", "to_key": to_key})
    assert [note.pitch for note in notes_of(result.tracks[0])] == [pitch + semitones for pitch in pitches]
    if name is None:
        assert "sounds like" in (report.warnings or [""])[0]
    else:
        assert [found.name for _, found in keys_of(result.tracks)] == [name] and report.warnings is None


def test_the_key_to_move_from_is_that_of_the_music_before_it_modulates() -> None:
    """A few bars of C major, then a long part in E major."""
    home, away = [60 + degree for degree in MAJOR], [64 + degree for degree in MAJOR] * 5
    change = len(home) * PPQ
    notes = tune(*home, *away)
    file = drawn([key(0, 0), *notes, end(len(notes) // 2 * PPQ)])
    parts = [[key(0, 0), key(change, 4), end(change)], [*notes, end(len(notes) // 2 * PPQ)]]
    result, (report,) = changed(MidiFile(1, PPQ, parts), {"type": "transpose", "to_key": "D major"})
    assert [found.name for _, found in keys_of(result.tracks)] == ["D major", "F# major"]
    assert notes_of(result.tracks[1])[0].pitch == 62 and report.warnings is None
    assert (
        "sounds like E major" in (changed(file, {"type": "transpose", "to_key": "D major"})[1][0].warnings or [""])[0]
    )


@pytest.mark.parametrize(
    ("scale", "tonic", "to_key", "semitones", "told"),
    [
        (MAJOR, 60, "Am", 0, "A minor"),
        (MAJOR, 60, "Dm", 5, "D minor"),
        (MAJOR, 60, "C minor", 3, "C minor"),
        (MINOR, 57, "D major", 2, "D major"),
    ],
)
def test_a_key_of_the_other_mode_gives_its_signature_and_a_warning(
    scale: tuple[int, ...], tonic: int, to_key: str, semitones: int, told: str
) -> None:
    pitches = [tonic + degree for degree in scale]
    file = drawn([key(0, 0, minor=scale is MINOR), *tune(*pitches), end(len(pitches) * PPQ)])
    result, (report,) = changed(file, {"type": "transpose", "to_key": to_key})
    assert [note.pitch for note in notes_of(result.tracks[0])] == [pitch + semitones for pitch in pitches]
    (warning,) = report.warnings or []
    ((_, found),) = keys_of(result.tracks)
    assert f"the signature of {told}, but sounds like {found.name}." in warning


@pytest.mark.parametrize(("scale", "tonic", "told"), [(MAJOR, 60, "Bb major"), (MINOR, 57, "G minor")])
def test_a_key_that_is_neither_major_nor_minor_comes_with_what_the_result_sounds_like(
    scale: tuple[int, ...], tonic: int, told: str
) -> None:
    pitches = [tonic + degree for degree in scale]
    file = drawn([key(0, 0, minor=scale is MINOR), *tune(*pitches), end(len(pitches) * PPQ)])
    result, (report,) = changed(file, {"type": "transpose", "to_key": "G dorian"})
    assert report.warnings == [f"Transposing does not change the mode: the result sounds like {told}."]
    assert [found.name for _, found in keys_of(result.tracks)] == [told]


@pytest.mark.parametrize("to_key", ["E major", "D major", "Ab major"])
def test_a_false_signature_becomes_that_of_the_key_asked_for(to_key: str) -> None:
    pitches = [62 + degree for degree in MAJOR]
    file = drawn([key(0, 0), *tune(*pitches), end(len(pitches) * PPQ)])
    result, _ = changed(file, {"type": "transpose", "to_key": to_key})
    assert [found.name for _, found in keys_of(result.tracks)] == [to_key]
