"""The mixing of several sessions onto one port: what each sends goes out, unless it would cut another one off.

Alone, a session's messages go out exactly as they are. A note-off is held back while another session holds the same
note, and a pedal stays down while another holds it; a message that ends all notes of a channel becomes note-offs of
the session's own when others have notes there.
"""

from collections.abc import Callable, Collection

from consort_playback.player.held import (
    ALL_NOTES_OFF,
    ALL_SOUND_OFF,
    CHANNELS,
    MOST,
    SUSTAIN,
    NoteTable,
    channels_off,
    note_offs,
)
from consort_playback.player.voice import Voice

_ENDS_NOTES = frozenset({ALL_SOUND_OFF, *range(ALL_NOTES_OFF, 128)})
_FIRST_MODE = 120
_RESET_CONTROLLERS = 121
_PEDAL_DOWN = 64

Send = Callable[[bytes], None]


class Desk:
    def __init__(self, send: Send, notes: NoteTable) -> None:
        self._send = send
        self._notes = notes
        self._pedals: list[set[str]] = [set() for _ in range(CHANNELS)]
        """By channel the sessions that hold the sustain pedal down."""

    def play(self, voice: Voice, track: int, message: bytes) -> None:
        """Send one message of a session."""
        status = message[0]
        kind = status & 0xF0
        if kind == 0x90 and message[2]:
            if track in voice.muted:
                return
            self._count_on(voice, track, (status & 15) << 7 | message[1])
        elif kind == 0x80 or kind == 0x90:
            if not self._count_off(voice, track, (status & 15) << 7 | message[1]):
                return
        elif kind != 0xF0:
            self._touch(voice, status & 15)
            if kind == 0xB0 and message[1] in _ENDS_NOTES:
                self._end_channel(voice, status & 15, message)
                return
            if key := state_key(message):
                voice.device[key] = message
            if not self._moves_pedal(voice, message):
                return
        self._send(message)

    def _moves_pedal(self, voice: Voice, message: bytes) -> bool:
        """Note who holds the pedal; False if this would lift it for another."""
        if message[0] & 0xF0 != 0xB0 or message[1] not in (SUSTAIN, _RESET_CONTROLLERS):
            return True
        holders = self._pedals[message[0] & 15]
        if message[1] == SUSTAIN and message[2] >= _PEDAL_DOWN:
            holders.add(voice.session)
            return True
        holders.discard(voice.session)
        return message[1] == _RESET_CONTROLLERS or not holders

    def forget_pedals(self) -> None:
        for holders in self._pedals:
            holders.clear()

    def _touch(self, voice: Voice, channel: int) -> None:
        if not voice.channels >> channel & 1:
            voice.channels |= 1 << channel
            self._notes.mark_used(channel)

    def _count_on(self, voice: Voice, track: int, key: int) -> None:
        self._touch(voice, key >> 7)
        place = (track, key)
        voice.by_track[place] = voice.by_track.get(place, 0) + 1
        if voice.own[key] < MOST:
            voice.own[key] += 1
        counts = self._notes.counts
        if counts[key] < MOST:
            counts[key] += 1

    def _count_off(self, voice: Voice, track: int, key: int) -> bool:
        """Whether the note-off is to be sent."""
        place = (track, key)
        held = voice.by_track.get(place, 0)
        if held > 1:
            voice.by_track[place] = held - 1
        elif held:
            del voice.by_track[place]
        elif voice.is_filtered:
            return False
        counts = self._notes.counts
        if voice.own[key]:
            voice.own[key] -= 1
            if counts[key]:
                counts[key] -= 1
        return counts[key] <= voice.own[key]

    def _end_channel(self, voice: Voice, channel: int, message: bytes) -> None:
        keys = range(channel << 7, (channel + 1) << 7)
        own = [key for key in keys if voice.own[key]]
        shared = any(self._notes.counts[key] > voice.own[key] for key in keys)
        if shared:
            self._release(voice, own)
        else:
            self._forget(voice, own)
            self._send(message)

    def _forget(self, voice: Voice, keys: Collection[int]) -> None:
        counts = self._notes.counts
        for key in keys:
            counts[key] = max(0, counts[key] - voice.own[key])
            voice.own[key] = 0
        gone = set(keys)
        voice.by_track = {place: count for place, count in voice.by_track.items() if place[1] not in gone}

    def _release(self, voice: Voice, keys: list[int]) -> None:
        self._forget(voice, keys)
        for message in note_offs([key for key in keys if not self._notes.counts[key]]):
            self._send(message)

    def release(self, voice: Voice) -> None:
        """End the notes that a session holds, and lift its pedals."""
        self._release(voice, [key for key, count in enumerate(voice.own) if count])
        for key, message in list(voice.device.items()):
            if message[0] & 0xF0 == 0xB0 and message[1] == SUSTAIN and message[2]:
                up = bytes((message[0], SUSTAIN, 0))
                voice.device[key] = up
                if self._moves_pedal(voice, up):
                    self._send(up)

    def release_tracks(self, voice: Voice, tracks: set[int]) -> None:
        """End the notes that tracks hold which are muted now."""
        for (track, key), count in list(voice.by_track.items()):
            if track in tracks:
                off = bytes((0x80 | key >> 7, key & 127, 64))
                for _ in range(count):
                    if self._count_off(voice, track, key):
                        self._send(off)

    def silence(self, voice: Voice, others: Collection[Voice]) -> None:
        """End a session at once; channels that no other uses fall silent entirely."""
        self.release(voice)
        theirs = 0
        for other in others:
            theirs |= other.channels
        mine = [channel for channel in range(16) if (voice.channels & ~theirs) >> channel & 1]
        for message in channels_off(mine):
            self._send(message)

    def chase(self, voice: Voice, wanted: list[tuple[str, bytes]]) -> None:
        """Set the device as the music would have set it by now."""
        for key, message in wanted:
            if voice.device.get(key) != message:
                voice.device[key] = message
                self._touch(voice, message[0] & 15)
                if self._moves_pedal(voice, message):
                    self._send(message)


def state_key(message: bytes) -> str | None:
    """What a message sets, if it sets something that lasts: `B0.7` is the volume of channel 1."""
    kind = message[0] & 0xF0
    if kind == 0xB0 and message[1] < _FIRST_MODE:
        return f"{message[0]:X}.{message[1]}"
    if kind in (0xC0, 0xD0, 0xE0):
        return f"{message[0]:X}"
    return None
