"""In this folder `studio` is a studio in containers. Without a Docker engine its tests are skipped, with the reason."""

import time
from collections.abc import Iterator

import pytest

from tests.support.servers.docker_studio import DockerStudio, missing_engine


@pytest.fixture(scope="session")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DockerStudio]:
    """Build the images with the Docker engine of this machine and run the studio. Remove all of it at the end."""
    if reason := missing_engine():
        pytest.skip(f"containers need a Docker engine with Compose: {reason}")
    made = DockerStudio(tmp_path_factory.mktemp("host"))
    try:
        began = time.monotonic()
        made.build()
        built = time.monotonic()
        made.up()
        print(f"built in {built - began:.0f} s, healthy after {time.monotonic() - built:.0f} s")
        yield made
    finally:
        made.remove()
