"""Put tempo marks above chord symbols. Verovio draws them below, as if chord symbols were more important.

Verovio draws rehearsal marks above chord symbols, at the beginning of a bar. So a tempo that starts with a bar is
written as a rehearsal mark without a box, with the note as a character of the music font. A tempo within a bar stays.

Verovio centres rehearsal marks, and knows no width of such characters. So as many spaces follow that there is room for
the text from the middle on, where `text_outlines` puts it.
"""

import re

from consort_compose.notation.engraving.swing_sign import SWING_SIGN
from consort_music.notation.musicxml.direction_elements import SWING

SPACE = "\u00a0"
BOX, BOX_END = "\uf8f3", "\uf8f4"
"""Characters for private use: before and after text in a box."""
_NOTES = {"whole": "\ueca2", "half": "\ueca3", "quarter": "\ueca5", "eighth": "\ueca7"}
_DOT = "\uecb7"
_DIRECTION, _METRONOME, _OFFSET = "<direction ", "<metronome>", "<offset>"
_BEFORE_NOTES = ("<attributes>", "<harmony", "<print", _DIRECTION)
_UNIT = re.compile(r"<beat-unit>(\w+)</beat-unit>(<beat-unit-dot/>)?")
_NUMBER = re.compile(r"<per-minute>([^<]+)</per-minute>")
_SIGNS = re.compile("[\ue000-\uf8ff]")
_MARK = re.compile(r'<rehearsal enclosure="rectangle">([^<]*)</rehearsal>')
_WORDS = re.compile(r"<words[^>]*>([^<]*)</words>")


def tempos_above_chords(musicxml: str) -> str:
    """Return MusicXML of our own writer (an element a line) with the tempos at the beginning of bars as text.

    A rehearsal mark of the same bar stands before the tempo, in a box.
    """
    lines = musicxml.split("\n")
    is_at_start, tempo = False, ""
    for place, line in enumerate(lines):
        if line.startswith("<measure"):
            is_at_start, tempo = True, ""
        elif not line.startswith(_BEFORE_NOTES):
            is_at_start = False
        elif is_at_start and line.startswith(_DIRECTION) and _OFFSET not in line:
            mark = _MARK.search(line)
            if _METRONOME in line and (tempo := _tempo_text(line)):
                lines[place] = _rehearsal_mark(tempo)
            elif mark and tempo:
                lines[place - 1 : place + 1] = ["", _rehearsal_mark(f"{BOX}{mark[1]}{BOX_END}    {tempo}")]
    return "\n".join(lines)


def _tempo_text(direction: str) -> str:
    unit, number, words = _UNIT.search(direction), _NUMBER.search(direction), _WORDS.search(direction)
    if unit is None or number is None:
        return ""
    note = _NOTES[unit[1]] + (_DOT if unit[2] else "")
    said = f"{words[1]} " if words else ""
    swing = f"  ({SWING_SIGN} )" if said.casefold().startswith(SWING) else ""
    return f"{said}{note} = {number[1]}{swing}"


def _rehearsal_mark(text: str) -> str:
    room = SPACE * (2 * len(text) + 10 * len(_SIGNS.findall(text)))
    return (
        f'<direction placement="above"><direction-type><rehearsal enclosure="none">{text}{room}'
        "</rehearsal></direction-type></direction>"
    )
