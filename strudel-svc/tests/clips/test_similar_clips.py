"""find_similar_clips, with the half for the code alone."""

import pytest

from consort_kit.errors import ConsortError
from consort_strudel.clips.storage.vector_search import keep_indexes
from tests.support.strudel_clips import ClipServices

pytestmark = pytest.mark.usefixtures("shelf")


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ('note("<c2 c2 f2 g1>*8").s("sawtooth").lpf(sine.range(300,1800).slow(8)).lpq(9)', "Acid line"),
        ('s("bd*4").bank("tr808")', "Peak-time kick"),
        (".delay(.5).delayfeedback(.6)", "Dub tail"),
        ('s("hh(3,8)").swingBy(1/3, 4)', "Broken hats"),
    ],
)
def test_the_nearest_clip(clips: ClipServices, code: str, name: str) -> None:
    found = clips.similar(code).similar_clips
    assert found[0].name == name
    scores = [clip.similarity_score for clip in found]
    assert scores == sorted(scores, reverse=True)
    assert found[0].similarity_score > 0.4 and found[-1].similarity_score < 0.3


def test_the_same_code_is_nearly_one(clips: ClipServices) -> None:
    assert clips.similar('s("bd*4").bank("tr909").gain(.9)').similar_clips[0].similarity_score > 0.99


def test_filters_and_count(clips: ClipServices) -> None:
    code = 'note("<c2 c2 f2 g1>*8").s("sawtooth").lpf(900)'
    assert [clip.name for clip in clips.similar(code, genre="dub|lo-fi").similar_clips] == ["Rainy chords", "Dub tail"]
    assert len(clips.similar(code, top_k=2).similar_clips) == 2
    assert clips.similar(code, genre="polka").similar_clips == []


@pytest.mark.parametrize("code", ["s((", "bd sd hh", '"'])
def test_code_that_cannot_be_parsed(clips: ClipServices, code: str) -> None:
    with pytest.raises(ConsortError) as error:
        clips.similar(code)
    assert error.value.body.code == "SYNTAX_ERROR" and error.value.body.field == "code_snippet"


def test_no_code(clips: ClipServices) -> None:
    with pytest.raises(ConsortError, match="is empty"):
        clips.similar(" ")


def test_text_is_for_search_clips(clips: ClipServices) -> None:
    with pytest.raises(ConsortError, match="search_clips"):
        clips.similar('s("bd")', text="kick")


def test_code_without_anything_to_compare_is_like_no_clip(clips: ClipServices, shelf: dict[str, str]) -> None:
    assert clips.similar("Zz").similar_clips == []


def test_the_indexes_find_the_same_clips(clips: ClipServices) -> None:
    code = 'note("<c2 c2 f2 g1>*8").s("sawtooth").lpf(900)'
    exact = clips.similar(code)
    assert clips.run(keep_indexes(clips.database)) == 0
    assert clips.run(keep_indexes(clips.database, most_exact=3)) == 2
    assert clips.run(keep_indexes(clips.database, most_exact=3)) == 0
    assert clips.similar(code) == exact
    assert clips.similar(code, genre="dub").similar_clips == [
        clip for clip in exact.similar_clips if clip.tags.genre == ["dub"]
    ]
