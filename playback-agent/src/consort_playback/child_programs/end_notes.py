"""The child program that stops the notes left sounding by a port process that died.

It opens the port again, sends the messages that stop the notes, and exits.
"""

import time

from consort_playback.child_programs.output_errors import OutputError
from consort_playback.child_programs.outputs import SETTLE_S, close_or_exit, open_output
from consort_playback.protocol.commands import EndNotes

CONNECT_S = 0.1
"""Seconds to wait until the listeners of a virtual port have reconnected."""


def main(task: EndNotes) -> int:
    """Return 0 after sending the messages, or 1 if the port cannot be opened."""
    try:
        output = open_output(task.port)
    except OutputError:
        return 1
    if task.port.is_virtual:
        time.sleep(CONNECT_S)
    for message in task.messages:
        output.send_message(message)
    time.sleep(SETTLE_S)
    close_or_exit(output)
    return 0
