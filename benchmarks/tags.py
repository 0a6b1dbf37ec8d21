"""Measure the tags that save_clip derives from code, on 100 clips tagged by hand by somebody who did not know how.

The element is right or wrong. The F1 of techniques counts every tag of every clip (micro average); the table shows the
tags that are missed or invented most.
"""

import asyncio
from collections import Counter

from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report, Requirement, Row
from consort_strudel.clips.tagging import TAGGED_CYCLES, AutoTags, auto_tags
from consort_strudel.engine import Engine
from evaluation.strudel_knowledge.tagged_clips import TaggedClip, tagged_clips

LEAST_ELEMENTS, LEAST_F1 = 0.9, 0.75
_SHOWN = 12


def run(options: BenchOptions) -> Report:
    return asyncio.run(_measure(tagged_clips()[: options.limit]))


async def _measure(clips: tuple[TaggedClip, ...]) -> Report:
    engine = Engine()
    try:
        found = [await _tags(engine, clip.code) for clip in clips]
    finally:
        await engine.close()
    elements = sum(tags.element == clip.element for tags, clip in zip(found, clips, strict=True)) / len(clips)
    right = missed = invented = 0
    wrong: Counter[tuple[str, str]] = Counter()
    for tags, clip in zip(found, clips, strict=True):
        named, expected = set(tags.technique), set(clip.technique)
        right += len(named & expected)
        missed += len(expected - named)
        invented += len(named - expected)
        wrong.update((technique, "missed") for technique in expected - named)
        wrong.update((technique, "invented") for technique in named - expected)
        if tags.element != clip.element:
            wrong[f"{clip.element} called {tags.element}", "element"] += 1
    f1 = 2 * right / (2 * right + missed + invented)
    rows: list[Row] = [{"what": what, "how": how, "clips": count} for (what, how), count in wrong.most_common(_SHOWN)]
    return Report(
        "Tags derived from code",
        rows,
        f"Element {elements:.3f}, technique F1 {f1:.3f} (precision {right / (right + invented):.3f}, recall"
        f" {right / (right + missed):.3f}) on {len(clips)} clips.",
        [
            Requirement("element", elements, LEAST_ELEMENTS, more_is_better=True),
            Requirement("technique F1", f1, LEAST_F1, more_is_better=True),
        ],
    )


async def _tags(engine: Engine, code: str) -> AutoTags:
    return auto_tags(await engine.parse(code), await engine.evaluate(code, 0, TAGGED_CYCLES))
