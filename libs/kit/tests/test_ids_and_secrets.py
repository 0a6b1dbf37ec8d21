"""Ids, settings, and secrets that several processes make at the same time."""

import errno
import os
import re
import stat
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from threading import Timer

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consort_kit import API_VERSION
from consort_kit.data_folder import data_folder, make_private_folder, problem_of_token, read_or_make_secret
from consort_kit.ids import id_pattern, id_prefixes, new_id, prefix_of
from consort_kit.settings import Settings

posix = pytest.mark.skipif(os.name == "nt", reason="file modes are POSIX's")


def test_ids_are_random_and_have_a_prefix() -> None:
    ids = {new_id("midi") for _ in range(2000)}
    assert len(ids) == 2000
    assert all(re.fullmatch(id_pattern("midi"), each) and prefix_of(each) == "midi" for each in ids)
    letters = {letter for each in ids for letter in each.removeprefix("midi_")}
    assert len(letters) == 32 and not letters & set("ilou")  # 5 bits each, 26 of them


@pytest.mark.parametrize("other", ["midi_", "midi_x", "score_" + "a" * 26, "midi_" + "a" * 27, "midi_" + "A" * 26])
def test_texts_that_are_not_ids(other: str) -> None:
    assert not re.fullmatch(id_pattern("midi"), other)


@given(st.lists(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1), min_size=1, max_size=4, unique=True))
def test_the_prefixes_of_a_pattern(prefixes: list[str]) -> None:
    pattern = id_pattern(*prefixes)
    assert id_prefixes(pattern) == prefixes
    assert all(re.fullmatch(pattern, new_id(prefix)) for prefix in prefixes)
    assert not re.fullmatch(pattern, new_id("another1"))
    assert id_prefixes(f"^{prefixes[0]}_x$") == []


@posix
def test_only_the_user_can_read_a_secret(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        secret = read_or_make_secret(tmp_path / "new" / "token")
    finally:
        os.umask(old)
    assert len(secret) >= 40
    assert stat.S_IMODE((tmp_path / "new" / "token").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
    assert os.listdir(tmp_path / "new") == ["token"]
    assert read_or_make_secret(tmp_path / "new" / "token") == secret


def test_an_existing_folder_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o750)
    read_or_make_secret(tmp_path / "token")
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o750


@pytest.mark.parametrize(
    ("content", "problem"), [("\n", "is empty"), ("fifteen-letters\n", "has 15 characters, so it could be guessed")]
)
def test_an_empty_or_short_secret_is_an_error(tmp_path: Path, content: str, problem: str) -> None:
    (tmp_path / "token").write_text(content)
    with pytest.raises(RuntimeError, match=rf"{problem}\. Delete the file"):
        read_or_make_secret(tmp_path / "token")


def test_a_process_that_may_not_write_waits_for_the_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a read-only volume that another container can write to."""
    secret = "made by another process, with enough letters"

    def refuse(*_: object, **__: object) -> None:
        Timer(0.2, (tmp_path / "token").write_text, [secret]).start()
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "touch", refuse)
    assert read_or_make_secret(tmp_path / "token") == secret


def test_twenty_processes_at_once_get_one_secret(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from consort_kit.data_folder import read_or_make_secret
print("ready", flush=True)
sys.stdin.read()
print(read_or_make_secret(Path(sys.argv[1])))
"""
    command = [sys.executable, "-I", "-c", code, str(tmp_path / "data" / "token")]
    pipe = subprocess.PIPE
    processes = [subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) for _ in range(20)]
    for process in processes:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.close()
        process.stdin = None
    secrets = {process.communicate(timeout=60)[0] for process in processes}
    assert len(secrets) == 1 and len(secrets.pop().strip()) >= 40
    assert os.listdir(tmp_path / "data") == ["token"]


def test_settings_by_default_and_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("CONSORT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    settings = Settings()
    assert settings.gateway_url == "http://127.0.0.1:8700"
    assert settings.url_of("midi-store") == "http://127.0.0.1:8702"
    assert (settings.heavy_at_once, settings.timeout_s) == (3, 60)

    monkeypatch.setenv("CONSORT_DATA", str(tmp_path / "other"))
    monkeypatch.setenv("CONSORT_PORT_BASE", "9100")
    monkeypatch.setenv("CONSORT_SERVICE_URLS", '{"audio": "https://audio.example/"}')
    monkeypatch.setenv("CONSORT_PUBLIC_URL", "https://studio.example/")
    settings = Settings()
    assert settings.data == data_folder() == tmp_path / "other"
    assert settings.url_of("audio") == "https://audio.example"
    assert settings.url_of("compose") == "http://127.0.0.1:9101"
    assert settings.gateway_url == "https://studio.example"


def test_the_token_is_a_setting_or_in_the_data_folder(tmp_path: Path) -> None:
    assert Settings(data=tmp_path, token="given").bearer_token == "given"
    assert not (tmp_path / "token").exists()
    made = Settings(data=tmp_path, token="").bearer_token
    assert made == Settings(data=tmp_path).bearer_token == (tmp_path / "token").read_text().strip()


@pytest.mark.parametrize("wrong", [{"heavy_at_once": 0}, {"timeout_s": 0}, {"port_base": "x"}])
def test_invalid_settings(tmp_path: Path, wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Settings.model_validate({"data": tmp_path, **wrong})


def test_the_version_is_that_of_the_package() -> None:
    assert metadata.version("consort-kit") == API_VERSION


@posix
def test_an_existing_folder_becomes_private(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "midi"
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    make_private_folder(folder)
    make_private_folder(tmp_path / "new" / "run")
    assert [stat.S_IMODE(each.stat().st_mode) for each in (folder, tmp_path / "new" / "run")] == [0o700, 0o700]


def test_a_chosen_token_is_long_enough() -> None:
    assert problem_of_token("") is None and problem_of_token("sixteen-letters!") is None
    problem = problem_of_token("fifteen-letters")
    assert problem and "15 characters" in problem and "at least 16" in problem and "fifteen" not in problem
