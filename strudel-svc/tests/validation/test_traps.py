"""validate_script: what new users write that is silent, fails, or is not what they meant."""

import time

import pytest

from consort_strudel.engine import Engine
from consort_strudel.sounds.wavetables import TABLES
from consort_strudel.validation import ScriptVerdict, Validator
from consort_strudel.validation.written.sound_names import COMPUTED
from tests.support.strudel_engine import RunningEngine


def _all(verdict: ScriptVerdict) -> list[str]:
    return [
        f"{each.line}:{each.column} {each.message} {each.suggestion}" for each in (*verdict.errors, *verdict.warnings)
    ]


def _validate(engine: RunningEngine, script: str, key: str | None) -> ScriptVerdict:
    async def action(running: Engine) -> ScriptVerdict:
        return await Validator(running).validate(script, key=key)

    return engine.run(action)


@pytest.mark.parametrize(
    ("script", "place", "word"),
    [
        ('setcpm("120")\n$: s("bd")', (1, 8), "setcpm needs a number"),
        ('$: s("bd").gain("c3")', (1, 18), ".gain(0.8)"),
        ('$: s("bd").lpf("e4")', (1, 17), ".lpf(800)"),
        ('$: s("bd").fast("x")', (1, 18), ".fast(2)"),
        ('$: s("bd").gain(NaN)', (1, 17), "needs a number"),
        ('const loud = 0/0\n$: s("bd").gain(loud)', (2, 17), "needs a number"),
        ('$: s("bd").lpf({a: 1})', (1, 16), "needs a number"),
        ('$: s("bd").n("a b")', (1, 15), "'n' needs a number"),
        ("$: s()", (1, 4), "no sound"),
        ('$: s("bd{3}")', (1, 10), "no sound '3'"),
        ("$: note('c3 e3 g3')", (1, 9), "double quotes"),
        ("const low = 'h3'\n$: note(low)", (2, 9), "b3"),
        ("const f = x => x\n$: note(f)", (2, 9), "a function"),
        ('$: s("bd").sometimes(fast)', (1, 22), "x => x.fast(2)"),
        ('$: s("bd").lpf', (1, 12), ".lpf(…)"),
        ('$: s("bd").attack(-1)', (1, 19), "cannot use attack(-1)"),
    ],
)
def test_values_that_the_engine_cannot_use(
    engine: RunningEngine, script: str, place: tuple[int, int], word: str
) -> None:
    first = engine.validate(script).errors[0]
    assert (first.line, first.column) == place
    assert word in f"{first.message} {first.suggestion}"


@pytest.mark.parametrize(
    ("script", "place", "word"),
    [
        ('s("bd*4")\ns("hh*8")', (1, 1), "$: before each"),
        ('$: s("bd*4")\ns("hh*8")', (2, 1), "$: before it"),
        ('cat("bd", "sd")', (1, 5), 's("bd")'),
        ('s("bd*4").stack("hh*8")', (1, 17), ".s()"),
        ('s("bd*4").K(() => audioin().mul(.5).out())', (1, 13), "K(audioin().mul(.5).out())"),
        ('s("bd*4").K(audioin().mul(.5))', (1, 13), "End it with .out()"),
        ('$: s("bd").begin(.9).end(.1)', (1, 26), "no sound"),
        ("$: note(sine)", (1, 9), ".segment(8)"),
        ('s("bd").lpf', (1, 9), "brackets"),
        ('kick: s("bd")\nkick: s("sd")', (1, 1), "replaced by line 2"),
        ('$: note("c3 e3").s("saw").add(12)', (1, 27), "Write .add(note(12))"),
        ('$: n("0 2").superimpose(x => x.add("<2 4>"))', (1, 32), "cannot calculate"),
        ("// only a comment", (1, 1), "plays nothing"),
        ('$: s("bd").release(50)', (1, 20), "useful range"),
        ('setcpm(7200)\n$: s("bd")', (1, 8), "28,800 BPM"),
        ('$: note("c5 e5").s("sawtooth").lpf(60)', (1, 36), "far below the note, which has 523 Hz"),
        ('const dark = 30\n$: note("c3").lpf(dark).room(.3)', (2, 19), "far below the note"),
        ('$: note("c3").s("sine").hpf(2000)', (1, 29), ".hpf(65)"),
        ('$: note("c3").s("sawtooth").hpf(15000)', (1, 33), "far above the note"),
        ('$: freq(220).s("sine").bpf(5000)', (1, 28), "far from the note"),
        ('$: note("c3*16").s("sine").attack(1)', (1, 35), "longer than the note, which has 0.12 s"),
        ('$: note("c3*8").adsr("2:.1:.5:.1")', (1, 22), "longer than the note"),
    ],
)
def test_what_is_not_heard_has_one_warning(
    engine: RunningEngine, script: str, place: tuple[int, int], word: str
) -> None:
    verdict = engine.validate(script)
    assert verdict.valid
    places = {(each.line, each.column): f"{each.message} {each.suggestion}" for each in verdict.warnings}
    assert word in places[place]
    assert len(verdict.warnings) == (2 if script.startswith("cat") else 1)


