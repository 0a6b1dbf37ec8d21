"""Find slots with the same melody, which should get the same chords: those of a returning theme or cadence.

Two slots have the same melody if their bars have the same notes and the next bars begin with the same note. At a phrase
end, only the notes from the bar before it to its last note must be the same.
"""

from collections.abc import Sequence

from consort_compose.composer.harmony.harmonize.slots.harmony_slots import HarmonySlot
from consort_compose.composer.harmony.harmonize.slots.similar_bars import are_alike
from consort_compose.composer.harmony.melody_grid import MelodyGrid

_CADENCE_BARS = 1
"""A cadence begins one bar before the bar in which a phrase ends."""


def models_of_repeats(grid: MelodyGrid, slots: Sequence[HarmonySlot], only_at_edges: bool) -> dict[int, int]:
    """Return for each repeated slot the index of the slot whose chord it should have.

    With `only_at_edges`, leave out the bars between the first bar of a phrase and its cadence, which may be varied.

    This is the last of them if the tune ends there, because the last cadence is the strongest; otherwise the first.
    """
    groups: dict[object, list[int]] = {}
    for index, slot in enumerate(slots):
        is_edge = slot.bars_from_start <= 0 or slot.bars_to_end <= _CADENCE_BARS
        if is_edge or not only_at_edges:
            groups.setdefault(_melody_around(grid, slot), []).append(index)
    found: dict[int, int] = {}
    end_bar = grid.beat_at(grid.notes[-1].start).bar
    for group in groups.values():
        last_bar = grid.beats[slots[group[-1]].span.first].bar
        model = group[-1] if end_bar - last_bar <= _CADENCE_BARS else group[0]
        found.update((index, model) for index in group if index != model)
    return found


def models_of_variations(grid: MelodyGrid, slots: Sequence[HarmonySlot]) -> dict[int, int]:
    """Return for each slot of a bar that varies the bar before it the slot of that bar at the same place."""
    by_place = {slot.span.start: index for index, slot in enumerate(slots)}
    found: dict[int, int] = {}
    for index, slot in enumerate(slots):
        beat = grid.beats[slot.span.first]
        start, bar = beat.start - beat.place * (beat.end - beat.start), grid.bar_at(beat.start)
        earlier = by_place.get(slot.span.start - bar)
        if earlier is not None and not slot.holds_end and are_alike(grid, start - bar, start):
            found[index] = found.get(earlier, earlier)
    return found


def _melody_around(grid: MelodyGrid, slot: HarmonySlot) -> object:
    """Return the melody that must be the same for the same chord, relative to the bar."""
    beat = grid.beats[slot.span.first]
    start = beat.start - beat.place * (beat.end - beat.start)
    bar = grid.bar_at(beat.start)
    first, end = start, start + bar
    held = [note for note in grid.within(slot.span.start, slot.span.end) if note.midi == slot.held_end]
    if held:
        first, end = start - bar, held[0].start + 1
    notes = [(max(note.start, first) - start, note.midi) for note in grid.within(first, end)]
    following = None if held else grid.at(end)
    return tuple(notes), slot.span.start - start, bool(held), None if following is None else following.midi
