"""Chord symbols as people write them on charts: `parse_chord("Bbm7b5/E")` and what a chord then knows.

`symbol.py` is the chord (tones, spelling, names), `grammar.py` reads the text, `suggestions.py` says what may have been
meant by a text that is no chord; `transposition.py` moves symbols; `progression.py` reads chords bar by bar, and
`layout.py` puts them on beats.
"""

from consort_music.chords.grammar import parse_chord
from consort_music.chords.symbol import ChordSymbol, ChordTone, NoteName, note_text, pitch_at

__all__ = ["ChordSymbol", "ChordTone", "NoteName", "note_text", "parse_chord", "pitch_at"]
