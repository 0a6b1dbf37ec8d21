"""Pairing note-offs with note-ons."""

import time
from collections import defaultdict
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from consort_music.midi.model import Event, Track
from consort_music.midi.notes import DEFAULT_RELEASE_VELOCITY, PairedNote, count_hanging, pair_notes, with_lengths

END = (960, 0xFF, b"\x2f")


def on(tick: int, pitch: int, velocity: int = 80, channel: int = 0) -> Event:
    return tick, 0x90 | channel, bytes((pitch, velocity))


def off(tick: int, pitch: int, velocity: int = 10, channel: int = 0) -> Event:
    return tick, 0x80 | channel, bytes((pitch, velocity))


def test_a_note_has_both_velocities_and_both_event_indexes() -> None:
    name = (0, 0xFF, b"\x03Lead")
    notes, orphan_offs = pair_notes([name, on(0, 60, 80, 3), off(480, 60, 10, 3), END], track_index=2)
    assert notes == [
        PairedNote(
            track=2,
            channel=3,
            pitch=60,
            start=0,
            end=480,
            velocity=80,
            release_velocity=10,
            on_index=1,
            off_index=2,
        )
    ]
    assert orphan_offs == 0


def test_note_on_with_velocity_0_ends_a_note() -> None:
    (note,) = pair_notes([on(0, 60), on(240, 60, 0), END]).notes
    assert (note.end, note.release_velocity, note.off_index) == (240, DEFAULT_RELEASE_VELOCITY, 1)


def test_overlapping_notes_of_one_pitch_are_first_in_first_out() -> None:
    notes = pair_notes([on(0, 60, 1), on(10, 60, 2), off(20, 60), off(30, 60), END]).notes
    assert [(note.velocity, note.start, note.end) for note in notes] == [(1, 0, 20), (2, 10, 30)]


def test_channels_and_pitches_do_not_mix() -> None:
    notes = pair_notes(
        [on(0, 60), on(0, 60, channel=1), on(0, 61), off(5, 61), off(6, 60, channel=1), off(7, 60)]
    ).notes
    assert [(note.channel, note.pitch, note.end) for note in notes] == [(0, 60, 7), (1, 60, 6), (0, 61, 5)]


def test_hanging_notes_last_to_the_end_of_the_track() -> None:
    paired = pair_notes([on(0, 60), on(10, 62), off(20, 62), END])
    assert [(note.end, note.is_hanging) for note in paired.notes] == [(960, True), (20, False)]
    assert paired.hanging == 1


def test_orphan_offs_are_counted() -> None:
    paired = pair_notes([off(0, 60), on(0, 60), off(10, 60), off(20, 60), on(30, 60, 0), END])
    assert (len(paired.notes), paired.orphan_offs) == (1, 3)


def lengths(*events: Event) -> list[tuple[int, int]]:
    return [(note.start, note.end) for note in pair_notes([*events, END]).notes]


def test_a_note_off_before_its_own_note_on_does_not_change_later_notes() -> None:
    drum = [off(10, 60), on(10, 60), on(20, 60), off(30, 60), on(40, 60), off(50, 60)]
    paired = pair_notes([*drum, END])
    assert lengths(*drum) == [(10, 11), (20, 30), (40, 50)]
    assert [note.has_no_length for note in paired.notes] == [True, False, False]
    assert (paired.hanging, paired.orphan_offs) == (0, 0)


def test_a_clip_with_a_note_off_before_each_note_on_keeps_its_lengths() -> None:
    clip = [off(0, 60), on(0, 60), off(10, 60), on(10, 60), off(20, 60), on(20, 60), off(30, 60)]
    assert lengths(*clip) == [(0, 10), (10, 20), (20, 30)]
    assert pair_notes([*clip, END]).orphan_offs == 1


def test_each_key_is_read_separately() -> None:
    odd = [off(10, 60), on(10, 60), on(20, 60), off(30, 60)]
    plain = [off(10, 61), on(10, 61), off(20, 61), on(20, 61), off(30, 61)]
    assert sorted(lengths(*sorted([*odd, *plain], key=lambda event: event[0]))) == [
        (10, 11),
        (10, 20),
        (20, 30),
        (20, 30),
    ]


