"""The clips to start with are valid, use sounds of this machine, and are neither silent nor too loud."""

import pytest

from consort_audio.codecs.loudness import LoudnessMeter
from consort_strudel.clips.library import LibraryClip, library_clips
from consort_strudel.engine import Engine
from consort_strudel.rendering.renderer import SAMPLE_RATE
from consort_strudel.validation import ScriptError, Validator
from tests.support.strudel_engine import RunningEngine
from tests.support.strudel_rendering import RenderRig, sound_of

CYCLES = 4
"""How much of a clip is rendered. None begins later."""
QUIETEST = -40.0
"""LUFS."""
SAMPLED = 70
"""One clip in so many is rendered in the normal suite, the others only with --all."""


@pytest.mark.parametrize("step", [pytest.param(1, id="all", marks=pytest.mark.long), pytest.param(6, id="sample")])
def test_clips_are_valid(engine: RunningEngine, rig: RenderRig, step: int) -> None:
    async def errors(engine: Engine) -> dict[str, list[ScriptError]]:
        validator = Validator(engine, rig.renderer.library)
        clips = library_clips()[::step]
        verdicts = {clip: await validator.validate(clip.script, given_beats=clip.beats) for clip in clips}
        return {clip.name: verdict.errors for clip, verdict in verdicts.items() if verdict.errors}

    assert engine.run(errors) == {}


@pytest.mark.parametrize(
    "clip",
    [
        pytest.param(clip, id=clip.name, marks=() if number % SAMPLED == 0 else pytest.mark.long)
        for number, clip in enumerate(library_clips())
    ],
)
def test_a_clip_is_heard_and_does_not_clip(rig: RenderRig, clip: LibraryClip) -> None:
    rendering = rig.render(clip.script, cycles=CYCLES, tail=0.5)
    assert (rendering.missing, rendering.substituted, rendering.failed, rendering.messages) == ({}, {}, {}, ())
    assert rendering.peak <= 1
    meter = LoudnessMeter(SAMPLE_RATE, channels=2)
    meter.add(sound_of(rendering))
    loudness = meter.loudness()
    assert loudness is not None and loudness > QUIETEST
