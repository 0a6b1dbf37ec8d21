"""The histogram of how late messages were sent."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consort_playback.child_programs.lateness import BIN_NS, BINS, Lateness


@given(st.lists(st.integers(0, 30_000_000), min_size=1, max_size=300))
def test_quantiles_are_exact_to_one_bin(late: list[int]) -> None:
    lateness = Lateness()
    for each in late:
        lateness.add(each)
    report, in_order = lateness.report(), sorted(late)
    assert report.count == len(late) and report.max == pytest.approx(in_order[-1] / 1e6, abs=0.001)
    for quantile, share in ((report.p50, 0.5), (report.p99, 0.99)):
        exact = in_order[max(0, math.ceil(share * len(late)) - 1)]
        if exact < BINS * BIN_NS:
            assert exact / 1e6 - 0.001 <= quantile <= exact / 1e6 + BIN_NS / 1e6 + 0.001
        else:
            assert quantile == report.max