def test_a_note_of_zero_length_counts_as_one_tick() -> None:
    (note,) = pair_notes([on(5, 60), off(5, 60), END]).notes
    assert (note.start, note.end, note.has_no_length) == (5, 6, True)


def test_only_notes_of_zero_length_get_a_length() -> None:
    control = (10, 0xB0, b"\x07\x40")
    track = [off(10, 60), on(10, 60), control, on(11, 60), off(30, 60), END]
    assert with_lengths(track) == [on(10, 60), control, off(11, 60), on(11, 60), off(30, 60), END]
    whole = [on(0, 60), off(10, 60), off(12, 60), END]
    assert with_lengths(whole) is whole
    assert with_lengths([on(960, 60), off(960, 60), END]) == [on(960, 60), off(961, 60), (961, 0xFF, b"\x2f")]


def test_a_track_without_events_has_no_notes() -> None:
    assert pair_notes([]) == ([], 0)


_EVENT = st.tuples(st.sampled_from([0x80, 0x90, 0x91, 0xA0, 0xB0]), st.sampled_from([60, 61]), st.sampled_from([0, 9]))


@given(st.lists(_EVENT, max_size=60))
def test_every_event_is_used_once(raw: list[tuple[int, int, int]]) -> None:
    events = [(tick, status, bytes((pitch, value))) for tick, (status, pitch, value) in enumerate(raw)]
    notes, orphan_offs = pair_notes(events)
    used = [note.on_index for note in notes] + [note.off_index for note in notes if note.off_index is not None]
    assert len(used) == len(set(used))
    assert len(used) + orphan_offs == sum(status < 0xA0 for _, status, _ in events)
    assert all(note.start <= note.end for note in notes)
    assert all(earlier.on_index < later.on_index for earlier, later in pairwise(notes))


def readings(track: Track) -> tuple[list[tuple[int, int | None]], int]:
    """Pair events independently of `pair`. Return pairs of indexes, and the number of unmatched note-offs."""
    by_key: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for index, (_, status, data) in enumerate(track):
        if status < 0xA0:
            by_key[status & 0x0F, data[0]].append(index)
    pairs: list[tuple[int, int | None]] = []
    orphans = 0
    for places in by_key.values():
        plain, by_tick = (_reading(track, places, use_tick=use_tick) for use_tick in (False, True))
        ended, left = by_tick if _unmatched(by_tick) < _unmatched(plain) else plain
        pairs += ended.items()
        orphans += len(left)
    return sorted(pairs), orphans


def _reading(track: Track, places: list[int], *, use_tick: bool) -> tuple[dict[int, int | None], list[int]]:
    ended: dict[int, int | None] = {}
    left: list[int] = []
    for place in places:
        tick, status, data = track[place]
        open_notes = [on for on, end in ended.items() if end is None]
        if status < 0x90 or not data[1]:
            if open_notes:
                ended[open_notes[0]] = place
            else:
                left.append(place)
            continue
        own = next((each for each in left if track[each][0] == tick), None) if use_tick else None
        ended[place] = own
        if own is not None:
            left.remove(own)
    return ended, left


def _unmatched(reading: tuple[dict[int, int | None], list[int]]) -> int:
    return sum(end is None for end in reading[0].values()) + len(reading[1])


_STEPS = st.tuples(
    st.sampled_from([0, 0, 0, 1]), st.sampled_from([0x80, 0x90]), st.sampled_from([60, 61]), st.sampled_from([0, 9])
)


@given(st.lists(_STEPS, max_size=40))
def test_the_reading_with_fewer_unmatched_events_is_used(raw: list[tuple[int, int, int, int]]) -> None:
    tick = 0
    events: list[Event] = []
    for step, status, pitch, value in raw:
        tick += step
        events.append((tick, status, bytes((pitch, value))))
    notes, orphan_offs = pair_notes(events)
    assert ([(note.on_index, note.off_index) for note in notes], orphan_offs) == readings(events)
    assert count_hanging(events) == sum(note.is_hanging for note in notes)


def test_many_notes_on_one_key_take_linear_time() -> None:
    events = [on(0, 60)] * 200_000 + [off(1, 60)] * 200_000
    started = time.process_time()
    assert len(pair_notes(events).notes) == 200_000
    assert time.process_time() - started < 10
