"""Align a take with the expected notes."""

from collections.abc import Sequence
from dataclasses import dataclass

from consort_audio.comparison.align.note_pairs import PlayedPass, pair_notes_of_pass, split_passes
from consort_audio.comparison.align.onset_groups import OnsetGroup, group_onsets
from consort_audio.comparison.align.position_path import Path, find_path
from consort_audio.comparison.align.transposition import find_transposition, fits, tuning_offset
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.signals.played_notes import PlayedNote

_TOGETHER_S = 0.03
"""Expected notes that start within this time are a chord."""
_PLAYED_TOGETHER_S = 0.045


@dataclass(frozen=True, slots=True)
class Alignment:
    passes: list[PlayedPass]
    """In the order of the take. Usually one; each restart or jump begins another."""
    played: list[PlayedNote]
    pitches: list[int]
    """The pitch of each played note as a MIDI number, without tuning offset and transposition."""
    semitones: int
    """How much higher than expected the take is as a whole: 12 if it is an octave too high."""
    tuning: float
    """How much sharper than A4 = 440 Hz the take is as a whole, in semitones."""
    unplaced: list[int]
    """Indexes of played notes that are in no pass."""
    other_bars: int = 0
    """How many notes of the take were left out, since they belong to bars that were not asked for."""


def due_times(music: ExpectedMusic, alignment: Alignment) -> dict[int, float]:
    """Return when each paired note of a take was due, by its index, in seconds of the take."""
    return {
        pair.played: each.expected_time(music.notes[pair.expected].start)
        for each in alignment.passes
        for pair in each.pairs
    }


def align(music: ExpectedMusic, notes: Sequence[PlayedNote]) -> Alignment:
    """Align played notes with the expected ones."""
    played = sorted(notes)
    tuning = tuning_offset(played)
    rounded = [round(note.pitch - tuning) for note in played]
    is_polyphonic = music.is_polyphonic
    expected_groups = group_onsets(
        [note.start for note in music.notes], [note.pitch for note in music.notes], _TOGETHER_S
    )
    groups = _group(played, rounded, is_polyphonic)
    rough = find_path(expected_groups, groups, None, is_polyphonic)
    semitones = 0
    if not fits(rough, expected_groups, groups):
        semitones = find_transposition(expected_groups, groups, is_polyphonic, music.is_any_octave)
    if semitones:
        rounded = [pitch - semitones for pitch in rounded]
        groups = _group(played, rounded, is_polyphonic)
        rough = find_path(expected_groups, groups, None, is_polyphonic)
    passes = _passes(music, played, rounded, expected_groups, groups, rough, is_polyphonic)
    placed = {note for each in passes for note in each.played}
    unplaced = [index for index in range(len(played)) if index not in placed]
    return Alignment(passes, played, rounded, semitones, tuning, unplaced)


def _group(played: Sequence[PlayedNote], pitches: Sequence[int], is_polyphonic: bool) -> list[OnsetGroup]:
    return group_onsets([note.start for note in played], pitches, _PLAYED_TOGETHER_S if is_polyphonic else -1.0)


def _passes(
    music: ExpectedMusic,
    played: Sequence[PlayedNote],
    pitches: Sequence[int],
    expected_groups: Sequence[OnsetGroup],
    groups: Sequence[OnsetGroup],
    rough: Path,
    is_polyphonic: bool,
) -> list[PlayedPass]:
    tempo = _tempo(rough.steps, expected_groups, groups)
    path = find_path(expected_groups, groups, tempo, is_polyphonic) if tempo else rough
    found = [
        pair_notes_of_pass(placed, expected_groups, groups, music.notes, played, pitches)
        for placed in split_passes(path.steps)
    ]
    return [each for each in found if each is not None]


def _tempo(steps: Sequence[object], expected: Sequence[OnsetGroup], played: Sequence[OnsetGroup]) -> float | None:
    """Return the median of played seconds per written second between neighbours on a path."""
    ratios: list[float] = []
    before: tuple[int, float] | None = None
    for step, group in zip(steps, played, strict=True):
        place = getattr(step, "place", None)
        if place is None:
            continue
        if before is not None and 0 < place - before[0] <= 2 and not getattr(step, "is_jump", False):
            written = expected[place].time - expected[before[0]].time
            if written > 1e-3 and group.time > before[1]:
                ratios.append((group.time - before[1]) / written)
        before = (place, group.time)
    return sorted(ratios)[len(ratios) // 2] if ratios else None
