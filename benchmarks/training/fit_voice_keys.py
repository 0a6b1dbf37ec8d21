"""Fit the weights of `consort_music.key_finding.voices`, and write `voice_weights.py`.

    python -m benchmarks.training.fit_voice_keys

It learns from the chorales of the tuning part and from other music of several voices
(`evaluation/corpora/stated_keys.py`): whole, their first halves, their outer voices, and broken chords (see
`key_regression`). Chorales on one tune are in the same fold and count less each. A chorale that is said to end on its
dominant, but reaches it with an authentic cadence, is left out: its key is doubtful, because the corpus names keys by
signatures (bwv145.5, in F sharp dorian, is "B minor").
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
from consort_music.key_finding import voices
from consort_music.key_finding.notes import timed_notes
from consort_music.key_finding.voices import VOICE_TABLES, TimedNote, voice_evidence
from consort_music.score import Score
from evaluation.corpora.chorales.split import split
from evaluation.corpora.roman_numerals.textures import broken_score
from evaluation.corpora.stated_keys import KeyedPiece, keyed_chorales, keyed_other_music

FILE = Path(voices.__file__).with_name("voice_weights.py")
IMPORTANCE = {
    "chorales": 1.0,
    "first halves": 0.02,
    "outer voices": 0.3,
    "alberti": 0.2,
    "arpeggio": 0.2,
    "other music": 0.5,
    "other first halves": 0.01,
}
CADENCE = "cadence to the last chord"
SCALES = scales_of(
    VOICE_TABLES,
    {"leading tones": 20.0, "bass": 5.0, CADENCE: 3.0}
    | {name: 2.0 for name in VOICE_TABLES if name.startswith(("bass rests", "resting", "cadences"))},
)
PENALTY = Penalty(1.0, 0.25)


def examples() -> Iterator[KeyedExample]:
    tunes = split().train
    groups = {name: number for number, names in enumerate(tunes) for name in names}
    for piece in keyed_chorales("tune"):
        group = groups[piece.name]
        share = len(tunes[group]) ** -0.5
        score = piece.score
        reached = voice_evidence(timed_notes(score)).tables[VOICE_TABLES.index(CADENCE)]
        if reached[(piece.tonic + 7) % 12]:
            continue
        yield voice_example("chorales", group, piece, timed_notes(score), share)
        yield voice_example("first halves", group, piece, first_half(score), share)
        outer = score.with_parts([score.parts[0], score.parts[-1]])
        yield voice_example("outer voices", group, piece, timed_notes(outer), share)
        yield voice_example("alberti", group, piece, timed_notes(broken_score(score, "alberti")), share)
        yield voice_example("arpeggio", group, piece, timed_notes(broken_score(score, "arpeggio")), share)
    for number, piece in enumerate(keyed_other_music(), len(tunes)):
        yield voice_example("other music", number, piece, timed_notes(piece.score))
        yield voice_example("other first halves", number, piece, first_half(piece.score))


def voice_example(kind: str, group: int, piece: KeyedPiece, notes: list[TimedNote], share: float = 1.0) -> KeyedExample:
    return example(ExampleKind(kind, IMPORTANCE[kind] * share, group), piece, voice_evidence(notes), SCALES)


def first_half(score: Score) -> list[TimedNote]:
    return [note for note in timed_notes(score) if note.start < float(score.length) / 2]


def main() -> None:
    known = list(examples())
    cross_validate(known, PENALTY)
    write(FILE, "voices", fit(known, PENALTY), SCALES)


if __name__ == "__main__":
    main()
