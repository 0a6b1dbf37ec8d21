"""Search all voices by forward filtering, and draw one of them by backward sampling.

There is one layer for each slot. It contains every state that the voice can have in the slot, with the total weight of
all ways to reach the state, and the ways themselves. So a voice that keeps every rule is found if one exists. Drawing
runs from the last layer to the first and gives each voice a probability proportional to its weight.

If a layer is empty, the rules are relaxed only in the last few slots. There each state keeps only its least severe
ways, and only the least severe states are followed. The rest of the voice keeps every rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from consort_compose.composer.counterpoint.engine import rules
from consort_compose.composer.counterpoint.engine.melodic_moves import START, LineState, MelodicMoves
from consort_compose.composer.counterpoint.engine.rules import severity
from consort_compose.composer.counterpoint.engine.transitions import (
    ANY_MOVE,
    MotionWeights,
    RequiredMove,
    SlotTransitions,
)
from consort_compose.composer.counterpoint.engine.vertical_intervals import PERFECT

_FIRST_WINDOW = 6
"""Number of slots before an empty layer that are relaxed first. It is doubled until a voice is found."""
_MOST_RELAXED_STATES = 150
"""At most this many states are followed in a relaxed slot, because nearly every state is possible there."""
_LEAST_SHARE = 1e-4
"""States of a free voice are not followed if they have less than this share of the weight of the best state."""
_LONGEST_RUN = 3
"""The largest number of thirds in a row, or of sixths in a row, in the first species."""
_TIED = 1 << 20
"""A bit that is added to the mask of broken rules if the note is held, not struck."""

VoiceState = tuple[LineState, int, RequiredMove, int, int]
"""Line, tone, required move, perfect interval at the start of the current unit (or 0), and length of the run of thirds
or sixths (0 if runs are not counted)."""


class SearchNode:
    """A state in a layer, with the ways into it. A way is (previous node, weight, broken rules)."""

    __slots__ = ("severity", "state", "ways", "weight")

    def __init__(self, state: VoiceState, severity: int) -> None:
        self.state = state
        self.severity = severity
        self.weight = 0.0
        self.ways: list[tuple[SearchNode | None, float, int]] = []


SearchLayer = dict[VoiceState, SearchNode]


@dataclass(frozen=True, slots=True)
class SlotChoice:
    tone: int
    is_tied: bool
    mask: int


_Edge = tuple[LineState, int, RequiredMove, float, int, int, bool]
"""A move into a slot: new line, new tone, required move, weight, broken rules, interval class, and whether a run of
thirds or sixths continues."""


class VoiceSearch:
    def __init__(
        self, slots: Sequence[SlotTransitions], moves: MelodicMoves, weights: MotionWeights, counts_runs: bool
    ) -> None:
        self._slots = slots
        self._moves = moves
        self._downbeats = rules.DOWNBEAT_PARALLEL & weights.kept if weights.avoid_parallels else 0
        self._long_run = rules.PARALLEL_RUN & weights.kept
        self._outline = rules.TRITONE_OUTLINE & weights.kept
        self._first_run = 1 if counts_runs else 0
        self._least_share = 0.0 if weights.is_species else _LEAST_SHARE
        self._layers: list[SearchLayer] = []
        self._edges_of: dict[tuple[int, bool], dict[tuple[LineState, int, RequiredMove], list[_Edge]]] = {}

    def solve(self, relax: bool) -> bool:
        """Fill the layers. Return whether a voice exists. Without `relax`, it must keep every rule."""
        self._layers = []
        relaxed_until, window, ahead = 0, 0, 1
        while len(self._layers) < len(self._slots):
            place = len(self._layers)
            layer = self._next_layer(place, strict=place >= relaxed_until)
            if layer:
                self._layers.append(layer)
                continue
            if not relax or (place < relaxed_until and place <= window):
                return False
            window = 2 * window if place < relaxed_until else _FIRST_WINDOW
            is_near = place < relaxed_until + _FIRST_WINDOW  # hard slots are often neighbours: relax more slots at once
            ahead = 2 * ahead if is_near else 1
            relaxed_until = max(relaxed_until, place + ahead)
            del self._layers[max(0, place - window) :]
        return True

    def draw(self, rng: Random) -> list[SlotChoice]:
        """Draw one of the least severe voices, with a probability proportional to its weight."""
        last = self._layers[-1].values()
        least = min(node.severity for node in last)
        node: SearchNode | None = _pick([(node, node.weight, 0) for node in last if node.severity == least], rng)[0]
        choices: list[SlotChoice] = []
        while node is not None:
            source, _, mask = _pick(node.ways, rng)
            tied = bool(mask & _TIED)
            choices.append(SlotChoice(node.state[1], tied, mask & rules.ALL_RULES))
            node = source
        return choices[::-1]

    def _next_layer(self, place: int, strict: bool) -> SearchLayer:
        slot = self._slots[place]
        layer = self._first_layer(slot, strict) if place == 0 else self._following_layer(self._layers[-1], slot, strict)
        if not strict and len(layer) > _MOST_RELAXED_STATES:
            best = sorted(layer.values(), key=lambda node: (node.severity, -node.weight))[:_MOST_RELAXED_STATES]
            layer = {node.state: node for node in best}
        return layer

    def _first_layer(self, slot: SlotTransitions, strict: bool) -> SearchLayer:
        layer: SearchLayer = {}
        for tone, entry in enumerate(slot.first_tones(strict)):
            if entry is not None:
                weight, mask, kind = entry
                lead = kind if slot.leads and kind in PERFECT else 0
                _add(layer, (START, tone, ANY_MOVE, lead, self._first_run), severity(mask), None, weight, mask)
        return layer

    def _following_layer(self, layer: SearchLayer, slot: SlotTransitions, strict: bool) -> SearchLayer:
        found: SearchLayer = {}
        scale = 1.0 / max(max(node.weight for node in layer.values()), 1e-300)
        edges_from = self._edges_of.setdefault((id(slot), strict), {})
        leads, forbidden_lead = slot.leads, self._downbeats if slot.moved_since_lead else 0
        for node in layer.values():
            line, tone, required, lead, run = node.state
            base, severity_before = node.weight * scale, node.severity
            if strict and base < self._least_share:
                continue
            key = line, tone, required
            edges = edges_from.get(key)
            if edges is None:
                edges = edges_from[key] = self._edges(slot, line, tone, required, strict)
            for line_after, target, required_after, weight, mask, kind, continues_run in edges:
                lead_after = lead
                if leads:
                    lead_after = kind if kind in PERFECT else 0
                    if lead_after and lead_after == lead and forbidden_lead:
                        if strict:
                            continue
                        mask |= forbidden_lead
                run_after = run
                if run and not mask & _TIED:
                    run_after = run + 1 if continues_run else 1
                    if run_after > _LONGEST_RUN:
                        if strict and self._long_run:
                            continue
                        mask |= self._long_run
                        run_after = _LONGEST_RUN
                state = line_after, target, required_after, lead_after, run_after
                after = severity_before + severity(mask & rules.ALL_RULES) if mask else severity_before
                weight *= base
                known = found.get(state)
                if known is None or after < known.severity:
                    known = found[state] = SearchNode(state, after)
                elif after > known.severity:
                    continue
                known.weight += weight
                known.ways.append((node, weight, mask))
        return found

    def _edges(
        self, slot: SlotTransitions, line: LineState, tone: int, required: RequiredMove, strict: bool
    ) -> list[_Edge]:
        edges: list[_Edge] = []
        if (held := slot.hold(tone, required, strict)) is not None:
            weight, mask, kind, required_after = held
            edges.append((line, tone, required_after, weight, mask | _TIED, kind, False))
        known = slot.known_transitions[strict]
        moves = self._moves.strict_moves(line, tone) if strict else self._moves.all_moves(line, tone)
        for target, line_after, line_weight, mask, motion, letters in moves:
            pair = tone << 8 | target
            if pair not in known:
                known[pair] = slot.transition(tone, target, motion, letters, strict)
            transition = known[pair]
            if transition is None:
                continue
            weight, transition_mask, kind, consonant, required_after, continues_run = transition
            mask |= transition_mask
            if required:
                checked = slot.check_required_move(required, letters, line.direction, tone, kind, consonant)
                if checked is None:
                    continue
                required_mask, next_required = checked
                mask |= required_mask
                required_after = next_required or required_after
            if slot.is_last and line_after.must_not_turn_at == target:
                mask |= self._outline
            if not (strict and mask & ~rules.SYNCOPATION):
                edges.append((line_after, target, required_after, line_weight * weight, mask, kind, continues_run))
        return edges


def _add(
    layer: SearchLayer, state: VoiceState, severity: int, source: SearchNode | None, weight: float, mask: int
) -> None:
    node = layer[state] = SearchNode(state, severity)
    node.weight = weight
    node.ways.append((source, weight, mask))


def _pick(options: Sequence[tuple[SearchNode | None, float, int]], rng: Random) -> tuple[SearchNode | None, float, int]:
    """Draw an option with a probability proportional to its weight."""
    point = rng.random() * sum(weight for _, weight, _ in options)
    for option in options:
        point -= option[1]
        if point <= 0:
            return option
    return options[-1]
