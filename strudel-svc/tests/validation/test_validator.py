"""validate_script: what is accepted, and what is found where."""

import random
import time

import pytest

from consort_strudel.engine import Evaluation, ScriptFacts
from consort_strudel.validation import ScriptVerdict
from consort_strudel.validation.written.sound_names import KnownSounds
from evaluation.strudel_scripts.broken import broken_scripts
from evaluation.strudel_scripts.doc_examples import doc_examples
from evaluation.strudel_scripts.voices import songs
from tests.support.strudel_engine import RunningEngine


def _found(verdict: ScriptVerdict) -> list[tuple[int, int, str]]:
    return [(each.line, each.column, each.message) for each in (*verdict.errors, *verdict.warnings)]


def test_examples_of_the_packages_are_accepted(engine: RunningEngine) -> None:
    """Some of them; `consort bench strudel` tries all."""
    examples = random.Random(16).sample(doc_examples(), 50)
    wrong = [
        (example, verdict.errors)
        for example, verdict in zip(examples, engine.validate_all(examples), strict=True)
        if not verdict.valid
    ]
    assert wrong == []


def test_our_own_songs_are_accepted_without_warnings(engine: RunningEngine) -> None:
    scripts = [song.script for song in songs(20)]
    assert [_found(verdict) for verdict in engine.validate_all(scripts)] == [[]] * 20


def test_scripts_broken_on_purpose_are_caught_at_the_right_place(engine: RunningEngine) -> None:
    """The bench tries 500: at least 97% must be caught, and 75% of the suggestions right."""
    names = engine.names()
    known = names.functions | names.values | names.methods | KnownSounds(names.sounds).all
    facts = [engine.parse(song.script) for song in songs(30)]
    broken = broken_scripts(facts, 80, known)
    caught = right = typos = 0
    for each, verdict in zip(broken, engine.validate_all([each.script for each in broken]), strict=True):
        lines = ScriptFacts(each.script)
        places = {lines.line_column(place) for place in each.places}
        hits = [one for one in (*verdict.errors, *verdict.warnings) if (one.line, one.column) in places]
        caught += bool(hits)
        typos += each.meant is not None
        right += bool(each.meant and hits and (hits[0].suggestion or "").startswith(f"Did you mean '{each.meant}'"))
    assert caught >= 0.95 * len(broken)
    assert right >= 0.75 * typos


@pytest.mark.parametrize(
    ("script", "place", "word"),
    [
        ('$: s("bd*4")\n$: s("hh*8").gian(.4)', (2, 14), "gain"),
        ('$: note("c3 e3"', (1, 8), "')'"),
        ('$: s("bd [sd sd")', (1, 10), "']'"),
        ('$: s("bd <sd cp] hh")', (1, 16), "'['"),
        ('$: s("kickk")', (1, 7), "kick"),
        ('$: s("bd").bank("RolandTR99")', (1, 18), "rolandtr"),
        ('$: note("c3 h3")', (1, 13), "b3"),
        ('$: note("c3").every(4, "rev")', (1, 24), "x => x.rev()"),
        ('$: note("c3").lpf("abc")', (1, 20), "number"),
        ('$: note("c3").vowel("x")', (1, 22), "a, aa"),
        ('$: note("c3").s("sawtooth").attack(-1)', (1, 36), "0 to 30"),
        ('samples("github:tidalcycles/Dirt-Samples")\n$: s("bd")', (1, 9), "single quotes"),
        ('$: note("0 2").scale("C:majorr")', (1, 25), ""),
    ],
)
def test_an_error_has_a_place_and_a_way_out(
    engine: RunningEngine, script: str, place: tuple[int, int], word: str
) -> None:
    verdict = engine.validate(script)
    assert not verdict.valid
    first = verdict.errors[0]
    assert (first.line, first.column) == place
    assert word in f"{first.message} {first.suggestion}"
    assert "^" in first.code_context


