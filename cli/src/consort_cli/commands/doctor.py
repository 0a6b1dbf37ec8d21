"""`consort doctor`: run small checks of this machine; each says what it found and how to fix it."""

import argparse
import asyncio
import codecs
import io
import json
import locale
import os
import platform
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from consort_cli import bootstrap, listening_models, live_code_engine, score_library, sentence_model, sound
from consort_cli.commands.install import ASSISTANTS, entry_state, is_installed
from consort_cli.launcher import health_checks
from consort_cli.launcher.embedded_postgres import find_binaries
from consort_cli.launcher.errors import PostgresError
from consort_cli.launcher.health_checks import is_free, user_of
from consort_cli.launcher.run_folder import running_studio
from consort_cli.launcher.start_and_stop import wanted_port_base
from consort_cli.main import add_data_argument
from consort_kit.data_folder import data_folder
from consort_kit.score_library_folder import FOLDER_SETTING as LIBRARY_SETTING
from consort_kit.score_library_folder import score_library_folder
from consort_kit.sentence_model_folder import FOLDER_SETTING, sentence_model_folder
from consort_kit.services import GATEWAY, POSTGRES_PORT_OFFSET, SERVICES

NEEDED_DISK_MB = 500
NEEDED_MEMORY_MB = 500
"""The idle studio takes 280 MB."""


class Finding(NamedTuple):
    ok: bool | None
    """None if it is neither good nor bad, for example if the studio is not running."""
    text: str
    fix: str = ""


class Machine(NamedTuple):
    """The studio that the checks examine."""

    data: Path
    port_base: int


