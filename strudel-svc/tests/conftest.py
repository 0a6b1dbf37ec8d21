"""Fixtures of the tests of strudel-svc: the real engine, projects on a real Postgres, a renderer in a browser."""

from collections.abc import Iterator

import pytest

from consort_kit.ids import new_id
from consort_kit.settings import Settings
from consort_kit.sounds_folder import FOLDER_SETTING, library_folder
from consort_strudel.sounds.build import build
from consort_strudel.sounds.fingerprint import is_current
from tests.support.servers.storage_servers import ExternalPostgres
from tests.support.strudel_clips import SHELF, ClipServices, open_clip_services
from tests.support.strudel_engine import RunningEngine, running_engine
from tests.support.strudel_projects import ProjectServices, open_project_services
from tests.support.strudel_rendering import RenderRig, open_rig


@pytest.fixture(scope="session")
def engine() -> Iterator[RunningEngine]:
    """Run the engine with so much time that a busy machine does not matter."""
    with running_engine(time_limit_s=60) as engine:
        yield engine


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


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RenderRig]:
    """Run a renderer with the sounds of this machine."""
    with pytest.MonkeyPatch.context() as patch:
        if not is_current(library_folder()):
            folder = tmp_path_factory.mktemp("library") / "sounds"
            build(folder, lambda done, what: None)
            patch.setenv(FOLDER_SETTING, str(folder))
        with open_rig(tmp_path_factory.mktemp("data")) as rig:
            yield rig


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClipServices]:
    """Run the clip services on an empty database, without a sentence model."""
    with ExternalPostgres(tmp_path_factory.mktemp("postgres")) as postgres:
        settings = Settings(data=tmp_path_factory.mktemp("data"), token="t", database_url=postgres.url)
        with open_clip_services(settings, tmp_path_factory.mktemp("no-model")) as services:
            yield services


@pytest.fixture(scope="module")
def shelf(clips: ClipServices) -> dict[str, str]:
    """Save the clips of SHELF. Return the id of each by its name."""
    return {name: clips.save(name, **fields).clip_id for name, fields in SHELF.items()}
