"""transpose: notes and key signatures."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_music.errors import MusicError
from consort_music.midi.key_signatures import keys_of
from consort_music.midi.model import Event, MidiFile, Track
from tests.support.transform_inputs import (
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
    """Return the events that transposing does not change."""
    return [event for event in others_of(track) if event[1] & 0xF0 != 0xA0 and event[2][:1] != b"\x59"]


@settings(deadline=None)
@given(files(clean_tracks()), st.integers(-32, 32))
def test_transposing_up_and_down_is_the_identity_if_no_note_leaves_the_range(file: MidiFile, semitones: int) -> None:
    file = MidiFile(1, PPQ, [in_middle_range(track) for track in file.tracks])
    there, _ = changed(file, {"type": "transpose", "semitones": semitones})
    back, _ = changed(there, {"type": "transpose", "semitones": -semitones})
    assert [list(track) for track in back.tracks] == [list(track) for track in file.tracks]


def in_middle_range(track: Track) -> Track:
    """Return the track with all pitches moved to 32-95. Different pitches of `clean_tracks` stay different."""
    return [
        (tick, status, bytes((data[0] % 64 + 32, data[1])) if status < 0xB0 else data) for tick, status, data in track
    ]


@settings(deadline=None)
@given(files(messy_tracks()), transposings)
def test_transposing_changes_only_pitches(file: MidiFile, operation: dict[str, Any]) -> None:
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
def test_notes_out_of_range_are_folded_clamped_or_dropped(semitones: int, policy: str, pitches: list[int]) -> None:
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
    """Return quarter notes, without a name or an end-of-track."""
    return [
        event
        for place, pitch in enumerate(pitches)
        for event in (on(place * PPQ, pitch, channel=channel), off((place + 1) * PPQ, pitch, channel=channel))
    ]


MAJOR = (0, 4, 7, 12, 11, 9, 7, 5, 4, 2, 0)
MINOR = (0, 3, 7, 12, 10, 8, 7, 5, 3, 2, 0)


@settings(deadline=None)
@given(st.integers(-7, 7), st.booleans(), st.integers(-30, 30))
def test_key_signatures_are_transposed_with_the_fewest_accidentals(sharps: int, minor: bool, semitones: int) -> None:
    conductor, notes = [key(0, sharps, minor=minor), end(0)], [*tune(60, 64), end(2 * PPQ)]
    result, (report,) = changed(MidiFile(1, PPQ, [conductor, notes]), {"type": "transpose", "semitones": semitones})
    ((_, old),), ((_, new),) = keys_of([conductor]), keys_of(result.tracks)
    assert new.mode == old.mode and (new.tonic - old.tonic - semitones) % 12 == 0
    if semitones % 12:
        assert abs(new.sharps) <= 6 and report.changed["key_signatures"] == 1
    else:
        assert new == old


def test_all_key_signatures_are_moved_by_the_same_interval_with_at_most_seven_accidentals() -> None:
    """C major with a modulation to A major, transposed up a semitone, becomes Db and Bb major, not C# and Bb major."""
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
def test_key_signatures_stay_if_only_some_pitched_notes_are_transposed(operation: dict[str, Any], moved: bool) -> None:
    lead = [(0, 0xFF, b"\x03Lead"), key(0, 0), *tune(60), end(PPQ)]
    bass = [(0, 0xFF, b"\x03Bass"), *tune(40, channel=1), end(PPQ)]
    drums = [key(0, 0), *tune(36, channel=9), end(PPQ)]
    result, _ = changed(MidiFile(1, PPQ, [lead, bass, drums]), {"type": "transpose", "semitones": 2, **operation})
    assert [found.name for _, found in keys_of(result.tracks)] == ["D major" if moved else "C major"]


