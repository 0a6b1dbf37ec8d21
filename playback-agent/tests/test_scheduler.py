"""The exact time, in nanoseconds, at which each message is sent. The oracle adds up mido's events with fractions."""

import io
from fractions import Fraction

import mido
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from consort_music.errors import MusicError
from consort_music.performance.compiled_music import CompiledMusic, compile_midi
from consort_music.performance.positions import parse_position
from consort_playback.child_programs.play_port import LEAD_NS
from consort_playback.music.start_and_loop import (
    MIN_LOOP_NS,
    LoopRange,
    jump_target,
    make_loop,
    speed_of,
    start_tick,
)
from consort_playback.protocol.commands import (
    Answer,
    Pause,
    ReplaceMusic,
    Resume,
    Seek,
    SetLoop,
    SetSpeed,
)
from consort_playback.protocol.event_arrays import pack_music
from tests.support.midi_files import midi_bytes
from tests.support.scheduler_simulation import Simulation

TOLERANCE_NS = 2
"""Each time is rounded to a nanosecond, and rounded again after it is divided by the speed."""
PLAYING = ("one", 0)
"""The session id that most tests use, and the edition that it plays."""


def oracle(content: bytes) -> list[tuple[int, Fraction, bytes]]:
    """Return the tick, the exact time in nanoseconds and the bytes of each message."""
    file = mido.MidiFile(file=io.BytesIO(content))
    tick, time, tempo, found = 0, Fraction(0), 500_000, []
    for message in mido.merge_tracks(file.tracks):
        tick += message.time
        time += Fraction(message.time * tempo * 1000, file.ticks_per_beat)
        if message.type == "set_tempo":
            tempo = message.tempo
        elif not message.is_meta:
            found.append((tick, time, bytes(message.bytes())))
    return found


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Draw a file with notes, controllers, programs, pitch bends and tempo changes at any ticks. Every note ends."""
    ppq = draw(st.sampled_from([1, 24, 96, 480, 960, 32_767]))
    track: list[mido.Message] = []
    for _ in range(draw(st.integers(1, 12))):
        delta = draw(st.integers(0, 3 * ppq))
        kind = draw(st.sampled_from(["note", "tempo", "control", "program", "bend"]))
        if kind == "tempo":
            track.append(mido.MetaMessage("set_tempo", tempo=draw(st.integers(20_000, 2_000_000)), time=delta))
        elif kind == "control":
            number = draw(st.sampled_from([1, 7, 11, 91]))
            track.append(mido.Message("control_change", control=number, value=draw(st.integers(0, 127)), time=delta))
        elif kind == "program":
            track.append(mido.Message("program_change", program=draw(st.integers(0, 127)), time=delta))
        elif kind == "bend":
            track.append(mido.Message("pitchwheel", pitch=draw(st.integers(-8192, 8191)), time=delta))
        else:
            pitch = draw(st.integers(0, 127))
            track.append(mido.Message("note_on", note=pitch, time=delta))
            track.append(mido.Message("note_off", note=pitch, time=draw(st.integers(1, ppq))))
    track.append(mido.Message("note_on", note=1))
    track.append(mido.Message("note_off", note=1, time=ppq))
    return midi_bytes(track, ppq=ppq)


def compiled(content: bytes) -> CompiledMusic:
    return compile_midi(content, 10**7)


def loop_range(start: str | None = None, end: str | None = None) -> LoopRange:
    return LoopRange(
        None if start is None else parse_position(start, "loop_start"),
        None if end is None else parse_position(end, "loop_end"),
    )


def note_ons(simulation: Simulation) -> list[tuple[int, int]]:
    """Return the start in nanoseconds and the pitch of each note."""
    return [(when, message[1]) for when, message in simulation.sent if message[0] == 0x90]


def pitches(simulation: Simulation) -> list[int]:
    return [pitch for _, pitch in note_ons(simulation)]


@given(files(), st.sampled_from([0.05, 0.3, 1.0, 1.25, 3.0, 100.0]))
def test_every_message_is_sent_when_the_file_says(content: bytes, scale: float) -> None:
    with Simulation() as simulation:
        simulation.begin(compiled(content), tempo_scale=scale)
        simulation.run()
        wanted = [(time / Fraction(str(scale)), message) for _, time, message in oracle(content)]
        assert [message for _, message in simulation.sent] == [message for _, message in wanted]
        for (when, _), (exact, _) in zip(simulation.sent, wanted, strict=True):
            assert abs(when - exact) <= TOLERANCE_NS / min(scale, 1)


@given(files(), st.data())
def test_seek_continues_from_the_exact_tick(content: bytes, data: st.DataObject) -> None:
    """The rest of the file is played. The device gets the state that the part before the position would have set."""
    music = compiled(content)
    events = oracle(content)
    tick = data.draw(st.sampled_from([tick for tick, _, _ in events if tick < music.end_tick] or [0]))
    start = next(time for each, time, _ in events if each >= tick)
    ms = round(start) / 1e6
    position = parse_position(f"{ms:.6f} ms", "seek")
    assert start_tick(music, position, "seek") == tick, "get_playback reports positions in this form"
    with Simulation() as simulation:
        simulation.begin(music, start_ms=ms)
        simulation.run()
        rest = [(time - start, message) for each, time, message in events if each >= tick]
        sent = simulation.sent[-len(rest) :]
        assert [message for _, message in sent] == [message for _, message in rest]
        assert all(abs(when - exact) <= TOLERANCE_NS for (when, _), (exact, _) in zip(sent, rest, strict=True))
        chased = [message for _, message in simulation.sent[: -len(rest)]]
    before = [message for each, _, message in events if each < tick]
    here = [message for each, _, message in events if each == tick]
    wanted = {**state_after(before), **state_after(here)}
    assert state_after(chased + here).items() >= wanted.items()
    assert not any(message[0] & 0xF0 in (0x80, 0x90) for message in chased)


def state_after(messages: list[bytes]) -> dict[bytes, bytes]:
    """Return the last message for each controller, program and pitch bend."""
    state = {}
    for message in messages:
        if message[0] & 0xF0 == 0xB0:
            state[message[:2]] = message
        elif message[0] & 0xF0 in (0xC0, 0xE0):
            state[message[:1]] = message
    return state


@given(files(), st.integers(0, 40), st.integers(1, 40))
def test_loops_are_seamless_and_do_not_drift(content: bytes, first: int, length: int) -> None:
    music = compiled(content)
    start, end = sorted((music.end_tick * first // 41, min(music.end_tick, music.end_tick * (first + length) // 41)))
    clock = music.clock
    span = clock.ns(end) - clock.ns(start)
    assume(span >= MIN_LOOP_NS)
    start_ms, end_ms = (f"{clock.ns(tick) / 1_000_000:.6f}" for tick in (start, end))
    rounds = 50
    with Simulation() as simulation:
        simulation.begin(music, loop_range=loop_range(f"{start_ms} ms", f"{end_ms} ms"), start_ms=float(start_ms))
        simulation.run(until_ns=rounds * span - 1)
        assert simulation.report().loops == rounds - 1
        inside = [
            (time - clock.ns(start), message)
            for tick, time, message in oracle(content)
            if start <= tick < end and message[0] & 0xF0 == 0x90
        ]
        wanted = [(index * span + time, message) for index in range(rounds) for time, message in inside]
        sent = [(when, message) for when, message in simulation.sent if message[0] & 0xF0 == 0x90 and message[2]]
    sent = [each for each in sent if each[0] < rounds * span - 5]
    wanted = [each for each in wanted if each[0] < rounds * span - 5]
    assert [message for _, message in sent] == [message for _, message in wanted]
    assert all(abs(when - exact) <= 2 * TOLERANCE_NS for (when, _), (exact, _) in zip(sent, wanted, strict=True))


QUARTERS = midi_bytes(
    [message for pitch in (60, 62, 64, 65) for message in (
        mido.Message("note_on", note=pitch), mido.Message("note_off", note=pitch, time=480)
    )]
)  # fmt: skip


def test_the_tempo_changes_while_it_plays(simulation: Simulation) -> None:
    simulation.begin(compiled(QUARTERS))
    simulation.run(until_ns=750_000_000)
    assert simulation.report().time == 750_000_000
    simulation.do(SetSpeed(*PLAYING, speed_of(0.5)))
    assert simulation.report().time == 750_000_000, "the position does not jump"
    simulation.run()
    assert [when for when, _ in note_ons(simulation)] == [0, 500_000_000, 1_250_000_000, 2_250_000_000]


def test_pause_holds_the_position_and_ends_notes(simulation: Simulation) -> None:
    simulation.begin(compiled(QUARTERS))
    simulation.run(until_ns=600_000_000)
    simulation.do(Pause(*PLAYING))
    assert simulation.sent[-1] == (600_000_000, b"\x80\x3e\x40"), "nothing sounds while it is paused"
    simulation.run(until_ns=5_000_000_000)
    assert (simulation.report().state, simulation.report().time) == ("paused", 600_000_000)
    simulation.do(Resume(*PLAYING))
    simulation.run()
    late = 5_000_000_000 + LEAD_NS - 600_000_000
    assert [when for when, _ in note_ons(simulation)] == [0, 500_000_000, 1_000_000_000 + late, 1_500_000_000 + late]


def test_seek_while_it_plays_or_is_paused(simulation: Simulation) -> None:
    music = compiled(QUARTERS)
    simulation.begin(music)
    simulation.run(until_ns=600_000_000)
    simulation.do(Seek(*PLAYING, jump_target(music, 1440)))
    assert simulation.sent[-1][1] == b"\x80\x3e\x40"
    simulation.do(Pause(*PLAYING))
    simulation.do(Seek(*PLAYING, jump_target(music, 960)))
    assert simulation.report().time == 1_000_000_000
    simulation.do(Resume(*PLAYING))
    simulation.run()
    assert pitches(simulation) == [60, 62, 64, 65]


def test_after_the_loop_is_removed_the_music_plays_to_the_end(simulation: Simulation) -> None:
    simulation.begin(compiled(QUARTERS), loop_range=loop_range("1:1", "1:3"))
    simulation.run(until_ns=2_100_000_000)
    simulation.do(SetLoop(*PLAYING, None))
    simulation.run()
    assert pitches(simulation) == [60, 62, 60, 62, 60, 62, 64, 65]


@pytest.mark.parametrize(("start_ms", "heard"), [(None, [64, 65, 64]), (0, [60, 62, 64])])
def test_playing_starts_at_the_loop_start_unless_another_start_is_given(
    simulation: Simulation, start_ms: float | None, heard: list[int]
) -> None:
    simulation.begin(compiled(QUARTERS), loop_range=loop_range("1:3"), start_ms=start_ms)
    simulation.run(until_ns=1_400_000_000)
    assert pitches(simulation) == heard


def test_a_loop_that_ends_before_the_position_starts_immediately(simulation: Simulation) -> None:
    """It starts once; the rounds that would have been over by now are not played."""
    music = compiled(QUARTERS)
    simulation.begin(music)
    simulation.run(until_ns=1_750_000_000)
    simulation.do(SetLoop(*PLAYING, make_loop(music, loop_range("1:1", "1:2"), 1)))
    simulation.run(until_ns=2_600_000_000)
    assert note_ons(simulation)[4:] == [(1_750_000_000, 60), (2_250_000_000, 60)]


def test_a_loop_that_ends_before_the_position_starts_immediately_after_a_pause(simulation: Simulation) -> None:
    music = compiled(QUARTERS)
    simulation.begin(music)
    simulation.run(until_ns=1_750_000_000)
    simulation.do(Pause(*PLAYING))
    simulation.do(SetLoop(*PLAYING, make_loop(music, loop_range("1:1", "1:2"), 1)))
    simulation.run(until_ns=9_000_000_000)
    simulation.do(Resume(*PLAYING))
    simulation.run(until_ns=9_600_000_000)
    resumed = 9_000_000_000 + LEAD_NS
    assert note_ons(simulation)[4:] == [(resumed, 60), (resumed + 500_000_000, 60)]


@pytest.mark.parametrize("position", ["1:2", "1:3"])
def test_a_position_after_the_end_of_the_loop_is_rejected(position: str) -> None:
    music, wanted = compiled(QUARTERS), loop_range("1:1", "1:2")
    with pytest.raises(MusicError, match="must be before the end of the loop"):
        start_tick(music, parse_position(position, "seek"), "seek", wanted)
    assert start_tick(music, parse_position("1:1.5", "seek"), "seek", wanted) == 240


def test_a_seek_for_another_edition_of_the_song_is_rejected(simulation: Simulation) -> None:
    old = compiled(QUARTERS)
    new = compiled(midi_bytes([mido.Message("note_on", note=1), mido.Message("note_off", time=480)]))
    simulation.begin(old, loop_range=loop_range())
    loop = make_loop(new, loop_range(), 1)
    assert loop is not None
    replace = ReplaceMusic(
        session="one", next_edition=1, count=new.count, end=new.end, loop=loop, muted=[], payload=pack_music(new)
    )
    simulation.do(replace)
    simulation.run(until_ns=2_100_000_000)
    assert simulation.report().edition == 1
    assert simulation.do(Seek("one", 0, jump_target(old, 960))) == Answer({}, is_stale=True)
    assert simulation.report().time == 100_000_000
    assert simulation.do(Seek("one", 1, jump_target(new, 240))) == Answer({})
    assert simulation.report().time == 250_000_000
