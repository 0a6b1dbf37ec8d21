"""Fit the weights of `consort_music.key_finding.melody`, and write `melody_weights.py`.

    python -m benchmarks.training.fit_melody_keys

It learns from the folk tunes of the tuning part (`evaluation/corpora/stated_keys.py`), more than are measured, with
their metre and without, from their first halves, and from the sopranos of chorales (see `key_regression`).
"""

from collections.abc import Iterator
from pathlib import Path

from benchmarks.training.key_regression import (
    ExampleKind,
    KeyedExample,
    Penalty,
    cross_validate,
    example,
    fit,
    scales_of,
    write,
)
from consort_music.key_finding import melody
from consort_music.key_finding.melody import MELODY_TABLES, MelodyNote, melody_evidence
from consort_music.key_finding.notes import melody_notes
from evaluation.corpora.stated_keys import KeyedPiece, keyed_chorales, keyed_folk_tunes

FILE = Path(melody.__file__).with_name("melody_weights.py")
IMPORTANCE = {"folk tunes": 0.7, "folk tunes without a metre": 0.3, "first halves": 0.2, "sopranos": 0.4}
SCALES = scales_of(MELODY_TABLES, {"length": 10.0, "held": 2.0, "from above": 10.0, "on beats": 6.0})
PENALTY = Penalty(3.0, 0.75)
FOLK_TUNES = 5000


def examples() -> Iterator[KeyedExample]:
    number = 0
    for piece in keyed_folk_tunes("tune", FOLK_TUNES):
        number += 1
        notes = melody_notes(piece.score)
        middle = notes[-1].end / 2
        yield melody_example("folk tunes", number, piece, notes)
        yield melody_example("folk tunes without a metre", number, piece, without_metre(notes))
        yield melody_example("first halves", number, piece, [note for note in notes if note.start < middle])
    for piece in keyed_chorales("tune"):
        number += 1
        soprano = piece.score.with_parts(piece.score.parts[:1])
        yield melody_example("sopranos", number, piece, without_metre(melody_notes(soprano)))


def melody_example(kind: str, number: int, piece: KeyedPiece, notes: list[MelodyNote]) -> KeyedExample:
    return example(ExampleKind(kind, IMPORTANCE[kind], number), piece, melody_evidence(notes), SCALES)


def without_metre(notes: list[MelodyNote]) -> list[MelodyNote]:
    return [note._replace(strength=None) for note in notes]


def main() -> None:
    known = list(examples())
    cross_validate(known, PENALTY)
    write(FILE, "melody", fit(known, PENALTY), SCALES)


if __name__ == "__main__":
    main()
