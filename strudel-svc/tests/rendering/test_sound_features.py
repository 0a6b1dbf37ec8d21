"""Every kind of sound and effect of the engine can be heard in a render, and an effect changes the plain sound.

All features are played in one render: the plain sound for a cycle, the sound with the feature for a cycle, and a rest.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pytest

from consort_strudel.rendering.renderer import SAMPLE_RATE
from tests.support.strudel_rendering import RenderRig, StereoSound, difference, level, sound_of

CPS = 2
SLOT = SAMPLE_RATE // CPS
SAW = 'note("c3 g3").s("sawtooth")'
SINE = 'note("a4").s("sine")'


class SoundFeature(NamedTuple):
    script: str
    plain: str | None = None
    """The same without the feature."""


FEATURES = {
    "sine": SoundFeature('note("c4 g4").s("sine")'),
    "sawtooth": SoundFeature(SAW),
    "square": SoundFeature('note("d3 a3").s("square")'),
    "triangle": SoundFeature('note("d3 a3").s("triangle")'),
    "attack and release": SoundFeature(f"{SAW}.attack(.1).release(.1)", SAW),
    "decay and sustain": SoundFeature(f"{SAW}.decay(.05).sustain(.2)", SAW),
    "low-pass": SoundFeature(f"{SAW}.lpf(400).lpq(6)", SAW),
    "low-pass envelope": SoundFeature(f"{SAW}.lpf(250).lpenv(4).lpattack(.1)", f"{SAW}.lpf(250)"),
    "low-pass LFO": SoundFeature(f"{SAW}.lpf(600).lprate(8).lpdepth(.9)", f"{SAW}.lpf(600)"),
    "high-pass": SoundFeature(f"{SAW}.hpf(1200)", SAW),
    "high-pass envelope": SoundFeature(f"{SAW}.hpf(300).hpenv(3).hpattack(.1)", f"{SAW}.hpf(300)"),
    "band-pass": SoundFeature(f"{SAW}.bpf(800).bpq(4)", SAW),
    "ladder filter": SoundFeature(f'{SAW}.lpf(600).lpq(5).ftype("ladder")', f"{SAW}.lpf(600).lpq(5)"),
    "24 dB filter": SoundFeature(f'{SAW}.lpf(600).ftype("24db")', f"{SAW}.lpf(600)"),
    "vowel": SoundFeature(f'{SAW}.vowel("o")', SAW),
    "frequency modulation": SoundFeature(f"{SINE}.fm(3).fmh(1.5)", SINE),
    "modulation envelope": SoundFeature(f"{SINE}.fm(5).fmdecay(.08).fmsustain(0)", f"{SINE}.fm(5)"),
    "supersaw": SoundFeature('note("c3").s("supersaw")', 'note("c3").s("sawtooth")'),
    "pulse width": SoundFeature('note("c3").s("pulse").pw(.15)', 'note("c3").s("pulse").pw(.5)'),
    "pulse width LFO": SoundFeature('note("c3").s("pulse").pwrate(6).pwsweep(.4)', 'note("c3").s("pulse")'),
    "white noise": SoundFeature('s("white").decay(.3)'),
    "pink noise": SoundFeature('s("pink").decay(.3)'),
    "brown noise": SoundFeature('s("brown").decay(.3)'),
    "crackle": SoundFeature('s("crackle*4").density(.2)'),
    "noise in an oscillator": SoundFeature(f"{SAW}.noise(.6)", SAW),
    "zzfx": SoundFeature('note("c4").s("z_square").zrand(0)'),
    "synthetic bass drum": SoundFeature('s("sbd*2")'),
    "bytebeat": SoundFeature('note("c4").s("bytebeat").n(2)'),
    "partials": SoundFeature('note("c3").s("user").partials([1, 0, .6, .3])', 'note("c3").s("sine")'),
    "Kabelsalat as an effect": SoundFeature(f"{SAW}.K(audioin().mul(.3).out())", SAW),
    "Kabelsalat as a sound": SoundFeature(f"{SINE}.K(saw(sFreq).mul(sGate.adsr(0, .1, .5, .1)).mul(.3).out())", SINE),
    "vibrato": SoundFeature(f"{SINE}.vib(8).vibmod(2)", SINE),
    "pitch envelope": SoundFeature(f"{SINE}.penv(12).pattack(.2)", SINE),
    "detune by octave": SoundFeature('note("a3").s("sine").octave(5)', None),
    "gain": SoundFeature(f"{SAW}.gain(.2)", SAW),
    "velocity": SoundFeature(f"{SAW}.velocity(.3)", SAW),
    "post gain": SoundFeature(f"{SAW}.postgain(.3)", SAW),
    "pan": SoundFeature(f"{SAW}.pan(1)", SAW),
    "sample rate reduction": SoundFeature(f"{SAW}.coarse(12)", SAW),
    "bit reduction": SoundFeature(f"{SAW}.crush(3)", SAW),
    "shape": SoundFeature(f"{SINE}.shape(.8)", SINE),
    "distortion": SoundFeature(f"{SINE}.distort(4)", SINE),
    "folding distortion": SoundFeature(f'{SINE}.distort("4:.5:fold")', f"{SINE}.distort(4)"),
    "tremolo": SoundFeature(f"{SINE}.tremolo(8)", SINE),
    "phaser": SoundFeature(f"{SAW}.phaser(6).phaserdepth(.9)", SAW),
    "compressor": SoundFeature(f'{SAW}.gain(2).compressor("-30:20:10:.002:.02")', f"{SAW}.gain(2)"),
    "DJ filter": SoundFeature(f"{SAW}.djf(.2)", SAW),
    "LFO on a parameter": SoundFeature(f'{SAW}.lpf(500).lfo({{control: "lpf", rate: 6, depth: 2}})', f"{SAW}.lpf(500)"),
    "chain of effects": SoundFeature(f"{SAW}.FX(lpf(400), distort(3))", SAW),
    "phase vocoder": SoundFeature(f"{SAW}.stretch(1.5)", SAW),
    "transient shaper": SoundFeature('s("sbd*2").transient(.9)', 's("sbd*2")'),
    "samples": SoundFeature('s("bd sd hh cp")'),
    "sample by number": SoundFeature('s("bd:2")', 's("bd:0")'),
    "sample speed": SoundFeature('s("sd").speed(2)', 's("sd")'),
    "reversed sample": SoundFeature('s("sd").speed(-1)', 's("sd")'),
    "part of a sample": SoundFeature('s("sd").begin(.1).end(.4)', 's("sd")'),
    "chopped sample": SoundFeature('s("loop_amen").chop(8).rev()', 's("loop_amen")'),
    "cut group": SoundFeature('s("oh*8").cut(1)', 's("oh*8")'),
    "looped sample": SoundFeature('s("hh").loop(1).clip(1)', 's("hh").clip(1)'),
    "sample at a pitch": SoundFeature('note("c5").s("tabla_na")', 'note("c3").s("tabla_na")'),
    "bank": SoundFeature('s("bd sd").bank("jazz")', 's("bd sd")'),
    "wavetable": SoundFeature('note("c3").s("wt_pulse").wt(.8)', 'note("c3").s("wt_pulse")'),
    "another wavetable": SoundFeature('note("c3").s("wt_vowel").wt(.5)', 'note("c3").s("wt_organ")'),
    "General MIDI": SoundFeature('note("c3 e3").s("gm_epiano1")'),
    "another General MIDI program": SoundFeature('note("c4").s("gm_trumpet")', 'note("c4").s("gm_flute")'),
}


@pytest.fixture(scope="module")
def slots(rig: RenderRig) -> dict[str, tuple[StereoSound, StereoSound | None]]:
    """Render all features, and return the sound with and without each."""
    return _slots(rig, FEATURES)


def _slots(rig: RenderRig, features: Mapping[str, SoundFeature]) -> dict[str, tuple[StereoSound, StereoSound | None]]:
    parts = []
    for number, feature in enumerate(features.values()):
        for script in (feature.plain, feature.script):
            parts.append("silence" if script is None else f"({script}).orbit({number + 2})")
        parts.append("silence")
    code = f"setcps({CPS})\ncat({', '.join(parts)})"
    rendering = rig.render(code, cycles=len(parts), tail=0)
    assert not rendering.failed and not rendering.missing
    samples = sound_of(rendering)
    return {
        name: (
            samples[(3 * number + 1) * SLOT :][:SLOT],
            samples[3 * number * SLOT :][:SLOT] if feature.plain else None,
        )
        for number, (name, feature) in enumerate(features.items())
    }


@pytest.mark.parametrize("name", FEATURES)
def test_a_feature_is_heard_and_changes_the_sound(
    slots: dict[str, tuple[StereoSound, StereoSound | None]], name: str
) -> None:
    sound, plain = slots[name]
    assert level(sound) > 0.003
    if plain is not None:
        assert level(plain) > 0.003
        assert difference(sound, plain) > 0.05


REPEATED = (
    *("vowel", "synthetic bass drum", "supersaw", "wavetable", "low-pass", "crackle", "zzfx", "bytebeat"),
    *("Kabelsalat as a sound", "noise in an oscillator", "phaser", "compressor", "cut group", "General MIDI"),
)
"""Features that were not the same in each render once, or have random numbers, worklets or envelopes of their own."""


def _different(rig: RenderRig, features: Mapping[str, SoundFeature]) -> list[str]:
    """Render features in two browsers, and return the names of those that are not the same in both."""
    first = _slots(rig, features)
    rig.end_browser()
    second = _slots(rig, features)
    return [name for name, (sound, _) in first.items() if not np.array_equal(sound, second[name][0])]


def test_one_seed_gives_the_same_samples_in_another_browser(rig: RenderRig) -> None:
    assert _different(rig, {name: FEATURES[name] for name in REPEATED}) == []


@pytest.mark.long
def test_one_seed_gives_the_same_samples_for_all_features(rig: RenderRig) -> None:
    assert _different(rig, FEATURES) == []


def test_sounds_on_one_bus_are_added_in_the_same_way_each_time(rig: RenderRig) -> None:
    voices = ", ".join(f'note("{note}").s("sawtooth").bus(1).dry(0)' for note in ("c3", "e3", "g3", "b3", "d4", "f4"))
    code = f'setcps(1)\nstack({voices}, s("bus").n(1).lpf(900))'
    assert rig.render(code, cycles=1).samples == rig.render(code, cycles=1).samples


WET = {
    "delay": (".delay(.8).delaytime(.2).delayfeedback(.5)", ""),
    "room": (".room(1).size(3)", ""),
    "room with a low-pass": (".room(1).size(3).rlp(800)", ".room(1).size(3)"),
}


@pytest.mark.parametrize("name", WET)
def test_delay_and_room_sound_on_after_the_note(rig: RenderRig, name: str) -> None:
    note = 'note("c4 ~ ~ ~").s("sawtooth").decay(.1).sustain(0)'
    wet, dry = (rig.sound(f"setcps(1)\n{note}{effect}", cycles=1, tail=1) for effect in WET[name])
    after = slice(SAMPLE_RATE * 4 // 10, None)
    assert level(wet[after]) > 0.002
    assert difference(wet[after], dry[after]) > 0.3


def test_ducking_lowers_the_other_orbit_at_each_kick(rig: RenderRig) -> None:
    code = """setcps(1)
