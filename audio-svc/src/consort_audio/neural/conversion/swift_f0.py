"""swift-f0: the package contains an ONNX file, which is copied."""

from pathlib import Path

from consort_audio.neural.conversion.onnx_copy import copy_onnx


def convert(package_folder: Path, target_folder: Path) -> None:
    copy_onnx(
        package_folder / "swift_f0" / "model.onnx",
        target_folder / "swift-f0.onnx",
        "6385e8c2ebc3872e82c9ff5946228de44cd3be77a750ea53698b7dbfe94b0a22",
    )
