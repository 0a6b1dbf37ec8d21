"""Transpose, quantize, swing, humanize and velocity, on files as odd as they come and on well-kept ones."""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from consort_midi_store.transforms.apply import apply
from consort_midi_store.transforms.models import Operation, OperationReport
from consort_music.errors import MusicError
from consort_music.midi.model import END_OF_TRACK, META, Event, MidiFile, Track
from consort_music.midi.notes import Note, pair_notes
from consort_music.midi.timing import tempo_changes
from consort_music.midi.writer import write_midi
from consort_music.quantize import TickGrid, parse_grid

PPQ = 96
OPERATION: TypeAdapter[Operation] = TypeAdapter(Operation)

channels = st.sampled_from([0, 1, 9])
pitches = st.sampled_from([0, 1, 11, 12, 60, 61, 115, 116, 126, 127])
sevens = st.integers(0, 127)


def on(tick: int, pitch: int, velocity: int = 80, channel: int = 0) -> Event:
    return tick, 0x90 | channel, bytes((pitch, velocity))


def off(tick: int, pitch: int, release: int = 64, channel: int = 0) -> Event:
    return tick, 0x80 | channel, bytes((pitch, release))


def end(tick: int) -> Event:
    return tick, META, END_OF_TRACK


@st.composite
def messy_tracks(draw: st.DrawFn) -> Track:
    """Whatever a track may hold: hanging notes, note-offs for nothing, overlaps, zero lengths, controllers, metas."""
    kinds = st.sampled_from([0x90] * 8 + [0x80] * 6 + [0xA0, 0xB0, 0xC0, 0xE0, META, 0xF0])
    keys = st.sampled_from(draw(st.lists(st.tuples(channels, pitches), min_size=1, max_size=3)))
    tick = 0
    events: list[Event] = []
    for kind in draw(st.lists(kinds, max_size=30)):
        tick += draw(st.sampled_from([0, 0, 0, 1, 5, 12, 24, 47, 48, 100]))
        if kind == META:
            events.append(
                (tick, META, draw(st.sampled_from([b"\x51\x07\xa1\x20", b"\x05la", b"\x58\x03\x02\x18\x08"])))
            )
        elif kind == 0xF0:
            events.append((tick, 0xF0, b"\x7e\x7f\x09\x01\xf7"))
        else:
            channel, pitch = draw(keys)
            second = draw(st.sampled_from([0, 1, 64, 64, 100])) if kind == 0x90 else draw(sevens)
            data = bytes((pitch,)) if kind == 0xC0 else bytes((pitch, second))
            events.append((tick, kind | channel, data))
    end = tick + draw(st.sampled_from([0, 0, 1, 50]))
    return [*events, (end, META, END_OF_TRACK)]


@st.composite
def crowded_tracks(draw: st.DrawFn) -> Track:
    """Notes that overlap, begin or end at once on a key or on two that a fold brings together."""
    ticks = st.sampled_from([0, 1, 10, 11, 12, 13, 23, 24, 25, 36, 40, 48])
    keys = [(0, 115), (0, 127)][: draw(st.integers(1, 2))]
    events: list[Event] = []
    for velocity in draw(st.lists(st.sampled_from([50, 60, 70]), max_size=6)):
        start, length = draw(ticks), draw(ticks)
        channel, pitch = draw(st.sampled_from(keys))
        events.append(on(start, pitch, velocity, channel))
        events.append(off(start + length, pitch, len(events), channel))
    events.append((draw(ticks), 0xB0, b"\x01\x02"))
    events.sort(key=lambda event: event[0])
    return [*events, end(events[-1][0])]


