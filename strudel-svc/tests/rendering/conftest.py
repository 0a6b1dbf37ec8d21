"""A renderer with the real browser and a library of the sounds on this machine."""

from collections.abc import Iterator

import pytest

from consort_strudel.sounds.build import build
from consort_strudel.sounds.fingerprint import is_current
from consort_strudel.sounds.folders import FOLDER_SETTING, library_folder
from tests.support.strudel_rendering import RenderRig, open_rig


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RenderRig]:
    with pytest.MonkeyPatch.context() as patch:
        if not is_current(library_folder()):
            folder = tmp_path_factory.mktemp("library") / "sounds"
            build(folder, lambda done, what: None)
            patch.setenv(FOLDER_SETTING, str(folder))
        with open_rig(tmp_path_factory.mktemp("data")) as rig:
            yield rig
