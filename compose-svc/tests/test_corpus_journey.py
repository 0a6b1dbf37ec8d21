"""Real tunes through the composer: 300 of music21's corpus here, all of them in `consort bench corpus`."""

import random

from benchmarks.corpus import is_readable_to_music21
from benchmarks.parts.corpus_journey import travel
from benchmarks.parts.corpus_tunes import all_tunes

SAMPLE = 300


def test_real_tunes_arrive_or_are_refused_for_a_reason() -> None:
    tunes = random.Random(0).sample(sorted(all_tunes()), SAMPLE)
    codes = {tune: travel(tune, turn) for turn, tune in enumerate(tunes)}
    refused = {tune.name: code for tune, code in codes.items() if code and is_readable_to_music21(tune)}
    assert len(refused) <= SAMPLE // 50, refused
