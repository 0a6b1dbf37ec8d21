"""Write tempos, words, rehearsal marks and titles as MusicXML elements, with `<offset/>` as a placeholder."""

from fractions import Fraction

from consort_music.beats import format_decimal
from consort_music.metre import Metre
from consort_music.notation.writing.note_values import counted_beat
from consort_music.texts.visible_text import visible_line
from consort_music.texts.xml_escapes import escape_text

SWING = "swing"
_SWING_EQUATION = (
    '<direction-type><metronome parentheses="yes"><metronome-note><metronome-type>eighth</metronome-type>'
    '<metronome-beam number="1">begin</metronome-beam></metronome-note><metronome-note>'
    '<metronome-type>eighth</metronome-type><metronome-beam number="1">end</metronome-beam></metronome-note>'
    "<metronome-relation>equals</metronome-relation><metronome-note><metronome-type>quarter</metronome-type>"
    '<metronome-tuplet type="start" bracket="yes" show-number="actual"><actual-notes>3</actual-notes>'
    "<normal-notes>2</normal-notes></metronome-tuplet></metronome-note><metronome-note>"
    '<metronome-type>eighth</metronome-type><metronome-tuplet type="stop"><actual-notes>3</actual-notes>'
    "<normal-notes>2</normal-notes></metronome-tuplet></metronome-note></metronome></direction-type>"
)
"""Two eighth notes are played as a quarter and an eighth of a triplet."""


def clean_text(text: str) -> str:
    """Return text as one line without invisible characters, escaped for XML."""
    return escape_text(visible_line(text))


def tempo_element(bpm: Fraction, metre: Metre, words: str | None = None, is_swing: bool = False) -> str:
    """Return the mark of a tempo in quarter notes per minute, counted in the beats of the metre, after some words.

    With `is_swing`, the equation of swing eighths follows.
    """
    beat = counted_beat(metre)
    dot = "<beat-unit-dot/>" if beat == Fraction(3, 2) else ""
    unit = "half" if beat == 2 else "quarter"
    counted = bpm / beat
    said = f"<direction-type>{_words(words)}</direction-type>" if words else ""
    return (
        f'<direction placement="above">{said}<direction-type><metronome><beat-unit>{unit}</beat-unit>{dot}'
        f"<per-minute>{_rounded(counted)}</per-minute></metronome></direction-type>"
        f"{_SWING_EQUATION if is_swing else ''}<offset/>"
        f'<sound tempo="{format_decimal(bpm)}"/></direction>\n'
    )


def words_element(words: str) -> str:
    return f'<direction placement="above"><direction-type>{_words(words)}</direction-type><offset/></direction>\n'


def rehearsal_element(mark: str) -> str:
    return (
        f'<direction placement="above"><direction-type><rehearsal enclosure="rectangle">{clean_text(mark)}</rehearsal>'
        "</direction-type><offset/></direction>\n"
    )


def _words(words: str) -> str:
    return f'<words font-weight="bold">{clean_text(words)}</words>'


def _rounded(bpm: Fraction) -> str:
    """Return a tempo with at most one decimal: 120, 67.5."""
    return format_decimal(Fraction(round(bpm * 10), 10))
