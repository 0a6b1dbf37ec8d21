"""Remove what nobody played: octave errors of the pitch tracker, transients of attacks, and noise.

Notes far outside the range of the music, and faint ones that nobody expects, are removed before the alignment, which
would take them for wrong notes. After it, only notes that it cannot place are looked at, and they are judged in the
light of their neighbours.
"""

from collections.abc import Sequence
from statistics import median

from consort_audio.comparison.take.one_voice.evidence.take_evidence import TakeEvidence
from consort_audio.signals.played_notes import PlayedNote

_HARMONICS = frozenset((12, 19, 24, 28, 31, 36))
"""Semitones from a note to its 2nd, 3rd, 4th, 5th, 6th and 8th harmonic."""
_TOUCHES_S = 0.05
_TRANSIENT_S = 0.1
_SLIVER_S, _SLIVER_BETWEEN_S = 0.07, 0.09
_OVERTONE_S = 0.2
_OWN_BEGINNING, _CLEAR_BEGINNING = 0.7, 1.0
_GLIDE_S, _GLIDE_SEMITONES, _LONG_GLIDE_S = 0.12, 3.0, 0.18
_RINGS_S, _SAME_PITCH, _STRUCK = 1.0, 0.7, 0.4
_QUIET_DB = 24.0
_FAR_SEMITONES = 20
_IMPOSSIBLE_SEMITONES = 24


def remove_impossible(notes: Sequence[PlayedNote], expected: Sequence[int], evidence: TakeEvidence) -> list[PlayedNote]:
    """Return the notes without those far outside the expected pitches (in any octave), and without faint wrong ones."""
    middle = median(note.pitch for note in notes)
    octaves = 12 * round((middle - median(expected)) / 12)
    lowest, highest = min(expected) + octaves - _IMPOSSIBLE_SEMITONES, max(expected) + octaves + _IMPOSSIBLE_SEMITONES
    usual = _usual_level(notes, evidence)
    names = {pitch % 12 for pitch in expected}
    return [
        note
        for note in notes
        if lowest <= note.pitch <= highest
        and (round(note.pitch) % 12 in names or evidence.level(note.start, note.end) >= usual - _QUIET_DB)
    ]


def remove_ghosts(
    notes: Sequence[PlayedNote], placed: Sequence[bool], evidence: TakeEvidence, lowest: int, highest: int
) -> list[PlayedNote]:
    """Return the notes without ghosts. A ghost that continues a note makes that one longer.

    A slide into a note belongs to it. `placed` says which notes the alignment has paired; these are kept. `lowest` and
    `highest` are the expected range.
    """
    usual = _usual_level([note for note, is_placed in zip(notes, placed, strict=True) if is_placed] or notes, evidence)
    kept: list[PlayedNote] = []
    earlier_starts: dict[int, float] = {}
    for index, note in enumerate(notes):
        note = note._replace(start=earlier_starts.get(index, note.start))
        if placed[index]:
            kept.append(note)
            continue
        before = kept[-1] if kept else None
        after = notes[index + 1] if index + 1 < len(notes) else None
        is_tail = before is not None and note.start - before.end <= _TOUCHES_S
        is_head = after is not None and after.start - note.end <= _TOUCHES_S
        is_between = (
            before is not None and after is not None and is_tail and is_head and _is_between(note, before, after)
        )
        if after is not None and is_head and (is_between or _is_glide(note, after, evidence)):
            earlier_starts[index + 1] = note.start
            continue
        if evidence.is_plucked and _still_rings(note, kept, evidence):
            continue
        if _is_ghost(note, before if is_tail else None, after if is_head else None, evidence, usual) or (
            not lowest - _FAR_SEMITONES <= note.pitch <= highest + _FAR_SEMITONES
        ):
            if before is not None and is_tail and _is_harmonic(note, before):
                kept[-1] = before._replace(end=note.end)
            elif after is not None and is_head and _is_harmonic(note, after) and not _begins(after, evidence):
                earlier_starts[index + 1] = note.start
            continue
        kept.append(note)
    return kept


def _still_rings(note: PlayedNote, earlier: Sequence[PlayedNote], evidence: TakeEvidence) -> bool:
    """Return whether a string that was struck shortly before is heard again, and nothing is struck."""
    rings = any(
        abs(other.pitch - note.pitch) < _SAME_PITCH and note.start - other.end < _RINGS_S for other in earlier[-3:]
    )
    near = evidence.beginnings(note.start - 0.06, note.start + 0.06)
    return rings and all(each.strength < _STRUCK for each in near)


def _is_between(note: PlayedNote, before: PlayedNote, after: PlayedNote) -> bool:
    """Return whether a short note is on the way from one note to the next."""
    low, high = sorted((before.pitch, after.pitch))
    return note.end - note.start < _GLIDE_S and low + 0.5 < note.pitch < high - 0.5


def _is_glide(note: PlayedNote, after: PlayedNote, evidence: TakeEvidence) -> bool:
    """Return whether a note is the slide of a voice into the next one, which then begins without an attack."""
    if evidence.is_plucked or note.end - note.start >= _LONG_GLIDE_S:
        return False
    found = evidence.beginnings(after.start - 0.05, after.start + 0.05)
    attack = max((each.strength for each in found), default=0.0)
    is_short = note.end - note.start < _GLIDE_S and abs(after.pitch - note.pitch) < _GLIDE_SEMITONES
    if is_short and attack < _OWN_BEGINNING:
        return True
    return attack < _CLEAR_BEGINNING and evidence.moves_towards(note, after.pitch)


def _usual_level(notes: Sequence[PlayedNote], evidence: TakeEvidence) -> float:
    levels = sorted(evidence.level(note.start, note.end) for note in notes)
    return levels[len(levels) // 2] if levels else 0.0


def _is_harmonic(note: PlayedNote, other: PlayedNote) -> bool:
    return abs(round(note.pitch - other.pitch)) in _HARMONICS


def _begins(note: PlayedNote, evidence: TakeEvidence) -> bool:
    """Return whether the start of a note is heard."""
    found = evidence.beginnings(note.start - 0.05, note.start + 0.05)
    return max((each.clarity for each in found), default=0.0) >= _OWN_BEGINNING


def _is_ghost(
    note: PlayedNote, before: PlayedNote | None, after: PlayedNote | None, evidence: TakeEvidence, usual: float
) -> bool:
    """Return whether a note continues its neighbour's sound at another pitch, or is hardly heard."""
    length = note.end - note.start
    if length < (_SLIVER_S if before is None or after is None else _SLIVER_BETWEEN_S) and (before or after):
        return True
    inside = max(note.end - 0.06, note.start + 0.02)  # the attack of the next note is heard a little before it
    if evidence.level(note.start, inside) < usual - _QUIET_DB:
        return True
    is_overtone = before is not None and round(note.pitch - before.pitch) in _HARMONICS
    if is_overtone and length < _OVERTONE_S and not evidence.is_plucked:
        return True  # the room holds the overtones of the note before while the next one begins
    if _begins(note, evidence):
        return False
    is_harmonic = any(other is not None and _is_harmonic(note, other) for other in (before, after))
    return is_harmonic or (length < _TRANSIENT_S and (before is not None or after is not None))
