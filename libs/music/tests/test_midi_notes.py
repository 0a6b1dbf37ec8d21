"""Which note-off ends which note."""

import time
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from consort_music.midi.model import Event
from consort_music.midi.notes import DEFAULT_RELEASE_VELOCITY, Note, pair_notes

END = (960, 0xFF, b"\x2f")


def on(tick: int, pitch: int, velocity: int = 80, channel: int = 0) -> Event:
    return tick, 0x90 | channel, bytes((pitch, velocity))


def off(tick: int, pitch: int, velocity: int = 10, channel: int = 0) -> Event:
    return tick, 0x80 | channel, bytes((pitch, velocity))


def test_a_note_has_both_velocities_and_both_places() -> None:
    name = (0, 0xFF, b"\x03Lead")
    notes, orphan_offs = pair_notes([name, on(0, 60, 80, 3), off(480, 60, 10, 3), END], track_index=2)
    assert notes == [
        Note(
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


def test_no_events_no_notes() -> None:
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


def test_many_notes_on_one_key_take_linear_time() -> None:
    events = [on(0, 60)] * 200_000 + [off(1, 60)] * 200_000
    started = time.process_time()
    assert len(pair_notes(events).notes) == 200_000
    assert time.process_time() - started < 10
