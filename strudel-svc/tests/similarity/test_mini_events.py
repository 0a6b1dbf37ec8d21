"""Rhythms that are read from mini-notation without the engine are those that the engine plays."""

import time
from fractions import Fraction

import pytest

from consort_strudel.similarity.code.mini_events import mini_events
from tests.support.strudel_engine import RunningEngine

TEXTS = [
    "bd sd hh cp",
    "bd*4, [~ cp]*2",
    "bd(3,8), hh(5,8,2)",
    "bd [hh hh hh] ~ -",
    "bd@3 sd, hh!3 cp",
    "[bd ~ ~ rim bd ~ rim ~]*2",
    "bd _ sd [hh oh]*2",
    "[[bd sd]!2 hh]*2",
    "<bd sd> hh",
    "bd:3 sd:1*2",
]


@pytest.mark.parametrize("text", TEXTS)
def test_starts_and_lengths_are_those_of_the_engine(engine: RunningEngine, text: str) -> None:
    played = engine.evaluate(f's("{text}")', 0, 1).events
    expected = sorted((event.begin, event.duration, event.value["s"]) for event in played)
    first = [event for event in mini_events(text) if event.start < 1]
    found = sorted((event.start, event.length, event.word.partition(":")[0]) for event in first)
    if "<" in text:  # alternatives are read as cycles of their own
        found = [event for event in found if event[2] != "sd"]
    assert found == expected


@pytest.mark.parametrize(
    "text", ["", "[", "bd*", "<<<", "bd*9999", "bd(99,9999)", "bd!99999", "a/0", "((", "{bd sd}%4"]
)
def test_what_is_broken_or_huge_is_read_as_far_as_it_goes(text: str) -> None:
    events = mini_events(text)
    assert len(events) <= 64 and all(event.start >= 0 and event.length > 0 for event in events)


@pytest.mark.parametrize(
    "text", [f"bd{'*9' * 12}", f"[a*32*2{'!32' * 8}] " * 30, f"{'[a b,' * 60}c{']*9' * 60}", f"a{'(31,32)' * 12}"]
)
def test_repetitions_of_repetitions_take_little_time(text: str) -> None:
    began = time.process_time()
    assert len(mini_events(text)) <= 64
    assert time.process_time() - began < 1


def test_slow_steps_last_longer() -> None:
    two = Fraction(2)
    assert [(event.start, event.length) for event in mini_events("<a b>/2")] == [(Fraction(0), two), (two, two)]
