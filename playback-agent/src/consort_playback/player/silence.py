"""Ends what a dead player left sounding: opens its port anew, sends note-offs, and goes."""

import time

from consort_playback.player.outputs import PortGone, close_soon, open_output
from consort_playback.player.play import SETTLE_S
from consort_playback.player.port_spec import PortSpec

CONNECT_S = 0.1
"""For those that listen to a virtual port to connect again."""


def main(spec: PortSpec, messages: list[bytes]) -> int:
    try:
        output = open_output(spec)
    except PortGone:
        return 1
    if spec["is_virtual"]:
        time.sleep(CONNECT_S)
    for message in messages:
        output.send_message(message)
    time.sleep(SETTLE_S)
    close_soon(output)
    return 0
