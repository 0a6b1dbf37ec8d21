"""Install the studio into `.venv`: the second half of the `./consort` script, run by a bare Python 3.11 or 3.12.

This file uses the standard library only, because nothing is installed yet. It creates a virtual environment, installs
uv from `cli/bootstrap.lock`, all dependencies from `cli/requirements.lock`, and our own packages as editable. The last
step writes the stamp file; as long as it matches, the next start installs nothing. One process installs at a time; the
others wait. A `.venv` without a stamp comes from an interrupted installation and is created again, because uv may have
written only part of a package.
"""

import contextlib
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
UV = BIN / ("uv.exe" if os.name == "nt" else "uv")
STAMP = VENV / "consort-stamp"
INSTALL_LOCK = VENV / "uv-install.lock"
BOOTSTRAP_LOCK = "cli/bootstrap.lock"
RUNTIME_LOCK = "cli/requirements.lock"
KEPT = "uv-"  # prefix of uv's folders in .venv, which are kept when it is created again: one may hold the Python in use

SYSTEM_CERTIFICATES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")


def packages(root: Path = ROOT) -> list[str]:
    """Return the folders of our own packages: those with a `pyproject.toml`."""
    return [str(Path(path).parent) for path in _in_order("libs/*/pyproject.toml", "*/pyproject.toml", root=root)]


def fingerprint(root: Path = ROOT) -> str:
    """Return the checksum and length that `cat … | cksum` prints in the `./consort` script."""
    names = ["cli/src/consort_cli/bootstrap.py", *_in_order("cli/*.lock", root=root)]
    names += _in_order("*/pyproject.toml", root=root) + _in_order("libs/*/pyproject.toml", root=root)
    data = b"".join((root / name).read_bytes() for name in names)
    return f"{posix_checksum(data)} {len(data)}"


def _in_order(*patterns: str, root: Path) -> list[str]:
    return [name for pattern in patterns for name in sorted(glob.glob(pattern, root_dir=root))]


