"""Every tune of music21's corpus in a notation that we read, through the composer: what arrives, what is refused.

Each is transformed, harmonised in one of the four styles, given a voice in one of the six ways, and exported. A tune
that music21 cannot read either does not count. A refusal must be one of ours, with a code; anything else is a failure.
"""

import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import music21

from benchmarks.parts.corpus_journey import travel
from benchmarks.parts.corpus_tunes import CorpusTune, all_tunes, folder
from benchmarks.report import Floor, Report, Row

MOST_REFUSED = 0.02


def run() -> Report:
    tunes = list(all_tunes())
    with ProcessPoolExecutor(2) as pool:
        outcomes = list(pool.map(_outcome, enumerate(tunes), chunksize=20))
    counts = Counter(outcome for outcome in outcomes if outcome != "unreadable to music21")
    rows: list[Row] = [{"outcome": outcome, "tunes": count} for outcome, count in counts.most_common()]
    failures = sum(count for outcome, count in counts.items() if outcome.startswith("failed"))
    refused = sum(count for outcome, count in counts.items() if outcome.startswith("refused"))
    return Report(
        title="the corpus through the composer",
        rows=rows,
        summary=f"{counts['arrived']} of {counts.total()} tunes arrived.",
        floors=[
            Floor("unexplained errors", failures, 0),
            Floor("share refused", refused / counts.total(), MOST_REFUSED),
        ],
    )


def _outcome(numbered: tuple[int, CorpusTune]) -> str:
    number, tune = numbered
    try:
        code = travel(tune, number)
    except Exception as error:
        return f"failed: {type(error).__name__}"
    if code is None:
        return "arrived"
    return f"refused: {code}" if is_readable_to_music21(tune) else "unreadable to music21"


def is_readable_to_music21(tune: CorpusTune) -> bool:
    read = (
        partial(music21.converter.parseData, tune.text(), format="abc")
        if tune.number
        else partial(music21.converter.parse, folder() / tune.path)
    )
    try:
        with warnings.catch_warnings(action="ignore"):
            return bool(read().flatten().notes)
    except Exception:
        return False