def arguments(parser: argparse.ArgumentParser) -> None:
    add_data_argument(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    data = data_folder(args.data)
    studio = running_studio(data)
    base = studio.port_base if studio else wanted_port_base(data)
    findings = {name: check(Machine(data, base)) for name, check in CHECKS.items()}
    healthy = all(finding.ok is not False for finding in findings.values())
    if args.json:
        checks = [{"name": name, **finding._asdict()} for name, finding in findings.items()]
        print(json.dumps({"ok": healthy, "checks": checks}))
    else:
        show(findings)
    return 0 if healthy else 1


def show(findings: dict[str, Finding]) -> None:
    marks, arrow = {True: "✓", False: "✗", None: "–"}, "→"  # noqa: RUF001
    try:
        "✓✗–→".encode(sys.stdout.encoding or "utf-8")  # noqa: RUF001
    except UnicodeEncodeError:
        marks, arrow = {True: "+", False: "x", None: "-"}, ">"
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")
    width = max(map(len, findings))
    for name, finding in findings.items():
        print(f"{marks[finding.ok]} {name:<{width}}  {finding.text}")
        if finding.fix:
            print(f"  {'':<{width}}  {arrow} {finding.fix}")


def check_python(machine: Machine) -> Finding:
    text = f"{platform.python_version()} in {sys.prefix}"
    if (3, 11) <= sys.version_info < (3, 13):
        return Finding(True, text)
    return Finding(
        False, text, f"Consort runs on Python 3.12 or 3.11: remove {bootstrap.VENV} and run ./consort again."
    )


def check_installation(machine: Machine) -> Finding:
    if bootstrap.installed():
        return Finding(True, "all packages as locked")
    return Finding(
        False, "packages differ from the locks", f"Run {bootstrap.ROOT / 'consort'}: it installs them again."
    )


def check_data_folder(machine: Machine) -> Finding:
    folder = nearest_existing(machine.data)
    if not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        return Finding(
            False, f"{folder} cannot be written", "Change its owner, or use another folder: --data DIR, CONSORT_DATA."
        )
    return Finding(True, str(machine.data) + ("" if folder == machine.data else " (made at the first start)"))


def check_token(machine: Machine) -> Finding:
    try:
        mode = stat.S_IMODE((machine.data / "token").stat().st_mode)
    except FileNotFoundError:
        return Finding(None, "made at the first start")
    except OSError as error:
        return Finding(False, f"cannot be read: {error}", "Change the owner of the data folder to yourself.")
    if os.name != "nt" and mode != 0o600:
        return Finding(False, f"mode {mode:04o}: others can read it", f"chmod 600 '{machine.data / 'token'}'")
    return Finding(True, "readable only by you")


def check_disk(machine: Machine) -> Finding:
    free = shutil.disk_usage(nearest_existing(machine.data)).free // 2**20
    fix = "" if free >= NEEDED_DISK_MB else f"Free at least {NEEDED_DISK_MB} MB."
    return Finding(not fix, f"{free:,} MB free", fix)


def check_memory(machine: Machine) -> Finding:
    import psutil

    free = psutil.virtual_memory().available // 2**20
    if free >= NEEDED_MEMORY_MB or running_studio(machine.data):
        return Finding(True, f"{free:,} MB free")
    return Finding(None, f"{free:,} MB free", f"Close other programs: the studio needs {NEEDED_MEMORY_MB} MB.")


def check_locale(machine: Machine) -> Finding:
    encodings = {"files": sys.getfilesystemencoding(), "text": locale.getpreferredencoding(False)}
    if sys.stdout.encoding:
        encodings["this terminal"] = sys.stdout.encoding
    others = {name: encoding for name, encoding in encodings.items() if codecs.lookup(encoding).name != "utf-8"}
    if not others:
        return Finding(True, "UTF-8")
    found = ", ".join(f"{encoding} for {name}" for name, encoding in others.items())
    fix = "set PYTHONUTF8=1" if os.name == "nt" else "export LC_ALL=C.UTF-8"
    return Finding(None, f"{found}: some names may be shown wrongly", fix)


def check_ports(machine: Machine) -> Finding:
    ports = {name: machine.port_base + part.port_offset for name, part in [("gateway", GATEWAY), *SERVICES.items()]}
    if os.name == "nt" and not os.environ.get("CONSORT_DATABASE_URL"):  # elsewhere it listens at a Unix socket
        ports["postgres"] = machine.port_base + POSTGRES_PORT_OFFSET
    if running_studio(machine.data):
        return Finding(True, f"{machine.port_base} to {max(ports.values())}: ours, in use")
    busy = [f"{port} ({name}){user_of(port)}" for name, port in ports.items() if not is_free(port)]
    if busy:
        return Finding(
            False, f"used by another program: {', '.join(busy)}", "End it, or start with: consort up --port-base N"
        )
    return Finding(True, f"{machine.port_base} to {max(ports.values())}: free")


def check_postgres(machine: Machine) -> Finding:
    if url := os.environ.get("CONSORT_DATABASE_URL"):
        return check_given_postgres(url)
    reinstall = f"Remove {bootstrap.VENV} and run ./consort again, or set CONSORT_DATABASE_URL."
    try:
        found = subprocess.run([find_binaries() / "postgres", "--version"], capture_output=True, text=True, timeout=30)
    except (PostgresError, OSError, subprocess.TimeoutExpired) as error:
        return Finding(False, str(error), reinstall)
    if found.returncode:
        return Finding(False, found.stderr.strip(), reinstall)
    if sys.platform == "linux" and os.geteuid() == 0 and not shutil.which("setpriv"):
        return Finding(
            False,
            "does not run as root, and `setpriv`, which changes the user, is missing",
            "apt-get install util-linux, or start Consort as an ordinary user.",
        )
    return Finding(True, found.stdout.strip())


def check_given_postgres(url: str) -> Finding:
    from consort_kit.storage.postgres import DatabaseUnavailable, inspect_database

    try:
        version, has_vector = inspect_database(url, 0)
    except DatabaseUnavailable as error:
        return Finding(False, str(error), "Correct CONSORT_DATABASE_URL, or unset it to run the embedded one.")
    text = f"PostgreSQL {version} at CONSORT_DATABASE_URL"
    if not has_vector:
        return Finding(False, f"{text}, without pgvector", "Install the extension `vector` there.")
    return Finding(True, f"{text}, with pgvector")


def check_bytes(machine: Machine) -> Finding:
    """Check the store for the content of files: the data folder or CONSORT_BLOB_URL."""
    url = os.environ.get("CONSORT_BLOB_URL")
    if not url:
        return Finding(True, "kept in the data folder")
    from consort_kit.errors import ServiceDown
    from consort_kit.settings import Settings
    from consort_kit.storage.blobs import Blobs

    try:
        asyncio.run(Blobs(Settings(data=machine.data, blob_url=url)).check())
    except (ServiceDown, RuntimeError, ValueError, OSError) as error:
        text = error.body.message.partition(". ")[0] if isinstance(error, ServiceDown) else str(error)
        return Finding(False, f"{url}: {text}", "Check CONSORT_BLOB_URL and the AWS_* variables (docs/running.md).")
    return Finding(True, f"kept in {url}")


def check_studio(machine: Machine) -> Finding:
    if running_studio(machine.data) is None:
        return Finding(None, "does not run", "./consort up")
    parts = {"gateway": GATEWAY, **SERVICES}

    async def ask() -> list[bool]:
        return await asyncio.gather(
            *(health_checks.is_healthy(machine.port_base + part.port_offset) for part in parts.values())
        )

    down = [name for name, healthy in zip(parts, asyncio.run(ask()), strict=True) if not healthy]
    if down:
        return Finding(False, f"no healthy answer from {', '.join(down)}", f"See why: ./consort logs {down[0]}")
    return Finding(True, f"{len(parts)} parts healthy")


def check_assistant(name: str, machine: Machine) -> Finding:
    """Check the registration with one assistant. It never fails, because nobody uses all of them."""
    assistant = ASSISTANTS[name]
    install = f"./consort install {name}"
    if not is_installed(assistant):
        return Finding(None, "not found here")
    return {
        "registered": Finding(True, "Consort is registered"),
        "absent": Finding(None, "Consort is not registered", install),
        "another": Finding(None, "another copy of Consort or another data folder is registered", install),
        "unreadable": Finding(None, f"{assistant.config()} cannot be read", f"{install} says why"),
    }[entry_state(assistant, machine.data)]


def check_docker(machine: Machine) -> Finding:
    """Check Docker. It never fails, because only containers need Docker."""
    try:
        asked = ["docker", "version", "--format", "{{.Server.Version}}"]
        found = subprocess.run(asked, capture_output=True, text=True, timeout=10)
    except FileNotFoundError:
        return Finding(None, "not installed; only `docker compose up` needs it")
    except (OSError, subprocess.TimeoutExpired):
        found = None
    if found is None or found.returncode:
        return Finding(None, "its engine does not answer; only `docker compose up` needs it", "Start Docker.")
    return Finding(True, f"engine {found.stdout.strip()}")


def check_synth(machine: Machine) -> Finding:
    """Check the built-in synth. It never fails, because MIDI devices work without the synth."""
    from consort_music.synth.soundfonts import describe_missing, find_soundfont

    font = os.environ.get("CONSORT_SOUNDFONT") or None
    if problem := describe_missing(font, machine.data):
        what, _, how = problem.partition(": ")
        return Finding(None, f"{what}; without it, music is heard on MIDI devices only, and midi_to_audio fails", how)
    return Finding(True, f"FluidSynth with {find_soundfont(font, machine.data)}")


def check_midi_ports(machine: Machine) -> Finding:
    """Check the MIDI outputs. It never fails, because the built-in synth needs none."""
    found = sound.midi_ports()
    if found is None:
        return Finding(None, "the MIDI system does not answer", "Restart it (ALSA, JACK), or this machine.")
    if not found:
        return Finding(None, "none; music goes to the built-in synth", "Connect a MIDI device to use it.")
    return Finding(True, f"{len(found)}: {', '.join(found)}")


def check_sound(machine: Machine) -> Finding:
    """Check where the synth's sound goes. It never fails, because MIDI devices work without the synth."""
    from consort_music.synth.soundfonts import find_library, find_soundfont

    font = find_soundfont(os.environ.get("CONSORT_SOUNDFONT") or None, machine.data)
    if font is None or not find_library():
        return Finding(None, "the built-in synth is missing, so only MIDI devices are heard", "See: synth.")
    heard, where = sound.of_synth(font, os.environ.get("CONSORT_SYNTH_AUDIO") or "auto")
    if heard:
        return Finding(True, f"can be heard: {where}")
    return Finding(
        None, where, "Connect a sound device or a MIDI device, or set CONSORT_SYNTH_AUDIO. midi_to_audio works without."
    )


def check_priority(machine: Machine) -> Finding:
    """Check real-time priority. It never fails, because playback works without it, only less punctually."""
    allowed, why = sound.realtime_priority()
    fix = "" if allowed or os.name == "nt" else "Linux: join the group `audio` and allow it `rtprio` in limits.conf."
    return Finding(True if allowed else None, why, fix)


def check_listening_models(machine: Machine) -> Finding:
    """Check the models that hear pitch, beats, chords and notes. It never fails, because plain methods replace them."""
    from consort_audio.neural.catalogue import CATALOGUE

    missing = listening_models.missing_models()
    installed = [f"{each.name} {each.version} ({each.licence})" for each in CATALOGUE if each not in missing]
    if not missing:
        return Finding(True, ", ".join(installed))
    lacking = ", ".join(f"{each.name} {each.version} ({each.licence}) for {each.purpose}" for each in missing)
    text = f"not installed: {lacking}; plain methods replace them"
    return Finding(None, "; ".join([*installed, text]), "./consort up installs them if it can download.")


def check_sentence_model(machine: Machine) -> Finding:
    """Check the model that compares words by their meaning. It never fails, because their spelling replaces it."""
    if os.environ.get(FOLDER_SETTING):
        lacking = [name for name in sentence_model.FILES if not (sentence_model_folder() / name).is_file()]
        text = f"yours: {sentence_model_folder()}"
        if lacking:
            return Finding(None, f"{text} lacks {', '.join(lacking)}", f"Correct {FOLDER_SETTING}, or unset it.")
        return Finding(True, text)
    if sentence_model.is_current():
        return Finding(True, sentence_model.describe())
    text = f"not installed: {sentence_model.describe()}; clips are found by their words, not by their meaning"
    return Finding(None, text, "./consort up installs it if it can download.")


def check_score_library(machine: Machine) -> Finding:
    """Check music21 and its corpus. It never fails, because the other formats are read without it."""
    if os.environ.get(LIBRARY_SETTING):
        folder = score_library_folder()
        if not (folder / "music21" / "corpus").is_dir():
            return Finding(None, f"yours: {folder} lacks music21", f"Correct {LIBRARY_SETTING}, or unset it.")
        return Finding(True, f"yours: {folder}")
    if score_library.is_current():
        return Finding(True, score_library.describe())
    text = f"not installed: {score_library.describe()}; corpus: pieces, kern and MEI cannot be read"
    return Finding(None, text, "./consort up installs it if it can download.")


def check_live_code_engine(machine: Machine) -> Finding:
    """Check the engine of the Strudel tools."""
    if live_code_engine.is_current():
        return Finding(True, "installed (a separate program, AGPL-3.0-or-later)")
    return Finding(None, "not installed: Strudel scripts can be kept, but not checked", "./consort up installs it.")


def check_strudel_sound(machine: Machine) -> Finding:
    """Check what makes Strudel scripts sound. It never fails, because scripts can be written without sound."""
    from consort_strudel.rendering.browser_program import HOW_TO_GET, find_browser
    from consort_strudel.sounds.library import open_library

    library, browser = open_library(machine.data), find_browser()
    if library.is_empty:
        return Finding(None, "there is no sound library, so scripts play synths only", "./consort sounds build")
    sounds = f"{len(library.samples)} sounds and {len(library.programs)} instruments"
    if browser is None:
        return Finding(None, f"{sounds}, but no browser: render_strudel fails", HOW_TO_GET)
    return Finding(True, f"{sounds}; {browser} renders")


CHECKS: dict[str, Callable[[Machine], Finding]] = {
    "Python": check_python,
    "installation": check_installation,
    "data folder": check_data_folder,
    "token": check_token,
    "disk": check_disk,
    "memory": check_memory,
    "locale": check_locale,
    "ports": check_ports,
    "Postgres": check_postgres,
    "bytes": check_bytes,
    "studio": check_studio,
    "synth": check_synth,
    "sound": check_sound,
    "MIDI ports": check_midi_ports,
    "real time": check_priority,
    "models": check_listening_models,
    "meaning": check_sentence_model,
    "scores": check_score_library,
    "Strudel": check_live_code_engine,
    "Strudel sound": check_strudel_sound,
    **{assistant.title: partial(check_assistant, name) for name, assistant in ASSISTANTS.items()},
    "Docker": check_docker,
}


def nearest_existing(path: Path) -> Path:
    """Return the path, or the nearest folder above it that exists."""
    return next(place for place in (path, *path.parents) if os.path.exists(place))
