from collections.abc import Iterator

import pytest

from consort_kit.settings import Settings
from tests.outside import OwnPostgres
from tests.song_desk import Desk, open_desk


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    postgres = OwnPostgres(tmp_path_factory.mktemp("postgres"))
    postgres.start()
    with open_desk(Settings(data=tmp_path_factory.mktemp("data"), token="t", database_url=postgres.url)) as desk:
        yield desk
    postgres.stop()