def test_drums_alone_have_no_key() -> None:
    drums = drawn([key(0, 0), *tune(36, 38, channel=9), end(2 * PPQ)])
    result, _ = changed(drums, {"type": "transpose", "semitones": 2, "include_drums": True})
    assert [found.name for _, found in keys_of(result.tracks)] == ["C major"]
    with pytest.raises(MusicError) as error:
        changed(drums, {"type": "transpose", "to_key": "D major"})
    assert (error.value.code, error.value.field) == ("NO_KEY", "operations.0.to_key")


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
        "same key",
        "minor",
        "minor tonic",
        "short minor",
        "lower case",
        "wrong signature",
        "no signature",
    ],
)
def test_to_key_takes_the_shortest_way_from_the_key_of_the_music(
    scale: tuple[int, ...], tonic: int, sharps: int | None, to_key: str, semitones: int, name: str | None
) -> None:
    minor = scale is MINOR
    signature = [] if sharps is None else [key(0, sharps, minor=minor)]
    pitches = [tonic + degree for degree in scale]
    file = drawn([*signature, *tune(*pitches), end(len(pitches) * PPQ)])
    result, (report,) = changed(file, {"type": "transpose", "to_key": to_key})
    assert [note.pitch for note in notes_of(result.tracks[0])] == [pitch + semitones for pitch in pitches]
    if name is None:
        assert "sounds like" in report.warnings[0]
    else:
        assert [found.name for _, found in keys_of(result.tracks)] == [name] and report.warnings == []


def test_the_key_of_the_music_is_the_one_before_it_modulates() -> None:
    """The music has a few bars of C major, then a long part in E major."""
    home, away = [60 + degree for degree in MAJOR], [64 + degree for degree in MAJOR] * 5
    change = len(home) * PPQ
    notes = tune(*home, *away)
    file = drawn([key(0, 0), *notes, end(len(notes) // 2 * PPQ)])
    parts = [[key(0, 0), key(change, 4), end(change)], [*notes, end(len(notes) // 2 * PPQ)]]
    result, (report,) = changed(MidiFile(1, PPQ, parts), {"type": "transpose", "to_key": "D major"})
    assert [found.name for _, found in keys_of(result.tracks)] == ["D major", "F# major"]
    assert notes_of(result.tracks[1])[0].pitch == 62 and report.warnings == []
    assert "sounds like E major" in changed(file, {"type": "transpose", "to_key": "D major"})[1][0].warnings[0]


@pytest.mark.parametrize(
    ("scale", "tonic", "to_key", "semitones", "name"),
    [
        (MAJOR, 60, "Am", 0, "A minor"),
        (MAJOR, 60, "Dm", 5, "D minor"),
        (MAJOR, 60, "C minor", 3, "C minor"),
        (MINOR, 57, "D major", 2, "D major"),
    ],
)
def test_a_key_of_the_other_mode_gives_its_key_signature_and_a_warning(
    scale: tuple[int, ...], tonic: int, to_key: str, semitones: int, name: str
) -> None:
    pitches = [tonic + degree for degree in scale]
    file = drawn([key(0, 0, minor=scale is MINOR), *tune(*pitches), end(len(pitches) * PPQ)])
    result, (report,) = changed(file, {"type": "transpose", "to_key": to_key})
    assert [note.pitch for note in notes_of(result.tracks[0])] == [pitch + semitones for pitch in pitches]
    (warning,) = report.warnings
    ((_, found),) = keys_of(result.tracks)
    assert f"the signature of {name}, but sounds like {found.name}." in warning


@pytest.mark.parametrize(("scale", "tonic", "name"), [(MAJOR, 60, "Bb major"), (MINOR, 57, "G minor")])
def test_a_church_mode_gives_a_warning_with_the_key_of_the_result(
    scale: tuple[int, ...], tonic: int, name: str
) -> None:
    pitches = [tonic + degree for degree in scale]
    file = drawn([key(0, 0, minor=scale is MINOR), *tune(*pitches), end(len(pitches) * PPQ)])
    result, (report,) = changed(file, {"type": "transpose", "to_key": "G dorian"})
    assert report.warnings == [f"Transposing does not change the mode: the result sounds like {name}."]
    assert [found.name for _, found in keys_of(result.tracks)] == [name]


@pytest.mark.parametrize("to_key", ["E major", "D major", "Ab major"])
def test_a_wrong_key_signature_becomes_that_of_the_target_key(to_key: str) -> None:
    pitches = [62 + degree for degree in MAJOR]
    file = drawn([key(0, 0), *tune(*pitches), end(len(pitches) * PPQ)])
    result, _ = changed(file, {"type": "transpose", "to_key": to_key})
    assert [found.name for _, found in keys_of(result.tracks)] == [to_key]
