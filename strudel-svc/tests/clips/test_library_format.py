"""The clips to start with are described completely, with the words of the vocabulary."""

from collections import Counter

import pytest

from consort_music.keys import parse_key
from consort_strudel.clips.library import LibraryClip, library_clips
from consort_strudel.clips.tagging import COMPLEXITIES, ELEMENTS, FEELINGS, INSTRUMENTS, TECHNIQUES

MODES_BEYOND_THE_CHURCH_MODES = {"pelog", "hirajoshi", "whole tone"}


def test_names_are_unique() -> None:
    assert [name for name, count in Counter(clip.name.lower() for clip in library_clips()).items() if count > 1] == []


def test_descriptions_are_unique_sentences() -> None:
    texts = [clip.description for clip in library_clips()]
    assert len(set(texts)) == len(texts)
    assert [text for text in texts if not (25 <= len(text) <= 400 and text[0].isupper() and text.endswith("."))] == []


@pytest.mark.parametrize(
    "field, words", [("feeling", FEELINGS), ("technique", TECHNIQUES), ("instrument", INSTRUMENTS)]
)
def test_tags_are_words_of_the_vocabulary(field: str, words: frozenset[str]) -> None:
    unknown = {clip.name: bad for clip in library_clips() if (bad := set(getattr(clip, field)) - words)}
    assert unknown == {}
    assert [clip.name for clip in library_clips() if not getattr(clip, field)] == []


def test_element_complexity_and_genre_are_known() -> None:
    assert [clip.name for clip in library_clips() if clip.element not in ELEMENTS] == []
    assert [clip.name for clip in library_clips() if clip.complexity not in COMPLEXITIES] == []
    assert [clip.name for clip in library_clips() if not clip.genre or any(g != g.lower() for g in clip.genre)] == []


def test_tempo_and_key_can_be_used() -> None:
    assert [clip.name for clip in library_clips() if not 30 <= clip.tempo <= 220] == []
    assert [clip.name for clip in library_clips() if clip.key is not None and not _is_key(clip)] == []
    without_key = {clip.element for clip in library_clips() if clip.key is None}
    assert without_key <= {"rhythm", "fx", "texture"}


def _is_key(clip: LibraryClip) -> bool:
    tonic, _, mode = str(clip.key).partition(" ")
    if mode in MODES_BEYOND_THE_CHURCH_MODES:
        return tonic[0] in "ABCDEFG"
    try:
        parse_key(str(clip.key))
    except ValueError:
        return False
    return True


def test_code_sets_no_tempo() -> None:
    assert [clip.name for clip in library_clips() if "setcp" in clip.code or "samples(" in clip.code] == []
