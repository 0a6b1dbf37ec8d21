from collections.abc import Iterator

import pytest

from tests.studio import Studio


@pytest.fixture(scope="session")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """One running studio for all tests that leave it as they found it."""
    running = Studio(tmp_path_factory.mktemp("studio"))
    running.up()
    yield running
    running.down()


@pytest.fixture
def own_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A studio for a test that breaks it. Not started yet."""
    mine = Studio(tmp_path_factory.mktemp("own"))
    yield mine
    mine.consort("down")
