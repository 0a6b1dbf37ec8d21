"""Kinds of MIDI events that several operations distinguish."""

from operator import itemgetter

from consort_music.midi.model import (
    END_OF_TRACK,
    META,
    META_KEY_SIGNATURE,
    META_TEMPO,
    META_TIME_SIGNATURE,
    META_TRACK_NAME,
    Event,
    Track,
)

META_SMPTE_OFFSET = 0x54
_COPYRIGHT, _MARKER, _CUE = 0x02, 0x06, 0x07
TIME_METAS = {META_TEMPO, META_TIME_SIGNATURE, META_KEY_SIGNATURE, META_SMPTE_OFFSET}
"""Types of meta events that affect the whole music, whichever track they are in."""
_SHARED_METAS = {*TIME_METAS, _COPYRIGHT, _MARKER, _CUE}


def is_time_meta(event: Event) -> bool:
    """Return whether the event is a tempo, a time or key signature, or an SMPTE offset."""
    return event[1] == META and event[2][0] in TIME_METAS


def is_shared(event: Event) -> bool:
    """Return whether the event affects the whole music, not only its track."""
    _, status, data = event
    return status in (0xF0, 0xF7) or (status == META and data[0] in _SHARED_METAS)


def is_name_or_end(event: Event) -> bool:
    """Return whether the event is a track name or an end-of-track."""
    _, status, data = event
    return status == META and (data[0] == META_TRACK_NAME or data[:1] == END_OF_TRACK)


def channels_of_notes(track: Track) -> set[int]:
    """Return the channels (from 0) of the track's note messages."""
    return {status & 0x0F for status in set(map(itemgetter(1), track)) if status < 0xA0}