@st.composite
def clean_tracks(draw: st.DrawFn) -> Track:
    """Notes of one key never touch, and (channel, pitch, velocity) tells them apart; release velocities vary."""
    events: list[tuple[int, int, Event]] = [(0, 1, (0, META, b"\x03Lead")), (0, 1, (0, 0xC0, b"\x05"))]
    for channel, pitch in draw(st.sets(st.tuples(channels, pitches), max_size=5)):
        tick = 0
        for velocity in range(1, draw(st.integers(1, 9))):
            tick += draw(st.sampled_from([0, 1, 3, 20, 24, 50, 96]))
            length = draw(st.sampled_from([1, 2, 12, 24, 40, 96, 200]))
            off = 0x80 if draw(st.booleans()) else 0x90
            release = draw(sevens) if off == 0x80 else 0
            events.append((tick, 2, (tick, 0x90 | channel, bytes((pitch, velocity)))))
            events.append((tick + length, 0, (tick + length, off | channel, bytes((pitch, release)))))
            tick += length
    for tick in draw(st.lists(st.integers(0, 500), max_size=4)):
        events.append((tick, 1, (tick, draw(st.sampled_from([0xB0, 0xE0, 0xA0])), bytes((60, draw(sevens))))))
    events.sort(key=lambda item: item[:2])
    end = max(event[0] for event in events) + draw(st.sampled_from([0, 10]))
    return [*(event for _, _, event in events), (end, META, END_OF_TRACK)]


def files(tracks: st.SearchStrategy[Track]) -> st.SearchStrategy[MidiFile]:
    return st.builds(lambda tracks: MidiFile(1, PPQ, tracks), st.lists(tracks, min_size=1, max_size=3))


GRIDS = ["1/4", "1/8", "1/16", "1/32", "1/8t", "1/16t"]
quantizings = st.fixed_dictionaries(
    {"type": st.just("quantize"), "grid": st.sampled_from(GRIDS)},
    optional={
        "strength": st.sampled_from([0, 0.25, 0.5, 0.9, 1]),
        "end": st.sampled_from(["keep", "quantize"]),
        "swing": st.sampled_from([50, 58, 66.7]),
    },
)
transposings = st.fixed_dictionaries(
    {"type": st.just("transpose"), "semitones": st.sampled_from([-127, -12, -5, -1, 0, 1, 2, 11, 12, 60, 127])},
    optional={"out_of_range": st.sampled_from(["fold", "clamp", "drop"]), "include_drums": st.booleans()},
)
swingings = st.fixed_dictionaries({"type": st.just("swing"), "amount": st.sampled_from([50, 55, 66.7, 75])})
humanizings = st.fixed_dictionaries(
    {"type": st.just("humanize"), "seed": st.integers(0, 5)},
    optional={"timing_ticks": st.integers(0, 60), "velocity": st.integers(0, 127), "timing_ms": st.integers(0, 200)},
)
velocities = st.fixed_dictionaries(
    {"type": st.just("velocity")},
    optional={
        "set": st.integers(1, 127),
        "curve": st.sampled_from([0.5, 2]),
        "compress": st.sampled_from([-1, 0.5, 1]),
        "scale": st.sampled_from([0, 0.5, 2]),
        "add": st.integers(-127, 127),
        "min": st.integers(1, 40),
        "max": st.integers(41, 127),
    },
)
filters = st.fixed_dictionaries(
    {}, optional={"tracks": st.just([0]), "channels": st.sampled_from([[1], [2, 10], [16]])}
)
note_operations = st.builds(
    lambda operation, chosen: {**operation, **chosen},
    st.one_of(quantizings, transposings, swingings, humanizings, velocities),
    filters,
)


def run(file: MidiFile, *operations: dict[str, Any]) -> tuple[MidiFile, list[OperationReport]]:
    result = apply(file, [OPERATION.validate_python(operation) for operation in operations])
    (outcome,) = result.outcomes
    return outcome.file, result.reports


def notes_of(track: Track) -> list[Note]:
    return pair_notes(track).notes


def others_of(track: Track) -> list[Event]:
    return [event for event in track if event[1] >= 0xA0 and event[2] != END_OF_TRACK]


def by_identity(track: Track) -> dict[tuple[int, int, int], Note]:
    return {(note.channel, note.pitch, note.velocity): note for note in notes_of(track)}


