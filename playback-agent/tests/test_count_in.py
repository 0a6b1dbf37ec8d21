"""The clicks of a count-in."""

import mido
import pytest

from consort_music.performance.compiled_music import compile_midi
from tests.support.midi_files import midi_bytes
from tests.support.scheduler_simulation import Simulation


@pytest.mark.parametrize(
    ("numerator", "denominator", "scale", "clicks"),
    [
        (6, 8, 1, [(0, "high"), (750, "low")]),
        (6, 8, 0.5, [(0, "high"), (500, "soft"), (1000, "soft"), (1500, "low"), (2000, "soft"), (2500, "soft")]),
        (12, 8, 1, [(0, "high"), (750, "low"), (1500, "low"), (2250, "low")]),
        (7, 8, 1, [(0, "high"), (500, "low"), (1000, "low")]),
        (3, 8, 1, [(0, "high"), (250, "low"), (500, "low")]),
        (4, 4, 0.25, [(0, "high"), (2000, "low"), (4000, "low"), (6000, "low")]),
        (2, 2, 1, [(0, "high"), (1000, "low")]),
    ],
)
def test_clicks_are_on_beats_or_on_units_if_beats_are_slow(
    simulation: Simulation, numerator: int, denominator: int, scale: float, clicks: list[tuple[int, str]]
) -> None:
    """At 120 quarters per minute times `scale`. In a slow compound metre every unit has a click; beats are louder."""
    metre = mido.MetaMessage("time_signature", numerator=numerator, denominator=denominator)
    content = midi_bytes([metre, mido.Message("note_on", note=60), mido.Message("note_off", note=60, time=480)])
    simulation.begin(compile_midi(content, 10**7), count_in_bars=1, tempo_scale=scale)
    simulation.run()
    kinds = {(76, 100): "high", (77, 100): "low", (77, 60): "soft"}
    heard = [(when // 1_000_000, *message) for when, message in simulation.sent if message[0] & 0xF0 == 0x90]
    ons = [(ms, kinds[pitch, velocity]) for ms, status, pitch, velocity in heard if status == 0x99 and velocity]
    assert ons == clicks
    bar_ms = 2000 * numerator / denominator / scale
    assert [ms for ms, status, *_ in heard if status == 0x90] == [bar_ms]


def test_two_bars_of_clicks_before_a_start_within_the_music(simulation: Simulation) -> None:
    metre = mido.MetaMessage("time_signature", numerator=3, denominator=4)
    notes = [mido.Message("note_on", note=60, time=960), mido.Message("note_off", note=60, time=480)]
    music = compile_midi(midi_bytes([metre, *notes]), 10**7)
    simulation.begin(music, start_ms=1000, count_in_bars=2, tempo_scale=2)
    simulation.run(until_ns=100)
    assert simulation.report().state == "counting_in"
    simulation.run()
    heard = [(when, *message) for when, message in simulation.sent]
    ons = [(when, status, pitch) for when, status, pitch, velocity in heard if status & 0xF0 == 0x90 and velocity]
    clicks = [(index * 250_000_000, 0x99, 77 if index % 3 else 76) for index in range(6)]
    assert ons == [*clicks, (1_500_000_000, 0x90, 60)]
