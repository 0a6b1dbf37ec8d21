"""The port that is used when a call names none."""

from pathlib import Path

import pytest

from consort_kit.errors import NotFound
from consort_playback.ports.devices import Devices
from consort_playback.settings import PlaybackSettings


def test_the_error_names_the_setting_if_no_port_matches_it(tmp_path: Path) -> None:
    settings = PlaybackSettings(data=tmp_path, token="t", playback_port="Juno")
    devices = Devices(settings, lambda: None)
    with pytest.raises(NotFound, match="CONSORT_PLAYBACK_PORT is 'Juno'") as rejected:
        devices.default(devices.known())
    assert rejected.value.body.code == "UNKNOWN_PORT"
