from collections.abc import Iterator

import pytest

from tests.support.servers.storage_servers import ExternalPostgres, ExternalS3
from tests.support.servers.studio import Studio


@pytest.fixture(scope="session")
def studio(request: pytest.FixtureRequest) -> Studio:
    """Return a running studio that all tests share. With `on_every_storage` a test runs with each kind of studio."""
    running: Studio = request.getfixturevalue(f"{getattr(request, 'param', 'local')}_studio")
    return running


@pytest.fixture(scope="session")
def local_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """Run a studio with the default storage: embedded Postgres, blobs in a folder."""
    with Studio(tmp_path_factory.mktemp("studio")) as running:
        yield running


@pytest.fixture(scope="session")
def external_s3() -> Iterator[ExternalS3]:
    with ExternalS3() as running:
        yield running


@pytest.fixture(scope="session")
def external_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExternalPostgres]:
    with ExternalPostgres(tmp_path_factory.mktemp("postgres")) as running:
        yield running


@pytest.fixture(scope="session")
def cloud_studio(
    tmp_path_factory: pytest.TempPathFactory, external_s3: ExternalS3, external_postgres: ExternalPostgres
) -> Iterator[Studio]:
    """Run a studio with blobs on S3 and a Postgres given by URL."""
    settings = {
        "CONSORT_DATABASE_URL": external_postgres.url,
        "CONSORT_BLOB_URL": external_s3.url,
        **external_s3.environment,
    }
    with Studio(tmp_path_factory.mktemp("cloud"), settings, external_s3) as running:
        yield running


@pytest.fixture
def own_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """Return a studio for one test only, for example to break it. It is not started yet."""
    mine = Studio(tmp_path_factory.mktemp("own"))
    yield mine
    mine.consort("down")
