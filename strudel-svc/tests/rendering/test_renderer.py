"""Rendering a script: length, voices, levels, seeds, and the sounds that are there, replaced or missing."""

import numpy as np
import pytest

from consort_strudel.rendering.renderer import SAMPLE_RATE, RenderRefused, UnknownVoice
from tests.support.strudel_rendering import RenderRig, difference, level, sound_of

SONG = """setcps(1)
drums: s("bd*4").bank("RolandTR909")
bass: note("c2 g2").s("sawtooth").lpf(600)
"""


def test_the_length_is_that_of_the_cycles_and_the_tail(rig: RenderRig) -> None:
    rendering = rig.render('setcps(.5)\ns("sbd*4")', begin=3, cycles=1.5, tail=0.5)
    assert rendering.cps == 0.5
    assert rendering.seconds == pytest.approx(1.5 / 0.5 + 0.5, abs=0.01)
    assert rendering.events == 6


def test_a_render_begins_at_its_first_cycle(rig: RenderRig) -> None:
    code = 'setcps(1)\nnote("<c3 e3>").s("sawtooth")'
    first, second = rig.sound(code, cycles=1, tail=0), rig.sound(code, begin=1, cycles=1, tail=0)
    assert difference(first, second) > 0.1
    assert level(second[:2000]) > 0.01  # nothing of the engine's lead is left at the start


def test_one_seed_gives_the_same_sound_and_another_seed_another(rig: RenderRig) -> None:
    code = 'setcps(1)\nstack(s("white*4").decay(.1), s("sbd*2").room(.5), note("c3").s("gm_piano"))'
    one, same, other = (rig.render(code, cycles=1, seed=seed) for seed in (7, 7, 8))
    assert one.samples == same.samples
    assert difference(sound_of(one), sound_of(other)) > 0.1


def test_many_voices_orbits_and_effects_are_added_in_the_same_way_each_time(rig: RenderRig) -> None:
    voices = 'note("[c3,e3,g3,b3,d4]*2").s("sawtooth").room(.4).delay(.3)'
    code = f"setcps(1)\nstack({voices}, {voices}.orbit(2).lpf(500), {voices}.orbit(3).hpf(900), s('white*4'))"
    one, same = (rig.render(code, cycles=1, seed=7).samples for _ in range(2))
    assert one == same


def test_short_sounds_end_without_a_bang(rig: RenderRig) -> None:
    rendering = rig.render('setcps(.5)\ns("hh*64").gain(.2).room(.2)', cycles=4, tail=0)
    assert rendering.events == 256 and rendering.peak < 1


def test_the_control_cps_changes_the_tempo(rig: RenderRig) -> None:
    code = 'setcps(.5)\ntempo: cps("<.5 1>").gain(0)\nclicks: s("rim*2")'
    rendering = rig.render(code, cycles=4, tail=0.5)
    assert rendering.seconds == pytest.approx(2 + 1 + 2 + 1 + 0.5, abs=0.01)
    assert [(voice.name, voice.events) for voice in rendering.voices] == [("clicks", 8)]
    loud = np.abs(sound_of(rendering)).max(axis=1)
    for onset, is_there in ((2, True), (2.5, True), (3, True), (3.5, False), (4, True), (5, True), (5.5, True)):
        place = int(onset * SAMPLE_RATE)
        assert (loud[place : place + 2000].max() > 0.05) == is_there, onset


def test_progress_is_reported_while_the_sound_is_rendered(rig: RenderRig) -> None:
    reported: list[float] = []

    async def keep(share: float) -> None:
        reported.append(share)

    code = 'setcps(1)\nnote("[c3,e3,g3,b3]*8").s("supersaw").room(.5)'
    rig.render(code, on_progress=keep, cycles=20)
    assert reported == sorted(reported)
    assert any(0 < share < 1 for share in reported)


def test_a_single_voice_is_rendered_alone(rig: RenderRig) -> None:
    both = rig.render(SONG, cycles=1)
    bass = rig.render(SONG, cycles=1, voice="bass")
    alone = rig.render('setcps(1)\nnote("c2 g2").s("sawtooth").lpf(600)', cycles=1)
    assert [voice.name for voice in both.voices] == ["drums", "bass"]
    assert [(voice.name, voice.events) for voice in bass.voices] == [("bass", 2)]
    assert difference(sound_of(bass), sound_of(alone)) < 0.01
    with pytest.raises(UnknownVoice) as unknown:
        rig.render(SONG, cycles=1, voice="lead")
    assert unknown.value.voices == ("drums", "bass")


