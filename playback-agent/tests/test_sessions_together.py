"""Several sessions on one port: they do not cut each other's notes off; alone, each is sent as it is written."""

import io
from collections.abc import Iterator

import mido
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consort_playback.music.piece import Piece, compile_midi
from consort_playback.player import play
from tests.player_simulation import Simulation

SECOND = 1_000_000_000


@pytest.fixture
def simulation(monkeypatch: pytest.MonkeyPatch) -> Iterator[Simulation]:
    running = Simulation(lambda clock: monkeypatch.setattr(play, "_now", clock))
    yield running
    running.close()


def piece(*events: tuple[float, str], tracks: int = 1) -> Piece:
    """Messages in hex at their seconds, given to the tracks in turn."""
    file = mido.MidiFile(ticks_per_beat=500)  # a tick is a millisecond
    for index in range(tracks):
        track = mido.MidiTrack()
        last = 0.0
        for second, text in events[index::tracks]:
            track.append(mido.Message.from_hex(text).copy(time=round((second - last) * 1000)))
            last = second
        file.tracks.append(track)
    out = io.BytesIO()
    file.save(file=out)
    return compile_midi(out.getvalue(), 10**6)


def texts(simulation: Simulation) -> list[tuple[float, str]]:
    return [(round(when / SECOND, 3), message.hex()) for when, message in simulation.sent]


def test_the_same_note_ends_with_the_last_who_holds_it(simulation: Simulation) -> None:
    simulation.begin(piece((0, "90 3c 40"), (1, "80 3c 40")), "one")
    simulation.begin(piece((0.5, "90 3c 50"), (2, "80 3c 00")), "two")
    simulation.run()
    assert texts(simulation) == [(0, "903c40"), (0.5, "903c50"), (2, "803c00")]


def test_stop_leaves_the_others_sounding(simulation: Simulation) -> None:
    both = piece((0, "90 3c 40"), (0, "91 40 40"), (9, "80 3c 40"), (9, "81 40 40"))
    simulation.begin(both, "one")
    simulation.begin(piece((0, "90 3c 40"), (2, "80 3c 40")), "two")
    simulation.run(until_ns=SECOND)
    simulation.do("stop", session="one")
    simulation.run()
    after = [text for when, text in texts(simulation) if when >= 1]
    assert after == ["814040", "b14000", "b17b00", "b17800", "803c40"], "channel 1 is in use by the other"


def test_the_pedal_stays_down_while_one_of_them_holds_it(simulation: Simulation) -> None:
    """A piece that lifts it, ends or is stopped cuts off nothing that another one sustains."""
    held = [(0.0, "b0 40 7f"), (0.0, "90 3c 40"), (0.5, "80 3c 40")]
    simulation.begin(piece(*held, (1, "b0 40 00"), (1.2, "b0 07 40")), "lifts")
    simulation.begin(piece(*held, (9, "b0 40 00")), "is stopped")
    simulation.begin(piece(*held, (3, "b0 40 00"), (3.5, "b0 07 40")), "last")
    simulation.run(until_ns=2 * SECOND)
    simulation.do("stop", session="is stopped")
    simulation.run()
    pedal = [each for each in texts(simulation) if each[1].startswith("b040")]
    assert pedal == [(0, "b0407f")] * 3 + [(3, "b04000")]


def test_all_notes_off_of_one_is_for_its_own_notes(simulation: Simulation) -> None:
    simulation.begin(piece((0, "90 3c 40"), (0, "90 3e 40"), (1, "b0 7b 00")), "one")
    simulation.begin(piece((0, "90 40 40"), (0, "90 3e 40"), (2, "80 40 40"), (2, "80 3e 40")), "two")
    simulation.run()
    after = [text for when, text in texts(simulation) if when >= 1]
    assert after == ["803c40", "804040", "803e40"]


def test_mute_and_solo(simulation: Simulation) -> None:
    """A muted track's notes end at once; its settings go on, so that it sounds right when it is heard again."""
    music = piece(
        *((0, "90 3c 40"), (0, "91 3c 40"), (2, "80 3c 40"), (2, "c1 05")),
        *((3, "90 3e 40"), (3, "91 3e 40"), (4, "80 3e 40"), (4, "81 3e 40")),
        tracks=2,
    )
    simulation.begin(music, "one")
    simulation.run(until_ns=SECOND)
    simulation.do("mute", session="one", muted=[1])
    simulation.run(until_ns=3 * SECOND + SECOND // 2)
    simulation.do("mute", session="one", muted=[0])
    simulation.run()
    assert texts(simulation) == [
        *((0, "903c40"), (0, "913c40"), (1, "813c40"), (2, "803c40"), (2, "c105")),
        *((3, "903e40"), (3.5, "803e40")),
    ]


@given(
    st.lists(
        st.tuples(
            st.integers(0, 2),
            st.sampled_from(["90 3c 40", "90 3c 00", "80 3c 40", "90 40 01", "80 40 7f", "91 3c 40", "81 3c 00"]),
        ),
        min_size=1,
        max_size=30,
    )
)
def test_any_sessions(events: list[tuple[int, str]]) -> None:
    """Whatever three sessions play: a note that a session holds sounds, and in the end nothing does."""
    simulation = Simulation(lambda clock: setattr(play, "_now", clock))
    try:
        for session in range(3):
            mine = [(second, text) for second, (who, text) in enumerate(events) if who == session]
            if mine:
                simulation.begin(piece(*mine, (99, "c0 00")), str(session))
        held: list[set[tuple[int, int]]] = [set(), set(), set()]
        for second, (who, text) in enumerate(events):
            simulation.run(until_ns=second * SECOND + 1)
            status, pitch, velocity = bytes.fromhex(text)
            note = (status & 15, pitch)
            if status & 0xF0 == 0x90 and velocity:
                held[who].add(note)
            else:
                held[who].discard(note)
            others = {each for index, notes in enumerate(held) if index != who for each in notes}
            assert others <= sounding(simulation), "another session's note was cut off"
        simulation.run()
        assert sounding(simulation) == set() and not simulation.notes.sounding()
    finally:
        simulation.close()


def sounding(simulation: Simulation) -> set[tuple[int, int]]:
    notes: set[tuple[int, int]] = set()
    for _, message in simulation.sent:
        if message[0] & 0xF0 == 0x90 and message[2]:
            notes.add((message[0] & 15, message[1]))
        elif message[0] & 0xF0 in (0x80, 0x90):
            notes.discard((message[0] & 15, message[1]))
    return notes
