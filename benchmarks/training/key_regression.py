"""Fit the weights of `consort_music.key_finding.evidence` for melodies or voices.

The loss is the negative log probability of the known key, and a little that of its mode. The weights of a mode are
pulled to the mean of all modes. The minimum is found with Adam. Each example has its signature, none, that of C major
or a wrong one.

Some editors only state a signature, so a tune in E minor is said to be in G major. An example whose key is hardly
likely after a first fit is left out of the second one. `cross_validate` leaves out each of five folds in turn, and
prints the share of right keys among the left-out examples of each kind, also of those that were left out as doubtful.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from consort_audio.signals.arrays import Numbers
from consort_music.key_finding.evidence import GENERAL_EVIDENCE, KEY_MODES, EvidenceForKeys, signs_apart
from consort_music.key_finding.pitch_classes import signature_credit
from evaluation.corpora.stated_keys import KeyedPiece

GENERAL_PENALTY = 0.3
MODE_SHARE = 0.3
LEAST_LIKELY = 0.2
STEPS, RATE = 250, 0.05
FOLDS = 5
DIGITS = 2
_MODES = len(KEY_MODES)


class Penalty(NamedTuple):
    """Of the squared weights of degrees."""

    of_mode: float
    """Of the difference from the mean of the modes."""
    shared: float
    """Of the mean of the modes."""


class KeyedExample(NamedTuple):
    kind: str
    importance: float
    group: int
    """Examples of one group are in the same fold."""
    tonic: int
    mode: int
    """An index in KEY_MODES."""
    sharps: int
    degrees: Numbers
    """(tonics, tables and degrees)"""
    general: Numbers
    """(tonics, modes, GENERAL_EVIDENCE)"""
    credit: Numbers
    """By signature, from 0 to 11 sharps."""


class ExampleKind(NamedTuple):
    name: str
    importance: float
    group: int


def example(kind: ExampleKind, piece: KeyedPiece, evidence: EvidenceForKeys, scales: Sequence[float]) -> KeyedExample:
    """Return an example. `scales` has a factor for each table; a larger one means a weaker penalty."""
    scaled = [np.array(table) * scale for table, scale in zip(evidence.tables, scales, strict=True)]
    degrees = np.array([np.concatenate([np.roll(table, -tonic) for table in scaled]) for tonic in range(12)])
    rows = np.array([[evidence.general[tonic, mode] for mode in range(_MODES)] for tonic in range(12)])
    credit = np.array([signature_credit(evidence.length, sharps) for sharps in range(12)])
    of_key = [
        mode
        for mode, (_, name, more, _) in enumerate(KEY_MODES)
        if (name == "minor") == piece.is_minor and signs_apart(piece.sharps, piece.tonic, name, more) == 0
    ]
    mode = of_key[0] if of_key else 2 * piece.is_minor
    return KeyedExample(*kind, piece.tonic, mode, piece.sharps % 12, degrees, rows, credit)


@dataclass
class FittedWeights:
    degrees: Numbers
    general: Numbers
    signatures: Numbers
    biases: Numbers

    @classmethod
    def zero(cls, degrees: int) -> "FittedWeights":
        general = np.zeros((_MODES, len(GENERAL_EVIDENCE)))
        return cls(np.zeros((_MODES, degrees)), general, np.zeros(12), np.zeros(_MODES))

    @property
    def all(self) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        return self.degrees, self.general, self.signatures, self.biases


class Batch:
    """Examples as arrays, each with a signature: from 0 to 11 sharps, or -1 for none."""

    def __init__(self, chosen: Sequence[KeyedExample], signatures: Numbers, penalty: "Penalty") -> None:
        self.penalty = penalty
        self.degrees = np.stack([one.degrees for one in chosen])
        self.general = np.stack([one.general for one in chosen])
        self.rows = np.arange(len(chosen))
        self.tonics = np.array([one.tonic for one in chosen])
        self.modes = np.array([one.mode for one in chosen])
        self.importance = np.array([one.importance for one in chosen])
        has = signatures >= 0
        self.credit = np.array([one.credit for one in chosen])[self.rows, np.maximum(signatures, 0)] * has
        self.apart = APART[np.maximum(signatures, 0)]

    def scores(self, weights: FittedWeights) -> Numbers:
        """Return the scores by example, tonic and mode."""
        found = self.degrees @ weights.degrees.T + np.einsum("nkmg,mg->nkm", self.general, weights.general)
        return np.asarray(found + weights.biases + weights.signatures[self.apart] * self.credit[:, None, None])

    def chances(self, weights: FittedWeights) -> Numbers:
        scores = self.scores(weights).reshape(len(self.rows), -1)
        likely = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray((likely / likely.sum(axis=1, keepdims=True)).reshape(-1, 12, _MODES))

    def chance_of_key(self, weights: FittedWeights) -> Numbers:
        first = self.modes // 2 * 2
        chances = self.chances(weights)
        return np.asarray(chances[self.rows, self.tonics, first] + chances[self.rows, self.tonics, first + 1])

    def is_right(self, weights: FittedWeights) -> Numbers:
        keys = self.chances(weights).reshape(-1, 12, 2, 2).sum(axis=3).reshape(len(self.rows), -1)
        return np.asarray(keys.argmax(axis=1) == 2 * self.tonics + self.modes // 2)

    def slope(self, weights: FittedWeights) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """Return the gradient of the penalized loss."""
        chances = self.chances(weights)
        first = self.modes // 2 * 2
        wanted = np.zeros_like(chances)
        whole = self.chance_of_key(weights) + 1e-30
        for mode in (first, first + 1):
            wanted[self.rows, self.tonics, mode] = (1 - MODE_SHARE) * chances[self.rows, self.tonics, mode] / whole
        wanted[self.rows, self.tonics, self.modes] += MODE_SHARE
        error = self.importance[:, None, None] * (chances - wanted)
        shared = weights.degrees.mean(axis=0)
        shared_general = weights.general.mean(axis=0)
        return (
            np.tensordot(error, self.degrees, ((0, 1), (0, 1)))
            + self.penalty.of_mode * (weights.degrees - shared)
            + self.penalty.shared * shared,
            np.einsum("nkm,nkmg->mg", error, self.general)
            + GENERAL_PENALTY * (weights.general - shared_general)
            + 0.1 * GENERAL_PENALTY * shared_general,
            np.bincount(self.apart.ravel(), (error * self.credit[:, None, None]).ravel(), 12)
            + 0.1 * weights.signatures,
            error.sum(axis=(0, 1)) + 0.1 * weights.biases,
        )


APART = np.array([
    [[signs_apart(sharps, tonic, mode, more) % 12 for _, mode, more, _ in KEY_MODES] for tonic in range(12)]
    for sharps in range(12)
])  # fmt: skip


def drawn_signatures(chosen: Sequence[KeyedExample], seed: int = 0) -> Numbers:
    """Return the true signature for a quarter, none for a quarter, that of C major for a fifth, or a wrong one."""
    random = np.random.default_rng(seed)
    true = np.array([one.sharps for one in chosen])
    wrong = (true + random.choice([-4, -3, -2, -1, 1, 2, 3], len(true))) % 12
    draw = random.random(len(true))
    return np.where(draw < 0.25, true, np.where(draw < 0.5, -1, np.where(draw < 0.7, 0, wrong)))


def fit(chosen: Sequence[KeyedExample], penalty: Penalty) -> FittedWeights:
    weights = adam(Batch(chosen, drawn_signatures(chosen), penalty))
    bare = Batch(chosen, np.full(len(chosen), -1), penalty)
    kept = [one for one, chance in zip(chosen, bare.chance_of_key(weights), strict=True) if chance >= LEAST_LIKELY]
    return adam(Batch(kept, drawn_signatures(kept), penalty))


def adam(batch: Batch) -> FittedWeights:
    """Return the weights with the smallest loss (D. P. Kingma and J. Ba, ICLR 2015)."""
    weights = FittedWeights.zero(batch.degrees.shape[2])
    first, second = [np.zeros_like(part) for part in weights.all], [np.zeros_like(part) for part in weights.all]
    for step in range(1, STEPS + 1):
        rate = RATE * (1 - step / (STEPS + 1)) ** 0.5
        for place, (part, slope) in enumerate(zip(weights.all, batch.slope(weights), strict=True)):
            first[place] = 0.9 * first[place] + 0.1 * slope
            second[place] = 0.999 * second[place] + 0.001 * slope**2
            mean, spread = first[place] / (1 - 0.9**step), second[place] / (1 - 0.999**step)
            part -= rate * mean / (np.sqrt(spread) + 1e-8)
    return weights


def cross_validate(known: Sequence[KeyedExample], penalty: Penalty) -> None:
    right: dict[tuple[str, str], list[bool]] = {}
    for fold in range(FOLDS):
        weights = fit([one for one in known if one.group % FOLDS != fold], penalty)
        held_out = [one for one in known if one.group % FOLDS == fold]
        true = np.array([one.sharps for one in held_out])
        for name, signatures in (
            ("its signature", true),
            ("none", true * 0 - 1),
            ("a sharp too many", (true + 1) % 12),
        ):
            found = Batch(held_out, signatures, penalty).is_right(weights)
            for one, is_right in zip(held_out, found, strict=True):
                right.setdefault((one.kind, name), []).append(bool(is_right))
    for (kind, name), values in sorted(right.items()):
        print(f"{kind}, {name}: {np.mean(values):.3f} of {len(values)}")


def write(file: Path, engine: str, weights: FittedWeights, scales: Sequence[float]) -> None:
    """Write the module with the weights of `consort_music.key_finding.{engine}`."""
    rows = (weights.degrees * np.repeat(scales, 12)).reshape(_MODES, len(scales), 12)
    script = file.stem.removesuffix("_weights")
    file.write_text(
        f'"""Weights of `{engine}`, written by `benchmarks/training/fit_{script}_keys.py`."""\n\n'
        "from consort_music.key_finding.evidence import KeyWeights\n\n"
        "WEIGHTS = KeyWeights(\n"
        f"    degrees={text(rows)},\n"
        f"    general={text(weights.general)},\n"
        f"    signatures={text(weights.signatures)},\n"
        f"    biases={text(weights.biases)},\n"
        ")\n"
    )


def scales_of(tables: Sequence[str], scales: Mapping[str, float]) -> list[float]:
    return [scales.get(name, 1.0) for name in tables]


def text(values: Numbers) -> str:
    if values.ndim == 0:
        return f"{round(float(values), DIGITS) + 0.0}"
    return f"({', '.join(map(text, values))})"
