"""Find the settings in force at a tick: programs, controllers, pitch bend, tempo, signatures and system exclusives.

Sequencers call this "event chasing". For each track, the result is a list of messages that restore its settings, in an
order that works. If several tracks that sound together set the same thing, such as a channel's program or the tempo,
the latest message wins, and only that message is in the result.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from consort_midi_store.transforms.event_kinds import META_SMPTE_OFFSET, TIME_METAS
from consort_music.midi.model import META, META_KEY_SIGNATURE, META_TEMPO, META_TIME_SIGNATURE, META_TRACK_NAME, Track

_SEQUENCE_NUMBER, _COPYRIGHT, _INSTRUMENT_NAME, _PROGRAM_NAME, _DEVICE = 0x00, 0x02, 0x04, 0x08, 0x09
_CHANNEL_PREFIX, _PORT, _SEQUENCER_SPECIFIC = 0x20, 0x21, 0x7F
_LASTING_METAS = {
    *(_SEQUENCE_NUMBER, _COPYRIGHT, META_TRACK_NAME, _INSTRUMENT_NAME, _PROGRAM_NAME, _DEVICE, _CHANNEL_PREFIX, _PORT),
    *(META_TEMPO, META_SMPTE_OFFSET, META_TIME_SIGNATURE, META_KEY_SIGNATURE),
}
_NO_CHANNEL = 16
_BANK_SELECT = (0, 32)
_PARAMETERS = {6, 38, 96, 97, 98, 99, 100, 101}  # several such messages in a row set one registered parameter (RPN)
_RESET_CONTROLLERS = 121
_MODES = range(124, 128)
_NOT_RESET = {0, 7, 10, 32, *range(70, 80), *range(91, 96)}  # the MIDI Association recommends this list

StatusAndData: TypeAlias = tuple[int, bytes]
_Moment: TypeAlias = tuple[int, int]  # the tick, and the number of the event in its track
_InForce: TypeAlias = dict[int, tuple[_Moment, list[StatusAndData]]]  # by kind: when it was set, and by which messages


class _Channel:
    """The settings of one channel. The message "reset all controllers" clears the `volatile` ones."""

    def __init__(self) -> None:
        self.lasting: _InForce = {}
        self.volatile: _InForce = {}

    def add(self, moment: _Moment, status: int, data: bytes) -> None:
        """Add a message. It replaces an earlier message of the same kind.

        Messages that set a registered parameter are all kept, because they work only together.
        """
        message, kind = status & 0xF0, data[0]
        if message == 0xB0:
            self._add_controller(moment, status, data)
        elif message == 0xC0:
            bank = [sent for controller in _BANK_SELECT for sent in self.lasting.get(controller, ((0, 0), []))[1]]
            self.lasting[0xC00] = moment, [*bank, (status, data)]
        elif message == 0xA0:
            self.volatile[0xA00 | kind] = moment, [(status, data)]
        else:
            self.volatile[message << 4] = moment, [(status, data)]

    def _add_controller(self, moment: _Moment, status: int, data: bytes) -> None:
        controller = data[0]
        if controller == _RESET_CONTROLLERS:
            self.volatile.clear()
        elif controller in _PARAMETERS:
            self.volatile[-moment[1]] = moment, [(status, data)]
        elif controller in _MODES:
            self.lasting[_MODES[0]] = moment, [(status, data)]
        elif controller < 120:
            settings = self.lasting if controller in _NOT_RESET else self.volatile
            settings[controller] = moment, [(status, data)]


class _TrackState:
    def __init__(self, track: Track, tick: int, sounding: Collection[int]) -> None:
        """Read all events up to and including `tick`. Poly-pressure is read only for the keys in `sounding`."""
        self.channels: defaultdict[int, _Channel] = defaultdict(_Channel)
        self.metas: _InForce = {}
        for number, (when, status, data) in enumerate(takewhile(lambda event: event[0] <= tick, track), 1):
            if status < 0xB0 and (status < 0xA0 or (status & 0x0F) << 7 | data[0] not in sounding):
                continue
            moment = when, number
            if status < 0xF0:
                self.channels[status & 0x0F].add(moment, status, data)
            elif status in (0xF0, 0xF7) or (status == META and data[0] == _SEQUENCER_SPECIFIC):
                self.metas[-number] = moment, [(status, data)]
            elif status == META and data[0] in _LASTING_METAS:
                self.metas[data[0]] = moment, [(status, data)]

    def settings(self) -> Iterator["_Setting"]:
        for kind, ((when, number), messages) in self.metas.items():
            yield _Setting((_NO_CHANNEL, kind) if kind in TIME_METAS else None, when, number, messages)
        for index, channel in self.channels.items():
            for kind, ((when, number), messages) in (*channel.lasting.items(), *channel.volatile.items()):
                yield _Setting((index, kind) if kind >= 0 else None, when, number, messages)


class _Setting(NamedTuple):
    """One setting of a track."""

    subject: tuple[int, int] | None
    """What it sets: (channel, kind). None if a setting of another track cannot replace it."""
    when: int
    """The tick of its event."""
    number: int
    """The number of its event in the track, from 1."""
    messages: list[StatusAndData]


def _settings(tracks: Sequence[Track], last: int, sounding: Sequence[Collection[int]]) -> list[list[_Setting]]:
    """Return the settings of each track after all events up to and including the tick `last`, in the order of events.

    If several tracks set the same subject, only the latest setting is returned.
    """
    states = [_TrackState(track, last, keys) for track, keys in zip(tracks, sounding, strict=True)]
    latest: dict[tuple[int, int], tuple[int, int]] = {}  # by subject: the tick and the track
    for index, state in enumerate(states):
        for setting in state.settings():
            if setting.subject is not None:
                latest[setting.subject] = max(latest.get(setting.subject, (0, 0)), (setting.when, index))
    return [
        sorted(
            (
                setting
                for setting in state.settings()
                if setting.subject is None or latest[setting.subject] == (setting.when, index)
            ),
            key=attrgetter("number"),
        )
        for index, state in enumerate(states)
    ]


def state_before(tracks: Sequence[Track], tick: int, sounding: Sequence[Collection[int]]) -> list[list[StatusAndData]]:
    """Return for each track the messages that restore the settings made before `tick`. The tracks sound together.

    A setting is left out if an event at exactly this tick replaces it. `sounding` has, for each track, the keys whose
    poly-pressure is restored.
    """
    settings = _settings(tracks, tick, sounding)
    return [[message for setting in own if setting.when < tick for message in setting.messages] for own in settings]


def changed_state(tracks: Sequence[Track], start: int, stop: int) -> list[list[StatusAndData]]:
    """Return for each track the messages to send at the join if the ticks from `start` to `stop` are removed.

    The messages restore the settings that are in force at `stop` but were not in force before `start`. A setting is
    left out if an event at exactly `stop` replaces it. The tracks sound together.
    """
    silent: list[Collection[int]] = [()] * len(tracks)
    earlier, later = _settings(tracks, start - 1, silent), _settings(tracks, stop, silent)
    before = {setting.subject: setting.messages for own in earlier for setting in own if setting.subject}
    after = {setting.subject for own in later for setting in own}
    states: list[list[StatusAndData]] = []
    for was, now in zip(earlier, later, strict=True):
        reset = sorted({setting.subject[0] for setting in was if setting.subject and setting.subject not in after})
        states.append([(0xB0 | channel, bytes((_RESET_CONTROLLERS, 0))) for channel in reset])
        states[-1] += (
            message
            for setting in now
            if start <= setting.when < stop
            and (
                setting.subject is None
                or setting.subject[0] in reset
                or before.get(setting.subject) != setting.messages
            )
            for message in setting.messages
        )
    return states
