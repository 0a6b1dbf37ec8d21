"""basic-pitch: the package contains an ONNX file, which is copied."""

from pathlib import Path

from consort_audio.neural.conversion.onnx_copy import copy_onnx


def convert(package_folder: Path, target_folder: Path) -> None:
    copy_onnx(
        package_folder / "basic_pitch" / "saved_models" / "icassp_2022" / "nmp.onnx",
        target_folder / "basic-pitch.onnx",
        "2c3c1d144bfa61ad236e92e169c13535c880469a12a047d4e73451f2c059a0ec",
    )
