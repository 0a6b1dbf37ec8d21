"""Make the archives in this folder: run a service of an earlier commit, store something by its tools, and back it up.

For each migration the last commit is taken in which it was the newest of its schema. It is checked out beside this
repository, its service is started with its own code and an empty database, its tools are called over HTTP, and
`SCHEMA-NUMBER.tar.gz` is written by the `consort backup` of this checkout.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx2
import psycopg

from consort_cli.bootstrap import ROOT
from consort_kit.services import DATABASE_SCHEMAS
from evaluation.processes.servers import free_port, wait_until
from tests.support.audio_files import wav_header
from tests.support.midi_files import as_base64, tune
from tests.support.servers.storage_servers import ExternalPostgres

FOLDER = Path(__file__).parent
TOKEN = "token-of-the-archives"
NEVER_USED = {("audio", 1), ("strudel", 1)}
"""Migrations that no commit used without the next one, as they are now: no data folder can have them alone."""
_ENGINE = "strudel-svc/engine"

CALLS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "midi_store": [
        ("store_midi", {"base64": as_base64(tune(4)), "name": "first.mid"}),
        ("store_midi", {"base64": as_base64(tune(5)), "name": "first.mid", "overwrite": True}),
    ],
    "compose": [
        ("create_song", {"title": "Old song", "tracks": {"Lead": "Flute"}}),
        ("add_notes", {"track": "Lead", "notes": "C4 1; E4"}),
        ("add_notes", {"track": "Lead", "notes": "G4 @4"}),
        ("undo_last_action", {}),
        ("generate_melody", {"key": "C major", "length_measures": 4, "seed": 1}),
        ("midi_to_notation", {"notes": "C4:q D4:q E4:h"}),
    ],
    "audio": [("store_audio", {"base64": as_base64(wav_header(8000) + bytes(8000)), "name": "take.wav"})],
    "strudel": [
        ("create_project", {"name": "old", "initial_script": 'setcpm(120/4)\n$: s("bd*4")'}),
        ("save_clip", {"clip_data": {"name": "my clip", "code": 's("bd*2")', "tags": {"genre": ["x"]}}}),
    ],
}


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def newest_migrations() -> list[tuple[str, int, str]]:
    """Return each schema and migration with the last commit in which it was the newest."""
    found = []
    for schema, package in DATABASE_SCHEMAS.items():
        path = f"*/{package.replace('.', '/')}/*.sql"
        added: dict[str, list[int]] = {}
        commit = ""
        for line in git("log", "--reverse", "--format=%H", "--name-only", "--diff-filter=A", "--", path).splitlines():
            if re.fullmatch(r"[0-9a-f]{40}", line):
                commit = line
            elif match := re.search(r"/(\d{4})_\w+\.sql$", line):
                added.setdefault(commit, []).append(int(match[1]))
        ends = [f"{commit}~1" for commit in list(added)[1:]] + ["HEAD"]
        found += [(schema, max(numbers), end) for numbers, end in zip(added.values(), ends, strict=True)]
    return [each for each in found if each[:2] not in NEVER_USED]


def make(schema: str, number: int, commit: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder) / "checkout"
        git("worktree", "add", "--detach", str(checkout), commit)
        try:
            make_archive(schema, number, checkout, Path(folder))
        finally:
            git("worktree", "remove", "--force", str(checkout))


def make_archive(schema: str, number: int, checkout: Path, folder: Path) -> None:
    target = FOLDER / f"{schema}-{number}.tar.gz"
    target.unlink(missing_ok=True)
    if schema == "strudel":
        (checkout / _ENGINE / "node_modules").symlink_to(ROOT / _ENGINE / "node_modules")
        subprocess.run(["node", "build.mjs"], cwd=checkout / _ENGINE, check=True, stdout=subprocess.DEVNULL)
    sources = [*checkout.glob("*/src"), *checkout.glob("libs/*/src")]
    with ExternalPostgres(folder / "cluster") as postgres:
        port = free_port()
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, sources)),
            "CONSORT_DATA": str(folder / "data"),
            "CONSORT_DATABASE_URL": postgres.url,
            "CONSORT_TOKEN": TOKEN,
            "CONSORT_PORT": str(port),
            "CONSORT_SENTENCE_MODEL": str(folder / "no-model"),
        }
        module = DATABASE_SCHEMAS[schema].partition(".")[0]
        service = subprocess.Popen([sys.executable, "-m", module], env=environment, cwd=checkout)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        client = httpx2.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=90)
        try:
            wait_until(lambda: answers(client), f"{module} answers", 90, child=service)
            for tool, arguments in CALLS[schema]:
                answer = client.post(f"/tools/{tool}", json=arguments)
                print(f"{schema} {number}: {tool} {answer.status_code} {answer.text[:160] if answer.is_error else ''}")
        finally:
            service.terminate()
            service.wait()
        if schema == "strudel" and number >= 3:  # the library is loaded again by any Consort
            with psycopg.connect(postgres.url) as connection:
                connection.execute("delete from strudel.clips where library_name is not null")
                connection.execute("delete from strudel.clip_tags")
        mine = {name: value for name, value in environment.items() if name != "PYTHONPATH"}
        subprocess.run([sys.executable, "-m", "consort_cli.main", "backup", str(target)], env=mine, check=True)


def answers(client: httpx2.Client) -> bool:
    try:
        return client.get("/health").status_code == 200
    except httpx2.HTTPError:
        return False


if __name__ == "__main__":
    for each in newest_migrations():
        if not sys.argv[1:] or f"{each[0]}-{each[1]}" in sys.argv[1:]:
            make(*each)