def test_each_voice_has_its_level(rig: RenderRig) -> None:
    code = 'setcps(1)\nloud: s("sbd").gain(1)\nsoft: s("sbd").gain(.1)\nmute: s("sbd").gain(0)\n$: s("sbd").gain(.5)'
    voices = {voice.name: voice for voice in rig.render(code, cycles=1).voices}
    assert list(voices) == ["loud", "soft", "mute", "$1"]
    assert voices["soft"].peak == pytest.approx(voices["loud"].peak / 10, rel=0.02)
    assert voices["$1"].peak == pytest.approx(voices["loud"].peak / 2, rel=0.02)
    assert voices["mute"].peak == 0 and voices["mute"].events == 1


def test_too_loud_a_sound_is_turned_down(rig: RenderRig) -> None:
    loud = rig.render('setcps(2)\nnote("a3").s("square").gain(8)', cycles=1, tail=0)
    assert loud.peak > 1 and loud.gain == pytest.approx(0.985 / loud.peak)
    assert abs(sound_of(loud)).max() == pytest.approx(loud.peak, rel=0.01)


def test_sounds_that_are_not_here_are_replaced_or_named(rig: RenderRig) -> None:
    rendering = rig.render(f'{SONG}lead: s("nosuchsound*2")', cycles=1)
    assert rendering.substituted == {"rolandtr909_bd": "elec_bd"}
    assert rendering.missing == {"nosuchsound": 2}
    assert rendering.sounds == {"rolandtr909_bd": 4, "sawtooth": 2, "nosuchsound": 2}


def test_a_script_with_an_error_is_refused_with_the_error(rig: RenderRig) -> None:
    with pytest.raises(RenderRefused, match=r"nosuchfunction is not defined"):
        rig.render('nosuchfunction("bd")', cycles=1)
    assert rig.render('s("sbd")', cycles=1).events == 1


def test_nothing_of_a_script_is_left_for_the_next_one(rig: RenderRig) -> None:
    rig.render("globalThis.left = 1; localStorage.setItem('left', '1'); Pattern.prototype.s = null; note(60)", cycles=1)
    with pytest.raises(RenderRefused, match="nothing left"):
        rig.render(
            "if (globalThis.left || localStorage.getItem('left')) null.x; throw new Error('nothing left'); s('bd')"
        )


def test_tunings_are_loaded_for_a_script_that_uses_them(rig: RenderRig) -> None:
    rendering = rig.render('setcps(1)\n"0 8 18".xen("31edo").freq().s("sine")', cycles=1, tail=0)
    assert rendering.events == 3 and rendering.peak > 0.1


def test_errors_while_the_pattern_is_asked_are_reported(rig: RenderRig) -> None:
    rendering = rig.render("note(60).fmap(() => { throw new Error('no such value') })", cycles=1)
    assert rendering.events == 0
    assert any("no such value" in message for message in rendering.messages)


def test_five_voices_of_18_seconds_take_at_most_6_seconds_of_cpu_time(rig: RenderRig) -> None:
    voices = [
        's("bd*4, ~ sd ~ sd, hh*8")',
        'note("<c2 f2 g2 eb2>*2").s("sawtooth").lpf(600)',
        'chord("<Cm7 Fm7 G7 Eb^7>").voicing().s("gm_epiano1").room(.4)',
        'n("0 2 4 <7 5>").scale("C:minor").s("triangle").delay(.3)',
        'note("<c3 f3>").s("supersaw").lpf(1200).room(.6)',
    ]
    code = "\n".join(["setcpm(120/4)", *(f"voice{number}: {voice}.gain(.4)" for number, voice in enumerate(voices))])
    rendering = rig.render(code, cycles=8, tail=2)
    assert rendering.seconds == pytest.approx(18, abs=0.1) and len(rendering.voices) == 5
    assert rendering.cpu_s < 6
