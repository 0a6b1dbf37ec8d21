"""Texts that make a regular expression slow, made from the expression, and a measurement of how its cost grows.

A backtracking engine is slow where a repetition can match the same text in several ways, or begins again at each
character: so every repetition of a pattern is fed with what it repeats, after what the pattern expects before it, and
with a character at the end that matches nothing. Costs are CPU times, the best of some runs, and are only compared with
costs of the same machine at the same time.
"""

import ast
import importlib
import re
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

compiler, constants, parser = (importlib.import_module(f"re._{name}") for name in ("compiler", "constants", "parser"))
"""How Python reads expressions. It has no public way to see the parts of one."""

LONGEST = 100_000
MOST_GROWTH = 9.0
"""Allowed growth of the cost when a text becomes four times as long: linear is 4, quadratic is 16."""
_SHORT = 28
"""At this length an exponential cost is already visible."""
_SIZES = (400, 1_600, 6_400, 25_600, LONGEST)
_CHARACTERS = " \n\ta0A1bB#.,:;-_()[]{}<>|/\\\"'!~^=+*%&@?$xzé\x00"
_FOREIGN = "\x00"
_REPEATS = (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT)
_ONE_OF = (constants.IN, constants.NOT_LITERAL, constants.ANY, constants.CATEGORY)
_MANY = 50


class UsedPattern(NamedTuple):
    """A pattern of a module, and the methods that are called on it."""

    pattern: str
    flags: int
    methods: frozenset[str]


class AttackText(NamedTuple):
    before: str
    repeated: str
    after: str

    def of_length(self, length: int) -> str:
        return self.before + self.repeated * max(length // len(self.repeated), 1) + self.after


def patterns_of(name: str, path: Path) -> list[UsedPattern]:
    """Return the patterns that a module compiles at its top level or writes as a literal in a call such as `re.sub`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    methods: dict[str, set[str]] = {}
    found: list[UsedPattern] = []
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        owner, method = node.func.value, node.func.attr
        if not isinstance(owner, ast.Name):
            continue
        if owner.id != "re":
            methods.setdefault(owner.id, set()).add(method)
        elif method != "compile" and node.args and isinstance(node.args[0], ast.Constant):
            found.append(UsedPattern(str(node.args[0].value), 0, frozenset([method])))
    for variable, value in vars(importlib.import_module(name)).items():
        used = methods.get(variable, set()) & {"match", "fullmatch", "search", "sub", "split", "findall", "finditer"}
        found += [
            UsedPattern(pattern.pattern, pattern.flags, frozenset(used or {"search"}))
            for pattern in _compiled(value)
            if isinstance(pattern.pattern, str)
        ]
    return found


def _compiled(value: Any) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _compiled(each)


def attacks_on(used: UsedPattern) -> list[AttackText]:
    """Return the attacks on every repetition of a pattern, without duplicates."""
    texts: dict[AttackText, None] = {}
    for before, repeated in _repetitions(parser.parse(used.pattern, used.flags & ~re.DEBUG), ""):
        texts[AttackText(before, repeated, _FOREIGN)] = None
        texts[AttackText("", repeated, _FOREIGN)] = None
        texts[AttackText(before, repeated, "")] = None
        if before:
            texts[AttackText("", before + repeated, _FOREIGN)] = None
            texts[AttackText("", before, _FOREIGN)] = None
    return list(texts)


def _repetitions(node: Iterable[tuple[Any, Any]], before: str) -> Iterator[tuple[str, str]]:
    """Yield an example of the text before each repetition, and examples of what it repeats."""
    for kind, value in node:
        if kind in _REPEATS:
            _, most, repeated = value
            if most >= _MANY:
                yield from (
                    (before, text) for text in sorted({_example(repeated, choice) for choice in range(6)} - {""})
                )
            yield from _repetitions(repeated, before)
        elif kind is constants.SUBPATTERN:
            yield from _repetitions(value[3], before)
        elif kind is constants.BRANCH:
            for branch in value[1]:
                yield from _repetitions(branch, before)
        elif kind in (constants.ASSERT, constants.ASSERT_NOT):
            yield from _repetitions(value[1], before)
        elif kind is constants.ATOMIC_GROUP:
            yield from _repetitions(value, before)
        before += _example_of_one(kind, value, 1)


def _example(node: Iterable[tuple[Any, Any]], choice: int) -> str:
    return "".join(_example_of_one(kind, value, choice) for kind, value in node)


def _example_of_one(kind: Any, value: Any, choice: int) -> str:
    if kind is constants.LITERAL:
        return chr(value)
    if kind in _ONE_OF:
        pattern = compiler.compile(parser.SubPattern(parser.State(), [(kind, value)]))
        matching = [character for character in _CHARACTERS if pattern.fullmatch(character)]
        return matching[choice % len(matching)] if matching else ""
    if kind in _REPEATS:
        least, _, repeated = value
        return str(_example(repeated, choice) * max(least, choice % 2))
    if kind is constants.SUBPATTERN:
        return _example(value[3], choice)
    if kind is constants.BRANCH:
        return _example(value[1][choice % len(value[1])], choice)
    return _example(value, choice) if kind is constants.ATOMIC_GROUP else ""


def cpu_seconds(work: Callable[[str], object], text: str, runs: int = 3) -> float:
    """Return the CPU time of the fastest of some runs. A run of more than 20 ms is precise enough alone."""
    best = float("inf")
    for _ in range(runs):
        began = time.process_time()
        work(text)
        best = min(best, time.process_time() - began)
        if best > 0.02:
            break
    return best


def growth_beyond_linear(
    work: Callable[[str], object], attacks: list[AttackText], longest: int = LONGEST
) -> tuple[AttackText, int] | None:
    """Return the first attack whose cost grows faster than its length, and the length at which it does, or None.

    All attacks are tried up to 6,400 characters; beyond, only the one that costs most there. Costs below 30 times those
    of reading the text character by character in Python count as nothing.
    """
    sizes = [size for size in _SIZES if size <= longest]
    costs = {attack: _cost(work, attack, _SHORT) for attack in attacks}
    for attack in attacks:
        if costs[attack] > _free(LONGEST):  # exponential
            return attack, _SHORT
    costs = {attack: _cost(work, attack, sizes[0]) for attack in attacks if sizes}
    for shorter, length in pairwise(sizes):
        if shorter >= 6_400:
            attacks = sorted(attacks, key=lambda each: costs[each])[-1:]
        for attack in attacks:
            before, costs[attack] = costs[attack], _cost(work, attack, length)
            if _too_much(before, costs[attack], length) and _too_much(
                min(before, _cost(work, attack, shorter)), _cost(work, attack, length), length
            ):
                return attack, length
    return None


def _cost(work: Callable[[str], object], attack: AttackText, length: int) -> float:
    return cpu_seconds(work, attack.of_length(length))


def _too_much(before: float, now: float, length: int) -> bool:
    return now > MOST_GROWTH * before and now > 30 * _free(length)


def _free(length: int) -> float:
    """Return the CPU time in which this machine reads a text of this length, character by character."""
    if length not in _FREE:
        _FREE[length] = cpu_seconds(lambda text: [character for character in text if character == "x"], "y" * length)
    return _FREE[length]


_FREE: dict[int, float] = {}
