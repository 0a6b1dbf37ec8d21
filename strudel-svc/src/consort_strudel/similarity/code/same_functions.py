"""One name for functions that have several, and how much the use of a function says about a snippet."""

import json
import math
from functools import cache
from importlib.resources import files

from consort_strudel.engine.source_functions import engine_sources

_NAMES = """
lpf cutoff
hpf hcutoff
bpf bandf
lpq resonance
hpq hresonance
bpq bandq
legato clip
cat slowcat
seq sequence fastcat
euclid bjork
euclidRot euclidrot
vibrato vib
fm fmi
phaser phaserrate
every firstOf
layer apply
setcpm setCpm
setcps setCps
"""
"""Functions that do the same, but are no aliases of each other in the engine; and the names that musicians use, if the
engine calls a function by another one. The first name of a line stands for all."""
_FIRST = {name: line.split()[0] for line in _NAMES.strip().splitlines() for name in line.split()}
_LEAST_WEIGHT = 0.1


@cache
def _aliases() -> dict[str, str]:
    return {alias: function.name for function in engine_sources().functions for alias in function.aliases}


@cache
def _counts() -> tuple[int, dict[str, int]]:
    """Return how many snippets were counted, and in how many of them each function is used."""
    counts = json.loads((files(__package__) / "function_counts.json").read_text("utf-8"))
    return counts["snippets"], counts["functions"]


@cache
def _known() -> frozenset[str]:
    return frozenset(function.name for function in engine_sources().functions) | _aliases().keys() | _FIRST.keys()


def is_function(name: str) -> bool:
    """Return whether a name is one of the engine's, not of the script."""
    return name.lstrip("_") in _known()


def one_name(function: str) -> str:
    """Return the name that stands for a function and its other names. Pictures inside code begin with `_`."""
    plain = function.lstrip("_") or function
    known = _aliases().get(plain, plain)
    return _FIRST.get(plain) or _FIRST.get(known, known)


def weight_of(function: str) -> float:
    """Return how much the use of a function says, from 0.1 to 1: its inverse document frequency in our own code."""
    snippets, counts = _counts()
    return max(math.log((snippets + 1) / (counts.get(function, 0) + 1)) / math.log(snippets + 1), _LEAST_WEIGHT)
