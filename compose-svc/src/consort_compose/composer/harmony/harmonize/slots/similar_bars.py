"""Find bars in which most of the melody is the same, such as `E E F D` and `E FG F D`."""

from consort_compose.composer.harmony.melody_grid import MelodyGrid

_SAMPLES_PER_BEAT = 2
_ALIKE = 0.7
"""The smallest share of equal notes, sampled twice a beat."""


def are_alike(grid: MelodyGrid, first: int, second: int) -> bool:
    """Return whether the bars that begin at two ticks have the same length, and mostly the same notes."""
    bar = grid.bar_at(first)
    if grid.bar_at(second) != bar or first < grid.beats[0].start:
        return False
    beat = grid.beat_at(first)
    samples = beat.beats_in_bar * _SAMPLES_PER_BEAT
    same = 0
    for place in range(samples):
        notes = [grid.at(start + place * bar // samples) for start in (first, second)]
        same += None not in notes and len({note.midi for note in notes if note}) == 1
    return same >= _ALIKE * samples
