"""From what is written for a transposing instrument to what sounds: keys and chord symbols. Pitches move by
`consort_music.intervals.transpose`."""

import re

from consort_music.intervals import Interval, transpose
from consort_music.keys import Key
from consort_music.pitch import Pitch, pitch_class_name

_TONE = r"([A-G])([#♯]{1,2}|[b♭]{1,2})?"
_ROOT = re.compile(_TONE)
_BASS = re.compile(rf"(?<=/){_TONE}$")


def moved_key(key: Key, interval: Interval) -> Key:
    """Raises MusicError where no such key can be spelled."""
    step, alter = _moved(key.step, key.alter, interval)
    return Key(step, alter, key.mode)


def moved_symbol(symbol: str, interval: Interval) -> str:
    """The chord symbol with its root and bass moved; what is none stays as it is."""
    if not interval.semitones or not _ROOT.match(symbol):
        return symbol

    def moved(found: re.Match[str]) -> str:
        signs = (found[2] or "").replace("♯", "#").replace("♭", "b")
        return pitch_class_name(*_moved(found[1], signs.count("#") - signs.count("b"), interval))

    return _BASS.sub(moved, _ROOT.sub(moved, symbol, count=1))


def _moved(step: str, alter: int, interval: Interval) -> tuple[str, int]:
    octaves = interval.steps // 7
    tone = transpose(Pitch(step, alter, 4), Interval(interval.steps - 7 * octaves, interval.semitones - 12 * octaves))
    return tone.step, tone.alter
