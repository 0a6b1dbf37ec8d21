"""The key at each chord, and Roman numerals in it.

A change of key is known within some seconds. It is moved to the beginning of a chord within `NEAR_S`: to the one for
which most chords before it have only tones of the old key (with the leading tone), and most from it on only tones of
the new one.
"""

from collections.abc import Sequence
from itertools import pairwise

from consort_audio.analysis.chords.find import FoundChord
from consort_audio.analysis.chords.naming import roman_numeral
from consort_audio.analysis.key.changes import STEP_S, KeySection
from consort_music.keys import Key

NEAR_S = 2 * STEP_S


def moved_to_chords(sections: Sequence[KeySection], chords: Sequence[FoundChord]) -> list[KeySection]:
    """Return the sections, each change of key moved to the chord that begins it."""
    changes = [after._replace(start=_first_chord(chords, before.key, after)) for before, after in pairwise(sections)]
    return [*sections[:1], *changes]


def key_at(chord: FoundChord, sections: Sequence[KeySection]) -> Key | None:
    middle = (chord.start + chord.end) / 2
    return next((section.key for section in reversed(sections) if section.start <= middle), None)


def numerals(chords: Sequence[FoundChord], sections: Sequence[KeySection]) -> list[str]:
    """Return the numeral of each chord in its key. If the key changes, the first numeral in each key names it."""
    found: list[str] = []
    before = sections[0].key if len(sections) == 1 else None
    for chord in chords:
        if (key := key_at(chord, sections)) is not None:
            found.append(("" if key == before else f"{key.short_name}: ") + roman_numeral(chord.chord, key))
            before = key
    return found


def _first_chord(chords: Sequence[FoundChord], old: Key, new: KeySection) -> float:
    """Return when the first chord in the new key begins."""
    near = [chord for chord in chords if abs(chord.start - new.start) <= NEAR_S]

    def fit(start: float) -> tuple[int, float]:
        fits = sum(_has_only_tones_of(old if chord.start < start else new.key, chord) for chord in near)
        return fits, -abs(start - new.start)

    return max((chord.start for chord in near), key=fit, default=new.start)


def _has_only_tones_of(key: Key, chord: FoundChord) -> bool:
    leading_tone = (key.tonic - 1) % 12
    return chord.chord.pitch_classes <= {*key.pitch_classes, leading_tone}
