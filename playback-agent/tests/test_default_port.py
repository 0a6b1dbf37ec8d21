"""Which port is meant when none is named."""

from pathlib import Path

import pytest

from consort_kit.errors import NotFound
from consort_playback.ports.devices import Devices
from consort_playback.settings import PlaybackSettings


def test_a_setting_that_names_no_port_is_named(tmp_path: Path) -> None:
    settings = PlaybackSettings(data=tmp_path, token="t", playback_port="Juno")
    devices = Devices(settings, lambda: None)
    with pytest.raises(NotFound, match="CONSORT_PLAYBACK_PORT is 'Juno'") as refused:
        devices.default(devices.known())
    assert refused.value.body.code == "UNKNOWN_PORT"
