"""Draw the accidentals of chord symbols as signs: B♭7♭9 for Bb7b9. Verovio does it for roots only."""

import re

_KIND = re.compile(r'(?<=<kind text=")[^"]+')
_ALTERED = re.compile(r"[b#](?=\d)")
_AFTER_LETTER = re.compile(r"(?<=[A-G])[b#]{1,2}")
_SIGNS = str.maketrans("b#", "♭♯")


def signs_in_suffixes(musicxml: str) -> str:
    """Return MusicXML with signs in the texts of its chords."""
    return _KIND.sub(lambda found: _with_signs(_ALTERED, found[0]), musicxml)


def signs_in_symbol(symbol: str) -> str:
    return _with_signs(_ALTERED, _with_signs(_AFTER_LETTER, symbol))


def _with_signs(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda found: found[0].translate(_SIGNS), text)
