"""Sends the messages of several sessions to one port, so that no session cuts off the notes of another.

If only one session plays, its messages are sent unchanged. With several sessions:

- A note-off is not sent while another session holds the same note.
- A sustain pedal stays down while another session holds it.
- A message that ends all notes of a channel is replaced by note-offs for the session's own notes, if other sessions
  hold notes on that channel.

At the end of the music and of each round of a loop, notes that the file never ends are ended.
"""

from collections.abc import Callable, Collection

from consort_music.midi.state_keys import state_key
from consort_playback.child_programs.scheduled_session import ScheduledSession
from consort_playback.protocol.midi_messages import (
    ALL_NOTES_OFF,
    ALL_SOUND_OFF,
    CHANNELS,
    SUSTAIN,
    channels_off,
    note_key,
    note_off,
    note_offs,
)
from consort_playback.protocol.sounding_notes import MAX_HELD, SoundingNotes

_ENDS_NOTES = frozenset({ALL_SOUND_OFF, *range(ALL_NOTES_OFF, 128)})
"""Controllers that end all notes of a channel."""
_RESET_CONTROLLERS = 121
_PEDAL_DOWN = 64


class SharedPort:
    def __init__(self, send: Callable[[bytes], None], notes: SoundingNotes) -> None:
        self._send = send
        self._notes = notes
        self._pedal_holders: list[set[str]] = [set() for _ in range(CHANNELS)]
        """By channel: the sessions that hold the sustain pedal down."""

    def play(self, session: ScheduledSession, track: int, message: bytes) -> None:
        """Send one message of a session."""
        status = message[0]
        kind = status & 0xF0
        if kind == 0x90 and message[2]:
            if track in session.muted:
                return
            self._count_on(session, track, note_key(message))
        elif kind == 0x80 or kind == 0x90:
            if not self._count_off(session, track, note_key(message)):
                return
        elif kind != 0xF0:
            self._mark_used(session, status & 15)
            if kind == 0xB0 and message[1] in _ENDS_NOTES:
                self._end_channel(session, status & 15, message)
                return
            if key := state_key(message):
                session.device_state[key] = message
            if not self._may_move_pedal(session, message):
                return
        self._send(message)

    def _may_move_pedal(self, session: ScheduledSession, message: bytes) -> bool:
        """Record whether this session holds the pedal. Return False if the message must not be sent.

        A message must not be sent if it would lift the pedal while another session holds it.
        """
        if message[0] & 0xF0 != 0xB0 or message[1] not in (SUSTAIN, _RESET_CONTROLLERS):
            return True
        holders = self._pedal_holders[message[0] & 15]
        if message[1] == SUSTAIN and message[2] >= _PEDAL_DOWN:
            holders.add(session.id)
            return True
        holders.discard(session.id)
        return message[1] == _RESET_CONTROLLERS or not holders

    def forget_pedals(self) -> None:
        for holders in self._pedal_holders:
            holders.clear()

    def _mark_used(self, session: ScheduledSession, channel: int) -> None:
        if not session.used_channels >> channel & 1:
            session.used_channels |= 1 << channel
            self._notes.mark_used(channel)

    def _count_on(self, session: ScheduledSession, track: int, key: int) -> None:
        self._mark_used(session, key >> 7)
        place = (track, key)
        session.held_by_track[place] = session.held_by_track.get(place, 0) + 1
        if session.held[key] < MAX_HELD:
            session.held[key] += 1
        counts = self._notes.counts
        if counts[key] < MAX_HELD:
            counts[key] += 1

    def _count_off(self, session: ScheduledSession, track: int, key: int) -> bool:
        """Count a note-off. Return whether it must be sent."""
        place = (track, key)
        held = session.held_by_track.get(place, 0)
        if held > 1:
            session.held_by_track[place] = held - 1
        elif held:
            del session.held_by_track[place]
        elif session.was_ever_muted:
            return False
        counts = self._notes.counts
        if session.held[key]:
            session.held[key] -= 1
            if counts[key]:
                counts[key] -= 1
        return counts[key] <= session.held[key]

    def _end_channel(self, session: ScheduledSession, channel: int, message: bytes) -> None:
        """Send `message`, which ends all notes of the channel, or note-offs if other sessions hold notes there."""
        keys = range(channel << 7, (channel + 1) << 7)
        own = [key for key in keys if session.held[key]]
        is_shared = any(self._notes.counts[key] > session.held[key] for key in keys)
        if is_shared:
            self._end_notes(session, own)
        else:
            self._forget_notes(session, own)
            self._send(message)

    def _forget_notes(self, session: ScheduledSession, keys: Collection[int]) -> None:
        """Stop counting these notes as held by the session. Nothing is sent."""
        counts = self._notes.counts
        for key in keys:
            counts[key] = max(0, counts[key] - session.held[key])
            session.held[key] = 0
        forgotten = set(keys)
        session.held_by_track = {
            (track, key): count for (track, key), count in session.held_by_track.items() if key not in forgotten
        }

    def _end_notes(self, session: ScheduledSession, keys: list[int]) -> None:
        self._forget_notes(session, keys)
        for message in note_offs(key for key in keys if not self._notes.counts[key]):
            self._send(message)

    def release(self, session: ScheduledSession) -> None:
        """End the notes that a session holds, and lift its sustain pedals."""
        self._end_notes(session, [key for key, count in enumerate(session.held) if count])
        for key, message in list(session.device_state.items()):
            if message[0] & 0xF0 == 0xB0 and message[1] == SUSTAIN and message[2]:
                up = bytes((message[0], SUSTAIN, 0))
                session.device_state[key] = up
                if self._may_move_pedal(session, up):
                    self._send(up)

    def release_tracks(self, session: ScheduledSession, tracks: set[int]) -> None:
        """End the notes that these tracks hold, because they are muted now."""
        for (track, key), count in list(session.held_by_track.items()):
            if track in tracks:
                off = note_off(key)
                for _ in range(count):
                    if self._count_off(session, track, key):
                        self._send(off)

    def silence(self, session: ScheduledSession, others: Collection[ScheduledSession]) -> None:
        """End the notes of a session, and silence the channels that no session in `others` uses."""
        self.release(session)
        theirs = 0
        for other in others:
            theirs |= other.used_channels
        mine = [channel for channel in range(CHANNELS) if (session.used_channels & ~theirs) >> channel & 1]
        for message in channels_off(mine):
            self._send(message)

    def set_device_state(self, session: ScheduledSession, wanted: list[tuple[str, bytes]]) -> None:
        """Send those of the `wanted` messages (see `JumpTarget`) that change the state the session has set."""
        for key, message in wanted:
            if session.device_state.get(key) != message:
                session.device_state[key] = message
                self._mark_used(session, message[0] & 15)
                if self._may_move_pedal(session, message):
                    self._send(message)
