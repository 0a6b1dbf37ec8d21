"""The functions that a service runs in a child process. Each imports numpy only when it is called, in the child."""

from pathlib import Path

from consort_audio.codecs.facts import AudioFacts


def inspect_in_child(path: Path, max_duration_s: float) -> AudioFacts:
    from consort_audio.codecs.inspect_audio import inspect_audio

    return inspect_audio(path, max_duration_s)


def cut_in_child(source: Path, target: Path, start: int, end: int, fade_in: int, fade_out: int) -> AudioFacts:
    from consort_audio.codecs.cut import cut

    return cut(source, target, start, end, fade_in, fade_out)


def convert_in_child(source: Path, target: Path, audio_format: str) -> None:
    from consort_audio.codecs.convert import convert

    convert(source, target, audio_format)


def peaks_in_child(path: Path, frames: int) -> list[list[float]]:
    from consort_audio.codecs.peaks import peaks

    return peaks(path, frames)
