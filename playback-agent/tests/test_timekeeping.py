"""Position, seek, loop and tempo, to the tick and the nanosecond; the oracle is plain fractions over mido's events."""

import io
import math
from collections.abc import Iterator
from fractions import Fraction

import mido
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consort_music.errors import MusicError
from consort_playback.music import arrangement
from consort_playback.music.arrangement import LoopRange
from consort_playback.music.piece import Piece, compile_midi
from consort_playback.player import play
from consort_playback.player.lateness import BIN_NS, Lateness
from tests.player_simulation import Simulation

TOLERANCE_NS = 2  # each time is rounded to a nanosecond, and once more by the speed


@pytest.fixture
def simulation(monkeypatch: pytest.MonkeyPatch) -> Iterator[Simulation]:
    running = Simulation(lambda clock: monkeypatch.setattr(play, "_now", clock))
    yield running
    running.close()


def fresh() -> Simulation:
    """For properties, which try many."""
    return Simulation(lambda clock: setattr(play, "_now", clock))


def as_file(*tracks: list[mido.Message], ppq: int = 480) -> bytes:
    out = io.BytesIO()
    mido.MidiFile(tracks=[mido.MidiTrack(track) for track in tracks], ticks_per_beat=ppq).save(file=out)
    return out.getvalue()


def oracle(content: bytes) -> list[tuple[int, Fraction, bytes]]:
    """Tick, exact time in nanoseconds, and bytes of each message."""
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
    """Notes, controllers and tempo changes at any ticks; no note hangs."""
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
    return as_file(track, ppq=ppq)


def compiled(content: bytes) -> Piece:
    return compile_midi(content, 10**7)


@given(files(), st.sampled_from([0.05, 0.3, 1.0, 1.25, 3.0, 100.0]))
def test_every_message_is_due_when_the_file_says(content: bytes, scale: float) -> None:
    simulation = fresh()
    try:
        simulation.begin(compiled(content), tempo_scale=scale)
        simulation.run()
        wanted = [(time / Fraction(str(scale)), message) for _, time, message in oracle(content)]
        assert [message for _, message in simulation.sent] == [message for _, message in wanted]
        for (when, _), (exact, _) in zip(simulation.sent, wanted, strict=True):
            assert abs(when - exact) <= TOLERANCE_NS / min(scale, 1)
    finally:
        simulation.close()


@given(files(), st.data())
def test_seek_goes_on_from_the_very_tick(content: bytes, data: st.DataObject) -> None:
    """What follows is what the file has from there; the device is set as if it had played up to there."""
    piece = compiled(content)
    events = oracle(content)
    tick = data.draw(st.sampled_from([tick for tick, _, _ in events if tick < piece.end_tick] or [0]))
    start = next(time for each, time, _ in events if each >= tick)
    simulation = fresh()
    try:
        ms = round(start) / 1e6
        assert arrangement.start_tick(piece, f"{ms:.6f} ms", "seek") == tick, "a position as get_playback tells it"
        simulation.begin(piece, start_ms=ms)
        simulation.run()
        rest = [(time - start, message) for each, time, message in events if each >= tick]
        sent = simulation.sent[-len(rest) :]
        assert [message for _, message in sent] == [message for _, message in rest]
        assert all(abs(when - exact) <= TOLERANCE_NS for (when, _), (exact, _) in zip(sent, rest, strict=True))
        chased = [message for _, message in simulation.sent[: -len(rest)]]
        before = [message for each, _, message in events if each < tick]
        here = [message for each, _, message in events if each == tick]
        wanted = {**settings_after(before), **settings_after(here)}
        assert settings_after(chased + here).items() >= wanted.items()
        assert not any(message[0] & 0xF0 in (0x80, 0x90) for message in chased)
    finally:
        simulation.close()


def settings_after(messages: list[bytes]) -> dict[bytes, bytes]:
    """What a device is set to by them."""
    state = {}
    for message in messages:
        if message[0] & 0xF0 == 0xB0:
            state[message[:2]] = message
        elif message[0] & 0xF0 in (0xC0, 0xE0):
            state[message[:1]] = message
    return state


