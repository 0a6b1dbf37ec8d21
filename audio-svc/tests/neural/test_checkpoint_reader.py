"""PyTorch checkpoints are read without PyTorch; other classes and tensors outside their data are rejected."""

import pickle
import zipfile
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from consort_audio.neural.conversion.checkpoint import read_checkpoint
from consort_audio.neural.conversion.errors import UnknownModelFile
from tests.support.torch_checkpoints import FakeTensor, write_archive, write_legacy

WRITERS = [write_archive, write_legacy]


def arrays() -> dict[str, NDArray[Any]]:
    draw = np.random.default_rng(1)
    return {
        "weight": draw.normal(size=(3, 4)).astype(np.float32),
        "steps": np.array([7, 8, 9]),
        "one": np.array([0.5]),
        "nothing": np.zeros((0, 2), np.float32),
    }


@pytest.mark.parametrize("write", WRITERS)
def test_tensors_come_back(write: Any, tmp_path: Path) -> None:
    expected = arrays()
    content = OrderedDict((name, FakeTensor(array)) for name, array in expected.items())
    write(tmp_path / "model.pt", {"net": content, "epoch": 5, "history": [1.5, "text"]})
    found = read_checkpoint(tmp_path / "model.pt")
    assert found["epoch"] == 5
    assert found["history"] == [1.5, "text"]
    assert found["net"].keys() == expected.keys()
    for name, array in expected.items():
        assert found["net"][name].dtype == array.dtype
        np.testing.assert_array_equal(found["net"][name], array)


@pytest.mark.parametrize("write", WRITERS)
def test_a_transposed_view_and_an_offset_are_followed(write: Any, tmp_path: Path) -> None:
    storage = np.arange(12, dtype=np.float32)
    write(tmp_path / "model.pt", {"x": FakeTensor(storage, offset=2, shape=(3, 2), strides=(1, 3))})
    np.testing.assert_array_equal(read_checkpoint(tmp_path / "model.pt")["x"], [[2, 5], [3, 6], [4, 7]])


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize(("offset", "strides"), [(0, (5, 1)), (9, (2, 1)), (0, (-2, 1)), (-1, (2, 1))])
def test_a_tensor_outside_its_storage_is_refused(
    write: Any, offset: int, strides: tuple[int, int], tmp_path: Path
) -> None:
    tensor = FakeTensor(np.arange(10, dtype=np.float32), offset=offset, shape=(3, 2), strides=strides)
    write(tmp_path / "model.pt", {"x": tensor})
    with pytest.raises(UnknownModelFile, match="outside"):
        read_checkpoint(tmp_path / "model.pt")


class Harmful:
    def __reduce__(self) -> tuple[Any, ...]:
        return print, ("this must not run",)


@pytest.mark.parametrize("write", WRITERS)
def test_other_classes_are_refused(write: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "model.pt", {"x": Harmful()})
    with pytest.raises(UnknownModelFile, match="not allowed"):
        read_checkpoint(tmp_path / "model.pt")
    assert capsys.readouterr().out == ""


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    with pytest.raises(UnknownModelFile):
        read_checkpoint(path)
    for content in (b"", b"no checkpoint", pickle.dumps({"a": 1}), pickle.dumps(5)):
        path.write_bytes(content)
        with pytest.raises(UnknownModelFile):
            read_checkpoint(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("other/file.txt", "text")
    with pytest.raises(UnknownModelFile):
        read_checkpoint(path)
