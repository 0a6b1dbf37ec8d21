"""Templates leave room: a render of one does not clip."""

from typing import get_args

import numpy as np
import pytest

from consort_strudel.projects.templates import TemplateName, template_script
from tests.support.strudel_rendering import RenderRig

MOST = 10 ** (-0.9 / 20)
"""0.9 dB below the limit."""


@pytest.mark.parametrize("template", [name for name in get_args(TemplateName) if name != "ambient"])
def test_templates_do_not_clip(rig: RenderRig, template: TemplateName) -> None:
    """The slow template without drums is far below the limit, and takes long to render."""
    sound = rig.sound(template_script(template, None, None, 4), cycles=4)
    assert 0.3 < np.abs(sound).max() < MOST
