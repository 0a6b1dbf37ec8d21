"""Find the cadence at the end of each phrase of analyzed music.

A cadence is named only at the end of a phrase (`phrase_ends.py`). Its kind depends on the last two chords, their basses
and the last note of the melody.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from consort_compose.composer.harmony.analyze.named_chord import NamedChord
from consort_compose.composer.harmony.degree_chords import MAJOR, MINOR
from consort_compose.composer.harmony.melody_grid import melody_grid
from consort_compose.composer.harmony.numerals import applied_to
from consort_compose.composer.harmony.phrase_ends import find_phrases
from consort_music.bars import BarPosition
from consort_music.keys import Key
from consort_music.score import Score

CadenceKind = Literal["perfect", "imperfect", "plagal", "half", "deceptive"]


@dataclass(frozen=True)
class Cadence:
    kind: CadenceKind
    place: BarPosition
    numerals: tuple[str, str]
    """The Roman numerals of its two chords."""


def find_cadences(score: Score, home: Key, chords: Sequence[NamedChord]) -> list[Cadence]:
    """Return the cadence of each phrase that has one.

    Each chord under the last note of the phrase is tried, together with the last chord before it on another root. The
    first such pair that is a cadence is returned. It is a cadence in the key of its last chord. If that is not `home`,
    the numerals say the key.
    """
    grid = melody_grid(score)
    found = []
    for phrase in find_phrases(grid):
        begin, start = grid.moment(phrase.first.start), grid.moment(phrase.last.start)
        end = grid.moment(phrase.last.end)
        of_phrase = [chord for chord in chords if chord.start < end and chord.end > begin]
        under_last = [index for index, chord in enumerate(of_phrase) if chord.end > start]
        if not phrase.is_certain and not _rests([of_phrase[index] for index in under_last]):
            continue
        for index in under_last:
            here = of_phrase[index]
            before = next((chord for chord in of_phrase[:index][::-1] if chord.root != here.root), None)
            kind = _kind(before, here, phrase.last.midi % 12) if before else None
            if before is not None and kind is not None:
                first = before.numeral if before.key == home else before.numeral_with_key
                second = here.numeral if here.key == before.key else here.numeral_with_key
                found.append(Cadence(kind, here.place, (first, second)))
                break
    return found


def _rests(chords: Sequence[NamedChord]) -> bool:
    """Return whether the harmony under a long note rests too: the bass stays and the last chord adds no seventh."""
    is_still = len({(chord.key.tonic + chord.bass) % 12 for chord in chords}) == 1
    return is_still and not (len(chords) > 1 and chords[-1].chord.is_extended)


def _kind(before: NamedChord, here: NamedChord, top: int) -> CadenceKind | None:
    """Return the kind of cadence of two chords at the end of a phrase, or None if they are no cadence.

    `top` is the pitch class of the melody's last note. The dominant must have the leading tone, unless the mode has
    none. An applied dominant and the chord that it leads to are a cadence too; in minor, so are the dominant of the
    relative major and its tonic.
    """
    key, first, last = here.key, before.chord, here.chord
    first_root = (before.root - key.tonic) % 12
    is_stable = here.bass == last.root
    is_modal = key.mode != "minor" and (key.tonic + 11) % 12 not in key.pitch_classes
    if last.root == 7:
        return "half" if is_stable and (last.family == MAJOR or is_modal) else None
    leads_home = last.root == 0 and first_root in (7, 11) and (first.family != MINOR or is_modal)
    is_relative = key.is_minor and (first_root, last.root) == (10, 3)
    is_applied = before.key == key and applied_to(key, first, last) is not None
    if leads_home or is_relative or is_applied:
        at_root = before.bass == first.root and first_root == (last.root + 7) % 12 and is_stable
        return "perfect" if at_root and top == here.root else "imperfect"
    if last.root == 0:
        return "plagal" if first_root == 5 and is_stable else None
    is_deceptive = first_root == 7 and first.family == MAJOR and last.root in (8, 9)
    return "deceptive" if is_deceptive and is_stable else None
