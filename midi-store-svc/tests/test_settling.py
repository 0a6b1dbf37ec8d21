"""Notes that come to meet on a key: settled by rules that are told here once more, plainly and slowly."""

from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from consort_music.midi.model import MidiFile, Track
from consort_music.quantize import TickGrid, parse_grid
from tests.midi_tracks import (
    PPQ,
    changed,
    crowded_tracks,
    drawn,
    end,
    files,
    messy_tracks,
    notes_of,
    off,
    on,
    quantizings,
    transposings,
)


class Wish(NamedTuple):
    """One note: the voice it was of, where it was, the key it shall have, and where it shall be."""

    voice: Any
    was: int
    until: int
    key: tuple[int, int]
    start: int
    end: int
    velocity: int
    release: int


def settled(wishes: list[Wish]) -> list[tuple[int, ...]]:
    """What must come of the wishes, in the order of their starts: the rules told once more, plainly and slowly."""
    kept: list[Wish] = []
    for new in wishes:
        for old in [each for each in reversed(kept) if each.key == new.key and each.start == new.start]:
            if (old.voice, old.was) == (new.voice, new.was):
                break
            if (old.velocity, old.end) >= (new.velocity, new.end):
                new = new._replace(velocity=0)
                break
            kept.remove(old)
        if new.velocity:
            kept.append(new)
    for place, note in reversed(list(enumerate(kept))):
        for later in kept[place + 1 :]:
            if later.key == note.key:
                overlapped = later.voice == note.voice and note.until > later.was
                note = note._replace(end=min(note.end, later.end if overlapped else later.start))
        kept[place] = note
    return sorted((*each.key, each.start, each.end, each.velocity, each.release) for each in kept)


def wishes_of(track: Track, voice: int = 0) -> list[Wish]:
    """The notes as they are, but for those that have to be mended."""
    notes = [note._replace(end=max(note.end, note.start + 1)) for note in notes_of(track)]
    return [Wish((voice, *note[1:3]), note.start, note.end, note[1:3], note.start, *note[4:7]) for note in notes]


def heard(*tracks: Track) -> list[tuple[int, ...]]:
    return sorted(note[1:7] for track in tracks for note in notes_of(track))


@settings(max_examples=300, deadline=None)
@given(st.one_of(messy_tracks(), crowded_tracks()), quantizings)
def test_quantized_notes_are_settled_by_the_rules(track: Track, operation: dict[str, Any]) -> None:
    grid = TickGrid(parse_grid(operation["grid"], operation.get("swing", 50)), PPQ)
    strength = operation.get("strength", 1)
    result, _ = changed(drawn(track), operation)
    if result.tracks[0] is track:
        return
    wishes = []
    for wish in wishes_of(track):
        start = grid.move(wish.start, strength)
        end = start + wish.until - wish.was
        if operation.get("end") == "quantize":
            end = grid.move(wish.end, strength)
            end = end if end > start else grid.after(start)
        wishes.append(wish._replace(start=start, end=end))
    assert heard(result.tracks[0]) == settled(wishes)


@settings(max_examples=300, deadline=None)
@given(st.one_of(messy_tracks(), crowded_tracks()), transposings)
def test_transposed_notes_are_settled_by_the_rules(track: Track, operation: dict[str, Any]) -> None:
    result, _ = changed(drawn(track), operation)
    if result.tracks[0] is track:
        return
    wishes = []
    for wish in wishes_of(track):
        channel, pitch = wish.key
        if channel != 9 or operation.get("include_drums"):
            pitch += operation["semitones"]
            policy = operation.get("out_of_range", "fold")
            if policy == "drop" and not 0 <= pitch < 128:
                continue
            if policy == "clamp":
                pitch = min(max(pitch, 0), 127)
            while pitch > 127:
                pitch -= 12
            while pitch < 0:
                pitch += 12
        wishes.append(wish._replace(key=(channel, pitch)))
    assert heard(result.tracks[0]) == settled(wishes)


@settings(max_examples=300, deadline=None)
@given(files(st.one_of(messy_tracks(), crowded_tracks())))
def test_notes_of_tracks_made_one_are_settled_by_the_rules(file: MidiFile) -> None:
    result, _ = changed(file, {"type": "merge"})
    if len(file.tracks) > 1:
        wishes = [wish for index, track in enumerate(file.tracks) for wish in wishes_of(track, index)]
        assert heard(*result.tracks) == settled(sorted(wishes, key=lambda wish: wish.start))


