"""Pair single notes along the path, near the times of the curve.

Notes of equal pitch in groups that the path matched are paired first. Of the rest, notes of equal pitch near the
expected time are paired, then notes of other pitches: these are wrong notes.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from statistics import mean, median
from typing import NamedTuple

from consort_audio.comparison.align.onset_groups import OnsetGroup
from consort_audio.comparison.align.position_path import PathStep
from consort_audio.comparison.align.tempo_curve import TempoCurve
from consort_audio.comparison.reference.expected_music import ExpectedNote
from consort_audio.signals.played_notes import PlayedNote

_CHORD_S = 0.03
"""Expected notes that start within this time are one onset of the tempo curve."""
_SAME_PITCH_S = 0.35
_OTHER_PITCH_S = 0.18
_SHARE_OF_GAP = 0.6
_OCTAVE_FIRST = 0.05
_PITCH_COST = 0.004


class NotePair(NamedTuple):
    expected: int
    played: int


@dataclass(slots=True)
class PlayedPass:
    """A part of the take that goes through the music without a jump."""

    first: int
    """Index of its first expected note."""
    last: int
    """Index of its last expected note."""
    begin: float
    """Time of its first note in the take, in seconds."""
    end: float
    pairs: list[NotePair] = field(default_factory=list)
    curve: TempoCurve | None = None
    played: list[int] = field(default_factory=list)
    """Indexes of all played notes in this part, paired or not."""

    def expected_time(self, written: float) -> float:
        """Return when a note was due in this pass, in seconds of the take."""
        assert self.curve is not None
        return self.curve.at(written)


def split_passes(steps: Sequence[PathStep]) -> list[list[tuple[int, int | None]]]:
    """Return for each pass the played groups and their expected groups. Groups without a place join the pass before."""
    passes: list[list[tuple[int, int | None]]] = [[]]
    for index, step in enumerate(steps):
        if step.is_jump and any(place is not None for _, place in passes[-1]):
            passes.append([])
        passes[-1].append((index, step.place))
    return passes


def pair_notes_of_pass(
    placed: Sequence[tuple[int, int | None]],
    expected_groups: Sequence[OnsetGroup],
    played_groups: Sequence[OnsetGroup],
    expected: Sequence[ExpectedNote],
    played: Sequence[PlayedNote],
    pitches: Sequence[int],
) -> PlayedPass | None:
    """Pair the notes of one pass. `pitches` are the rounded pitches of the played notes. None if nothing is paired."""
    places = [place for _, place in placed if place is not None]
    if not places:
        return None
    first = expected_groups[min(places)].notes[0]
    last = expected_groups[max(places)].notes[-1]
    heard = sorted(note for group, _ in placed for note in played_groups[group].notes)
    found = PlayedPass(first, last, played[heard[0]].start, max(played[note].end for note in heard), played=heard)
    pairs: dict[int, int] = {}
    doubtful: list[NotePair] = []
    for group, place in placed:
        if place is None:
            continue
        left = [note for note in expected_groups[place].notes if note not in pairs]
        rest = []
        for note in played_groups[group].notes:
            match = next((each for each in left if expected[each].pitch == pitches[note]), None)
            if match is None:
                rest.append(note)
            else:
                pairs[match] = note
                left.remove(match)
        if len(left) == 1 and len(rest) == 1 and len(expected_groups[place].notes) == 1:
            doubtful.append(NotePair(left[0], rest[0]))  # one wrong note in place of another
    found.curve = _curve(pairs, doubtful, expected, played)
    if found.curve is None:
        return None
    for pair in doubtful:
        if pair.expected not in pairs and pair.played not in pairs.values():
            pairs[pair.expected] = pair.played
    taken = set(pairs.values())
    _pair_rest(found, pairs, taken, expected, played, pitches)
    found.pairs = sorted(NotePair(*pair) for pair in pairs.items())
    found.curve = _curve(
        {e: p for e, p in pairs.items() if expected[e].pitch == pitches[p]}, list(found.pairs), expected, played
    )
    return found


def _curve(
    pairs: dict[int, int], others: Collection[NotePair], expected: Sequence[ExpectedNote], played: Sequence[PlayedNote]
) -> TempoCurve | None:
    """Fit the curve to the notes of right pitch, or to all if there are too few."""
    chosen = dict(pairs)
    if len(chosen) < 3:
        chosen = {pair.expected: pair.played for pair in others} | chosen
    if not chosen:
        return None
    chords: list[list[int]] = []
    for each in sorted(chosen, key=lambda index: expected[index].start):
        if chords and expected[each].start - expected[chords[-1][0]].start <= _CHORD_S:
            chords[-1].append(each)
        else:
            chords.append([each])
    written = [mean(expected[each].start for each in chord) for chord in chords]
    return TempoCurve(written, [median(played[chosen[each]].start for each in chord) for chord in chords])


def _pair_rest(
    found: PlayedPass,
    pairs: dict[int, int],
    taken: set[int],
    expected: Sequence[ExpectedNote],
    played: Sequence[PlayedNote],
    pitches: Sequence[int],
) -> None:
    """Pair what is left by time: equal pitches first, then octaves, then others."""
    rest = [note for note in found.played if note not in taken]
    _widen(found, rest, expected, played, pitches)
    left = [note for note in range(found.first, found.last + 1) if note not in pairs]
    if not left or not rest:
        return
    assert found.curve is not None
    due = {note: found.curve.at(expected[note].start) for note in left}
    options: list[tuple[float, int, int]] = []
    for note in left:
        gap = _SHARE_OF_GAP * (expected[note].end - expected[note].start) * found.curve.tempo
        for heard in rest:
            away = abs(played[heard].start - due[note])
            difference = abs(pitches[heard] - expected[note].pitch)
            if difference == 0 and away <= max(_SAME_PITCH_S, min(gap, 1.0)):
                options.append((away - 10, note, heard))
            elif difference % 12 == 0 and away <= _OTHER_PITCH_S:
                options.append((away - _OCTAVE_FIRST, note, heard))
            elif away <= _OTHER_PITCH_S:
                options.append((away + _PITCH_COST * difference, note, heard))
    for _, note, heard in sorted(options):
        if note not in pairs and heard not in taken:
            pairs[note] = heard
            taken.add(heard)


def _widen(
    found: PlayedPass,
    rest: Sequence[int],
    expected: Sequence[ExpectedNote],
    played: Sequence[PlayedNote],
    pitches: Sequence[int],
) -> None:
    """Begin the pass earlier and end it later, if the next expected note is among those that were left."""
    assert found.curve is not None
    curve = found.curve

    def was_played(note: int) -> bool:
        due = curve.at(expected[note].start)
        return any(
            pitches[heard] == expected[note].pitch and abs(played[heard].start - due) <= _OTHER_PITCH_S
            for heard in rest
        )

    while found.first > 0 and was_played(found.first - 1):
        found.first -= 1
    while found.last + 1 < len(expected) and was_played(found.last + 1):
        found.last += 1
