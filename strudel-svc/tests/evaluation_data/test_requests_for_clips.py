"""Every request of `requests_for_clips` means a different clip of the library."""

from collections import Counter

from consort_strudel.clips.library import library_clips
from evaluation.strudel_knowledge.requests_for_clips import clip_requests


def test_every_request_means_a_different_clip_of_the_library() -> None:
    names = [request.clip for request in clip_requests()]
    assert set(names) <= {clip.name for clip in library_clips()}
    assert [name for name, count in Counter(names).items() if count > 1] == []


def test_the_requests_cover_every_genre_that_was_there_first() -> None:
    genres = {clip.name: clip.genre[0] for clip in library_clips()}
    asked = Counter(genres[request.clip] for request in clip_requests())
    assert len(clip_requests()) >= 100
    assert len(asked) >= 21


def test_no_request_is_there_twice_or_empty() -> None:
    texts = Counter(request.text.strip().lower() for request in clip_requests())
    assert "" not in texts
    assert [text for text, count in texts.items() if count > 1] == []
