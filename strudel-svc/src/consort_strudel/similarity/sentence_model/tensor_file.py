"""Read the weights of a .safetensors file: a JSON header, then raw numbers."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Tensor = npt.NDArray[np.float32]


class UnusableModel(Exception):
    """Raised if the files of a model cannot be used. The text says why."""


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Return the tensors of a file by name, mapped into memory. Raise UnusableModel."""
    try:
        with path.open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            header: dict[str, Any] = json.loads(file.read(length))
        numbers = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + length)
        return {
            name: _tensor(numbers, entry)
            for name, entry in header.items()
            if name != "__metadata__" and entry["dtype"] == "F32"
        }
    except (OSError, ValueError, KeyError, struct.error) as error:
        raise UnusableModel(f"{path.name} is not a .safetensors file.") from error


def _tensor(numbers: npt.NDArray[np.uint8], entry: dict[str, Any]) -> Tensor:
    begin, end = entry["data_offsets"]
    tensor: Tensor = numbers[begin:end].view(np.float32).reshape(entry["shape"])
    return tensor
