"""How often a harmonisation has Bach's root: per beat, on chorales of music21's corpus whose tunes no model has seen.

The melody is the soprano; the root of each beat of Bach's own four voices is found by the rule of
`benchmarks.chorales.roots`, the same for all rows. The tunes of the test are those of `benchmarks/chorales/split.json`,
one chorale each: `benchmarks.chorales.tunes` says how melodies that are near-duplicates were put together.

- *soprano alone*: the root that Bach uses most often, on the training tunes, with the melody's scale degree at the
  beat, in major and in minor. The key is found from the melody and its key signature, as for the engine.
- *reharmonize*: the first option of the engine in the classical style, a chord a beat, as shipped. It is told the notes
  and the key signature; then also the fermatas, as a score has them; then the notes alone.
- *Bach against Bach*: other settings of the test tunes by Bach, beat by beat where the melodies are the same after
  transposition. Settings that are note for note the same (over eight tenths of the beats) count as one, and are left
  out.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from difflib import SequenceMatcher
from functools import partial

from benchmarks.chorales.corpus import VOICES, Chorale, chorales
from benchmarks.chorales.melodies import key_of, line_of
from benchmarks.chorales.roots import roots
from benchmarks.chorales.tunes import melody, split
from benchmarks.report import Floor, Report, Row
from consort_compose.composer.harmony.harmonize import Task, harmonize

ENGINE = "reharmonize, classical, per beat"
WITH_FERMATAS = "the same, fermatas told"
SAME_SETTING = 0.8
Harmonizer = Callable[[Chorale], list[int | None]]


def run() -> Report:
    test = [chorales()[tune[0]] for tune in split().test]
    rows: list[Row] = [
        agreement("soprano alone", test, soprano_alone()),
        agreement(ENGINE, test, engine),
        agreement(WITH_FERMATAS, test, partial(engine, fermatas=True)),
        agreement("the same, key signature not told", test, partial(engine, signature=False)),
        bach_against_bach(),
    ]
    by_name = {str(row["by"]): float(row["same root %"] or 0) for row in rows}
    return Report(
        title=f"Root agreement with Bach, per beat, on {len(test)} tunes that were not trained on",
        rows=rows,
        summary=f"reharmonize has {by_name[ENGINE]:.1f}% of Bach's roots, with fermatas {by_name[WITH_FERMATAS]:.1f}%; "
        f"the soprano alone tells {by_name['soprano alone']:.1f}%, Bach has {by_name['Bach against Bach']:.1f}% of his "
        "own on the same tune.",
        floors=[
            Floor("same root as Bach, %", round(by_name[ENGINE], 1), 57, more_is_better=True),
            Floor("same root as Bach, fermatas told, %", round(by_name[WITH_FERMATAS], 1), 57, more_is_better=True),
        ],
    )


def agreement(name: str, test: list[Chorale], harmonize: Harmonizer) -> Row:
    same = beats = 0
    for chorale in test:
        for bach, ours in zip(roots(chorale), harmonize(chorale), strict=True):
            if bach is not None:
                beats += 1
                same += bach == ours
    return {"by": name, "chorales": len(test), "beats": beats, "same root %": 100 * same / beats}


def soprano_alone() -> Harmonizer:
    seen: dict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    for name in (name for tune in split().train for name in tune):
        key = key_of(chorales()[name])
        for pitch, root in zip(melody(chorales()[name]), roots(chorales()[name]), strict=True):
            if pitch is not None and root is not None:
                seen[key.mode, (pitch - key.tonic) % 12][(root - key.tonic) % 12] += 1

    def harmonize(chorale: Chorale) -> list[int | None]:
        key = key_of(chorale)
        found: list[int | None] = []
        for pitch in melody(chorale):
            if pitch is not None and (counts := seen[key.mode, (pitch - key.tonic) % 12]):
                found.append((key.tonic + counts.most_common(1)[0][0]) % 12)
            else:
                found.append(found[-1] if found else key.tonic)
        return found

    return harmonize


def engine(chorale: Chorale, *, fermatas: bool = False, signature: bool = True) -> list[int | None]:
    task = Task(line_of(chorale, fermatas), key_of(chorale, signature).key, "classical", "per_beat")
    return [(task.key.tonic + setting.chord.root) % 12 for setting in harmonize(task, 1).options[0]]


def bach_against_bach() -> Row:
    same = beats = pairs = 0
    for tune in split().test:
        for index, one in enumerate(tune):
            for other in tune[index + 1 :]:
                matched, shift = aligned(chorales()[one], chorales()[other])
                if not matched or _is_one_setting(chorales()[one], chorales()[other], matched, shift):
                    continue
                first, second = roots(chorales()[one]), roots(chorales()[other])
                pairs += 1
                beats += len(matched)
                same += sum((_shifted(first[a], shift)) == second[b] for a, b in matched)
    return {"by": "Bach against Bach", "chorales": pairs, "beats": beats, "same root %": 100 * same / beats}


def aligned(one: Chorale, other: Chorale) -> tuple[list[tuple[int, int]], int]:
    """Pairs of beats in which the melodies are equal after the transposition (in semitones) that makes most equal."""
    best: tuple[list[tuple[int, int]], int] = ([], 0)
    theirs = [None if pitch is None else pitch % 12 for pitch in melody(other)]
    for shift in range(12):
        ours = [_shifted(pitch, shift) for pitch in melody(one)]
        blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
        pairs = [(block.a + step, block.b + step) for block in blocks if block.size >= 4 for step in range(block.size)]
        if len(pairs) > len(best[0]):
            best = (pairs, shift)
    return best


def _is_one_setting(one: Chorale, other: Chorale, matched: list[tuple[int, int]], shift: int) -> bool:
    ours, theirs = _chords(one, shift), _chords(other, 0)
    return sum(ours[a] == theirs[b] for a, b in matched) > SAME_SETTING * len(matched)


def _chords(chorale: Chorale, shift: int) -> list[list[int | None]]:
    return [
        [
            next(
                (
                    (pitch + shift) % 12
                    for onset, length, pitch in chorale.voices[voice]
                    if onset <= start < onset + length
                ),
                None,
            )
            for voice in VOICES
        ]
        for start, _, _ in chorale.beats
    ]


def _shifted(pitch: int | None, shift: int) -> int | None:
    return None if pitch is None else (pitch + shift) % 12
