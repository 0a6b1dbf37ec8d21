from collections.abc import Iterator

import pytest

from tests.support.strudel_engine import RunningEngine, running_engine


@pytest.fixture(scope="session")
def engine() -> Iterator[RunningEngine]:
    with running_engine(time_limit_s=60) as engine:
        yield engine
