"""Write files as PyTorch writes its checkpoints, without PyTorch, for tests of what reads them."""

import io
import pickle
import struct
import sys
import types
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

_STORAGE_NAMES = {np.dtype("f4"): "FloatStorage", np.dtype("i8"): "LongStorage", np.dtype("f8"): "DoubleStorage"}
_REBUILD = "_rebuild_tensor_v2"
"""The function that PyTorch names in a pickle for every tensor."""
_LEGACY_MAGIC = 0x1950A86A20F9469CFC6C


class FakeTensor:
    """An array that is pickled as a PyTorch tensor: a storage, and the place of the tensor in it."""

    def __init__(
        self,
        storage: NDArray[Any],
        offset: int = 0,
        shape: tuple[int, ...] | None = None,
        strides: tuple[int, ...] | None = None,
    ) -> None:
        self.storage = FakeStorage(np.ascontiguousarray(storage).reshape(-1))
        self.offset = offset
        self.shape = storage.shape if shape is None else shape
        self.strides = tuple(each // storage.itemsize for each in storage.strides) if strides is None else strides

    def __reduce__(self) -> tuple[Any, ...]:
        rebuild = vars(sys.modules["torch._utils"])[_REBUILD]
        return rebuild, (self.storage, self.offset, self.shape, self.strides, False, None)


class FakeStorage:
    def __init__(self, values: NDArray[Any]) -> None:
        self.values = values


class _StoragePickler(pickle.Pickler):
    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(file, protocol=2)
        self.storages: list[FakeStorage] = []

    def persistent_id(self, obj: Any) -> Any:
        if not isinstance(obj, FakeStorage):
            return None
        self.storages.append(obj)
        kind = getattr(sys.modules["torch"], _STORAGE_NAMES[obj.values.dtype])
        return "storage", kind, str(len(self.storages) - 1), "cpu", len(obj.values)


@contextmanager
def _torch_modules() -> Iterator[None]:
    """Let pickle find the names of PyTorch that a checkpoint refers to."""
    torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")
    for name in _STORAGE_NAMES.values():
        setattr(torch, name, type(name, (), {"__module__": "torch"}))

    def rebuild() -> None: ...

    rebuild.__module__, rebuild.__qualname__ = "torch._utils", _REBUILD
    setattr(utils, _REBUILD, rebuild)
    before = {name: sys.modules.get(name) for name in ("torch", "torch._utils")}
    sys.modules.update({"torch": torch, "torch._utils": utils})
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def write_archive(path: Path, content: Any) -> None:
    """Write the format of PyTorch 1.6 and later: a zip archive."""
    buffer = io.BytesIO()
    with _torch_modules():
        pickler = _StoragePickler(buffer)
        pickler.dump(content)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", buffer.getvalue())
        for key, storage in enumerate(pickler.storages):
            archive.writestr(f"archive/data/{key}", storage.values.tobytes())


def write_legacy(path: Path, content: Any) -> None:
    """Write the format before PyTorch 1.6: pickles, then the storages."""
    with path.open("wb") as file, _torch_modules():
        for value in (_LEGACY_MAGIC, 1001, {"little_endian": True}):
            pickle.dump(value, file, protocol=2)
        pickler = _StoragePickler(file)
        pickler.dump(content)
        pickle.dump([str(key) for key in range(len(pickler.storages))], file, protocol=2)
        for storage in pickler.storages:
            file.write(struct.pack("<q", len(storage.values)) + storage.values.tobytes())
