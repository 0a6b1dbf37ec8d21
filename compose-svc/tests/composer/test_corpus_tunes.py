"""Run the composer's tools on some tunes of music21's corpus. `consort bench corpus` runs them on all tunes."""

import random

import pytest

from evaluation.corpora.music21_tunes import all_tunes, is_readable_to_music21
from evaluation.engine_runs.composer_tools import run_composer_tools


@pytest.mark.parametrize("sample", [50, pytest.param(100, marks=pytest.mark.long)])
def test_at_most_2_percent_of_the_tunes_that_music21_reads_are_rejected(sample: int) -> None:
    tunes = random.Random(0).sample(sorted(all_tunes()), sample)
    codes = {tune: run_composer_tools(tune, turn) for turn, tune in enumerate(tunes)}
    rejected = {tune.name: code for tune, code in codes.items() if code and is_readable_to_music21(tune)}
    assert len(rejected) <= sample // 50, rejected
