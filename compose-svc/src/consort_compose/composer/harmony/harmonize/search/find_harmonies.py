"""Find the best harmonization of a melody, and others that differ from it in their idea."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp
from operator import add

from consort_compose.composer.harmony.harmonize.chord_scores.slot_scores import ChordScore
from consort_compose.composer.harmony.harmonize.search.chord_lattice import (
    ChordLattice,
    chord_lattice,
    learned_scores,
)
from consort_compose.composer.harmony.harmonize.search.harmonic_ideas import IDEAS, LIKELIEST, Idea, difference
from consort_compose.composer.harmony.harmonize.search.harmony_task import ChordWithBass, HarmonyTask
from consort_compose.composer.harmony.harmonize.search.lattice_paths import (
    Lattice,
    LatticePath,
    best_path,
    differing_paths,
)
from consort_compose.composer.harmony.harmonize.slots.harmony_slots import HarmonySlot, harmony_slots
from consort_compose.composer.harmony.harmonize.slots.melody_demands import STRONG
from consort_compose.composer.harmony.harmonize.slots.repeated_bars import models_of_repeats, models_of_variations
from consort_compose.composer.harmony.harmonize.styles.style_chords import style_vocabulary
from consort_compose.composer.harmony.harmonize.styles.style_weights import SAME_MELODY, SAME_ROOT_SHARE, STYLE_WEIGHTS

_LEAST_DIFFERENT = 6
"""One of so many chords of an option with another idea, and at least two, must differ from all earlier options."""
_MOST_LOST = 1.0
"""The largest loss of score per slot of an option with an idea."""
_AT_EDGES = 2.0
"""The share of the bonus for the same chord in a style that repeats only the edges of phrases."""
_VARIATION = 0.5
"""The share of the bonus for the same chord in a bar that varies the bar before."""
_LIKELIHOOD = 5.0
"""How much the likelihood falls with the score per slot."""


@dataclass(frozen=True)
class FoundHarmony:
    choices: list[ChordWithBass]
    """One chord with its bass per slot."""
    idea: str
    likelihood: float
    """1 for the option with the best score of the search; smaller for the others."""


@dataclass(frozen=True)
class Harmonies:
    """The harmonizations that were found."""

    slots: list[HarmonySlot]
    options: list[FoundHarmony]
    """The best option comes first."""
    exhausted: bool
    """Whether the search has proved that no other option keeps the rules."""


def harmonize(task: HarmonyTask, count: int) -> Harmonies:
    """Return up to `count` different harmonizations: the best, then one for each idea, then others."""
    vocabulary = style_vocabulary(task.style, task.key.mode, task.allow_extended)
    slots = harmony_slots(task.grid, task.rhythm)
    learned = learned_scores(task, slots)
    built = chord_lattice(task, vocabulary, slots, learned)
    if task.rhythm == "per_measure":
        varies = task.style == "jazz"
        share = _AT_EDGES if varies else 1.0
        repeats = models_of_repeats(task.grid, slots, only_at_edges=varies)
        models = {index: (model, share) for index, model in repeats.items()}
        if not varies:
            variations = models_of_variations(task.grid, slots)
            models = {index: (model, _VARIATION) for index, model in variations.items()} | models
        built = _with_repeats(built, models)
    best = best_path(built.lattice)
    best_score = built.lattice.score(best)
    first = _chords(built, best)
    options = [FoundHarmony(first, LIKELIEST, 1.0)]
    known = [best]
    for idea in IDEAS[task.style]:
        if len(options) >= count:
            break
        if idea.motion != "any":
            other = _with_motion(task, idea, slots, learned, first) if task.bass_motion == "any" else None
            if other is not None:
                options.append(other)
            continue
        path = best_path(_with_idea(built, idea, task))
        lost = (best_score - built.lattice.score(path)) / len(slots)
        chords = _chords(built, path)
        if lost <= _MOST_LOST and _differs(chords, options) and idea.shows(chords, first, task.key):
            options.append(FoundHarmony(chords, idea.text(task.key), exp(-_LIKELIHOOD * lost)))
            known.append(path)
    if len(options) >= count:
        return Harmonies(slots, options, False)
    step = STYLE_WEIGHTS[task.style].differing
    same_root = [state.chord.root for state in built.states]
    paths, exhausted = differing_paths(
        built.lattice,
        known,
        count - len(options),
        lambda path: tuple((built.chord_indexes[state], built.states[state].bass) for state in path),
        [(built.chord_indexes, (1 - SAME_ROOT_SHARE) * step), (same_root, SAME_ROOT_SHARE * step)],
        STRONG / 2,
    )
    for path in paths:
        lost = (best_score - built.lattice.score(path)) / len(slots)
        chords = _chords(built, path)
        text = difference(chords, first, task.key, {option.idea for option in options})
        options.append(FoundHarmony(chords, text, exp(-_LIKELIHOOD * max(lost, 0.0))))
    return Harmonies(slots, options, exhausted)


def _with_repeats(built: ChordLattice, models: Mapping[int, tuple[int, float]]) -> ChordLattice:
    """Return the lattice with a bonus for the same chord where the melody is the same.

    `models` has for each slot of a repeat the slot whose chord it should have, in the best path without the bonus, and
    the share of the bonus.
    """
    if not models:
        return built
    best = best_path(built.lattice)
    layers = list(built.lattice.layers)
    for index, (model, share) in models.items():
        root = built.states[best[model]].chord.root
        layers[index] = [
            value + share * SAME_MELODY * ((state.chord.root == root) + (number == best[model])) / 2
            for number, (value, state) in enumerate(zip(layers[index], built.states, strict=True))
        ]
    return replace(built, lattice=replace(built.lattice, layers=layers))


def _chords(built: ChordLattice, path: LatticePath) -> list[ChordWithBass]:
    return [built.states[state] for state in path]


def _differs(chords: Sequence[ChordWithBass], options: Sequence[FoundHarmony]) -> bool:
    least = max(2, len(chords) // _LEAST_DIFFERENT)
    return all(
        sum(one.chord.root != other.chord.root for one, other in zip(chords, option.choices, strict=True)) >= least
        for option in options
    )


def _with_idea(built: ChordLattice, idea: Idea, task: HarmonyTask) -> Lattice:
    """Return the lattice with the bonuses of an idea."""
    lattice, states = built.lattice, built.states
    layers, moves, exceptions = lattice.layers, lattice.moves, lattice.exceptions
    if idea.state is not None:
        last = len(layers) - 1
        layers = [
            [
                value + idea.state(state.chord, index, last - index, task.key)
                for value, state in zip(layer, states, strict=True)
            ]
            for index, layer in enumerate(layers)
        ]
    if idea.move is not None:
        bonus = [[idea.move(before.chord, after.chord) for before in states] for after in states]
        moves = [list(map(add, row, extra)) for row, extra in zip(moves, bonus, strict=True)]
        exceptions = [{state: list(map(add, row, bonus[state])) for state, row in rows.items()} for rows in exceptions]
    return Lattice(layers, moves, exceptions)


def _with_motion(
    task: HarmonyTask,
    idea: Idea,
    slots: list[HarmonySlot],
    learned: Sequence[ChordScore],
    first: list[ChordWithBass],
) -> FoundHarmony | None:
    """Return the best harmonization with the bass motion of an idea, or None if it does not show the idea."""
    moved = replace(task, bass_motion=idea.motion)
    built = chord_lattice(moved, style_vocabulary(task.style, task.key.mode, task.allow_extended), slots, learned)
    chords = _chords(built, best_path(built.lattice))
    if not idea.shows(chords, first, task.key):
        return None
    return FoundHarmony(chords, idea.text(task.key), exp(-_LIKELIHOOD * _MOST_LOST / 2))
