"""The path sandbox reads only plain files below its folders, whatever path it is given."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from consort_kit.errors import ConsortError, InvalidInput, NotFound, TooLarge
from consort_kit.storage.file_names import MAX_NAME_BYTES, check_name
from consort_kit.storage.path_sandbox import Sandbox

CANARY = b"outside of the sandbox"
FOLDERS = ("import", "export")


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as outside:
        root = Path(outside) / "data"
        for folder in ("import/deep/er", "export", "secret", "import/import"):
            (root / folder).mkdir(parents=True)
        for canary in ("canary", "data/canary", "data/secret/canary", "song.mid"):
            (Path(outside) / canary).write_bytes(CANARY)
        (root / "import" / "song.mid").write_bytes(b"imported")
        (root / "import" / "import" / "song.mid").write_bytes(b"nested")
        (root / "export" / "song.mid").write_bytes(b"exported")
        (root / "export" / "only.mid").write_bytes(b"only exported")
        (root / "import" / "deep" / "er" / "é ♪ & 100%.mid").write_bytes(b"odd")
        (root / "import" / "file link").symlink_to(Path(outside) / "canary")
        (root / "import" / "inner link").symlink_to("song.mid")
        (root / "import" / "folder link").symlink_to(outside, target_is_directory=True)
        (root / "import" / "dangling").symlink_to("nothing")
        os.mkfifo(root / "import" / "fifo")
        yield root


@pytest.fixture(scope="module")
def sandbox(root: Path) -> Sandbox:
    return Sandbox(root, FOLDERS)


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("song.mid", b"imported"),  # the first folder that has it
        ("import/song.mid", b"imported"),
        ("export/song.mid", b"exported"),
        ("only.mid", b"only exported"),
        ("import/import/song.mid", b"nested"),
        ("import/deep/er/é ♪ & 100%.mid", b"odd"),
        ("deep/er/e\u0301 ♪ & 100%.mid", b"odd"),  # decomposed, as macOS spells it
    ],
)
def test_files_inside_are_read(sandbox: Sandbox, path: str, content: bytes) -> None:
    assert sandbox.read(path, 1000) == content


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "//etc/passwd",
        "../canary",
        "import/../../canary",
        "import/..",
        "..",
        "..\\canary",
        "import\\song.mid",
        "C:/canary",
        "C:canary",
        "import/song.mid:stream",
        "import/song.mid\0",
        "\0",
        "file link",
        "import/file link",
        "import/inner link",
        "import/dangling",
        "import/folder link/canary",
        "folder link/data/canary",
        "import/fifo",
        "import/deep",
        "import/song.mid/x",
        "import",
        "a/" * 2000,
    ],
)
def test_paths_that_are_rejected(sandbox: Sandbox, path: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        sandbox.read(path, 1000, "source")
    error = caught.value.body
    assert (error.field, error.code) == ("source", "PATH_OUTSIDE_SANDBOX")
    assert error.suggestions


@pytest.mark.parametrize("path", ["secret/canary", "canary", "import/no", "export/deep/er/x"])
def test_missing_files(sandbox: Sandbox, path: str) -> None:
    with pytest.raises(NotFound) as caught:
        sandbox.read(path, 1000)
    assert caught.value.body.code == "FILE_NOT_FOUND"


def test_a_folder_that_is_a_symbolic_link_is_not_followed(root: Path, tmp_path: Path) -> None:
    (tmp_path / "import").symlink_to(root)
    with pytest.raises(InvalidInput):
        Sandbox(tmp_path, FOLDERS).read("import/canary", 1000)


def test_a_sandbox_that_does_not_exist_yet(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        Sandbox(tmp_path / "later", FOLDERS).read("import/x", 1000)


def test_a_file_over_the_limit_is_not_read(root: Path, sandbox: Sandbox) -> None:
    assert sandbox.read("import/song.mid", 8) == b"imported"
    with pytest.raises(TooLarge, match="has 8 bytes, and at most 7"):
        sandbox.read("import/song.mid", 7)
    with (root / "import" / "vast").open("wb") as vast:
        vast.truncate(1 << 40)  # sparse: must be rejected without reading it
    with pytest.raises(TooLarge):
        sandbox.read("import/vast", 1000)


def test_no_handle_is_left_open(sandbox: Sandbox) -> None:
    odd = ["import", "import/deep", "import/fifo", "import/file link", "import/folder link/x", "import/no", "song.mid"]
    before = len(os.listdir("/dev/fd"))
    for path in odd * 20:
        for limit in (1, 1000):
            try:
                sandbox.read(path, limit)
            except ConsortError:
                continue
    assert len(os.listdir("/dev/fd")) == before


pieces = st.sampled_from(
    [
        *("..", ".", "", "/", "\\", "~", "\0", "C:", "%2e%2e", "\uff0e\uff0e", "\u202e", "/etc/passwd", "$HOME", "*"),
        *("import", "export", "secret", "canary", "data", "folder link", "file link", "fifo", "deep", "song.mid"),
    ]
)


@given(st.lists(pieces | st.text(max_size=5), max_size=6), st.sampled_from(["/", "//", "\\", "/./"]))
def test_nothing_outside_is_ever_read(sandbox: Sandbox, parts: list[str], between: str) -> None:
    content = b"rejected"
    with suppress(InvalidInput, NotFound):
        content = sandbox.read(between.join(parts), 1000)
    assert content in (b"rejected", b"imported", b"nested", b"exported", b"only exported", b"odd")


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", ".", "..", ".hidden", "end.", " a", "a ", "a\u00a0", "x" * 300, "é" * 101),
        *("a/b", "a\\b", "a:b", "a|b", "a?", "a*", "<a>", 'a"b', "a\0b", "a\nb", "a\x7f", "\ud800"),
        *("a\u202eb", "a\u200bb", "a\u2066b", "\ufeffa"),  # invisible, or change the direction of text
        *("con", "NUL", "Com1.mid", "lpt9.tar.gz", "aux.", "COM\u00b9"),
    ],
)
def test_names_that_are_rejected(name: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        check_name(name, "name")
    assert (caught.value.body.code, caught.value.body.field) == ("INVALID_NAME", "name")


@pytest.mark.parametrize(
    "name", ["a", "song.mid", "console.mid", "com.mid", "Für Elise №1 (♯).mid", "x" * MAX_NAME_BYTES]
)
def test_names_that_are_accepted(name: str) -> None:
    assert check_name(name, "name") == name


def test_names_are_normalized() -> None:
    assert check_name("e\u0301", "name") == "é"
    with pytest.raises(InvalidInput):
        check_name("e\u0301" * 101, "name")  # 202 bytes when composed


@given(st.text(st.characters(exclude_categories=["C"], exclude_characters='\\/:*?"<>|'), min_size=1, max_size=20))
def test_a_file_with_an_accepted_name_is_found_again(sandbox: Sandbox, root: Path, name: str) -> None:
    try:
        accepted = check_name(name, "name")
    except InvalidInput:
        reject()
    assert check_name(accepted, "name") == accepted
    assume(not (root / "export" / accepted).is_dir())
    (root / "export" / accepted).write_bytes(b"odd")
    assert sandbox.read(f"export/{name}", 1000) == b"odd"
