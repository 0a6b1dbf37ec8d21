"""Fit the weights of `consort_music.key_of_melody`, and write `melody_key_weights.py`.

    python -m benchmarks.training.fit_melody_keys

It learns from the folk tunes of the tuning part (`evaluation/corpora/stated_keys.py`), more than are measured, from
their first halves, and from the sopranos of chorales. Each has its signature, none, that of C major or a wrong one. The
loss is the negative log probability of the stated key, and a little that of its mode. The weights of a mode are pulled
to the mean of all modes. The minimum is found with Adam.

Some editors only state a signature, so a tune in E minor is said to be in G major. A tune whose stated key is hardly
likely after a first fit is left out of the second one. Five folds are left out in turn; the share of right keys among
the left-out pieces is printed for each kind, also of those that were left out as doubtful.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from consort_audio.signals.arrays import Numbers
from consort_music import key_of_melody
from consort_music.key_finding import signature_credit
from consort_music.key_of_melody import GENERAL_EVIDENCE, MELODY_MODES, TABLES, MelodyNote, melody_evidence, signs_apart
from consort_music.key_of_notes import pitched_parts
from evaluation.corpora.stated_keys import KeyedPiece, keyed_chorales, keyed_folk_tunes

FILE = Path(key_of_melody.__file__).with_name("melody_key_weights.py")
IMPORTANCE = {"folk tunes": 1.0, "first halves": 0.4, "sopranos": 0.4}
SCALES = {"length": 10.0, "held": 2.0}
"""Larger scales mean a weaker penalty: these are shares, the other tables are 0 or 1."""
PENALTY, SHARED_PENALTY, GENERAL_PENALTY = 3.0, 0.75, 0.3
MODE_SHARE = 0.3
LEAST_LIKELY = 0.2
STEPS, RATE = 250, 0.05
FOLDS = 5
FOLK_TUNES = 5000
DIGITS = 2
_MODES = len(MELODY_MODES)
_DEGREES = 12 * len(TABLES)


class KeyedMelody(NamedTuple):
    kind: str
    piece: int
    """A piece and its half have the same number."""
    tonic: int
    mode: int
    """An index in MELODY_MODES."""
    sharps: int
    degrees: Numbers
    """(tonics, tables and degrees)"""
    general: Numbers
    """(tonics, modes, GENERAL_EVIDENCE)"""
    credit: Numbers
    """By signature, from 0 to 11 sharps."""


def examples() -> Iterator[KeyedMelody]:
    number = 0
    for piece in keyed_folk_tunes("tune", FOLK_TUNES):
        number += 1
        notes = melody(piece)
        yield example("folk tunes", number, piece, notes)
        middle = notes[-1].end / 2
        yield example("first halves", number, piece, [note for note in notes if note.start < middle])
    for piece in keyed_chorales("tune"):
        number += 1
        yield example("sopranos", number, piece, melody(piece))


def melody(piece: KeyedPiece) -> list[MelodyNote]:
    """Return the first part."""
    return sorted(
        MelodyNote(float(note.start), float(note.end), note.midi) for note in pitched_parts(piece.score)[0].notes
    )


def example(kind: str, number: int, piece: KeyedPiece, notes: Sequence[MelodyNote]) -> KeyedMelody:
    tables, general = melody_evidence(notes)
    scaled = [np.array(table) * SCALES.get(name, 1.0) for name, table in zip(TABLES, tables, strict=True)]
    degrees = np.array([np.concatenate([np.roll(table, -tonic) for table in scaled]) for tonic in range(12)])
    rows = np.array([[general[tonic, mode] for mode in range(_MODES)] for tonic in range(12)])
    credit = np.array([signature_credit(tables[0], sharps) for sharps in range(12)])
    of_key = [
        mode
        for mode, (_, name, more, _) in enumerate(MELODY_MODES)
        if (name == "minor") == piece.is_minor and signs_apart(piece.sharps, piece.tonic, name, more) == 0
    ]
    mode = of_key[0] if of_key else 2 * piece.is_minor
    return KeyedMelody(kind, number, piece.tonic, mode, piece.sharps % 12, degrees, rows, credit)


@dataclass
class KeyWeights:
    degrees: Numbers
    general: Numbers
    signatures: Numbers
    biases: Numbers

    @classmethod
    def zero(cls) -> "KeyWeights":
        return cls(
            np.zeros((_MODES, _DEGREES)), np.zeros((_MODES, len(GENERAL_EVIDENCE))), np.zeros(12), np.zeros(_MODES)
        )

    @property
    def all(self) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        return self.degrees, self.general, self.signatures, self.biases


class Batch:
    """Examples as arrays, each with a signature: from 0 to 11 sharps, or -1 for none."""

    def __init__(self, chosen: Sequence[KeyedMelody], signatures: Numbers) -> None:
        self.degrees = np.stack([one.degrees for one in chosen])
        self.general = np.stack([one.general for one in chosen])
        self.rows = np.arange(len(chosen))
        self.tonics = np.array([one.tonic for one in chosen])
        self.modes = np.array([one.mode for one in chosen])
        self.importance = np.array([IMPORTANCE[one.kind] for one in chosen])
        has = signatures >= 0
        self.credit = np.array([one.credit for one in chosen])[self.rows, np.maximum(signatures, 0)] * has
        self.apart = APART[np.maximum(signatures, 0)]

    def scores(self, weights: KeyWeights) -> Numbers:
        """Return the scores by example, tonic and mode."""
        found = self.degrees @ weights.degrees.T + np.einsum("nkmg,mg->nkm", self.general, weights.general)
        return np.asarray(found + weights.biases + weights.signatures[self.apart] * self.credit[:, None, None])

    def chances(self, weights: KeyWeights) -> Numbers:
        scores = self.scores(weights).reshape(len(self.rows), -1)
        likely = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray((likely / likely.sum(axis=1, keepdims=True)).reshape(-1, 12, _MODES))

    def chance_of_key(self, weights: KeyWeights) -> Numbers:
        first = self.modes // 2 * 2
        chances = self.chances(weights)
        return np.asarray(chances[self.rows, self.tonics, first] + chances[self.rows, self.tonics, first + 1])

    def is_right(self, weights: KeyWeights) -> Numbers:
        keys = self.chances(weights).reshape(-1, 12, 2, 2).sum(axis=3).reshape(len(self.rows), -1)
        return np.asarray(keys.argmax(axis=1) == 2 * self.tonics + self.modes // 2)

    def slope(self, weights: KeyWeights) -> tuple[Numbers, Numbers, Numbers, Numbers]:
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
            + PENALTY * (weights.degrees - shared)
            + SHARED_PENALTY * shared,
            np.einsum("nkm,nkmg->mg", error, self.general)
            + GENERAL_PENALTY * (weights.general - shared_general)
            + 0.1 * GENERAL_PENALTY * shared_general,
            np.bincount(self.apart.ravel(), (error * self.credit[:, None, None]).ravel(), 12)
            + 0.1 * weights.signatures,
            error.sum(axis=(0, 1)) + 0.1 * weights.biases,
        )


APART = np.array([
    [[signs_apart(sharps, tonic, mode, more) % 12 for _, mode, more, _ in MELODY_MODES] for tonic in range(12)]
    for sharps in range(12)
])  # fmt: skip


def drawn_signatures(chosen: Sequence[KeyedMelody], seed: int = 0) -> Numbers:
    """Return the true signature for a quarter, none for a quarter, that of C major for a fifth, or a wrong one."""
    random = np.random.default_rng(seed)
    true = np.array([one.sharps for one in chosen])
    wrong = (true + random.choice([-4, -3, -2, -1, 1, 2, 3], len(true))) % 12
    draw = random.random(len(true))
    return np.where(draw < 0.25, true, np.where(draw < 0.5, -1, np.where(draw < 0.7, 0, wrong)))


def fit(chosen: Sequence[KeyedMelody]) -> KeyWeights:
    weights = adam(Batch(chosen, drawn_signatures(chosen)))
    bare = Batch(chosen, np.full(len(chosen), -1))
    kept = [one for one, chance in zip(chosen, bare.chance_of_key(weights), strict=True) if chance >= LEAST_LIKELY]
    return adam(Batch(kept, drawn_signatures(kept)))


def adam(batch: Batch) -> KeyWeights:
    """Return the weights with the smallest loss (D. P. Kingma and J. Ba, ICLR 2015)."""
    weights = KeyWeights.zero()
    first, second = [np.zeros_like(part) for part in weights.all], [np.zeros_like(part) for part in weights.all]
    for step in range(1, STEPS + 1):
        rate = RATE * (1 - step / (STEPS + 1)) ** 0.5
        for place, (part, slope) in enumerate(zip(weights.all, batch.slope(weights), strict=True)):
            first[place] = 0.9 * first[place] + 0.1 * slope
            second[place] = 0.999 * second[place] + 0.001 * slope**2
            mean, spread = first[place] / (1 - 0.9**step), second[place] / (1 - 0.999**step)
            part -= rate * mean / (np.sqrt(spread) + 1e-8)
    return weights


def cross_validate(known: Sequence[KeyedMelody]) -> None:
    right: dict[tuple[str, str], list[bool]] = {}
    for fold in range(FOLDS):
        weights = fit([one for one in known if one.piece % FOLDS != fold])
        held_out = [one for one in known if one.piece % FOLDS == fold]
        true = np.array([one.sharps for one in held_out])
        for name, signatures in (
            ("its signature", true),
            ("none", true * 0 - 1),
            ("a sharp too many", (true + 1) % 12),
        ):
            for one, is_right in zip(held_out, Batch(held_out, signatures).is_right(weights), strict=True):
                right.setdefault((one.kind, name), []).append(bool(is_right))
    for (kind, name), values in sorted(right.items()):
        print(f"{kind}, {name}: {np.mean(values):.3f} of {len(values)}")


def write(weights: KeyWeights) -> None:
    scale = np.repeat([SCALES.get(name, 1.0) for name in TABLES], 12)
    rows = (weights.degrees * scale).reshape(_MODES, len(TABLES), 12)
    FILE.write_text(
        '"""Weights of `key_of_melody`, written by `benchmarks/training/fit_melody_keys.py`."""\n\n'
        f"DEGREES = {text(rows)}\n"
        '"""By mode and table of `key_of_melody`: the weight of each degree, in semitones above the tonic."""\n'
        f"GENERAL = {text(weights.general)}\n"
        f"SIGNATURES = {text(weights.signatures)}\n"
        '"""By how many sharps a signature has more than that of the key; from -6 on at the end."""\n'
        f"BIASES = {text(weights.biases)}\n"
    )


def text(values: Numbers) -> str:
    if values.ndim == 0:
        return f"{round(float(values), DIGITS) + 0.0}"
    return f"({', '.join(map(text, values))})"


def main() -> None:
    known = list(examples())
    cross_validate(known)
    write(fit(known))


if __name__ == "__main__":
    main()