def overlaps(notes: list[Note]) -> int:
    keys: dict[tuple[int, int], list[Note]] = {}
    for note in notes:
        keys.setdefault((note.channel, note.pitch), []).append(note)
    return sum(earlier.end > later.start for each in keys.values() for earlier, later in pairwise(each))


def drawn(track: Track) -> MidiFile:
    return MidiFile(1, PPQ, [track])


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
    result, _ = run(drawn(track), operation)
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
    result, _ = run(drawn(track), operation)
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
    result, _ = run(file, {"type": "merge"})
    if len(file.tracks) > 1:
        wishes = [wish for index, track in enumerate(file.tracks) for wish in wishes_of(track, index)]
        assert heard(*result.tracks) == settled(sorted(wishes, key=lambda wish: wish.start))


@settings(deadline=None)
@given(files(st.one_of(messy_tracks(), crowded_tracks())), st.one_of(note_operations, st.just({"type": "merge"})))
def test_no_note_off_stands_behind_the_note_it_would_silence(file: MidiFile, operation: dict[str, Any]) -> None:
    def silencing(tracks: Sequence[Track]) -> int:
        """Note-offs that come, at the very tick, after a newer note-on of their key."""
        return sum(
            older.end == newer.start and older.off_index is not None and older.off_index > newer.on_index
            for track in tracks
            for older in notes_of(track)
            for newer in notes_of(track)
            if older[1:3] == newer[1:3] and older.start < older.end
        )

    if silencing(file.tracks) == 0:
        assert silencing(run(file, operation)[0].tracks) == 0


@settings(deadline=None)
@given(files(messy_tracks()), st.lists(note_operations, min_size=1, max_size=3))
def test_notes_that_come_out_are_whole_and_tracks_in_order(file: MidiFile, operations: list[dict[str, Any]]) -> None:
    before = [list(track) for track in file.tracks]
    result, _ = run(file, *operations)
    assert [list(track) for track in file.tracks] == before
    for old, new in zip(file.tracks, result.tracks, strict=True):
        if new is old:
            continue
        notes, strays = pair_notes(new)
        assert strays == 0
        assert all(note.end > note.start >= 0 and not note.is_hanging for note in notes)
        assert [tick for tick, _, _ in new] == sorted(tick for tick, _, _ in new)
        assert [place for place, event in enumerate(new) if event[2] == END_OF_TRACK] == [len(new) - 1]
    write_midi(result)


@settings(deadline=None)
@given(files(messy_tracks()), note_operations)
def test_a_track_comes_back_as_the_same_object_or_changed(file: MidiFile, operation: dict[str, Any]) -> None:
    result, _ = run(file, operation)
    for index, (old, new) in enumerate(zip(file.tracks, result.tracks, strict=True)):
        if index not in operation.get("tracks", [index]):
            assert new is old
    if all(new is old for old, new in zip(file.tracks, result.tracks, strict=True)):
        assert result is file


@settings(deadline=None)
@given(files(messy_tracks()), note_operations)
def test_the_number_of_notes_is_what_the_report_says(file: MidiFile, operation: dict[str, Any]) -> None:
    result, (report,) = run(file, operation)
    lost = report.changed.get("duplicates_removed", 0) + report.changed.get("dropped", 0)
    assert sum(len(notes_of(track)) for track in result.tracks) == sum(map(len, map(notes_of, file.tracks))) - lost
    touched = [(old, new) for old, new in zip(file.tracks, result.tracks, strict=True) if new is not old]
    assert report.changed.get("closed", 0) == sum(pair_notes(old).hanging for old, _ in touched)
    assert report.changed.get("stray_note_offs_removed", 0) == sum(pair_notes(old).orphan_offs for old, _ in touched)
    empty = [note for old, _ in touched for note in notes_of(old) if note.start == note.end and not note.is_hanging]
    assert report.changed.get("lengthened", 0) == len(empty)


