from collections.abc import Iterator

import pytest

from tests.outside import OwnPostgres, OwnS3
from tests.studio import Studio


@pytest.fixture(scope="session")
def studio(request: pytest.FixtureRequest) -> Studio:
    """One running studio for all tests that leave it as they found it; with `on_every_storage` each kind of it."""
    running: Studio = request.getfixturevalue(f"{getattr(request, 'param', 'local')}_studio")
    return running


@pytest.fixture(scope="session")
def local_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """As a new user has it: embedded Postgres, blobs in a folder."""
    running = Studio(tmp_path_factory.mktemp("studio"))
    running.up()
    yield running
    running.down()


@pytest.fixture(scope="session")
def own_s3() -> Iterator[OwnS3]:
    running = OwnS3()
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def own_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnPostgres]:
    running = OwnPostgres(tmp_path_factory.mktemp("postgres"))
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def cloud_studio(
    tmp_path_factory: pytest.TempPathFactory, own_s3: OwnS3, own_postgres: OwnPostgres
) -> Iterator[Studio]:
    """Blobs on S3, and a Postgres by its URL."""
    settings = {"CONSORT_DATABASE_URL": own_postgres.url, "CONSORT_BLOB_URL": own_s3.url, **own_s3.environment}
    running = Studio(tmp_path_factory.mktemp("cloud"), settings, own_s3)
    running.up()
    yield running
    running.down()


@pytest.fixture
def own_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A studio for a test that breaks it. Not started yet."""
    mine = Studio(tmp_path_factory.mktemp("own"))
    yield mine
    mine.consort("down")
