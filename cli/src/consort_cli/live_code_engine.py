"""Install the engine of strudel-svc: its npm packages, then the bundles in `strudel-svc/engine/dist`.

Node and npm come with the Python packages. The stamp file names what the bundles were made from; as long as it matches,
nothing is installed. Without the engine the Strudel tools say so and everything else works, so a failure is reported in
one line and the studio starts.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from consort_cli import bootstrap

ENGINE = bootstrap.ROOT / "strudel-svc" / "engine"
DOWNLOAD_MB = 12
_STAMP = "consort-stamp"
_LOCK = "install.lock"


def install_if_possible() -> None:
    """Install the engine if it is missing or out of date. If that fails, print one line and return."""
    if is_current():
        return
    title = f"Strudel engine ({DOWNLOAD_MB} MB)"
    try:
        bootstrap.step(title, [sys.executable, "-P", "-m", "consort_cli.live_code_engine"])
    except (subprocess.CalledProcessError, OSError):
        bootstrap.say(
            "the Strudel engine could not be installed; Strudel scripts can be kept, but not checked or played"
        )


def is_current() -> bool:
    """Return whether the bundles were made from these packages by this code."""
    try:
        return (ENGINE / "dist" / _STAMP).read_text() == fingerprint()
    except OSError:
        return False


def fingerprint() -> str:
    """Return the checksum of what the bundles are made from."""
    paths = [ENGINE / "package-lock.json", ENGINE / "build.mjs", *sorted((ENGINE / "src").glob("**/*.*"))]
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.relative_to(ENGINE).as_posix().encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()


def install() -> None:
    """Install the packages of the lock and make the bundles. Raise CalledProcessError if that fails."""
    programs = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"}
    (ENGINE / "dist").mkdir(exist_ok=True)
    with bootstrap.one_at_a_time(ENGINE / "dist" / _LOCK):
        if is_current():  # another process may have installed it while this one waited
            return
        (ENGINE / "dist" / _STAMP).unlink(missing_ok=True)
        npm = [str(programs / "npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        subprocess.run(npm, cwd=ENGINE, env=environment, check=True)
        subprocess.run([str(programs / "node"), "build.mjs"], cwd=ENGINE, env=environment, check=True)
        (ENGINE / "dist" / _STAMP).write_text(fingerprint())


if __name__ == "__main__":
    install()