@settings(deadline=None)
@given(files(messy_tracks()), st.one_of(quantizings, swingings, humanizings, velocities))
def test_only_notes_move(file: MidiFile, operation: dict[str, Any]) -> None:
    result, _ = run(file, operation)
    for old, new in zip(file.tracks, result.tracks, strict=True):
        assert others_of(new) == others_of(old)
        assert new[-1][0] >= old[-1][0]


@settings(deadline=None)
@given(files(messy_tracks()), note_operations)
def test_channels_that_were_not_chosen_keep_their_notes(file: MidiFile, operation: dict[str, Any]) -> None:
    chosen = [1]
    result, _ = run(file, {**operation, "channels": chosen})
    for old, new in zip(file.tracks, result.tracks, strict=True):
        kept_old, kept_new = ([note for note in notes_of(track) if note.channel != 0] for track in (old, new))
        assert [(*note[1:4], note.velocity, note.release_velocity) for note in kept_old] == [
            (*note[1:4], note.velocity, note.release_velocity) for note in kept_new
        ]
        assert all(a.end == b.end or a.is_hanging or a.start == a.end for a, b in zip(kept_old, kept_new, strict=True))


@settings(deadline=None)
@given(files(clean_tracks()), st.one_of(quantizings, swingings))
def test_counts_of_moves_are_true(file: MidiFile, operation: dict[str, Any]) -> None:
    result, (report,) = run(file, operation)
    counts: Counter[str] = Counter()
    for old, new in zip(file.tracks, result.tracks, strict=True):
        was, now = by_identity(old), by_identity(new)
        assert now.keys() <= was.keys()
        assert overlaps(list(now.values())) == 0
        counts["duplicates_removed"] += len(was) - len(now)
        for identity, note in now.items():
            before = was[identity]
            assert note.release_velocity == before.release_velocity
            counts["moved"] += note.start != before.start
            if operation["type"] == "quantize" and operation.get("end", "keep") == "keep":
                counts["shortened"] += note.end - note.start < before.end - before.start
                assert note.end - note.start <= before.end - before.start
            else:
                counts["resized"] += note.end - note.start != before.end - before.start
    for what in ("moved", "duplicates_removed", *(key for key in ("shortened", "resized") if key in counts)):
        assert report.changed.get(what, 0) == counts[what], what


@settings(deadline=None)
@given(files(messy_tracks()), quantizings)
def test_quantize_of_strength_0_is_the_identity(file: MidiFile, operation: dict[str, Any]) -> None:
    result, (report,) = run(file, {**operation, "strength": 0})
    assert result is file and not report.changed and report.warnings is None


@settings(deadline=None)
@given(files(messy_tracks()), quantizings)
def test_quantize_of_strength_1_puts_every_start_on_the_grid(file: MidiFile, operation: dict[str, Any]) -> None:
    result, _ = run(file, {**operation, "strength": 1})
    grid = TickGrid(parse_grid(operation["grid"], operation.get("swing", 50)), PPQ)
    for track in result.tracks:
        assert all(grid.move(note.start) == note.start for note in notes_of(track))
    again, (report,) = run(result, {**operation, "strength": 1})
    assert again is result or operation.get("end") == "quantize"
    assert "moved" not in report.changed


@settings(deadline=None)
@given(files(clean_tracks()), quantizings)
def test_a_note_goes_its_share_of_the_way(file: MidiFile, operation: dict[str, Any]) -> None:
    result, _ = run(file, operation)
    strength = Fraction(str(operation.get("strength", 1)))
    grid = TickGrid(parse_grid(operation["grid"], operation.get("swing", 50)), PPQ)
    for old, new in zip(file.tracks, result.tracks, strict=True):
        before = by_identity(old)
        for identity, note in by_identity(new).items():
            exact = before[identity].start + strength * (grid.nearest(before[identity].start) - before[identity].start)
            assert abs(note.start - exact) <= Fraction(1, 2)