pad: note("c3").s("sawtooth").orbit(2)
kick: s("sbd*4").gain(0.0001).duckorbit(2).duckattack(.2).duckdepth(1)"""
    ducked, plain = (
        rig.sound(code, cycles=2, tail=0),
        rig.sound(code.replace("duckorbit(2)", "orbit(3)"), cycles=2, tail=0),
    )
    quarter = SAMPLE_RATE // 4
    for kick in range(8):
        start = kick * quarter
        hit, recovered = slice(start, start + 1500), slice(start + 10_000, start + 10_900)
        assert level(ducked[hit]) < 0.5 * level(plain[hit]), kick
        assert level(ducked[recovered]) > 0.7 * level(plain[recovered]), kick


def test_three_hundred_sounds_at_once_are_all_there(rig: RenderRig) -> None:
    """Each of 300 sines of equal level, 20 Hz apart, is found in the spectrum."""
    code = "setcps(1)\nstack(...Array.from({length: 300}, (_, i) => freq(1000 + 20 * i).s('sine').gain(.01)))"
    sound = rig.sound(code, cycles=1, tail=0)[: SAMPLE_RATE // 2 * 2, 0]
    steady = sound[SAMPLE_RATE // 4 : SAMPLE_RATE * 3 // 4]
    spectrum = np.abs(np.fft.rfft(steady * np.hanning(len(steady))))
    found = spectrum[(1000 + 20 * np.arange(300)) // 2]
    between = spectrum[(1010 + 20 * np.arange(299)) // 2]
    assert found.min() > 0.5 * np.median(found)
    assert np.median(between) < 0.1 * np.median(found)
