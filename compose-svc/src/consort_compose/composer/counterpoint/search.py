"""The search: every voice that keeps the rules at once, layer by layer, and then draws from them.

A layer holds, for each state a voice can be in at a slot, the summed weight of all ways to get there and where they
come from. So a voice that keeps every rule is found if there is one, and drawing backwards from the last layer gives
each such voice with a chance that follows its weight: no retries, and the same seed gives the same voice.

Where a layer comes out empty, the rules are opened over the last few slots only: there the least severe breach wins,
among the most promising states, and the rest of the voice stays strict.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from consort_compose.composer.counterpoint import rules
from consort_compose.composer.counterpoint.columns import NOTHING, Column, Conduct, Debt
from consort_compose.composer.counterpoint.line import START, Line, Moves
from consort_compose.composer.counterpoint.rules import severity
from consort_compose.composer.counterpoint.verticals import PERFECT

_FIRST_WINDOW = 6
"""Slots over which rules are opened at first, when a layer is empty; doubled while that does not help."""
_WIDEST_RELAXED = 150
"""With the rules open nearly everything is possible: so many states, the least severe, are followed."""
_FAINTEST = 1e-4
"""A free voice keeps few rules, so its states are many: those this much less likely than the best are not followed."""
_LONGEST_RUN = 3
"""Thirds or sixths in a row, note against note."""
_TIED = 1 << 20
"""Beside the broken rules of a way: the note is held, not struck."""

State = tuple[Line, int, Debt, int, int]
"""Line, tone, what the note owes, perfect interval of the last leading slot, length of the run of thirds or sixths."""


class Node:
    """A state in a layer, with the ways into it: (node, weight, broken rules)."""

    __slots__ = ("severity", "state", "ways", "weight")

    def __init__(self, state: State, severity: int) -> None:
        self.state = state
        self.severity = severity
        self.weight = 0.0
        self.ways: list[tuple[Node | None, float, int]] = []


Layer = dict[State, Node]


@dataclass(frozen=True, slots=True)
class Choice:
    tone: int
    is_tied: bool
    mask: int


_Edge = tuple[Line, int, Debt, float, int, int, bool]
"""A step to the next slot, whatever the last leading slot was: line, tone, what it owes, weight, broken rules,
interval, and whether a run of thirds or sixths goes on."""


class Search:
    def __init__(self, columns: Sequence[Column], moves: Moves, conduct: Conduct, counts_runs: bool) -> None:
        self._columns = columns
        self._moves = moves
        self._downbeats = rules.DOWNBEATS & conduct.kept if conduct.avoid_parallels else 0
        self._long_run = rules.PARALLEL_RUN & conduct.kept
        self._outline = rules.OUTLINE & conduct.kept
        self._first_run = 1 if counts_runs else 0
        self._faintest = 0.0 if conduct.is_species else _FAINTEST
        self._layers: list[Layer] = []
        self._edges_of: dict[tuple[int, bool], dict[tuple[Line, int, Debt], list[_Edge]]] = {}

    def solve(self, relax: bool) -> bool:
        """Fill the layers; without `relax` only voices that keep every rule count. False if there is none."""
        self._layers = []
        opened, window, ahead = 0, 0, 1
        while len(self._layers) < len(self._columns):
            place = len(self._layers)
            layer = self._next(place, strict=place >= opened)
            if layer:
                self._layers.append(layer)
                continue
            if not relax or (place < opened and place <= window):
                return False
            window = 2 * window if place < opened else _FIRST_WINDOW
            is_near = place < opened + _FIRST_WINDOW  # one hard place after another: open more at once
            ahead = 2 * ahead if is_near else 1
            opened = max(opened, place + ahead)
            del self._layers[max(0, place - window) :]
        return True

    def draw(self, rng: Random) -> list[Choice]:
        """One voice, by its weight among the least severe."""
        last = self._layers[-1].values()
        least = min(node.severity for node in last)
        node: Node | None = _pick([(node, node.weight, 0) for node in last if node.severity == least], rng)[0]
        choices: list[Choice] = []
        while node is not None:
            source, _, mask = _pick(node.ways, rng)
            tied = bool(mask & _TIED)
            choices.append(Choice(node.state[1], tied, mask & rules.EVERY))
            node = source
        return choices[::-1]

    def _next(self, place: int, strict: bool) -> Layer:
        column = self._columns[place]
        layer = self._enter(column, strict) if place == 0 else self._follow(self._layers[-1], column, strict)
        if not strict and len(layer) > _WIDEST_RELAXED:
            best = sorted(layer.values(), key=lambda node: (node.severity, -node.weight))[:_WIDEST_RELAXED]
            layer = {node.state: node for node in best}
        return layer

    def _enter(self, column: Column, strict: bool) -> Layer:
        layer: Layer = {}
        for tone, entry in enumerate(column.entries(strict)):
            if entry is not None:
                share, mask, kind = entry
                lead = kind if column.leads and kind in PERFECT else 0
                _add(layer, (START, tone, NOTHING, lead, self._first_run), severity(mask), None, share, mask)
        return layer

    def _follow(self, layer: Layer, column: Column, strict: bool) -> Layer:
        found: Layer = {}
        scale = 1.0 / max(max(node.weight for node in layer.values()), 1e-300)
        edges_from = self._edges_of.setdefault((id(column), strict), {})
        leads, forbidden_lead = column.leads, self._downbeats if column.moved_since_lead else 0
        for node in layer.values():
            line, tone, debt, lead, run = node.state
            base, gravity = node.weight * scale, node.severity
            if strict and base < self._faintest:
                continue
            key = line, tone, debt
            edges = edges_from.get(key)
            if edges is None:
                edges = edges_from[key] = self._edges(column, line, tone, debt, strict)
            for line_after, target, debt_after, share, mask, kind, continues_run in edges:
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
                state = line_after, target, debt_after, lead_after, run_after
                after = gravity + severity(mask & rules.EVERY) if mask else gravity
                share *= base
                known = found.get(state)
                if known is None or after < known.severity:
                    known = found[state] = Node(state, after)
                elif after > known.severity:
                    continue
                known.weight += share
                known.ways.append((node, share, mask))
        return found

    def _edges(self, column: Column, line: Line, tone: int, debt: Debt, strict: bool) -> list[_Edge]:
        edges: list[_Edge] = []
        if (held := column.hold(tone, debt, strict)) is not None:
            share, mask, kind, debt_after = held
            edges.append((line, tone, debt_after, share, mask | _TIED, kind, False))
        known = column.leadings[strict]
        moves = self._moves.strict(line, tone) if strict else self._moves.every(line, tone)
        for target, line_after, weight, mask, motion, letters in moves:
            pair = tone << 8 | target
            if pair not in known:
                known[pair] = column.leading(tone, target, motion, letters, strict)
            leading = known[pair]
            if leading is None:
                continue
            share, leading_mask, kind, consonant, debt_after, continues_run = leading
            mask |= leading_mask
            if debt:
                paid = column.pay(debt, letters, line.direction, tone, kind, consonant)
                if paid is None:
                    continue
                debt_mask, next_debt = paid
                mask |= debt_mask
                debt_after = next_debt or debt_after
            if column.is_last and line_after.must_not_turn_at == target:
                mask |= self._outline
            if not (strict and mask & ~rules.SYNCOPATION):
                edges.append((line_after, target, debt_after, weight * share, mask, kind, continues_run))
        return edges


def _add(layer: Layer, state: State, severity: int, source: Node | None, share: float, mask: int) -> None:
    node = layer[state] = Node(state, severity)
    node.weight = share
    node.ways.append((source, share, mask))


def _pick(options: Sequence[tuple[Node | None, float, int]], rng: Random) -> tuple[Node | None, float, int]:
    point = rng.random() * sum(share for _, share, _ in options)
    for option in options:
        point -= option[1]
        if point <= 0:
            return option
    return options[-1]
