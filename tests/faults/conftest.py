from collections.abc import Iterator

import pytest

from tests.support.midi_files import as_base64, tune
from tests.support.servers.studio import Studio

CANARY = "canary-7f3a9c51e2"


@pytest.fixture(scope="session")
def attacked_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """Run a studio with known secrets, for faults that it must survive."""
    studio = Studio(tmp_path_factory.mktemp("attacked_studio"))
    studio.environment["AWS_SECRET_ACCESS_KEY"] = CANARY
    studio.up()
    studio.call("store_midi", base64=as_base64(tune(9)), name="kept.mid")
    studio.call(
        "create_song",
        tracks={"Lead": "Flute"},
        sections=[{"name": "Verse", "start_measure": 5, "end_measure": 8}],
    )
    studio.call("create_project", name="kept", initial_script='$: s("bd*4")')
    yield studio
    studio.down()
    for log in (studio.data / "logs").iterdir():  # no fault may have leaked a secret
        assert not leaks(studio, log.read_text(errors="replace")), log.name


def leaks(studio: Studio, text: str) -> list[str]:
    """Return the names of the secrets that are in a text."""
    secrets = {
        "token": studio.token,
        "password": (studio.data / "postgres.password").read_text().strip(),
        "environment": CANARY,
    }
    return [name for name, secret in secrets.items() if secret in text]
