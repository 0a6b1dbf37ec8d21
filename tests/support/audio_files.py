"""Make audio files for tests: signals as arrays, and files of every format, written by soundfile and FFmpeg."""

import base64
import io
import struct
from pathlib import Path

import av
import numpy as np
import soundfile
from numpy.typing import NDArray

Signal = NDArray[np.float32]
"""One row per frame, one column per channel."""

SOUNDFILE_FORMATS = {
    "wav": ("WAV", "PCM_16"),
    "flac": ("FLAC", "PCM_16"),
    "ogg": ("OGG", "VORBIS"),
    "mp3": ("MP3", "MPEG_LAYER_III"),
    "aiff": ("AIFF", "PCM_16"),
}
AV_FORMATS = {
    "m4a": ("ipod", "aac"),
    "aac": ("adts", "aac"),
    "webm": ("webm", "libopus"),
    "opus": ("ogg", "libopus"),
    "mp4": ("mp4", "aac"),
}
_LAYOUTS = {1: "mono", 2: "stereo", 6: "5.1", 8: "7.1"}


def sine(hz: float, seconds: float, sample_rate: int = 44_100, level_db: float = -12.0, channels: int = 1) -> Signal:
    """Return a sine tone whose peaks have this level, the same in all channels."""
    times = np.arange(round(seconds * sample_rate)) / sample_rate
    tone = 10 ** (level_db / 20) * np.sin(2 * np.pi * hz * times)
    return np.repeat(tone[:, None], channels, axis=1).astype(np.float32)


def melody(seconds: float, sample_rate: int, channels: int = 2) -> Signal:
    """Return a signal that differs between its channels and changes with time: swelling tones."""
    times = np.arange(round(seconds * sample_rate)) / sample_rate
    swell = 0.5 - 0.4 * np.cos(2 * np.pi * times)
    columns = [0.4 * swell * np.sin(2 * np.pi * (330 + 110 * channel) * times) for channel in range(channels)]
    return np.stack(columns, axis=1).astype(np.float32)


def wav_bytes(signal: Signal, sample_rate: int = 44_100, subtype: str = "PCM_16") -> bytes:
    return file_bytes(signal, sample_rate, "WAV", subtype)


def file_bytes(signal: Signal, sample_rate: int, container: str, subtype: str) -> bytes:
    """Return a file that soundfile writes."""
    target = io.BytesIO()
    soundfile.write(target, signal, sample_rate, format=container, subtype=subtype)
    return target.getvalue()


def write_audio(path: Path, signal: Signal, sample_rate: int) -> Path:
    """Write a file in the format of its extension and return its path."""
    extension = path.suffix[1:]
    if extension in SOUNDFILE_FORMATS:
        container, subtype = SOUNDFILE_FORMATS[extension]
        path.write_bytes(file_bytes(signal, sample_rate, container, subtype))
    else:
        write_with_ffmpeg(path, signal, sample_rate, *AV_FORMATS[extension])
    return path


def write_with_ffmpeg(
    path: Path, signal: Signal, sample_rate: int, container: str, codec: str, options: dict[str, str] | None = None
) -> None:
    channels = signal.shape[1]
    with av.open(str(path), "w", format=container, options=options or {}) as output:
        stream = output.add_stream(codec, rate=sample_rate, layout=_LAYOUTS[channels])
        assert isinstance(stream, av.AudioStream)
        frame_size = stream.codec_context.frame_size or 1024
        resampler = av.AudioResampler(
            format=stream.codec_context.format, layout=_LAYOUTS[channels], rate=sample_rate, frame_size=frame_size
        )
        frame = av.AudioFrame.from_ndarray(
            np.ascontiguousarray(signal).reshape(1, -1), format="flt", layout=_LAYOUTS[channels]
        )
        frame.sample_rate, frame.pts = sample_rate, 0
        for part in [*resampler.resample(frame), *resampler.resample(None)]:
            output.mux(stream.encode(part))
        output.mux(stream.encode(None))


def video_without_sound(path: Path) -> Path:
    """Write an MP4 file with pictures only."""
    with av.open(str(path), "w", format="mp4") as output:
        stream = output.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 64, "yuv420p"
        for shade in range(5):
            picture = np.full((64, 64, 3), 40 * shade, np.uint8)
            output.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        output.mux(stream.encode(None))
    return path


def wav_header(data_bytes: int, sample_rate: int = 44_100, channels: int = 1, bits: int = 16) -> bytes:
    """Return the header of a WAV file, followed by nothing."""
    frame = channels * bits // 8
    format_chunk = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, channels, sample_rate, sample_rate * frame, frame, bits)
    size = min(36 + data_bytes, 0xFFFFFFFF)
    return struct.pack("<4sI4s", b"RIFF", size, b"WAVE") + format_chunk + struct.pack("<4sI", b"data", data_bytes)


def as_base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def decoded(content: bytes) -> Signal:
    """Decode a file with soundfile, as float32."""
    signal: Signal = soundfile.read(io.BytesIO(content), dtype="float32", always_2d=True)[0]
    return signal
