"""The examples of the vocabulary are heard and do not clip, and effects do what their names say."""

import numpy as np
import pytest

from consort_strudel.knowledge.vocabulary import concepts
from consort_strudel.rendering.renderer import SAMPLE_RATE
from tests.support.strudel_rendering import RenderRig, StereoSound, level

EXAMPLES = {concept.name: concept.example for concept in concepts() if concept.category != "feel"}
CODES = {concept.name: concept.code for concept in concepts()}
A_FEW = ("side-chain ducking", "slice & rearrange", "intro/verse/drop sections (arrange)")
SOFTEST = 0.1
CYCLES = 4


def _fault(rig: RenderRig, name: str) -> str | None:
    sound = rig.render(EXAMPLES[name], cycles=CYCLES, tail=1)
    if sound.missing or sound.failed:
        return f"{name}: {sound.missing or sound.failed}"
    return None if SOFTEST < sound.peak <= 1 else f"{name}: peak {sound.peak:.2f}"


def _part(sound: StereoSound, begin_s: float, end_s: float) -> StereoSound:
    return sound[int(begin_s * SAMPLE_RATE) : int(end_s * SAMPLE_RATE)]


def _pitch_hz(sound: StereoSound) -> float:
    """Return the strongest frequency."""
    mono = sound.mean(axis=1)
    spectrum = np.abs(np.fft.rfft(mono * np.hanning(len(mono))))
    return float(spectrum.argmax() * SAMPLE_RATE / len(mono))


@pytest.mark.parametrize("name", A_FEW)
def test_an_example_is_heard_and_does_not_clip(rig: RenderRig, name: str) -> None:
    assert _fault(rig, name) is None


@pytest.mark.long
def test_every_example_is_heard_and_does_not_clip(rig: RenderRig) -> None:
    assert [fault for name in EXAMPLES if (fault := _fault(rig, name))] == []


def test_a_gated_reverb_is_cut_off_and_a_plain_one_is_not(rig: RenderRig) -> None:
    snare = 'setcps(.5)\ns("~ sd ~ ~")'
    gated = rig.sound(f"{snare}{CODES['gated reverb']}", cycles=1)
    plain = rig.sound(f"{snare}.room(1).size(4)", cycles=1)
    assert level(_part(gated, 0.6, 0.95)) > 0.01
    assert level(_part(gated, 1.1, 1.5)) < 1e-4 < 1e-3 < level(_part(plain, 1.1, 1.5))


def test_a_tape_stop_falls_by_octaves(rig: RenderRig) -> None:
    sound = rig.sound(f'setcps(.5)\nnote("c5").s("sine"){CODES["tape-stop"]}', cycles=1)
    assert _pitch_hz(_part(sound, 0, 0.2)) > 400
    assert _pitch_hz(_part(sound, 1.7, 1.95)) < 60


def test_ducking_presses_the_other_orbit_down_after_each_kick(rig: RenderRig) -> None:
    ducked = 'kick: s("bd*2").gain(.001).duckorbit(2).duckattack(.4)\ntone: note("c3").s("triangle").orbit(2)'
    sound = rig.sound(f"setcps(.5)\n{ducked}", cycles=2)
    for kick in (1, 2, 3):  # at the first one, the tone has just begun
        assert level(_part(sound, kick + 0.02, kick + 0.1)) < level(_part(sound, kick + 0.6, kick + 0.9)) / 4


def test_a_cut_group_silences_the_sample_before(rig: RenderRig) -> None:
    hats = 'setcps(.5)\ns("oh ~ hh ~")'
    free, choked = (rig.sound(f"{hats}{more}", cycles=1) for more in ("", CODES["cut group (choke)"]))
    assert level(_part(choked, 1.25, 1.45)) < level(_part(free, 1.25, 1.45)) / 4
