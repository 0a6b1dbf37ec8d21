"""What is in force at a moment of the music: programs, controllers, bends, tempo, signatures, and what was sent once.

It is told, track by track, as the messages that bring it about, in an order that does. Of what tracks that sound
together say about one thing, a channel's program or the tempo, the last word holds, and only that is told.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from consort_music.midi.model import META, META_KEY_SIGNATURE, META_TEMPO, META_TIME_SIGNATURE, META_TRACK_NAME, Track

_SEQUENCE_NUMBER, _COPYRIGHT, _INSTRUMENT_NAME, _PROGRAM_NAME, _DEVICE = 0x00, 0x02, 0x04, 0x08, 0x09
_CHANNEL_PREFIX, _PORT, _SMPTE_OFFSET, _SEQUENCER_SPECIFIC = 0x20, 0x21, 0x54, 0x7F
_LASTING_METAS = {
    *(_SEQUENCE_NUMBER, _COPYRIGHT, META_TRACK_NAME, _INSTRUMENT_NAME, _PROGRAM_NAME, _DEVICE, _CHANNEL_PREFIX, _PORT),
    *(META_TEMPO, _SMPTE_OFFSET, META_TIME_SIGNATURE, META_KEY_SIGNATURE),
}
TIME_METAS = {META_TEMPO, META_TIME_SIGNATURE, META_KEY_SIGNATURE, _SMPTE_OFFSET}
"""About the whole music, in whichever track they stand."""
_NO_CHANNEL = 16
_BANK_SELECT = (0, 32)
_PARAMETERS = {6, 38, 96, 97, 98, 99, 100, 101}  # a registered parameter is set by several messages in a row
_RESET_CONTROLLERS = 121
_MODES = range(124, 128)
_NOT_RESET = {0, 7, 10, 32, *range(70, 80), *range(91, 96)}  # as the MIDI association recommends

Message: TypeAlias = tuple[int, bytes]
_Moment: TypeAlias = tuple[int, int]  # the tick, and the number of the event in its track
_Held: TypeAlias = dict[int, tuple[_Moment, list[Message]]]  # by kind: when it was sent, and what brings it about


class _Channel:
    """What holds on one channel; `volatile` is what a reset of all controllers takes back."""

    def __init__(self) -> None:
        self.lasting: _Held = {}
        self.volatile: _Held = {}

    def take(self, moment: _Moment, status: int, data: bytes) -> None:
        """Messages that replace each other have one kind; those of parameters count on each other and are all kept."""
        message, kind = status & 0xF0, data[0]
        if message == 0xB0:
            self._take_controller(moment, status, data)
        elif message == 0xC0:
            bank = [sent for controller in _BANK_SELECT for sent in self.lasting.get(controller, ((0, 0), []))[1]]
            self.lasting[0xC00] = moment, [*bank, (status, data)]
        elif message == 0xA0:
            self.volatile[0xA00 | kind] = moment, [(status, data)]
        else:
            self.volatile[message << 4] = moment, [(status, data)]

    def _take_controller(self, moment: _Moment, status: int, data: bytes) -> None:
        controller = data[0]
        if controller == _RESET_CONTROLLERS:
            self.volatile.clear()
        elif controller in _PARAMETERS:
            self.volatile[-moment[1]] = moment, [(status, data)]
        elif controller in _MODES:
            self.lasting[_MODES[0]] = moment, [(status, data)]
        elif controller < 120:
            held = self.lasting if controller in _NOT_RESET else self.volatile
            held[controller] = moment, [(status, data)]


class _TrackState:
    def __init__(self, track: Track, tick: int, sounding: Collection[int]) -> None:
        """Of all events up to `tick`; poly-pressure only of the keys that sound."""
        self.channels: defaultdict[int, _Channel] = defaultdict(_Channel)
        self.metas: _Held = {}
        for number, (when, status, data) in enumerate(takewhile(lambda event: event[0] <= tick, track), 1):
            if status < 0xB0 and (status < 0xA0 or (status & 0x0F) << 7 | data[0] not in sounding):
                continue
            moment = when, number
            if status < 0xF0:
                self.channels[status & 0x0F].take(moment, status, data)
            elif status in (0xF0, 0xF7) or (status == META and data[0] == _SEQUENCER_SPECIFIC):
                self.metas[-number] = moment, [(status, data)]
            elif status == META and data[0] in _LASTING_METAS:
                self.metas[data[0]] = moment, [(status, data)]

    def things(self) -> Iterator[tuple[tuple[int, int] | None, _Moment, list[Message]]]:
        """What about (None: about nothing that another track could speak of), when, and which messages."""
        for kind, (moment, messages) in self.metas.items():
            yield (_NO_CHANNEL, kind) if kind in TIME_METAS else None, moment, messages
        for number, channel in self.channels.items():
            for kind, (moment, messages) in (*channel.lasting.items(), *channel.volatile.items()):
                yield (number, kind) if kind >= 0 else None, moment, messages


class _Fact(NamedTuple):
    """What holds: about what (None: nothing that another track speaks of), since when, and what brings it about."""

    thing: tuple[int, int] | None
    when: int
    number: int
    messages: list[Message]


def _facts(tracks: Sequence[Track], last: int, sounding: Sequence[Collection[int]]) -> list[list[_Fact]]:
    """By track what the events up to a tick say, in their order; of several tracks about one thing, the last word."""
    states = [_TrackState(track, last, keys) for track, keys in zip(tracks, sounding, strict=True)]
    last_word: dict[tuple[int, int], tuple[int, int]] = {}  # by thing: the tick and the track
    for index, state in enumerate(states):
        for thing, (when, _), _ in state.things():
            if thing is not None:
                last_word[thing] = max(last_word.get(thing, (0, 0)), (when, index))
    return [
        sorted(
            (
                _Fact(thing, when, number, messages)
                for thing, (when, number), messages in state.things()
                if thing is None or last_word[thing] == (when, index)
            ),
            key=attrgetter("number"),
        )
        for index, state in enumerate(states)
    ]


def state_before(tracks: Sequence[Track], tick: int, sounding: Sequence[Collection[int]]) -> list[list[Message]]:
    """For each of some tracks that sound together the messages that say what holds from all events before a tick.

    What an event at that tick sets again is left out. `sounding` are the keys of each track whose poly-pressure
    matters.
    """
    facts = _facts(tracks, tick, sounding)
    return [[message for fact in own if fact.when < tick for message in fact.messages] for own in facts]


def changed_state(tracks: Sequence[Track], start: int, stop: int) -> list[list[Message]]:
    """For each of some tracks that sound together the messages to send if all from `start` to `stop` is left out.

    They bring about what holds at `stop` and did not before `start`; what an event at `stop` sets again is left out.
    """
    silent: list[Collection[int]] = [()] * len(tracks)
    earlier, later = _facts(tracks, start - 1, silent), _facts(tracks, stop, silent)
    before = {fact.thing: fact.messages for own in earlier for fact in own if fact.thing}
    after = {fact.thing for own in later for fact in own}
    told: list[list[Message]] = []
    for was, now in zip(earlier, later, strict=True):
        reset = sorted({fact.thing[0] for fact in was if fact.thing and fact.thing not in after})
        told.append([(0xB0 | channel, bytes((_RESET_CONTROLLERS, 0))) for channel in reset])
        told[-1] += (
            message
            for fact in now
            if start <= fact.when < stop
            and (fact.thing is None or fact.thing[0] in reset or before.get(fact.thing) != fact.messages)
            for message in fact.messages
        )
    return told
