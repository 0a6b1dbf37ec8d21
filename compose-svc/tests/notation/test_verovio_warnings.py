"""Verovio warns about nothing in random scores that are written for engraving, if all lengths have note values."""

import re

from hypothesis import assume, given, settings

from consort_compose.notation.engraving.verovio_toolkit import VerovioToolkit
from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.notation.score_arranging import hands_on_staves, join_keyboard_staves
from consort_music.notation.writing.notated_score import notated_from_score
from consort_music.notation.writing.staff_voices import drums_in_two_voices, with_tidy_voices
from consort_music.score import Score
from tests.support.score_strategies import notated_scores

VERY_SHORT = re.compile("<type>(64|128|256|512)th")
"""Verovio rounds the times of such notes in tuplets, and then warns about ties between them."""
WIDE = {"pageWidth": 60_000, "pageHeight": 20_000}
"""Random bars may be too full for a page, about which verovio warns."""


@settings(max_examples=3)  # seconds each
@given(notated_scores())
def test_random_scores(score: Score) -> None:
    notated = join_keyboard_staves(notated_from_score(hands_on_staves(score)))
    text = write_musicxml(with_tidy_voices(drums_in_two_voices(notated)))
    assume(has_note_values(score) and not VERY_SHORT.search(text))
    toolkit = VerovioToolkit(dict(WIDE))
    assert toolkit.load(text)
    for page in range(toolkit.page_count):
        toolkit.page(page + 1)
    assert toolkit.warnings == []


def has_note_values(score: Score) -> bool:
    text = write_musicxml(score)
    return text.count("<type>") + text.count('<rest measure="yes"/>') == text.count("<note")
