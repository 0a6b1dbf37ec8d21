"""save_clip, get_clip, update_clip, delete_clip."""

import pytest

from consort_kit.errors import ConsortError, NotFound
from consort_kit.ids import new_id
from tests.support.strudel_clips import ClipServices


def test_a_saved_clip_comes_back_whole(clips: ClipServices) -> None:
    saved = clips.save(
        "Night bass",
        'note("c2 eb2 f2 g2").s("sawtooth").lpf(600)',
        description="Dark and round.",
        tags={"genre": "techno", "feeling": ["dark"], "element": "bass", "complexity": "Beginner"},
        metadata={"tempo_range": [130, 120], "key": "C minor", "author": "me", "requires_packs": []},
        data={"mood": "late"},
    )
    clip = clips.get(saved.clip_id)
    assert clip.name == "Night bass" and clip.description == "Dark and round."
    assert clip.tags.genre == ["techno"] and clip.tags.complexity == "beginner" and clip.tags.element == "bass"
    assert clip.metadata.tempo_range == [120, 130]
    assert clip.metadata.author == "me" and clip.data == {"mood": "late"}
    assert clip.embedding is None


def test_the_embedding_is_sent_when_asked_for(clips: ClipServices) -> None:
    clip_id = clips.save("With numbers", 's("bd sd")').clip_id
    clip = clips.get(clip_id, include_embedding=True)
    assert clip.embedding is not None and len(clip.embedding) == 768
    assert sum(number * number for number in clip.embedding) == pytest.approx(1, abs=1e-3)
    assert clip.model_id == clips.embedder.model_id


def test_tags_come_from_the_code(clips: ClipServices) -> None:
    saved = clips.save("Auto", 'setcpm(128/4)\ns("bd*4, ~ cp")', auto_tags=True, tags={"feeling": ["mine"]})
    assert saved.suggested_tags is not None and saved.suggested_tags.element == "rhythm"
    clip = clips.get(saved.clip_id)
    assert clip.tags.element == "rhythm" and "kick" in clip.tags.instrument
    assert clip.tags.feeling == ["mine"]
    assert clip.metadata.tempo_range == [128, 128]


def test_a_tag_is_found_by_each_of_its_spellings(clips: ClipServices) -> None:
    clips.save("Auto floor", 's("bd*4")', auto_tags=True)
    clips.save("Own floor", 's("bd*4")', tags={"technique": ["Four on the Floor"]})
    clips.save("No floor", 's("bd")', tags={"technique": ["floor"]})
    for spelling in ("four-on-the-floor", "four on the floor", "^FourOnTheFloor$"):
        assert {"Auto floor", "Own floor"} == set(clips.names({"technique": spelling, "name_pattern": "floor"}))


def test_without_auto_tags_nothing_is_suggested(clips: ClipServices) -> None:
    saved = clips.save("Plain", 's("bd*4")')
    assert saved.suggested_tags is None
    assert clips.get(saved.clip_id).tags.element is None


@pytest.mark.parametrize("code", ['s("bd*4"', 's("bd*4").lpff(3)', ".lpff(3)", 's("nosuchsound")', "  "])
def test_code_with_errors_is_not_saved(clips: ClipServices, code: str) -> None:
    before = clips.search({}).total_count
    with pytest.raises(ConsortError) as error:
        clips.save("Broken", code)
    assert error.value.body.field == "clip_data.code"
    if code.strip():
        assert error.value.body.code == "VALIDATION_FAILED"
        assert error.value.body.details["validation"]["errors"][0]["line"] == 1
    assert clips.search({}).total_count == before


def test_a_fragment_is_saved_and_tagged(clips: ClipServices) -> None:
    saved = clips.save("Wide", ".jux(rev).room(.5)", auto_tags=True)
    assert clips.get(saved.clip_id).tags.element == "fx"


def test_an_update_changes_only_what_is_given(clips: ClipServices) -> None:
    clip_id = clips.save("Old", 's("bd*2")', tags={"genre": ["x"], "element": "rhythm"}, data={"a": 1, "b": 2}).clip_id
    before = clips.get(clip_id, include_embedding=True)
    clips.update(clip_id, {"name": "New", "tags": {"feeling": ["dark"]}, "data": {"b": 3}})
    after = clips.get(clip_id, include_embedding=True)
    assert after.name == "New" and after.code == before.code
    assert after.tags.genre == ["x"] and after.tags.feeling == ["dark"]
    assert after.data == {"a": 1, "b": 3}
    clips.update(clip_id, {"data": {"c": 1}, "tags": {"genre": []}}, merge_data=False)
    assert clips.get(clip_id).data == {"c": 1} and clips.get(clip_id).tags.genre == []


def test_new_code_has_a_new_embedding_and_is_found_by_it(clips: ClipServices) -> None:
    clip_id = clips.save("Shape shifter", 's("bd*2")').clip_id
    before = clips.get(clip_id, include_embedding=True).embedding
    clips.update(clip_id, {"code": 'note("0 2 4").scale("d:lydian").arp("0 1").s("gm_kalimba")'})
    assert clips.get(clip_id, include_embedding=True).embedding != before
    assert clips.similar('note("0 2 5").scale("d:lydian").arp("0 1")').similar_clips[0].clip_id == clip_id
    with pytest.raises(ConsortError) as error:
        clips.update(clip_id, {"code": "s(("})
    assert error.value.body.code == "VALIDATION_FAILED"


def test_an_empty_update_is_an_error(clips: ClipServices) -> None:
    clip_id = clips.save("Same", 's("bd")').clip_id
    with pytest.raises(ConsortError, match="Nothing is given"):
        clips.update(clip_id, {})
    assert "Nothing changed" in clips.update(clip_id, {"name": "Same"}).message


def test_deleting_needs_confirmation(clips: ClipServices) -> None:
    clip_id = clips.save("Doomed", 's("cp")').clip_id
    with pytest.raises(ConsortError) as error:
        clips.delete(clip_id, confirm=False)
    assert error.value.body.code == "CONFIRMATION_NEEDED"
    clips.delete(clip_id, confirm=True)
    with pytest.raises(NotFound):
        clips.get(clip_id)
    assert "Doomed" not in clips.names({"name_pattern": "doomed"})


def test_an_unknown_clip(clips: ClipServices) -> None:
    unknown = new_id("clip")
    for action in (
        lambda: clips.get(unknown),
        lambda: clips.update(unknown, {"name": "x"}),
        lambda: clips.delete(unknown, confirm=True),
    ):
        with pytest.raises(NotFound, match="search_clips"):
            action()
