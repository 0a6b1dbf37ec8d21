"""Several sessions on one port do not cut off each other's notes."""

import mido
from hypothesis import given
from hypothesis import strategies as st

from consort_music.performance.compiled_music import CompiledMusic, compile_midi
from consort_playback.protocol.commands import SetMuted, Stop
from evaluation.processes.jack import sounding
from tests.support.midi_files import midi_bytes
from tests.support.scheduler_simulation import Simulation

SECOND = 1_000_000_000


def music_of(*events: tuple[float, str], tracks: int = 1) -> CompiledMusic:
    """Compile music from pairs of a time in seconds and a message in hexadecimal.

    The messages are distributed over the tracks in turn.
    """
    parts = []
    for index in range(tracks):
        last, track = 0.0, []
        for second, text in events[index::tracks]:
            track.append(mido.Message.from_hex(text).copy(time=round((second - last) * 1000)))
            last = second
        parts.append(track)
    return compile_midi(midi_bytes(*parts, ppq=500), 10**6)  # a tick is a millisecond


def texts(simulation: Simulation) -> list[tuple[float, str]]:
    """Return the time in seconds and the hexadecimal text of each message sent."""
    return [(round(when / SECOND, 3), message.hex()) for when, message in simulation.sent]


def test_a_note_ends_with_the_last_session_that_holds_it(simulation: Simulation) -> None:
    simulation.begin(music_of((0, "90 3c 40"), (1, "80 3c 40")), "one")
    simulation.begin(music_of((0.5, "90 3c 50"), (2, "80 3c 00")), "two")
    simulation.run()
    assert texts(simulation) == [(0, "903c40"), (0.5, "903c50"), (2, "803c00")]


def test_stop_leaves_the_other_sessions_sounding(simulation: Simulation) -> None:
    both = music_of((0, "90 3c 40"), (0, "91 40 40"), (9, "80 3c 40"), (9, "81 40 40"))
    simulation.begin(both, "one")
    simulation.begin(music_of((0, "90 3c 40"), (2, "80 3c 40")), "two")
    simulation.run(until_ns=SECOND)
    simulation.do(Stop("one"))
    simulation.run()
    after = [text for when, text in texts(simulation) if when >= 1]
    assert after == ["814040", "b14000", "b17b00", "b17800", "803c40"], "the other session uses channel 1"


def test_the_pedal_stays_down_while_one_session_holds_it(simulation: Simulation) -> None:
    """If a session lifts the pedal, ends or is stopped, the notes that another session sustains are not cut off."""
    held = [(0.0, "b0 40 7f"), (0.0, "90 3c 40"), (0.5, "80 3c 40")]
    simulation.begin(music_of(*held, (1, "b0 40 00"), (1.2, "b0 07 40")), "lifts")
    simulation.begin(music_of(*held, (9, "b0 40 00")), "is stopped")
    simulation.begin(music_of(*held, (3, "b0 40 00"), (3.5, "b0 07 40")), "last")
    simulation.run(until_ns=2 * SECOND)
    simulation.do(Stop("is stopped"))
    simulation.run()
    pedal = [each for each in texts(simulation) if each[1].startswith("b040")]
    assert pedal == [(0, "b0407f")] * 3 + [(3, "b04000")]


def test_all_notes_off_ends_only_the_notes_of_its_session(simulation: Simulation) -> None:
    simulation.begin(music_of((0, "90 3c 40"), (0, "90 3e 40"), (1, "b0 7b 00")), "one")
    simulation.begin(music_of((0, "90 40 40"), (0, "90 3e 40"), (2, "80 40 40"), (2, "80 3e 40")), "two")
    simulation.run()
    after = [text for when, text in texts(simulation) if when >= 1]
    assert after == ["803c40", "804040", "803e40"]


def test_mute_and_solo(simulation: Simulation) -> None:
    """The notes of a muted track end immediately. Its program changes are still sent, so that it sounds right later."""
    music = music_of(
        *((0, "90 3c 40"), (0, "91 3c 40"), (2, "80 3c 40"), (2, "c1 05")),
        *((3, "90 3e 40"), (3, "91 3e 40"), (4, "80 3e 40"), (4, "81 3e 40")),
        tracks=2,
    )
    simulation.begin(music, "one")
    simulation.run(until_ns=SECOND)
    simulation.do(SetMuted("one", 0, [1]))
    simulation.run(until_ns=3 * SECOND + SECOND // 2)
    simulation.do(SetMuted("one", 0, [0]))
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
def test_no_session_cuts_off_another(events: list[tuple[int, str]]) -> None:
    """A note sounds as long as one of the other sessions holds it. At the end, no note sounds."""
    with Simulation() as simulation:
        for session in range(3):
            mine = [(second, text) for second, (who, text) in enumerate(events) if who == session]
            if mine:
                simulation.begin(music_of(*mine, (99, "c0 00")), str(session))
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
            assert others <= sounding(simulation.sent), "another session's note was cut off"
        simulation.run()
        assert sounding(simulation.sent) == set() and not simulation.notes.sounding()
