"""Run every tune of music21's corpus through the composer's tools and count successes, rejections and failures.

Each tune is transformed, harmonised in one of the four styles, given a second voice in one of the five species or free
counterpoint, and exported. Tunes that music21 cannot read either are not counted. A rejection is a `MusicError` with a
code; any other exception is a failure.
"""

from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from benchmarks.support.report import Report, Requirement, Row
from evaluation.corpora.music21_tunes import CorpusTune, all_tunes, is_readable_to_music21
from evaluation.engine_runs.composer_tools import run_composer_tools

MOST_REJECTED = 0.02


def run() -> Report:
    tunes = list(all_tunes())
    with ProcessPoolExecutor(2) as pool:
        outcomes = list(pool.map(_outcome, enumerate(tunes), chunksize=20))
    counts = Counter(outcome for outcome in outcomes if outcome != "unreadable to music21")
    rows: list[Row] = [{"outcome": outcome, "tunes": count} for outcome, count in counts.most_common()]
    failures = sum(count for outcome, count in counts.items() if outcome.startswith("failed"))
    rejected = sum(count for outcome, count in counts.items() if outcome.startswith("rejected"))
    return Report(
        title="the corpus through the composer",
        rows=rows,
        summary=f"{counts['arrived']} of {counts.total()} tunes arrived.",
        requirements=[
            Requirement("unexplained errors", failures, 0),
            Requirement("share rejected", rejected / counts.total(), MOST_REJECTED),
        ],
    )


def _outcome(numbered: tuple[int, CorpusTune]) -> str:
    number, tune = numbered
    try:
        code = run_composer_tools(tune, number)
    except Exception as error:
        return f"failed: {type(error).__name__}"
    if code is None:
        return "arrived"
    return f"rejected: {code}" if is_readable_to_music21(tune) else "unreadable to music21"
