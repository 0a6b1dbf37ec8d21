"""Tags that are derived from code: each element and technique on small clips of our own."""

import pytest

from consort_strudel.clips.tagging import (
    ELEMENTS,
    FEELINGS,
    INSTRUMENTS,
    TAGGED_CYCLES,
    TECHNIQUES,
    AutoTags,
    auto_tags,
)
from tests.support.strudel_engine import RunningEngine

FRAGMENT_BASE = 'note("c3 e3 g3").s("sawtooth")'


def tags_of(engine: RunningEngine, code: str) -> AutoTags:
    is_fragment = code.startswith(".")
    whole = FRAGMENT_BASE + code if is_fragment else code
    return auto_tags(engine.parse(whole), engine.evaluate(whole, 0, TAGGED_CYCLES), is_fragment)


@pytest.mark.parametrize(
    ("code", "element"),
    [
        ('s("bd*4, ~ cp ~ cp, [~ hh]*4")', "rhythm"),
        ('note("c2 eb2 [~ g1] bb1").s("sawtooth").lpf(600)', "bass"),
        ('n("0 2 4 <6 7>").scale("C4:minor").s("piano")', "melody"),
        ('chord("<Am7 Dm7 G7 C^7>").voicing().s("gm_epiano1")', "harmony"),
        ('note("<[c3,eb3,g3] [ab2,c3,eb3]>").s("sawtooth").attack(1).release(2).room(.8)', "texture"),
        ('s("white").hpf(saw.range(200,8000).slow(4)).gain(.3)', "fx"),
        (".lpf(600).room(.3)", "fx"),
    ],
)
def test_the_element_is_what_most_voices_play(engine: RunningEngine, code: str, element: str) -> None:
    assert tags_of(engine, code).element == element


@pytest.mark.parametrize(
    ("code", "techniques"),
    [
        ('s("bd*4, ~ cp ~ cp")', {"four-on-the-floor", "backbeat"}),
        ('s("bd(3,8)")', {"euclidean rhythm"}),
        ('s("breaks165").fit().slice(8, "0 1 2 3")', {"breakbeat", "chopping"}),
        ('note("c2*8").s("sawtooth").lpf(sine.range(300,2000).slow(4)).lpq(12)', {"filter sweep", "resonance"}),
        ('note("c3 e3").s("sawtooth").delay(.5).room(.4).sometimes(rev)', {"delay", "reverb", "randomness"}),
    ],
)
def test_techniques_are_found_and_belong_to_the_vocabulary(
    engine: RunningEngine, code: str, techniques: set[str]
) -> None:
    found = tags_of(engine, code)
    assert techniques <= set(found.technique) <= set(TECHNIQUES)
    assert "swing" not in found.technique
    assert found.element in ELEMENTS
    assert set(found.feeling) <= set(FEELINGS)


def test_tempo_key_instruments_and_packs_are_read(engine: RunningEngine) -> None:
    found = tags_of(
        engine,
        "samples('github:tidalcycles/Dirt-Samples')\nsetcpm(120/4)\n"
        '$: n("0 2 4").scale("D:dorian").s("piano")\n$: s("bd sd")',
    )
    assert (found.tempo, found.key) == (120, "D dorian")
    assert found.instrument == ["piano", "kick", "snare"]
    assert found.requires_packs == ["github:tidalcycles/Dirt-Samples"]


@pytest.mark.parametrize(
    ("code", "instruments"),
    [
        ('note("c2 eb2 g1").s("sawtooth").lpf(600)', ["synth bass"]),
        ('n("0 2 4 <6 7>").scale("C4:minor").s("triangle")', ["synth lead"]),
        ('$: n("0 2 4").scale("C4:minor").s("square")\n$: s("white*4").decay(.05)', ["noise", "synth"]),
        ('note("<[c3,eb3,g3] [ab2,c3,eb3]>").s("gm_string_ensemble_1")', ["strings"]),
        ('note("c2 g2 d2 a1").s("gm_acoustic_bass")', ["double bass"]),
        ('note("c4 e4").s("gm_alto_sax")', ["saxophone"]),
        ('s("conga*2, breaks165")', ["conga", "break"]),
    ],
)
def test_instruments_are_words_of_the_vocabulary(engine: RunningEngine, code: str, instruments: list[str]) -> None:
    assert tags_of(engine, code).instrument == instruments
    assert set(instruments) <= INSTRUMENTS


def test_a_fragment_has_no_notes_of_the_pattern_that_it_is_tried_on(engine: RunningEngine) -> None:
    found = tags_of(engine, ".distort(2).delay(.5)")
    assert (found.instrument, found.key) == ([], None)
    assert {"distortion", "delay"} <= set(found.technique)