@settings(deadline=None)
@given(files(clean_tracks()), st.integers(-127, 127))
def test_transposing_up_and_down_is_the_identity_where_nothing_folds(file: MidiFile, semitones: int) -> None:
    up, down = {"type": "transpose", "semitones": semitones}, {"type": "transpose", "semitones": -semitones}
    there, (report,) = run(file, up)
    if "folded" in report.changed:
        return
    poly = [data[0] for track in file.tracks for _, status, data in track if status & 0xF0 == 0xA0]
    if all(0 <= pitch + semitones <= 127 for pitch in poly):
        back, _ = run(there, down)
        assert [list(track) for track in back.tracks] == [list(track) for track in file.tracks]


@settings(deadline=None)
@given(files(messy_tracks()), transposings)
def test_transposing_moves_pitches_and_nothing_else(file: MidiFile, operation: dict[str, Any]) -> None:
    result, (report,) = run(file, operation)
    drums = operation.get("include_drums", False)
    shift = operation["semitones"]
    out = Counter[str]()
    for old, new in zip(file.tracks, result.tracks, strict=True):
        wanted = [event for event in others_of(old) if event[1] & 0xF0 != 0xA0]
        assert [event for event in others_of(new) if event[1] & 0xF0 != 0xA0] == wanted
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
    result, _ = run(drawn(track), {"type": "transpose", "semitones": semitones, "out_of_range": policy})
    assert [note.pitch for note in notes_of(result.tracks[0])] == pitches
    pressures = [data[0] for _, status, data in result.tracks[0] if status == 0xA0]
    assert pressures == ([] if policy == "drop" else pitches[-1:])


def test_notes_folded_onto_each_other_are_settled() -> None:
    track = [on(0, 115), on(0, 127, 90), off(40, 127), on(50, 115), off(60, 115), off(90, 115), end(100)]
    result, (report,) = run(drawn(track), {"type": "transpose", "semitones": 12})
    notes = [(note.pitch, note.start, note.end, note.velocity) for note in notes_of(result.tracks[0])]
    assert notes == [(127, 0, 40, 90), (127, 50, 90, 80)]
    assert report.changed == {"folded": 1, "transposed": 2, "duplicates_removed": 1}


def test_of_equal_starts_the_louder_stays_and_the_earlier_of_overlapping_notes_is_shortened() -> None:
    track = [on(3, 60, 40), off(8, 60), on(10, 60, 90), off(30, 60, 7), on(31, 60), off(70, 60), end(96)]
    result, (report,) = run(drawn(track), {"type": "quantize", "grid": "1/16"})
    assert list(result.tracks[0]) == [on(0, 60, 90), off(20, 60, 7), on(24, 60), off(63, 60), end(96)]
    assert report.changed == {"duplicates_removed": 1, "moved": 2}
    result, (report,) = run(drawn(track), {"type": "quantize", "grid": "1/4", "strength": 0.5})
    assert report.changed["shortened"] == 2


def test_notes_that_overlapped_before_still_do() -> None:
    track = [on(1, 60, 1), on(25, 60, 2), off(49, 60, 11), off(100, 60, 12), end(200)]
    result, (report,) = run(drawn(track), {"type": "quantize", "grid": "1/16"})
    notes = [(note.start, note.end, note.velocity, note.release_velocity) for note in notes_of(result.tracks[0])]
    assert notes == [(0, 48, 1, 11), (24, 99, 2, 12)]
    assert report.changed == {"moved": 2}


def test_overlapping_notes_that_come_to_end_at_once_keep_their_release_velocities() -> None:
    track = [on(24, 60, 1), on(49, 60, 2), off(60, 60, 11), off(61, 60, 12), end(100)]
    result, _ = run(drawn(track), {"type": "quantize", "grid": "1/16"})
    notes = [(note.start, note.end, note.velocity, note.release_velocity) for note in notes_of(result.tracks[0])]
    assert notes == [(24, 60, 1, 11), (48, 60, 2, 12)]


