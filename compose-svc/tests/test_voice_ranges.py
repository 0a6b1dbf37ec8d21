"""One table of voice ranges, document 001's, for an added voice and for four voices."""

import pytest

from consort_compose.composer.counterpoint.added import Wish, add_voice_to
from consort_compose.composer.counterpoint.task import Relationship
from consort_compose.composer.voice_ranges import VOICE_RANGES
from consort_compose.composer.voicings.satb import faults
from consort_music.chords import parse_chord
from consort_music.errors import MusicError
from consort_music.keys import parse_key
from consort_music.note_list import parse_note_list
from consort_music.pitch import Pitch

DOCUMENT = {"soprano": ("C4", "A5"), "alto": ("F3", "D5"), "tenor": ("C3", "A4"), "bass": ("E2", "E4")}


def test_the_table_is_the_documents() -> None:
    assert {voice: each.names for voice, each in VOICE_RANGES.items()} == DOCUMENT
    assert list(VOICE_RANGES) == list(DOCUMENT), "from the highest voice down"


@pytest.mark.parametrize("voice", DOCUMENT)
def test_an_added_voice_is_told_the_same_range(voice: str) -> None:
    score = parse_note_list("C4:w D4:w E4:w C4:w")
    wish = Wish(voice, parse_key("C major"), 1, Relationship.FREE, low=Pitch.parse("C7"))
    with pytest.raises(MusicError, match=f"usually has {' to '.join(DOCUMENT[voice])}"):
        add_voice_to(score, wish)


@pytest.mark.parametrize("voice", DOCUMENT)
def test_four_voices_are_judged_by_the_same_range(voice: str) -> None:
    """Both ends are in the range, and a semitone beyond is a fault of that voice alone."""
    place = list(DOCUMENT).index(voice)
    low, high = (Pitch.parse(name).midi for name in DOCUMENT[voice])
    for note, is_outside in ((low, False), (high, False), (low - 1, True), (high + 1, True)):
        notes = [72, 65, 57, 48]
        notes[place] = note
        soprano, alto, tenor, bass = notes
        found = faults([parse_chord("C")], [(soprano, alto, tenor, bass)])
        outside = [fault.voices for fault in found if fault.kind == "out_of_range"]
        assert outside == ([(voice,)] if is_outside else [])
