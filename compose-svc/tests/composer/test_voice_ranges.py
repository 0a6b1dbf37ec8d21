"""Added voices and four voices use the same table of ranges."""

import pytest

from consort_compose.composer.counterpoint.add_voice_to_score import VoiceRequest, add_voice_to_score
from consort_compose.composer.counterpoint.engine.task_and_result import Relationship
from consort_compose.composer.voice_ranges import VOICE_RANGES
from consort_compose.composer.voicings.engine.satb_faults import find_faults
from consort_music.chords.grammar import parse_chord
from consort_music.errors import MusicError
from consort_music.keys import parse_key
from consort_music.notation.note_list import parse_note_list
from consort_music.pitch import Pitch

SPECIFIED = {"soprano": ("C4", "A5"), "alto": ("F3", "D5"), "tenor": ("C3", "A4"), "bass": ("E2", "E4")}


def test_the_table_is_the_specified_one() -> None:
    assert {voice: each.names for voice, each in VOICE_RANGES.items()} == SPECIFIED
    assert list(VOICE_RANGES) == list(SPECIFIED), "from the highest voice down"


@pytest.mark.parametrize("voice", SPECIFIED)
def test_the_error_of_an_added_voice_names_its_range(voice: str) -> None:
    score = parse_note_list("C4:w D4:w E4:w C4:w")
    request = VoiceRequest(voice, parse_key("C major"), 1, Relationship.FREE, low=Pitch.parse("C7"))
    with pytest.raises(MusicError, match=f"usually has {' to '.join(SPECIFIED[voice])}"):
        add_voice_to_score(score, request)


@pytest.mark.parametrize("voice", SPECIFIED)
def test_notes_outside_the_range_of_a_voice_are_faults(voice: str) -> None:
    """The lowest and the highest note are allowed; a semitone beyond them is a fault of that voice only."""
    place = list(SPECIFIED).index(voice)
    low, high = (Pitch.parse(name).midi for name in SPECIFIED[voice])
    for note, is_outside in ((low, False), (high, False), (low - 1, True), (high + 1, True)):
        notes = [72, 65, 57, 48]
        notes[place] = note
        soprano, alto, tenor, bass = notes
        found = find_faults([parse_chord("C")], [(soprano, alto, tenor, bass)])
        outside = [fault.voices for fault in found if fault.kind == "out_of_range"]
        assert outside == ([(voice,)] if is_outside else [])