def test_a_note_folded_behind_another_is_not_silenced_by_its_end() -> None:
    track = [on(0, 115), on(50, 127), off(50, 115), off(90, 127), end(100)]
    result, _ = run(drawn(track), {"type": "transpose", "semitones": 12})
    assert list(result.tracks[0]) == [on(0, 127), off(50, 127), on(50, 127), off(90, 127), end(100)]


def test_a_note_that_comes_to_begin_with_two_others_meets_both() -> None:
    ons = [on(1, 60, 50), on(1, 60, 40), on(3, 60, 45), on(20, 60, 70)]
    track = [*ons, off(36, 60, 1), off(37, 60, 2), off(38, 60, 3), off(40, 60, 4), end(100)]
    result, (report,) = run(drawn(track), {"type": "quantize", "grid": "1/16"})
    notes = [(note.start, note.end, note.velocity, note.release_velocity) for note in notes_of(result.tracks[0])]
    assert notes == [(0, 35, 50, 1), (24, 44, 70, 4)]
    assert report.changed["duplicates_removed"] == 2


def test_at_one_tick_moved_offs_come_first_and_moved_ons_last() -> None:
    control, pedal = (24, 0xB0, b"\x01\x05"), (24, 0xB0, b"\x40\x7f")
    track = [on(2, 60), on(20, 61), control, on(24, 64), pedal, off(26, 60), off(40, 61), off(48, 64), end(60)]
    result, _ = run(drawn(track), {"type": "quantize", "grid": "1/16"})
    assert [event for event in result.tracks[0] if event[0] == 24] == [
        off(24, 60),
        control,
        on(24, 64),
        pedal,
        on(24, 61),
    ]


def test_a_short_note_whose_end_is_quantised_lasts_to_the_next_grid_point() -> None:
    result, (report,) = run(
        drawn([on(22, 60), off(26, 60), end(96)]), {"type": "quantize", "grid": "1/16", "end": "quantize"}
    )
    assert [(note.start, note.end) for note in notes_of(result.tracks[0])] == [(24, 48)]
    assert report.changed == {"moved": 1, "resized": 1}


def test_swing_bends_time_between_beats() -> None:
    track = [on(0, 60), off(48, 60), on(48, 62), off(96, 62), on(72, 64), off(96, 64), end(96)]
    track.sort(key=lambda event: event[0])
    result, _ = run(drawn(track), {"type": "swing", "amount": 66.7, "grid": "1/8"})
    notes = [(note.pitch, note.start, note.end) for note in notes_of(result.tracks[0])]
    assert notes == [(60, 0, 64), (62, 64, 96), (64, 80, 96)]


@settings(deadline=None)
@given(files(clean_tracks()), humanizings)
def test_humanizing_is_repeatable_bounded_and_takes_no_note_away(file: MidiFile, operation: dict[str, Any]) -> None:
    operation = {"velocity": 0, "timing_ticks": 40, **operation}
    result, (report,) = run(file, operation)
    assert [list(track) for track in run(file, operation)[0].tracks] == [list(track) for track in result.tracks]
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
    result, _ = run(drawn(track), {"type": "humanize", "timing_ms": 30, "velocity": 0, "seed": 3})
    moves = [
        (before.start, after.start - before.start)
        for before, after in zip(notes_of(track), notes_of(result.tracks[0]), strict=True)
    ]
    assert max(abs(move) for tick, move in moves if tick < 960) <= 2  # 30 ms are 2.88 ticks
    assert 3 <= max(abs(move) for tick, move in moves if tick >= 960) <= 11  # 11.52 ticks


