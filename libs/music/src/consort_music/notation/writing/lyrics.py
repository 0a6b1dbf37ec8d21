"""Put lyrics under notes, written as in the `w:` lines of ABC notation.

Words are separated by spaces, syllables by hyphens. `_` holds a syllable over one more note, `*` (or a second hyphen)
leaves a note without a syllable, `~` is a space within a syllable, `\\-` a hyphen, and `|` goes on at the next bar.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from consort_music.errors import MusicError
from consort_music.notation.limits import MAX_SYLLABLE
from consort_music.notation.writing.notated_score import NotatedScore
from consort_music.score import Lyric

_TOKEN = re.compile(r"[_*|-]|(?:\\-|[^\s_*|-])+|\s+")
_BLANK_LINE = re.compile(r"\n\s*\n")


def align_syllables(text: str, bars: Sequence[int], verse: int = 1) -> tuple[list[tuple[int, Lyric]], int]:
    """Give the syllables of a verse to notes, of which `bars` has the bar numbers.

    Return pairs of the index of a note and a syllable, and how many syllables have no note.
    """
    found: list[tuple[int, str]] = []
    joined: set[int] = set()
    """Indexes in `found` of syllables with a hyphen after them."""
    place = lost = 0
    before = " "
    for token in _TOKEN.findall(text):
        if token == "-" and before not in "-_*| ":
            joined.add(len(found) - 1)
        elif token == "|":
            bar = bars[place - 1] if 0 < place <= len(bars) else None
            while bar is not None and place < len(bars) and bars[place] == bar:
                place += 1
        elif token in ("-", "_", "*"):
            place += 1
        elif not token.isspace():
            if place < len(bars):
                found.append((place, token.replace("\\-", "-").replace("~", " ")[:MAX_SYLLABLE]))
            else:
                lost += 1
            place += 1
        before = " " if token.isspace() else token
    syllables = [
        (note, Lyric(text, _syllabic(index - 1 in joined, index in joined), verse))
        for index, (note, text) in enumerate(found)
    ]
    return syllables, lost


def _syllabic(goes_on: bool, goes_further: bool) -> str:
    """Return which part of a word a syllable is: whether it continues one, and whether the word continues after it."""
    if goes_on:
        return "middle" if goes_further else "end"
    return "begin" if goes_further else "single"


def with_lyrics(score: NotatedScore, text: str) -> NotatedScore:
    """Replace the lyrics of a score: put these below the first voice of the first part that has notes.

    Verses are separated by a blank line. Raise TOO_MANY_SYLLABLES if there are more syllables than notes.
    """
    place = next((index for index, part in enumerate(score.parts) if not part.is_drums and part.chords), None)
    if place is None:
        return score
    part = score.parts[place]
    melody = part.staves[0].voices[0]
    bars = [score.bar_lines.number_at(chord.start) for chord in melody]
    lyrics: list[list[Lyric]] = [[] for _ in melody]
    for verse, words in enumerate(filter(str.strip, _BLANK_LINE.split(text.strip())), start=1):
        syllables, lost = align_syllables(words, bars, verse)
        if lost:
            raise MusicError(
                "TOO_MANY_SYLLABLES",
                f"'lyrics' has {lost} more syllables than the melody has notes ({len(melody)}). Write a hyphen between "
                "syllables and _ for a note that goes on with the syllable before.",
                field="lyrics",
            )
        for note, syllable in syllables:
            lyrics[note].append(syllable)
    sung = tuple(replace(chord, lyrics=tuple(found)) for chord, found in zip(melody, lyrics, strict=True))
    staff = replace(part.staves[0], voices=(sung, *part.staves[0].voices[1:]))
    changed = replace(part, staves=(staff, *part.staves[1:]))
    return replace(score, parts=(*score.parts[:place], changed, *score.parts[place + 1 :]))
