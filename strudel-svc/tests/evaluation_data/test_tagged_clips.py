"""The clips of `tagged_clips` have words of the closed lists, and the engine accepts them."""

from collections import Counter

import pytest

from consort_strudel.clips.library import library_clips
from consort_strudel.clips.tagging import COMPLEXITIES, ELEMENTS, TECHNIQUES
from evaluation.strudel_knowledge.tagged_clips import TaggedClip, tagged_clips
from tests.support.strudel_engine import RunningEngine


def test_there_are_100_different_clips_that_the_library_does_not_have() -> None:
    codes = {clip.code for clip in tagged_clips()}
    assert len(codes) == len(tagged_clips()) == 100
    assert codes & {clip.code.strip() for clip in library_clips()} == set()


def test_tags_are_words_of_the_closed_lists() -> None:
    for clip in tagged_clips():
        assert clip.element in ELEMENTS, clip
        assert clip.complexity in COMPLEXITIES, clip
        assert set(clip.technique) <= set(TECHNIQUES), clip
        assert len(set(clip.technique)) == len(clip.technique), clip
        assert clip.instrument, clip


def test_every_element_and_level_and_many_genres_are_covered() -> None:
    assert min(Counter(clip.element for clip in tagged_clips())[element] for element in ELEMENTS) >= 10
    assert min(Counter(clip.complexity for clip in tagged_clips())[level] for level in COMPLEXITIES) >= 10
    assert len({clip.genre for clip in tagged_clips()}) >= 30


def test_the_engine_accepts_a_sample(engine: RunningEngine) -> None:
    for clip in tagged_clips()[::12]:
        assert_accepted(engine, clip)


@pytest.mark.long
def test_the_engine_accepts_every_clip(engine: RunningEngine) -> None:
    for clip in tagged_clips():
        assert_accepted(engine, clip)


def assert_accepted(engine: RunningEngine, clip: TaggedClip) -> None:
    verdict = engine.validate(clip.code)
    assert verdict.valid, f"{clip.code}\n{verdict.errors}"