@given(files(), st.integers(0, 40), st.integers(1, 40))
def test_loops_are_seamless_and_do_not_drift(content: bytes, first: int, length: int) -> None:
    piece = compiled(content)
    start, end = sorted((piece.end_tick * first // 41, min(piece.end_tick, piece.end_tick * (first + length) // 41)))
    clock = piece.clock
    span = clock.ns(end) - clock.ns(start)
    if span < arrangement.SHORTEST_LOOP_NS:
        return
    ms = [str(Fraction(clock.ns(tick), 1_000_000).limit_denominator(10**9)) for tick in (start, end)]
    decimal = [f"{float(Fraction(text)):.6f} ms" for text in ms]
    simulation = fresh()
    try:
        rounds = 50
        simulation.begin(piece, loop_range=LoopRange(*decimal), start_ms=float(decimal[0].removesuffix(" ms")))
        simulation.run(until_ns=rounds * span - 1)
        told = simulation.report()
        assert told["loops"] in (rounds - 1, rounds)
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
    finally:
        simulation.close()


QUARTERS = as_file(
    [message for pitch in (60, 62, 64, 65) for message in (
        mido.Message("note_on", note=pitch), mido.Message("note_off", note=pitch, time=480)
    )]
)  # fmt: skip


def test_tempo_changes_in_mid_flight(simulation: Simulation) -> None:
    simulation.begin(compiled(QUARTERS))
    simulation.run(until_ns=750_000_000)
    assert simulation.report()["time"] == 750_000_000
    simulation.do("speed", session="one", speed=arrangement.speed_of(0.5))
    assert simulation.report()["time"] == 750_000_000, "it goes on from where it is"
    simulation.run()
    ons = [when for when, message in simulation.sent if message[0] == 0x90]
    assert ons == [0, 500_000_000, 1_250_000_000, 2_250_000_000]


def test_pause_holds_time_and_ends_notes(simulation: Simulation) -> None:
    simulation.begin(compiled(QUARTERS))
    simulation.run(until_ns=600_000_000)
    simulation.do("pause", session="one")
    assert simulation.sent[-1] == (600_000_000, b"\x80\x3e\x40"), "nothing sounds while it is paused"
    simulation.run(until_ns=5_000_000_000)
    assert (simulation.report()["state"], simulation.report()["time"]) == ("paused", 600_000_000)
    simulation.do("resume", session="one")
    simulation.run()
    late = 5_000_000_000 + play.LEAD_NS - 600_000_000
    ons = [when for when, message in simulation.sent if message[0] == 0x90]
    assert ons == [0, 500_000_000, 1_000_000_000 + late, 1_500_000_000 + late]


def test_seek_while_it_plays_or_is_paused(simulation: Simulation) -> None:
    piece = compiled(QUARTERS)
    simulation.begin(piece)
    simulation.run(until_ns=600_000_000)
    simulation.do("seek", session="one", place=arrangement.place(piece, 1440))
    assert simulation.sent[-1][1] == b"\x80\x3e\x40"
    simulation.do("pause", session="one")
    simulation.do("seek", session="one", place=arrangement.place(piece, 960))
    assert simulation.report()["time"] == 1_000_000_000
    simulation.do("resume", session="one")
    simulation.run()
    assert [message[1] for _, message in simulation.sent if message[0] == 0x90] == [60, 62, 64, 65]


def test_a_loop_that_is_lifted_plays_to_the_end(simulation: Simulation) -> None:
    piece = compiled(QUARTERS)
    simulation.begin(piece, loop_range=LoopRange("1:1", "1:3"))
    simulation.run(until_ns=2_100_000_000)
    simulation.do("loop", session="one", loop=None)
    simulation.run()
    assert [message[1] for _, message in simulation.sent if message[0] == 0x90] == [60, 62, 60, 62, 60, 62, 64, 65]


def pitches(simulation: Simulation) -> list[tuple[int, int]]:
    return [(when, message[1]) for when, message in simulation.sent if message[0] == 0x90]


@pytest.mark.parametrize(("start_ms", "heard"), [(None, [64, 65, 64]), (0, [60, 62, 64])])
def test_a_loop_with_a_start_is_heard_from_there(
    simulation: Simulation, start_ms: float | None, heard: list[int]
) -> None:
    simulation.begin(compiled(QUARTERS), loop_range=LoopRange("1:3"), start_ms=start_ms)
    simulation.run(until_ns=1_400_000_000)
    assert [pitch for _, pitch in pitches(simulation)] == heard


def test_a_loop_that_lies_behind_begins_at_once(simulation: Simulation) -> None:
    """And from its beginning, instead of making up for the rounds that would have been."""
    piece = compiled(QUARTERS)
    simulation.begin(piece)
    simulation.run(until_ns=1_750_000_000)
    simulation.do("loop", session="one", loop=arrangement.loop(piece, LoopRange("1:1", "1:2"), 1))
    simulation.run(until_ns=2_600_000_000)
    assert pitches(simulation)[4:] == [(1_750_000_000, 60), (2_250_000_000, 60)]


def test_so_it_does_when_it_was_paused(simulation: Simulation) -> None:
    piece = compiled(QUARTERS)
    simulation.begin(piece)
    simulation.run(until_ns=1_750_000_000)
    simulation.do("pause", session="one")
    simulation.do("loop", session="one", loop=arrangement.loop(piece, LoopRange("1:1", "1:2"), 1))
    simulation.run(until_ns=9_000_000_000)
    simulation.do("resume", session="one")
    simulation.run(until_ns=9_600_000_000)
    resumed = 9_000_000_000 + play.LEAD_NS
    assert pitches(simulation)[4:] == [(resumed, 60), (resumed + 500_000_000, 60)]


@pytest.mark.parametrize("position", ["1:2", "1:3"])
def test_no_place_past_the_end_of_the_loop(position: str) -> None:
    piece = compiled(QUARTERS)
    with pytest.raises(MusicError, match="must be before the end of the loop"):
        arrangement.start_tick(piece, position, "seek", LoopRange("1:1", "1:2"))
    assert arrangement.start_tick(piece, "1:1.5", "seek", LoopRange("1:1", "1:2")) == 240


def test_places_hold_for_one_edition_of_a_song(simulation: Simulation) -> None:
    """A seek that was meant for the song as it was is not done in the song as it is."""
    old, new = (
        compiled(QUARTERS),
        compiled(as_file([mido.Message("note_on", note=1), mido.Message("note_off", time=480)])),
    )
    simulation.begin(old, loop_range=LoopRange())
    told = {"count": new.count, "end": new.end, "next_loop": arrangement.loop(new, LoopRange(), 1)}
    simulation.do("replace", new.payload(), session="one", next_edition=1, next_muted=[], **told)
    simulation.run(until_ns=2_100_000_000)
    assert simulation.report()["edition"] == 1
    place = arrangement.place(old, 960)
    assert simulation.obey("seek", session="one", edition=0, place=place) == {"re": 1, "is_stale": True}
    assert simulation.report()["time"] == 100_000_000
    assert simulation.obey("seek", session="one", edition=1, place=arrangement.place(new, 240)) == {"re": 1}


@pytest.mark.parametrize(
    ("numerator", "denominator", "scale", "clicks"),
    [
        (6, 8, 1, [(0, "H"), (750, "l")]),
        (6, 8, 0.5, [(0, "H"), (500, "-"), (1000, "-"), (1500, "l"), (2000, "-"), (2500, "-")]),
        (12, 8, 1, [(0, "H"), (750, "l"), (1500, "l"), (2250, "l")]),
        (7, 8, 1, [(0, "H"), (500, "l"), (1000, "l")]),
        (3, 8, 1, [(0, "H"), (250, "l"), (500, "l")]),
        (4, 4, 0.25, [(0, "H"), (2000, "l"), (4000, "l"), (6000, "l")]),
        (2, 2, 1, [(0, "H"), (1000, "l")]),
    ],
)
def test_count_in_is_counted_as_players_do(
    simulation: Simulation, numerator: int, denominator: int, scale: float, clicks: list[tuple[int, str]]
) -> None:
    """In beats, at 120 quarters a minute; a compound metre that is slow in its units, the beats louder."""
    metre = mido.MetaMessage("time_signature", numerator=numerator, denominator=denominator)
    content = as_file([metre, mido.Message("note_on", note=60), mido.Message("note_off", note=60, time=480)])
    simulation.begin(compiled(content), count_in_bars=1, tempo_scale=scale)
    simulation.run()
    kinds = {(76, 100): "H", (77, 100): "l", (77, 60): "-"}
    heard = [(when // 1_000_000, *message) for when, message in simulation.sent if message[0] & 0xF0 == 0x90]
    ons = [(ms, kinds[pitch, velocity]) for ms, status, pitch, velocity in heard if status == 0x99 and velocity]
    assert ons == clicks
    bar_ms = 2000 * numerator / denominator / scale
    assert [ms for ms, status, *_ in heard if status == 0x90] == [bar_ms]


def test_count_in(simulation: Simulation) -> None:
    metre = mido.MetaMessage("time_signature", numerator=3, denominator=4)
    content = as_file([metre, mido.Message("note_on", note=60, time=960), mido.Message("note_off", note=60, time=480)])
    simulation.begin(compiled(content), start_ms=1000, count_in_bars=2, tempo_scale=2)
    simulation.run(until_ns=100)
    assert simulation.report()["state"] == "counting_in"
    simulation.run()
    heard = [(when, *message) for when, message in simulation.sent]
    ons = [(when, status, pitch) for when, status, pitch, velocity in heard if status & 0xF0 == 0x90 and velocity]
    clicks = [(index * 250_000_000, 0x99, 77 if index % 3 else 76) for index in range(6)]
    assert ons == [*clicks, (1_500_000_000, 0x90, 60)]


@pytest.mark.parametrize(
    ("position", "tick"),
    [("1:1", 0), ("2:1", 1920), ("2:3", 2880), ("2:2.5", 2640), ("2:1+1/3", 2080), ("3:1", 3840), ("3:3", 4320),
     ("4:1", 4560), ("0 ms", 0), ("500 ms", 480), ("500.5 ms", 480), ("4.5 s", 4320), ("bar 4", 4560)],
)  # fmt: skip
def test_positions(position: str, tick: int) -> None:
    """In 4/4, then in 3/8 from bar 3 on."""
    change = mido.MetaMessage("time_signature", numerator=3, denominator=8, time=3840)
    clock = compiled(as_file([change, mido.Message("note_on", time=9600)])).clock
    assert clock.tick_of(position, "seek") == tick
    if ":" in position and "/" not in position:
        assert clock.bar_and_beat(tick) == position


@pytest.mark.parametrize(
    ("numerator", "denominator", "beats"),
    [(6, 8, [0, 720]), (12, 8, [0, 720, 1440, 2160]), (7, 8, [0, 480, 960]), (5, 4, [0, 480, 960, 1440, 1920]),
     (2, 2, [0, 960]), (3, 8, [0, 240, 480])],
)  # fmt: skip
@pytest.mark.parametrize("ppq", [480, 32_640])
def test_beats_are_those_that_musicians_count(numerator: int, denominator: int, beats: list[int], ppq: int) -> None:
    """Compound and irregular metres too, as check_song names places; every position told leads back to its tick."""
    metre = mido.MetaMessage("time_signature", numerator=numerator, denominator=denominator)
    clock = compiled(as_file([metre, mido.Message("note_on", time=99 * ppq)], ppq=ppq)).clock
    bar = 4 * ppq * numerator // denominator
    for beat, tick in enumerate((tick * ppq // 480 for tick in beats), 1):
        assert clock.tick_of(f"3:{beat}", "seek") == 2 * bar + tick
        assert clock.bar_and_beat(2 * bar + tick) == f"3:{beat}"
    with pytest.raises(MusicError, match=f"{numerator}/{denominator}: its beats are 1 to {len(beats)}"):
        clock.tick_of(f"3:{len(beats) + 1}", "seek")
    for tick in (*range(0, bar, bar // 300 | 1), bar - 1, bar):
        assert clock.tick_of(str(clock.bar_and_beat(tick)), "seek") == tick


def test_a_fraction_is_of_its_own_beat() -> None:
    metre = mido.MetaMessage("time_signature", numerator=7, denominator=8)
    clock = compiled(as_file([metre, mido.Message("note_on", time=9600)])).clock
    assert [clock.tick_of(each, "seek") for each in ("1:1.5", "1:3.5", "2:3+1/3")] == [240, 1320, 2880]


@pytest.mark.parametrize("position", ["", "0:1", "1:0", "1:5", "1:", ":1", "one", "-1", "1e3", "1:1:1", "9" * 99])
def test_no_positions(position: str) -> None:
    with pytest.raises(MusicError):
        compiled(QUARTERS).clock.tick_of(position, "seek")


@given(st.lists(st.integers(0, 30_000_000), min_size=1, max_size=300))
def test_lateness_is_told_to_its_bin(late: list[int]) -> None:
    lateness = Lateness()
    for each in late:
        lateness.add(each)
    told, in_order = lateness.told(), sorted(late)
    assert told["count"] == len(late) and told["max"] == pytest.approx(in_order[-1] / 1e6, abs=0.001)
    for name, share in (("p50", 0.5), ("p99", 0.99)):
        exact = in_order[max(0, math.ceil(share * len(late)) - 1)]
        if exact < 2000 * BIN_NS:
            assert exact / 1e6 - 0.001 <= told[name] <= exact / 1e6 + BIN_NS / 1e6 + 0.001
        else:
            assert told[name] == told["max"]
