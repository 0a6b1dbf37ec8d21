"""What is in force at a moment of a track: programs, controllers, bends, tempo, signatures, and what was sent once.

It is told as the events that bring it about, in an order that does.
"""

from collections import defaultdict
from itertools import takewhile
from typing import TypeAlias

from consort_music.midi.model import META, META_KEY_SIGNATURE, META_TEMPO, META_TIME_SIGNATURE, META_TRACK_NAME, Track

_SEQUENCE_NUMBER, _COPYRIGHT, _INSTRUMENT_NAME, _PROGRAM_NAME, _DEVICE = 0x00, 0x02, 0x04, 0x08, 0x09
_CHANNEL_PREFIX, _PORT, _SMPTE_OFFSET, _SEQUENCER_SPECIFIC = 0x20, 0x21, 0x54, 0x7F
_LASTING_METAS = {
    *(_SEQUENCE_NUMBER, _COPYRIGHT, META_TRACK_NAME, _INSTRUMENT_NAME, _PROGRAM_NAME, _DEVICE, _CHANNEL_PREFIX, _PORT),
    *(META_TEMPO, _SMPTE_OFFSET, META_TIME_SIGNATURE, META_KEY_SIGNATURE),
}
_BANK_SELECT = (0, 32)
_PARAMETERS = {6, 38, 96, 97, 98, 99, 100, 101}  # a registered parameter is set by several messages in a row
_RESET_CONTROLLERS = 121
_MODES = range(124, 128)
_NOT_RESET = {0, 7, 10, 32, *range(70, 80), *range(91, 96)}  # as the MIDI association recommends

Message: TypeAlias = tuple[int, bytes]
_Held: TypeAlias = dict[int, tuple[int, list[Message]]]  # by kind: when it was sent, and what brings it about


class _Channel:
    """What holds on one channel; `volatile` is what a reset of all controllers takes back."""

    def __init__(self) -> None:
        self.lasting: _Held = {}
        self.volatile: _Held = {}

    def take(self, number: int, status: int, data: bytes) -> None:
        """Messages that replace each other have one kind; those of parameters count on each other and are all kept."""
        message, kind = status & 0xF0, data[0]
        if message == 0xB0:
            self._take_controller(number, status, data)
        elif message == 0xC0:
            bank = [sent for controller in _BANK_SELECT for sent in self.lasting.get(controller, (0, []))[1]]
            self.lasting[0xC00] = number, [*bank, (status, data)]
        elif message == 0xA0:
            self.volatile[0xA00 | kind] = number, [(status, data)]
        else:
            self.volatile[message << 4] = number, [(status, data)]

    def _take_controller(self, number: int, status: int, data: bytes) -> None:
        controller = data[0]
        if controller == _RESET_CONTROLLERS:
            self.volatile.clear()
        elif controller in _PARAMETERS:
            self.volatile[-number] = number, [(status, data)]
        elif controller in _MODES:
            self.lasting[_MODES[0]] = number, [(status, data)]
        elif controller < 120:
            held = self.lasting if controller in _NOT_RESET else self.volatile
            held[controller] = number, [(status, data)]


def state_before(track: Track, tick: int, sounding: set[int]) -> list[Message]:
    """`(status, data)` of what holds from all events before a tick; poly-pressure only of the keys that sound."""
    channels: defaultdict[int, _Channel] = defaultdict(_Channel)
    metas: _Held = {}
    for number, (_, status, data) in enumerate(takewhile(lambda event: event[0] < tick, track), 1):
        if status < 0xA0:
            continue
        if status < 0xB0 and (status & 0x0F) << 7 | data[0] not in sounding:
            continue
        if status < 0xF0:
            channels[status & 0x0F].take(number, status, data)
        elif status in (0xF0, 0xF7) or (status == META and data[0] == _SEQUENCER_SPECIFIC):
            metas[-number] = number, [(status, data)]
        elif status == META and data[0] in _LASTING_METAS:
            metas[data[0]] = number, [(status, data)]
    held = list(metas.values())
    for channel in channels.values():
        held += [*channel.lasting.values(), *channel.volatile.values()]
    held.sort(key=lambda each: each[0])
    return [message for _, messages in held for message in messages]