@pytest.mark.parametrize(
    ("script", "word"),
    [
        ("$: s('bd*4 sd')", "double quotes"),
        ('$: chord("<Cm7 Abmaj7>").voicing()', "'Ab^7'"),
        ('$: chord("C Gsus4").voicing()', "'Gsus'"),
        ('$: chord("am").voicing()', "capitals"),
        ('$: chord("<Dm7 G7 C^7 Dm9>").dict("lefthand").voicing()', "'lefthand' has no voicing of 'Dm9'"),
        ('$: dict("triads").chord("<C G7>").voicing()', "'triads' has no voicing of 'G7'"),
        ("const ii = chord('Dm9 G7')\n" + '$: chord("<C7 G13>").dictionary("lefthand").voicing()', "'G13'"),
        ('const vi = chord("<A7 A13>")\n$: vi.dict("lefthand").voicing()', "'lefthand' has no voicing of 'A13'"),
        ("setDefaultVoicings('legacy')\n" + '$: chord("<C C9>").voicing()', "'legacy' has no voicing of 'C9'"),
        ('$: chord("C").dict("lefthands").voicing()', "no dictionary of voicings 'lefthands'"),
        ('$: note("c3@.5 e3")', "@0.5"),
        ('$: s("bd").gain(0)', "no sound"),
        ('$: s("bd").lpf(90000)', "useful range"),
        ('setcpm(500)\n$: s("bd")', "BPM"),
        ('$: s("bd").duck(3)', "orbit 3"),
        ('$: n("0").scale("C:minor")\n$: n("1").scale("C:minor")\n$: n("2").scale("D:major")', "C minor"),
        ("\n".join(f'$: s("bd").late({number})' for number in range(25)), "voices"),
        ('$: s("bd")\n$: s("~ ~")', "plays nothing"),
    ],
)
def test_what_is_legal_but_doubtful_is_a_warning(engine: RunningEngine, script: str, word: str) -> None:
    verdict = engine.validate(script)
    assert word in " ".join(f"{each.message} {each.suggestion}" for each in (*verdict.warnings, *verdict.errors))


def test_a_fragment_is_tried_on_a_note(engine: RunningEngine) -> None:
    assert engine.validate(".lpf(600).room(.3)", fragment=True).valid
    assert engine.validate('.bank("tr808")', fragment=True).errors == []
    verdict = engine.validate(".lpf(600).roomm(.3)", fragment=True)
    assert [(each.line, each.column) for each in verdict.errors] == [(1, 11)]


@pytest.mark.parametrize(
    "script",
    [
        's("hh*4").gain("[.5 0]*2")',
        "note(mini('c3*4'))",
        'note("c3@0.5 e3")',
        'chord("<Dm9 G13 C^9>").voicing()',
        'chord("<CmM7 C7>").dict("lefthand").voicing()',
    ],
)
def test_what_is_useful_gets_no_warning(engine: RunningEngine, script: str) -> None:
    assert _found(engine.validate(script)) == []


def test_an_empty_script_is_a_warning(engine: RunningEngine) -> None:
    verdict = engine.validate(" \n")
    assert verdict.valid and len(verdict.warnings) == 1


def test_names_that_a_script_makes_are_known(engine: RunningEngine) -> None:
    script = (
        "const wob = register('wob', (amount, pat) => pat.lpf(amount))\n"
        "Pattern.prototype.soft = function () { return this.gain(.2) }\n"
        "const drums = () => s('bd')\n"
        '$: note("c2").s("sawtooth").wob(300).soft()\n$: drums().gain(.5)'
    )
    assert engine.validate(script).errors == []


def test_a_script_that_took_too_long_is_not_run_again_to_explain_it(engine: RunningEngine) -> None:
    """The engine of these tests would give an endless loop a minute."""
    began = time.monotonic()
    verdict = engine.explain('$: s("bd")\nfor(;;);\n', Evaluation(error="The script takes over 2 s.", is_late=True))
    assert [error.message for error in verdict.errors] == ["The script takes over 2 s."]
    assert time.monotonic() - began < 30


def test_a_script_that_failed_at_once_is_explained_by_its_own_error(engine: RunningEngine) -> None:
    verdict = engine.explain('$: s("bd").slwo(2)', Evaluation(error="slwo is not a function"))
    assert verdict.errors[0].column == 12 and "slow" in (verdict.errors[0].suggestion or "")