def test_notes_that_overlapped_before_still_do() -> None:
    track = [on(1, 60, 1), on(25, 60, 2), off(49, 60, 11), off(100, 60, 12), end(200)]
    result, (report,) = changed(drawn(track), {"type": "quantize", "grid": "1/16"})
    notes = [(note.start, note.end, note.velocity, note.release_velocity) for note in notes_of(result.tracks[0])]
    assert notes == [(0, 48, 1, 11), (24, 99, 2, 12)]
    assert report.changed == {"moved": 2}


def test_overlapping_notes_that_come_to_end_at_once_keep_their_release_velocities() -> None:
    track = [on(24, 60, 1), on(49, 60, 2), off(60, 60, 11), off(61, 60, 12), end(100)]
    result, _ = changed(drawn(track), {"type": "quantize", "grid": "1/16"})
    notes = [(note.start, note.end, note.velocity, note.release_velocity) for note in notes_of(result.tracks[0])]
    assert notes == [(24, 60, 1, 11), (48, 60, 2, 12)]


def test_of_equal_starts_the_louder_stays_and_the_earlier_of_overlapping_notes_is_shortened() -> None:
    track = [on(3, 60, 40), off(8, 60), on(10, 60, 90), off(30, 60, 7), on(31, 60), off(70, 60), end(96)]
    result, (report,) = changed(drawn(track), {"type": "quantize", "grid": "1/16"})
    assert list(result.tracks[0]) == [on(0, 60, 90), off(20, 60, 7), on(24, 60), off(63, 60), end(96)]
    assert report.changed == {"duplicates_removed": 1, "moved": 2}
    result, (report,) = changed(drawn(track), {"type": "quantize", "grid": "1/4", "strength": 0.5})
    assert report.changed["shortened"] == 2


def test_a_note_that_comes_to_begin_with_two_others_meets_both() -> None:
    ons = [on(1, 60, 50), on(1, 60, 40), on(3, 60, 45), on(20, 60, 70)]
    track = [*ons, off(36, 60, 1), off(37, 60, 2), off(38, 60, 3), off(40, 60, 4), end(100)]
    result, (report,) = changed(drawn(track), {"type": "quantize", "grid": "1/16"})
    notes = [(note.start, note.end, note.velocity, note.release_velocity) for note in notes_of(result.tracks[0])]
    assert notes == [(0, 35, 50, 1), (24, 44, 70, 4)]
    assert report.changed["duplicates_removed"] == 2


def test_notes_folded_onto_each_other_are_settled() -> None:
    track = [on(0, 115), on(0, 127, 90), off(40, 127), on(50, 115), off(60, 115), off(90, 115), end(100)]
    result, (report,) = changed(drawn(track), {"type": "transpose", "semitones": 12})
    notes = [(note.pitch, note.start, note.end, note.velocity) for note in notes_of(result.tracks[0])]
    assert notes == [(127, 0, 40, 90), (127, 50, 90, 80)]
    assert report.changed == {"folded": 1, "transposed": 2, "duplicates_removed": 1}


def test_a_note_folded_behind_another_is_not_silenced_by_its_end() -> None:
    track = [on(0, 115), on(50, 127), off(50, 115), off(90, 127), end(100)]
    result, _ = changed(drawn(track), {"type": "transpose", "semitones": 12})
    assert list(result.tracks[0]) == [on(0, 127), off(50, 127), on(50, 127), off(90, 127), end(100)]


def test_very_many_notes_on_one_key_are_settled() -> None:
    """In quadratic time this would not end within the limit of a test."""
    count = 100_000
    track = [
        *(on(tick, 60) for tick in range(count)),
        *(off(count + tick, 60) for tick in range(count)),
        end(3 * count),
    ]
    for operation in (
        {"type": "quantize", "grid": "1/16"},
        {"type": "humanize"},
        {"type": "transpose", "semitones": 99},
    ):
        file, _ = changed(drawn(track), operation)
        notes = notes_of(file.tracks[0])
        assert notes and all(note.end > note.start for note in notes)
