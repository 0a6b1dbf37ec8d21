"""Hostile MIDI files by name: the result of reading each, and limits of time and memory for the large ones.

The list is the one that mido was tried with: it takes minutes for some, crashes on some and reads some wrongly.
"""

import struct
import subprocess
import sys
import time

import pytest

from consort_music.errors import MusicError
from consort_music.midi.reader import read_midi
from consort_music.midi.summary import summarize
from consort_music.midi.writer import write_midi
from tests.support.midi_chunks import END, NOTE, header, track

OFF = b"\x60\x80\x3c\x00"


def riff(data: bytes, declared: int) -> bytes:
    return b"RIFF" + struct.pack("<I", declared + 12) + b"RMIDdata" + struct.pack("<I", declared) + data


REFUSED = {
    "zero_div": (header(division=0) + track(NOTE + OFF + END), "0 ticks per quarter note"),
    "type3": (header(3) + track(NOTE + END), "only types 0, 1 and 2 exist"),
    "huge_vlq": (header() + track(b"\xff" * 5000 + b"\x7f\x90\x3c\x40" + END), "past its fourth byte"),
    "huge_vlq_100KB": (header() + track(b"\xff" * 100_000 + b"\x7f\x90\x3c\x40" + END), "past its fourth byte"),
    "huge_vlq_10MB": (header() + track(b"\xff" * 10_000_000 + b"\x7f\x90\x3c\x40" + END), "past its fourth byte"),
    "vlq_max_28bit": (header() + track(b"\xff\xff\xff\x7f\x90\x3c\x40" + END), "lasts 279620 seconds"),
    "sysex_len_huge": (header() + track(b"\x00\xf0\xff\xff\xff\x7f\x01"), "event 0 goes on past the track's end"),
    "meta_len_huge": (header() + track(b"\x00\xff\x01\xff\xff\xff\x7f\x01"), "event 0 goes on past the track's end"),
    "running_no_status": (header() + track(b"\x00\x3c\x40" + END), "first event needs a status"),
    "undefined_f4": (header() + track(b"\x00\xf4" + END), "a status that MIDI does not define"),
    "empty": (b"", "empty"),
    "text": (b"hello world, not midi", "not a MIDI file"),
    "bomb_tracks_65535": (header(1, 65535) + track(END) * 65535, "more than 1024 tracks"),
    "bomb_longtime": (header() + track(b"\xff\xff\xff\x7f\xd0\x01" * 100_000 + END), "ticks, and the limit is"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_hostile_files_that_are_rejected(name: str) -> None:
    data, reason = REFUSED[name]
    started = time.process_time()
    with pytest.raises(MusicError, match=reason) as caught:
        read_midi(data)
    assert caught.value.code == "INVALID_MIDI"
    assert time.process_time() - started < 5


# name: file, number of events in each track, text of one warning (of the reader or of the summary)
READ = {
    "smpte_div_25_40": (header(division=0xE728) + track(NOTE + OFF + END), [3], None),
    "type2": (header(2, 2) + track(NOTE + END) * 2, [2, 2], "2 independent sequences"),
    "no_eot": (header() + track(NOTE), [2], "has no end-of-track event"),
    "trunc_track": (header() + track(NOTE + END, 1000), [2], "more bytes than the file"),
    "trk_len_too_short": (header() + track(NOTE + NOTE + END, 6), [3], "fewer bytes than it has"),
    "trk_len_4G": (header() + track(NOTE + END, 0xFFFFFFFF), [2], "more bytes than the file"),
    "data_byte_gt127": (header() + track(b"\x00\x90\x3c\xc8" + END), [2], "1 data bytes over 127"),
    "running_after_sysex": (header() + track(NOTE + b"\x00\xf0\x02\x01\xf7\x00\x3c\x40" + END), [4], "running status"),
    "sysex_split_f7": (header() + track(b"\x00\xf0\x03\x43\x12\x00\x05\xf7\x03\x43\x12\xf7" + END), [3], None),
    "f7_escape": (header() + track(b"\x00\xf7\x02\xf3\x01" + END), [2], None),
    "realtime_f8_in_trk": (header() + track(b"\x00\xf8" + NOTE + END), [3], "1 system messages"),
    "tempo_len2": (header() + track(b"\x00\xff\x51\x02\x07\xa1" + END), [2], "1 tempo event without"),
    "tempo_zero": (header() + track(b"\x00\xff\x51\x03\x00\x00\x00" + NOTE + END), [3], "1 tempo event without"),
    "timesig_den_255": (header() + track(b"\x00\xff\x58\x04\x04\xff\x18\x08" + END), [2], "1 time signature"),
    "keysig_bad": (header() + track(b"\x00\xff\x59\x02\x63\x07" + END), [2], "1 key signature"),
    "smpte_offset_bad": (header() + track(b"\x00\xff\x54\x05\xff\xff\xff\xff\xff" + END), [2], None),
    "seqnum_len0": (header() + track(b"\x00\xff\x00\x00" + END), [2], None),
    "utf8_name": (header() + track(b"\x00\xff\x03\x06\xe3\x83\x94\xe3\x82\xa2" + END), [2], None),
    "sjis_lyric": (header() + track(b"\x00\xff\x05\x04\x82\xa0\x82\xa2" + END), [2], None),
    "unknown_meta": (header() + track(b"\x00\xff\x60\x03abc" + END), [2], None),
    "seq_specific": (header() + track(b"\x00\xff\x7f\x03\x43\x7b\x0c" + END), [2], None),
    "alien_chunk": (header() + b"XFIH\x00\x00\x00\x04abcd" + track(NOTE + END), [2], "is not a track"),
    "ntracks_65535": (header(1, 65535) + track(NOTE + END), [2], "announces 65535 tracks"),
    "ntracks_0": (header(1, 0) + track(NOTE + END), [2], "announces 0 tracks"),
    "hdr_len_10": (header(length=10) + bytes(4) + track(NOTE + END), [2], "4 bytes more than are defined"),
    "trailing_junk": (header() + track(NOTE + END) + bytes(100), [2], "100 bytes from byte 30"),
    "riff_rmi": (riff(header() + track(NOTE + END), 40), [2], "RIFF"),
    "events_after_eot": (header() + track(END + NOTE + END), [1], "8 bytes after its end-of-track"),
}


@pytest.mark.parametrize("name", READ)
def test_hostile_files_that_are_read(name: str) -> None:
    data, events, warning = READ[name]
    file = read_midi(data)
    assert [len(track) for track in file.tracks] == events
    warnings = [each for each in summarize(file).warnings if "no note-off" not in each]
    expected = [warning] if warning else []
    assert len(warnings) == len(expected)
    assert all(text in found for text, found in zip(expected, warnings, strict=True))
    assert read_midi(write_midi(file)).tracks == file.tracks


SIZE = 10 * 1024 * 1024 - 100
BOMBS = {
    "bomb_2byte_10MB": header() + track(b"\x00\xd0\x01" + b"\x00\x01" * (SIZE // 2) + END),
    "bomb_meta_10MB": header() + track(b"\x00\xff\x01\x00" * (SIZE // 4) + END),
    "bomb_notes_10MB": header(division=9600) + track(NOTE + b"\x7f\x3c\x40" * (SIZE // 3) + END),
    "bomb_sysex_10MB": header(division=9600) + track(b"\x7f\xf0\x00" * (SIZE // 3) + END),
}
CHILD = """
import pathlib, sys, time
from consort_music.errors import MusicError
from consort_music.midi.reader import read_midi
from consort_music.midi.summary import summarize
data = sys.stdin.buffer.read()
try:
    summarize(read_midi(data))
except MusicError:
    pass
status = pathlib.Path("/proc/self/status").read_text()  # getrusage would count what the parent had before exec
peak = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:"))
print(time.process_time(), int(peak) / 1024)
"""


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports the peak memory of one process")
def test_bomb_stays_within_512_mb_and_seconds(name: str) -> None:
    answer = subprocess.run([sys.executable, "-c", CHILD], input=BOMBS[name], capture_output=True, check=True).stdout
    seconds, megabytes = map(float, answer.split())
    assert megabytes < 512
    assert seconds < 10  # about 3 s on an idle machine; `consort bench midi` has a limit of 5 s
