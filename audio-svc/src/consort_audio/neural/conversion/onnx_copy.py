"""Copy an ONNX file that a package contains."""

import hashlib
from pathlib import Path

from consort_audio.neural.conversion.errors import UnknownModelFile


def copy_onnx(source: Path, target: Path, sha256: str) -> None:
    """Copy the file if it is the expected one. Raise UnknownModelFile if it is missing or another one."""
    try:
        data = source.read_bytes()
    except OSError as error:
        raise UnknownModelFile(f"{source.name} is missing in the package: {error}") from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise UnknownModelFile(f"{source.name} is not the file of the expected version.")
    target.write_bytes(data)
