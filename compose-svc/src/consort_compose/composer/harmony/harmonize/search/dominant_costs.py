"""The costs of dominants that do not suit the melody: the leading tone, the seventh, and applied dominants."""

from consort_compose.composer.harmony.degree_chords import MAJOR, DegreeChord
from consort_compose.composer.harmony.harmonize.search.harmony_task import HarmonyTask
from consort_compose.composer.harmony.harmonize.slots.harmony_slots import HarmonySlot
from consort_compose.composer.harmony.harmonize.slots.melody_demands import MelodyDemand
from consort_compose.composer.harmony.harmonize.styles.style_chords import Vocabulary
from consort_compose.composer.harmony.harmonize.styles.style_weights import (
    APPLIED_DOMINANT,
    LEADING_TONE_MISSED,
    LOWERED_SEVENTH,
    NO_LEADING_TONE,
    SEVENTH_MISSED,
)

_SUBDOMINANT, _DOMINANT, _SUBTONIC, _LEADING_TONE = 5, 7, 10, 11


class DominantCosts:
    """The costs of the chords of a vocabulary for one melody."""

    def __init__(self, task: HarmonyTask, vocabulary: Vocabulary) -> None:
        sung = {(note.midi - task.key.tonic) % 12 for note in task.grid.notes}
        self._task = task
        self._is_lowered = task.key.is_minor and _SUBTONIC in sung and _LEADING_TONE not in sung
        self._has_seventh = any((chord.root, chord.suffix) == (_DOMINANT, "7") for chord in vocabulary.chords)

    def cost(self, slot: HarmonySlot, demand: MelodyDemand, bar: MelodyDemand, chord: DegreeChord) -> float:
        """Return the cost of a chord in a slot. `bar` is what the melody requires in the first slot of its bar."""
        style = self._task.style
        value = 0.0
        before_end = None if slot.before_end is None else (slot.before_end - self._task.key.tonic) % 12
        if before_end == _LEADING_TONE:
            value += LEADING_TONE_MISSED * (_LEADING_TONE not in chord.tones)
        if style == "classical" and chord.substitute == "secondary":
            value += APPLIED_DOMINANT
        if chord.root != _DOMINANT or chord.family != MAJOR:
            return value
        if style == "modal":
            value += NO_LEADING_TONE * (_LEADING_TONE not in demand.degrees and _LEADING_TONE not in bar.degrees)
        if self._has_seventh and chord.suffix == "":
            value += SEVENTH_MISSED * (_SUBDOMINANT in demand.degrees)
        if self._is_lowered and slot.bars_to_end > 1:
            value += LOWERED_SEVENTH.get(style, 0.0)
        return value
