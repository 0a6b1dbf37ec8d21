"""The library in the database: loaded once, updated by later versions, never against the user."""

from dataclasses import replace

import pytest

from consort_strudel.clips.background import ClipBackground, library_clip_id
from consort_strudel.clips.library import library_clips
from tests.support.strudel_clips import ClipServices

LIBRARY = library_clips()[:4]


@pytest.fixture(scope="module")
def background(clips: ClipServices) -> ClipBackground:
    return ClipBackground(clips.store, clips.engine, clips.embedder)


@pytest.fixture(scope="module", autouse=True)
def _loaded(clips: ClipServices, background: ClipBackground) -> None:
    assert clips.run(background.load_library(LIBRARY)) == 4
    assert clips.run(background.embed_all()) == 4


def test_it_is_found_by_filters_words_and_code(clips: ClipServices) -> None:
    clip = LIBRARY[0]
    assert clip.name in clips.names({"genre": clip.genre[0]})
    assert clips.names(clip.description)[0] == clip.name
    similar = clips.similar(clip.code).similar_clips[0]
    assert similar.name == clip.name and similar.similarity_score > 0.99
    whole = clips.get(library_clip_id(clip.name))
    assert whole.metadata.author == "Consort" and whole.metadata.tempo_range == list(clip.tempo_range)


def test_loading_again_writes_nothing(clips: ClipServices, background: ClipBackground) -> None:
    assert clips.run(background.load_library(LIBRARY)) == 0
    assert clips.run(background.embed_all()) == 0


def test_a_later_version_leaves_what_the_user_changed_or_deleted(
    clips: ClipServices, background: ClipBackground
) -> None:
    changed, edited, deleted, _ = LIBRARY
    clips.update(library_clip_id(edited.name), {"description": "Mine."})
    clips.delete(library_clip_id(deleted.name), confirm=True)
    own = clips.save("My own", 's("bd")').clip_id
    later = tuple(replace(clip, description="Version two.") for clip in (changed, edited, deleted))
    assert clips.run(background.load_library(later)) == 1
    assert clips.get(library_clip_id(changed.name)).description == "Version two."
    assert clips.get(library_clip_id(edited.name)).description == "Mine."
    assert deleted.name not in clips.names({})
    assert clips.get(own).name == "My own"
    assert clips.run(background.embed_all()) == 1
