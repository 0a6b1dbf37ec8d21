from collections.abc import Iterator

import pytest

from consort_kit.ids import new_id
from consort_kit.settings import Settings
from tests.support.servers.storage_servers import ExternalPostgres
from tests.support.strudel_projects import ProjectServices, open_project_services


@pytest.fixture(scope="session")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProjectServices]:
    with ExternalPostgres(tmp_path_factory.mktemp("postgres")) as postgres:
        settings = Settings(data=tmp_path_factory.mktemp("data"), token="t", database_url=postgres.url)
        with open_project_services(settings) as services:
            yield services


@pytest.fixture
def name() -> str:
    """Return a name that no other project has."""
    return new_id("song")
