"""Measure how often a harmonisation has the same root as Bach's, per beat, on chorales that no model was trained on.

The melody is the soprano. The root of each beat of Bach's four voices is found by the rule of
`evaluation.corpora.chorales.roots`, the same for all rows. The test tunes are those of `split.json` there, one chorale
per tune; `evaluation.corpora.chorales.split` says how near-duplicate melodies are grouped into tunes.

- *soprano alone*: the most frequent root on the training tunes for the melody's scale degree at the beat, in major and
  in minor. The key is found from the melody and its key signature, as in the engine.
- *reharmonize*: the first option of the shipped engine in the classical style, one chord per beat. Its input is the
  notes and the key signature, then also the fermatas, then the notes only.
- *Bach against Bach*: other settings of the test tunes by Bach, compared at the beats where the melodies are the same
  after transposition. Settings that have the same notes in more than 80 % of these beats are left out.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from difflib import SequenceMatcher
from functools import partial

from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report, Requirement, Row
from consort_compose.composer.harmony.harmonize.search.find_harmonies import harmonize
from consort_compose.composer.harmony.harmonize.search.harmony_task import HarmonyTask
from evaluation.corpora.chorales.roots import roots
from evaluation.corpora.chorales.scores import VOICES, Chorale, chorales
from evaluation.corpora.chorales.sopranos import soprano_grid, soprano_key
from evaluation.corpora.chorales.split import soprano_at_beats, split

ENGINE = "reharmonize, classical, per beat"
WITH_FERMATAS = "the same, with fermatas"
SAME_SETTING = 0.8
Harmonizer = Callable[[Chorale], list[int | None]]


def run(_options: BenchOptions) -> Report:
    test = [chorales()[tune[0]] for tune in split().test]
    rows: list[Row] = [
        agreement("soprano alone", test, soprano_alone()),
        agreement(ENGINE, test, engine),
        agreement(WITH_FERMATAS, test, partial(engine, fermatas=True)),
        agreement("the same, without key signature", test, partial(engine, signature=False)),
        bach_against_bach(),
    ]
    by_name = {str(row["by"]): float(row["same root %"] or 0) for row in rows}
    return Report(
        title=f"Root agreement with Bach, per beat, on {len(test)} tunes that were not trained on",
        rows=rows,
        summary=f"reharmonize has {by_name[ENGINE]:.1f}% of Bach's roots, with fermatas {by_name[WITH_FERMATAS]:.1f}%; "
        f"the soprano alone gives {by_name['soprano alone']:.1f}%, another setting by Bach "
        f"{by_name['Bach against Bach']:.1f}%.",
        requirements=[
            Requirement("same root as Bach, %", round(by_name[ENGINE], 1), 57, more_is_better=True),
            Requirement(
                "same root as Bach, with fermatas, %", round(by_name[WITH_FERMATAS], 1), 57, more_is_better=True
            ),
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
        key = soprano_key(chorales()[name])
        for pitch, root in zip(soprano_at_beats(chorales()[name]), roots(chorales()[name]), strict=True):
            if pitch is not None and root is not None:
                seen[key.mode, (pitch - key.tonic) % 12][(root - key.tonic) % 12] += 1

    def harmonize(chorale: Chorale) -> list[int | None]:
        key = soprano_key(chorale)
        found: list[int | None] = []
        for pitch in soprano_at_beats(chorale):
            if pitch is not None and (counts := seen[key.mode, (pitch - key.tonic) % 12]):
                found.append((key.tonic + counts.most_common(1)[0][0]) % 12)
            else:
                found.append(found[-1] if found else key.tonic)
        return found

    return harmonize


def engine(chorale: Chorale, *, fermatas: bool = False, signature: bool = True) -> list[int | None]:
    task = HarmonyTask(soprano_grid(chorale, fermatas), soprano_key(chorale, signature).key, "classical", "per_beat")
    return [(task.key.tonic + choice.chord.root) % 12 for choice in harmonize(task, 1).options[0].choices]


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
    """Find the transposition of `one` that makes most beats of both melodies equal.

    Return the pairs of equal beats, and the transposition in semitones.
    """
    best: tuple[list[tuple[int, int]], int] = ([], 0)
    theirs = [None if pitch is None else pitch % 12 for pitch in soprano_at_beats(other)]
    for shift in range(12):
        ours = [_shifted(pitch, shift) for pitch in soprano_at_beats(one)]
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
