"""Named rhythms and forms of the vocabulary are what their names say: the strokes that the engine plays are counted."""

from collections.abc import Iterable

import pytest

from consort_strudel.knowledge.vocabulary import concepts
from tests.support.strudel_engine import RunningEngine

CONCEPTS = {concept.name: concept for concept in concepts()}
NEUTRAL = 'note("c3").s("sawtooth")'


def _code(name: str, way: int | None = None) -> str:
    concept = CONCEPTS[name]
    code = concept.code if way is None else concept.other_ways[way].code
    return f"{NEUTRAL}{code}" if code.startswith(".") else code


def _steps(engine: RunningEngine, code: str, steps: int, sounds: Iterable[str] = (), cycles: int = 1) -> list[float]:
    """Return at which steps of a cycle the sounds start, in order; all sounds if none is named."""
    events = engine.evaluate(code, 0, cycles).events
    return sorted({float(each.begin * steps) for each in events if not sounds or each.value.get("s") in sounds})


@pytest.mark.parametrize(
    ("name", "way", "steps", "strokes"),
    [
        ("four-on-the-floor", None, 4, [0, 1, 2, 3]),
        ("backbeat", None, 4, [1, 3]),
        ("clave", None, 16, [0, 3, 6, 10, 12]),
        ("clave", 0, 16, [0, 3, 7, 10, 12]),
        ("clave", 1, 16, [2, 4, 8, 11, 14]),
        ("tresillo", None, 8, [0, 3, 6]),
        ("cinquillo", None, 8, [0, 2, 3, 5, 6]),
        ("habanera", None, 8, [0, 3, 4, 6]),
        ("12/8 bell pattern", None, 12, [0, 2, 4, 5, 7, 9, 11]),
        ("off-beat hats", None, 8, [1, 3, 5, 7]),
        ("off-beat bass", None, 8, [1, 3, 5, 7]),
        ("tumbao bass", None, 8, [3, 6]),
        ("psytrance bass", None, 16, [1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15]),
        ("triplets", None, 12, list(range(12))),
    ],
)
def test_a_rhythm_has_its_strokes(
    engine: RunningEngine, name: str, way: int | None, steps: int, strokes: list[int]
) -> None:
    assert _steps(engine, _code(name, way), steps) == strokes


@pytest.mark.parametrize(
    ("name", "sound", "strokes"),
    [
        ("dembow", "bd", [0, 4, 8, 12]),
        ("dembow", "sd", [3, 6, 11, 14]),
        ("reggae one drop", "bd", [8]),
        ("reggae one drop", "rim", [8]),
        ("2-step garage", "bd", [0, 10]),
        ("2-step garage", "sd", [4, 12]),
        ("drum and bass beat", "bd", [0, 10]),
        ("drum and bass beat", "sd", [4, 12]),
        ("half-time", "sd", [8]),
        ("footwork", "bd", [0, 3, 6, 9, 12, 14]),
        ("bossa nova", "bd", [0, 6, 8, 14]),
    ],
)
def test_a_beat_has_its_strokes(engine: RunningEngine, name: str, sound: str, strokes: list[int]) -> None:
    """Sixteenths of a bar. Swing may move them by less than a step."""
    played = _steps(engine, _code(name), 16, {sound})
    assert [int(step) for step in played] == strokes


def test_the_bossa_clave_takes_two_bars(engine: RunningEngine) -> None:
    assert _steps(engine, _code("bossa nova"), 8, {"rim"}, cycles=2) == [0, 3, 6, 10, 13]


def test_a_hemiola_groups_six_by_three_and_then_by_two(engine: RunningEngine) -> None:
    assert _steps(engine, _code("hemiola"), 6, cycles=2) == [0, 3, 6, 8, 10]


def test_metric_modulation_makes_the_dotted_pulse_the_beat(engine: RunningEngine) -> None:
    code = f's("bd*4"){CONCEPTS["metric modulation"].code}'
    starts = _steps(engine, code, 1, cycles=4)
    assert len([start for start in starts if start < 2]) == 8
    assert len([start for start in starts if start >= 2]) == 12


def test_phasing_drifts_and_meets_again(engine: RunningEngine) -> None:
    """Of 8 and 8.1 notes in a bar, the second player is one note ahead after ten bars."""
    code = CONCEPTS["phasing"].code
    assert len(engine.evaluate(code, 0, 10).events) == 80 + 81


def test_the_blues_has_twelve_bars(engine: RunningEngine) -> None:
    chords = [each.value["chord"] for each in engine.evaluate('chord("<C7!4 F7!2 C7!2 G7 F7 C7 G7>")', 0, 12).events]
    assert 'chord("<C7!4 F7!2 C7!2 G7 F7 C7 G7>")' in CONCEPTS["12-bar blues"].code
    assert " ".join(chords) == "C7 C7 C7 C7 F7 F7 C7 C7 G7 F7 C7 G7"


def test_an_isorhythm_repeats_five_pitches_over_four_durations(engine: RunningEngine) -> None:
    events = engine.evaluate(CONCEPTS["isorhythm"].code, 0, 5).events
    pitches = [each.value["note"] for each in sorted(events, key=lambda each: each.begin)]
    assert pitches == pitches[:5] * 4 and len(set(pitches)) == 5
    assert {float(each.begin % 1 * 8) for each in events} == {0, 3, 4, 6}