@pytest.mark.parametrize(
    "script",
    [
        '$: note("c3").s("sawtooth").lpf(sine.range(20, 4000))',
        '$: note("c2").s("sawtooth").lpf(20).lpenv(6)',
        '$: note("c2").s("sawtooth").hpf(2000)',
        '$: note("c2").s("sine").fm(8).hpf(500)',
        '$: note("c4").slow(4).attack(2)',
        '$: s("bd*8").lpf(60)',
        "tables('github:somebody/waves')\n$: s('wt_mine')",
    ],
)
def test_filters_attacks_and_wavetables_that_are_heard_have_no_warning(engine: RunningEngine, script: str) -> None:
    verdict = engine.validate(script)
    assert verdict.valid and not [each for each in verdict.warnings if "is not known here" not in each.message]


def test_notes_of_a_fragment_are_not_known(engine: RunningEngine) -> None:
    assert engine.validate(".attack(4)", fragment=True).warnings == []


@pytest.mark.parametrize(
    ("script", "place"),
    [('$: s("wt_nope")', (1, 7)), ('$: note("c2").s("squelsh").bank("wt_digital")', (1, 18))],
)
def test_a_wavetable_that_does_not_exist_is_an_error(
    engine: RunningEngine, script: str, place: tuple[int, int]
) -> None:
    [error] = engine.validate(script).errors
    assert (error.line, error.column) == place and "There is no sound" in error.message


def test_wavetables_of_the_public_repl_are_known(engine: RunningEngine) -> None:
    assert engine.validate('a: note("c2").s("squelch").bank("wt_digital")\nb: s("wt_digital_crickets wt_vgame")').valid


def test_our_own_wavetables_are_known_also_without_the_library(engine: RunningEngine) -> None:
    assert set(TABLES) == COMPUTED
    assert engine.validate("\n".join(f'{name}: note("c2").s("{name}")' for name in sorted(COMPUTED))).errors == []


@pytest.mark.parametrize(
    ("script", "place", "suggestion"),
    [
        ('$: s("kick")', (1, 7), "Did you mean 'bd'?"),
        ('$: s("snare")', (1, 7), "Did you mean 'sd'?"),
        ('$: s("hat")', (1, 7), "Did you mean 'hh'?"),
        ('$: s("snre")', (1, 7), "Did you mean 'sd'?"),
        ("$: s(bd*4)", (1, 6), 'Put it in double quotes: s("bd*4")'),
        ("$: note(c3 e3)", (1, 9), 'Write note("c3 e3").'),
        ("$: note(", (1, 8), "Add ')'."),
        ("$: s(“bd”)", (1, 6), 'Use straight quotes: "bd".'),
        ('$: s("bd").every(4, x => x.fst(2))', (1, 28), "Did you mean 'fast'?"),
        ('const d = s("bd")\n$: d.lpff(300)', (2, 6), "Did you mean 'lpf'?"),
        ("$: s(\"bd*2\").gain('.5 .6')", (1, 19), 'Write it in double quotes: ".5 .6"'),
        ('$: n("0 2").scale("Cmajor")', (1, 20), 'Write "C:major".'),
        ('arrange(4, s("bd"))', (1, 9), "For example: arrange([4, "),
        ("$: s(\"bd\").late('[0 .01]*4')", (1, 17), 'For example: .late("[0 .01]*4")'),
        ('$: s("bd").euclid("x", 8)', (1, 19), "For example: .euclid(3, 8)"),
        ('$: s("bd(9,8)")', (1, 10), "For example: bd(3,8)"),
        ('const a = 3;\na = 4\n$: s("bd")', (2, 1), "Declare it: let a = …"),
        ('$: n("0 2").scale("C major")', (1, 20), 'Write "C:major".'),
        ('$: n("0 2").scale("A:minor pentatonic")', (1, 20), 'Write "A:minor:pentatonic".'),
        ('$: n("0 2").scale("C:majr")', (1, 22), "Did you mean 'C:major'?"),
        ('$: n("0 2").scale("H:minor")', (1, 20), "Tonics are A to G"),
    ],
)
def test_suggestions_are_what_was_meant(
    engine: RunningEngine, script: str, place: tuple[int, int], suggestion: str
) -> None:
    verdict = engine.validate(script)
    assert [(each.line, each.column) for each in verdict.errors] == [place]
    assert (verdict.errors[0].suggestion or "").startswith(suggestion)


