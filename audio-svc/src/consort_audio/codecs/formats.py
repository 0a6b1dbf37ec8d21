"""The formats of audio files: their names, extensions and media types. A format is detected by the first bytes."""

from dataclasses import dataclass

HEAD_BYTES = 64
"""How many bytes `detect_format` needs at most, except after an ID3 tag."""


@dataclass(frozen=True)
class AudioFormat:
    name: str
    """What tools call it; also the extension of files that we write."""
    media_type: str
    extensions: tuple[str, ...] = ()
    """Other extensions that such files have."""
    plays_in_browsers: bool = True
    """Whether browsers play it and can move to any position. Live webm, for example, has no index."""


FORMATS = {
    each.name: each
    for each in (
        AudioFormat("wav", "audio/wav", ("wave",)),
        AudioFormat("flac", "audio/flac"),
        AudioFormat("ogg", "audio/ogg", ("oga",)),
        AudioFormat("opus", "audio/ogg"),
        AudioFormat("mp3", "audio/mpeg"),
        AudioFormat("aiff", "audio/aiff", ("aif", "aifc"), plays_in_browsers=False),
        AudioFormat("m4a", "audio/mp4", ("m4b",)),
        AudioFormat("aac", "audio/aac", plays_in_browsers=False),
        AudioFormat("webm", "audio/webm", ("mka", "mkv"), plays_in_browsers=False),
        AudioFormat("mp4", "video/mp4", ("m4v", "mov"), plays_in_browsers=False),
    )
}
WRITTEN_FORMATS = ("wav", "flac", "ogg", "mp3")
"""The formats that we write."""
MP3_SAMPLE_RATES = (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000)
MP3_MAX_CHANNELS = 2
_ISO_AUDIO_BRANDS = (b"M4A ", b"M4B ", b"M4P ")


def detect_format(head: bytes) -> str | None:
    """Return the name of the format of a file that begins with these bytes, or None if it is unknown.

    The name in a file's extension is ignored. The bytes of an ID3 tag must have been skipped.
    """
    kind, inner = head[:4], head[8:12]
    if kind in (b"RIFF", b"RF64") and inner == b"WAVE":
        return "wav"
    if kind == b"FORM" and inner in (b"AIFF", b"AIFC"):
        return "aiff"
    if kind == b"fLaC":
        return "flac"
    if kind == b"OggS":
        return "opus" if b"OpusHead" in head else "ogg"
    if kind == b"\x1aE\xdf\xa3":
        return "webm"
    if head[4:8] == b"ftyp":
        return "m4a" if inner in _ISO_AUDIO_BRANDS else "mp4"
    return _detect_mpeg(head)


def _detect_mpeg(head: bytes) -> str | None:
    """Detect the header of an MPEG audio frame: 11 set bits, then the version and the layer (0 in AAC)."""
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0:
        return None
    if head[1] & 0x06 == 0:
        return "aac" if head[1] & 0xF0 == 0xF0 else None
    return "mp3"


def id3_size(head: bytes) -> int:
    """Return the size of the ID3 tag that a file begins with, or 0 if there is none."""
    if head[:3] != b"ID3" or len(head) < 10:
        return 0
    size = 0
    for byte in head[6:10]:
        size = size << 7 | byte & 0x7F
    return 10 + size


def format_of_name(name: str) -> str | None:
    """Return the format that a file name's extension stands for, or None."""
    extension = name.rpartition(".")[2].lower()
    return next((each.name for each in FORMATS.values() if extension in (each.name, *each.extensions)), None)


def known_formats() -> str:
    """Return the names of all formats, for a message."""
    return ", ".join(FORMATS)
