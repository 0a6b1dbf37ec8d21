"""Run a whole studio in a temporary folder, silent and without settings of this machine's user."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from evaluation.processes.servers import free_port_base

CONSORT = [sys.executable, "-m", "consort_cli.main"]


@contextmanager
def running_studio() -> Iterator[dict[str, str]]:
    """Yield the environment in which `consort` commands find the studio."""
    with tempfile.TemporaryDirectory() as folder:
        ours = {name: value for name, value in os.environ.items() if not name.startswith("CONSORT_")}
        settings = {"CONSORT_DATA": folder, "CONSORT_PORT_BASE": str(free_port_base()), "CONSORT_SYNTH_AUDIO": "none"}
        environment = {**ours, **settings}
        subprocess.run([*CONSORT, "up", "--detach"], env=environment, check=True, stdout=subprocess.DEVNULL)
        try:
            yield environment
        finally:
            subprocess.run([*CONSORT, "down"], env=environment, check=True, stdout=subprocess.DEVNULL)
