"""Which uploaded files are taken for music notation."""

import pytest

from consort_midi_store.files.other_music import is_notation

NOTATION = [
    b"<?xml version='1.0'?><score-partwise/>",
    b"\xef\xbb\xbf<mei>",
    "<?xml version='1.0'?>".encode("utf-16"),
    b"**kern\n4c\n*-\n",
    b"!!!COM: Bach\n**kern\n",
    b"X:1\nT:Jig\nK:G\nGAB|\n",
    b"%abc-2.1\nX:1\n",
    b"tinyNotation: 4/4 c4",
    b"Composer: Anon\nTime Signature: 4/4\nm1 C: I b3 V6\n",
    b"1\n2\n3\n$ K:0   Q:4   T:1/1   C:4\nC4     4        q\n",
    b"PK\x03\x04 an .mxl or .capx file",
]
OTHER = [
    b"",
    b"MThd\x00\x00\x00\x06\x00\x00\x00\x01\x01\xe0MTrk",
    b"RIFF\x00\x00\x00\x00RMIDdata",
    b"hello world",
    b"\x00\x01\x02$ K:0",
    b"title: not music",
    b"ID3\x04",
]


@pytest.mark.parametrize("content", NOTATION)
def test_notation_is_recognized(content: bytes) -> None:
    assert is_notation(content)


@pytest.mark.parametrize("content", OTHER)
def test_other_files_are_not(content: bytes) -> None:
    assert not is_notation(content)
