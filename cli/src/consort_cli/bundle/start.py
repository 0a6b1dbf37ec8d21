"""Install Consort into the bundle's folder if it is missing there, then serve MCP over stdio.

uv runs this file with a bare Python, so it uses the standard library only. The studio is in the folder `consort`
beside it, because uv makes an environment `.venv` here, and Consort's own must be another one.
"""

import os
import subprocess
import sys
from pathlib import Path

STUDIO = Path(__file__).resolve().parent / "consort"
BOOTSTRAP = STUDIO / "cli" / "src" / "consort_cli" / "bootstrap.py"
VENV = STUDIO / ".venv"
PROGRAMS, SUFFIX = (VENV / "Scripts", ".exe") if os.name == "nt" else (VENV / "bin", "")


def main() -> int:
    base = getattr(sys, "_base_executable", sys.executable)
    environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    steps = [[base, "-I", str(BOOTSTRAP)]]
    if not (VENV / "bundle-extras").exists():
        steps.append([str(PROGRAMS / f"python{SUFFIX}"), "-m", "consort_cli.bundle.extras"])
    for step in steps:  # their output must not get into standard output, which carries MCP only
        done = subprocess.run(step, env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr)
        if done.returncode:
            return done.returncode
    server = [str(PROGRAMS / f"consort{SUFFIX}"), "mcp", *sys.argv[1:]]
    if os.name == "nt":  # there, exec would end this process, and the assistant would believe that the server ended
        return subprocess.run(server, env=environment).returncode
    os.execve(server[0], server, environment)


if __name__ == "__main__":
    sys.exit(main())