@settings(deadline=None)
@given(clean_tracks(), st.lists(st.tuples(st.integers(0, 400), st.sampled_from([50_000, 500_000, 9_000_000]))))
def test_humanizing_in_milliseconds_never_reorders_where_the_tempo_changes(
    track: Track, tempos: list[tuple[int, int]]
) -> None:
    conductor = sorted((tick, META, b"\x51" + tempo.to_bytes(3, "big")) for tick, tempo in tempos)
    file = MidiFile(1, PPQ, [[*conductor, end(500)], track])
    result, _ = run(file, {"type": "humanize", "timing_ms": 150, "velocity": 0})
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


def test_seeds_differ() -> None:
    file = drawn([event for tick in range(0, 960, 96) for event in (on(tick, 60), off(tick + 90, 60))] + [end(960)])
    results = [run(file, {"type": "humanize", "seed": seed})[0].tracks[0] for seed in range(3)]
    assert results[0] != results[1] != results[2]


@settings(deadline=None)
@given(files(messy_tracks()), velocities)
def test_velocities_stay_in_their_limits_and_counts_are_true(file: MidiFile, operation: dict[str, Any]) -> None:
    result, (report,) = run(file, operation)
    counts: Counter[str] = Counter()
    for old, new in zip(file.tracks, result.tracks, strict=True):
        for before, after in zip(notes_of(old), notes_of(new), strict=True):
            assert operation.get("min", 1) <= after.velocity <= operation.get("max", 127)
            assert before.release_velocity == after.release_velocity
            counts["louder"] += after.velocity > before.velocity
            counts["softer"] += after.velocity < before.velocity
    for what in ("louder", "softer"):
        assert report.changed.get(what, 0) == counts[what]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"set": 64}, [64, 64, 64]),
        ({"scale": 0.5}, [10, 30, 60]),
        ({"add": 30}, [50, 90, 127]),
        ({"compress": 1}, [67, 67, 67]),
        ({"compress": 0.5}, [43, 63, 93]),
        ({"compress": -1}, [1, 53, 127]),
        ({"curve": 2}, [50, 87, 123]),
        ({"min": 30, "max": 100}, [30, 60, 100]),
    ],
)
def test_ways_to_change_velocity(fields: dict[str, Any], expected: list[int]) -> None:
    track = [on(0, 60, 20), off(5, 60), on(10, 60, 60), off(15, 60), on(20, 60, 120), on(25, 60, 0), end(30)]
    result, _ = run(drawn(track), {"type": "velocity", **fields})
    assert [note.velocity for note in notes_of(result.tracks[0])] == expected
    assert result.tracks[0][5] == on(25, 60, 0)


@pytest.mark.parametrize(
    "operation",
    [{"type": "quantize", "grid": "1/8"}, {"type": "swing"}, {"type": "tempo", "bpm": 90}, {"type": "trim", "end": 4}],
)
def test_operations_on_beats_refuse_files_without_beats(operation: dict[str, Any]) -> None:
    smpte = MidiFile(1, 0xE728, [[on(0, 60), off(10, 60), end(20)]])
    with pytest.raises(MusicError) as refused:
        run(smpte, operation)
    assert refused.value.code == "NEEDS_BEATS" and "SMPTE" in refused.value.message
    for allowed in ({"type": "transpose", "semitones": 1}, {"type": "humanize"}, {"type": "velocity", "add": 1}):
        run(smpte, allowed)


@pytest.mark.parametrize("wanted", [[1], [-1], ["Bass"], [0, "x" * 1000]])
def test_a_track_that_is_not_there_is_refused_with_those_that_are(wanted: list[int | str]) -> None:
    file = drawn([(0, META, b"\x03Lead"), on(0, 60), off(10, 60), end(20)])
    with pytest.raises(MusicError) as refused:
        run(file, {"type": "transpose", "semitones": 1, "tracks": wanted})
    assert refused.value.code == "TRACK_NOT_FOUND" and len(refused.value.message) < 200
    assert refused.value.suggestions in (["0"], ["Lead"])
    assert run(file, {"type": "transpose", "semitones": 1, "tracks": [" lead"]})[0] is not file


def test_very_many_notes_on_one_key_take_linear_time() -> None:
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
        run(drawn(track), operation)