def posix_checksum(data: bytes) -> int:
    """Return the CRC of POSIX `cksum`. It has zlib's polynomial, but the highest bit first, and appends the length."""
    table = []
    for byte in range(256):
        crc = byte << 24
        for _ in range(8):
            crc = (crc << 1) ^ (0x04C11DB7 if crc & 0x80000000 else 0)
        table.append(crc & 0xFFFFFFFF)
    crc = 0
    for byte in data + len(data).to_bytes((len(data).bit_length() + 7) // 8, "little"):
        crc = (crc << 8 & 0xFFFFFFFF) ^ table[crc >> 24 ^ byte]
    return crc ^ 0xFFFFFFFF


def installed() -> bool:
    """Return whether `.venv` was installed from the locks and packages of this folder."""
    return PYTHON.exists() and _stamp() == [fingerprint(), str(ROOT)]


def _stamp() -> list[str]:
    try:
        return STAMP.read_text().splitlines()
    except FileNotFoundError:
        return []


def main(argv: Sequence[str]) -> int:
    if "--check" in argv:  # for consort.cmd, which has no `cksum`
        return 0 if installed() else 1
    sys.path.insert(0, str(ROOT / "cli" / "src"))
    try:
        VENV.mkdir(exist_ok=True)
        with one_at_a_time(INSTALL_LOCK):
            if not installed():  # another process may have installed it while this one waited
                install()
    except KeyboardInterrupt:
        say("interrupted; the next start continues")
        return 130
    except (subprocess.CalledProcessError, OSError) as error:
        say(f"the installation failed: {error}")
        return 1
    return 0


def install() -> None:
    began = time.monotonic()
    say(f"installing into {VENV}")
    if not (PYTHON.exists() and _stamp()[1:] == [str(ROOT)] and supported(PYTHON)):
        make_environment()
    STAMP.unlink(missing_ok=True)
    if not has_locked_uv():
        pip: list[str | Path] = [PYTHON, "-I", "-m", "pip", "--disable-pip-version-check", "--no-cache-dir", "--quiet"]
        step("uv", [*pip, "install", "--require-hashes", "-r", BOOTSTRAP_LOCK])
    count = sum(line[:1].isalnum() for line in (ROOT / RUNTIME_LOCK).read_text().splitlines())
    uv_pip(f"{count} packages", "install", "--no-deps", "--require-hashes", "--compile-bytecode", "-r", RUNTIME_LOCK)
    editable = [part for folder in packages() for part in ("-e", f"./{folder}")]
    uv_pip("Consort itself", "install", "--no-deps", "--offline", *editable)
    sources = [str(ROOT / folder / "src") for folder in packages()]
    step("compiling", [PYTHON, "-I", "-m", "compileall", "-q", *sources])
    half = STAMP.with_suffix(".half")
    half.write_text(f"{fingerprint()}\n{ROOT}\n")
    half.replace(STAMP)
    say(f"installed in {time.monotonic() - began:.0f} s")


def supported(python: Path) -> bool:
    check = "import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 13))"
    return subprocess.run([python, "-I", "-c", check], capture_output=True).returncode == 0


def make_environment() -> None:
    for entry in VENV.iterdir():
        if entry.name.startswith(KEPT):
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    base = Path(getattr(sys, "_base_executable", sys.executable))
    exact = base.with_name(
        f"python{sys.version_info.major}.{sys.version_info.minor}"
    )  # `python3` may later be another version
    step("environment", [exact if exact.exists() else base, "-I", "-m", "venv", VENV])


def has_locked_uv() -> bool:
    try:
        version = subprocess.run([UV, "--version"], capture_output=True, text=True).stdout.split()[1]
    except (OSError, IndexError):
        return False
    return (ROOT / BOOTSTRAP_LOCK).read_text().startswith(f"uv=={version} ")


def uv_pip(title: str, *arguments: str) -> None:
    """Run `uv pip` on the environment, from the repository's folder."""
    verb, *rest = arguments
    step(title, [UV, "pip", verb, "--python", PYTHON, *rest], uv_environment())


def uv_environment() -> dict[str, str]:
    environment = dict(os.environ)
    environment.pop("VIRTUAL_ENV", None)
    if os.name == "nt" or sys.platform == "darwin" or any(map(os.path.exists, SYSTEM_CERTIFICATES)):
        environment.setdefault("UV_SYSTEM_CERTS", "1")  # needed behind a proxy that signs with its own certificate
    shared = subprocess.run([UV, "cache", "dir"], capture_output=True, text=True, env=environment).stdout.strip()
    if not shared or not _writable(Path(shared)):
        shared = environment["UV_CACHE_DIR"] = str(VENV / "uv-cache")
    elif Path(shared).stat().st_dev != VENV.stat().st_dev:
        environment.setdefault("UV_LINK_MODE", "copy")  # no hard links between file systems; avoids uv's warning
    return environment


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def step(title: str, command: Sequence[str | Path], environment: dict[str, str] | None = None) -> None:
    """Run one command and show how long it takes. If it fails, show its output and raise CalledProcessError."""
    live = sys.stderr.isatty()
    with tempfile.TemporaryFile() as output:
        began = time.monotonic()
        child = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            while True:
                if live:
                    print(
                        f"\rconsort:   {title} … {time.monotonic() - began:.0f} s", end="", file=sys.stderr, flush=True
                    )
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(timeout=0.5)
                    break
        except BaseException:
            child.terminate()
            child.wait()
            raise
        print("\r" if live else "", end="", file=sys.stderr)
        say(f"  {title}: {time.monotonic() - began:.1f} s")
        if child.returncode:
            output.seek(0)
            sys.stderr.write(output.read().decode(errors="replace"))
            raise subprocess.CalledProcessError(child.returncode, [str(part) for part in command])


@contextlib.contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    from consort_cli.file_lock import FileLock  # a bare Python finds it by the path that `main` adds

    lock = FileLock(path)
    if not lock.acquire():
        say("another process is installing; waiting for it")
        while not lock.acquire():
            time.sleep(0.2)
    try:
        yield
    finally:
        lock.release()


def say(text: str) -> None:
    print(f"consort: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