@pytest.mark.parametrize(
    ("script", "place", "words"),
    [
        ('stack(\n  s("saw".lpf(400),\n  note("c3"),\n)', (2, 4), "line 2, column 10"),
        ('stack(s("bd").slow(4.gain(.5), s("hh"))', (1, 19), "line 1, column 21"),
        ('drums: s("bd*4"\nbass: note("c2")', (1, 9), "line 1, column 16"),
        ("K(() => {\n  const a = S(rand.range(0, 1)\n  let b = 2\n})", (2, 14), "line 2, column 31"),
        ('s("bd")\n  .gain(sine.range(0, 1)\n  .lpf(300)', (2, 8), "line 2, column 25"),
        ('s("bd").slow2).gain(.5)', (1, 13), "Write slow("),
        ('s("bd").gain.5)', (1, 13), "Write gain("),
        ('s"bd*4")', (1, 2), "Write s("),
        ('"<a b>".pick{a: s("bd")})', (1, 13), "Write pick("),
        ('s("bd*8").layerx => x.fast(2))', (1, 16), "Write layer("),
        ('s("bd").panrand)', (1, 12), "Write pan("),
        ('"a".inhabit({a: s"bd")})', (1, 18), "Write s("),
        ('s("bd").fast(2))', (1, 16), "has no opening"),
    ],
)
def test_the_place_of_a_missing_bracket(engine: RunningEngine, script: str, place: tuple[int, int], words: str) -> None:
    verdict = engine.validate(script)
    assert [(each.line, each.column) for each in verdict.errors] == [place]
    assert words in f"{verdict.errors[0].message} {verdict.errors[0].suggestion}"


@pytest.mark.parametrize(
    ("script", "key", "words"),
    [
        ('$: n("0 2").scale("A:minor")\n$: n("0 2").scale("Eb:major")', None, ("2:19", "Eb major", "A minor")),
        ('$: n("0 2 4").scale("Eb:major")', "A minor", ("1:21", "Eb major", "A minor")),
        ('$: note("c#3 f#3 g#3 c4")', "C major", ("1:4", "outside C major", "C#")),
        (
            '$: n("0").scale("C:major")\n$: n("2").scale("C:major")\n$: note("c#3 f#3 g#3 eb4")',
            None,
            ("3:4", "outside C major"),
        ),
        ('$: note("c3")', "H minor", ("'H minor' is not a key",)),
    ],
)
def test_voices_outside_the_key_have_a_warning(
    engine: RunningEngine, script: str, key: str | None, words: tuple[str, ...]
) -> None:
    [found] = _all(_validate(engine, script, key))
    assert all(word in found for word in words), found


@pytest.mark.parametrize(
    ("script", "key"),
    [
        ('$: n("0 2").scale("A:minor")\n$: n("0 2").scale("C:major")', None),
        ('$: n("0 2").scale("A:minor")\n$: n("0 2").scale("A:minor:pentatonic")', "A minor"),
        ('$: note("a3 c4 e4 g#4")', "A minor"),
        ('$: note("c4 d4 eb4 e4 g4")', "C major"),
        ('$: n("0 1").scale("<C:major F:major>")', None),
    ],
)
def test_relative_keys_and_single_accidentals_have_none(engine: RunningEngine, script: str, key: str | None) -> None:
    assert _all(_validate(engine, script, key)) == []


def test_a_script_with_too_many_events_says_so(engine: RunningEngine) -> None:
    [error] = engine.validate('$: s("bd*100000")').errors
    assert "events in a cycle" in error.message and (error.line, error.column) == (1, 10)
    [warning] = engine.validate('$: s("bd*2500")').warnings
    assert "2,500 events in a cycle" in warning.message


def test_rules_take_linear_time(engine: RunningEngine) -> None:
    """Rules that compare each voice with each string would take minutes. The function is never called."""
    strings = "".join(f'    s("bd sd").bank("tr909").gain(.{number}).lpf("<400 800>"),\n' for number in range(2000))
    script = f"const never = () => [\n{strings}]\n" + "$: silence\n" * 2000 + '$: s("bd")'
    began = time.process_time()
    assert engine.validate(script).valid
    assert time.process_time() - began < 4


def test_a_voice_that_begins_later_is_not_called_silent(engine: RunningEngine) -> None:
    begins_later = '$: s("bd*4")\nlead: s("<~ ~ ~ ~ ~ hh>*1")'
    assert engine.validate(begins_later).warnings == []
    [warning] = engine.validate('$: s("bd*4")\nlead: s("hh").mask(0)').warnings
    assert "'lead' plays nothing" in warning.message
