from collections.abc import Iterator

import pytest

from consort_kit.settings import Settings
from tests.support.servers.storage_servers import ExternalPostgres
from tests.support.song_services import SongServices, open_song_services


@pytest.fixture(scope="session")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SongServices]:
    with ExternalPostgres(tmp_path_factory.mktemp("postgres")) as postgres:
        settings = Settings(data=tmp_path_factory.mktemp("data"), token="t", database_url=postgres.url)
        with open_song_services(settings) as services:
            yield services
