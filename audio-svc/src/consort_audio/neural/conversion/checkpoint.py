"""Read the tensors of a PyTorch checkpoint without PyTorch.

A checkpoint is a pickle that refers to storages: arrays of numbers, which lie as files in a zip archive (since PyTorch
1.6) or one after the other behind the pickle (before). A tensor is a view of a storage with an offset, a shape and
strides. Only the classes in `_Unpickler` are allowed, so that a file cannot run code.
"""

import pickle
import struct
import zipfile
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import IO, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from consort_audio.neural.conversion.errors import UnknownModelFile

_STORAGES = {
    "FloatStorage": np.dtype("<f4"),
    "DoubleStorage": np.dtype("<f8"),
    "HalfStorage": np.dtype("<f2"),
    "LongStorage": np.dtype("<i8"),
    "IntStorage": np.dtype("<i4"),
    "ByteStorage": np.dtype("u1"),
    "BoolStorage": np.dtype("?"),
}
_UNREADABLE = (
    OSError,
    EOFError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    StopIteration,
    struct.error,
    pickle.UnpicklingError,
)
"""What reading a file that is no checkpoint can raise."""
_LEGACY_MAGIC = 0x1950A86A20F9469CFC6C


class _Storage:
    """A storage whose numbers are read after the pickle."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.dtype = dtype
        self.values: NDArray[Any] = np.zeros(0, dtype)


class _Tensor:
    def __init__(self, storage: _Storage, offset: int, shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
        self.storage, self.offset, self.shape, self.strides = storage, offset, shape, strides

    def array(self) -> NDArray[Any]:
        values = self.storage.values
        last = self.offset + sum((size - 1) * stride for size, stride in zip(self.shape, self.strides, strict=True))
        if 0 in self.shape:
            return np.zeros(self.shape, values.dtype)
        if self.offset < 0 or min(self.strides, default=0) < 0 or last >= len(values):
            raise UnknownModelFile("A tensor lies outside its storage.")
        strides = [stride * values.itemsize for stride in self.strides]
        return np.lib.stride_tricks.as_strided(values[self.offset :], self.shape, strides).copy()


def _rebuild_tensor(
    storage: _Storage, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], *_: Any
) -> _Tensor:
    return _Tensor(storage, offset, shape, strides)


def _rebuild_parameter(tensor: _Tensor, *_: Any) -> _Tensor:
    return tensor


class _Unpickler(pickle.Unpickler):
    """An unpickler that builds only dictionaries, numbers, text and tensors."""

    _ALLOWED: ClassVar[dict[tuple[str, str], Callable[..., Any]]] = {
        ("collections", "OrderedDict"): OrderedDict,
        ("collections", "defaultdict"): defaultdict,
        ("builtins", "dict"): dict,
        ("__builtin__", "dict"): dict,
        ("torch._utils", "_rebuild_tensor"): _rebuild_tensor,
        ("torch._utils", "_rebuild_tensor_v2"): _rebuild_tensor,
        ("torch._utils", "_rebuild_parameter"): _rebuild_parameter,
    }

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(file)
        self.storages: dict[str, _Storage] = {}

    def find_class(self, module: str, name: str) -> Any:
        if module == "torch" and name in _STORAGES:
            return _STORAGES[name]
        try:
            return self._ALLOWED[module, name]
        except KeyError:
            raise UnknownModelFile(f"The checkpoint contains {module}.{name}, which is not allowed.") from None

    def persistent_load(self, pid: Any) -> _Storage:
        _, dtype, key, *_ = pid
        return self.storages.setdefault(key, _Storage(dtype))


def read_checkpoint(path: Path) -> dict[str, Any]:
    """Return a checkpoint as nested dictionaries of arrays. Raise UnknownModelFile if it cannot be read."""
    try:
        content = _read_archive(path) if zipfile.is_zipfile(path) else _read_legacy(path)
    except UnknownModelFile:
        raise
    except _UNREADABLE as error:
        raise UnknownModelFile(f"{path.name} is not a PyTorch checkpoint: {error}") from error
    found = _with_arrays(content)
    if not isinstance(found, dict):
        raise UnknownModelFile(f"{path.name} contains no dictionary of tensors.")
    return found


def _read_archive(path: Path) -> Any:
    with zipfile.ZipFile(path) as archive:
        pickled = next(name for name in archive.namelist() if name.endswith("/data.pkl"))
        folder = pickled.removesuffix("data.pkl")
        unpickler = _Unpickler(BytesIO(archive.read(pickled)))
        content = unpickler.load()
        for key, storage in unpickler.storages.items():
            storage.values = np.frombuffer(archive.read(f"{folder}data/{key}"), storage.dtype)
    return content


def _read_legacy(path: Path) -> Any:
    with path.open("rb") as file:
        if _Unpickler(file).load() != _LEGACY_MAGIC:
            raise UnknownModelFile(f"{path.name} is not a PyTorch checkpoint.")
        for _ in ("protocol", "facts about the machine"):
            _Unpickler(file).load()
        unpickler = _Unpickler(file)
        content = unpickler.load()
        for key in _Unpickler(file).load():
            storage = unpickler.storages[key]
            (count,) = struct.unpack("<q", file.read(8))
            storage.values = np.frombuffer(file.read(count * storage.dtype.itemsize), storage.dtype)
    return content


def _with_arrays(content: Any) -> Any:
    if isinstance(content, _Tensor):
        return content.array()
    if isinstance(content, dict):
        return {key: _with_arrays(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_with_arrays(value) for value in content]
    return content
