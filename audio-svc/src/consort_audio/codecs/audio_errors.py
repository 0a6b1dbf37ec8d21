"""The errors about audio files: INVALID_AUDIO, TOO_SHORT and TOO_LARGE."""

from consort_audio.codecs.formats import known_formats
from consort_music.errors import MusicError


def invalid_audio(problem: str) -> MusicError:
    """Return the error for a file that cannot be used. `problem` is a full sentence."""
    return MusicError(
        "INVALID_AUDIO",
        f"{problem} Send a complete audio file, such as a WAV or MP3 file.",
        [f"a complete file in one of the formats {known_formats()}"],
    )


def unknown_format(head: bytes) -> MusicError:
    """Return the error for a file with an unknown format, which begins with these bytes."""
    if head[:4] == b"MThd":
        hint = "Store it with store_midi, then render it with midi_to_audio."
        return MusicError(
            "INVALID_AUDIO", f"The file is a MIDI file, not audio. {hint}", ["store_midi", "midi_to_audio"]
        )
    return invalid_audio(f"The file is not audio in a known format ({known_formats()}).")


def damaged(audio_format: str) -> MusicError:
    return invalid_audio(f"The file begins like {audio_format.upper()}, but it is damaged and cannot be decoded.")


def cut_off(declared_s: float, found_s: float) -> MusicError:
    return invalid_audio(
        f"The file is cut off: it should last {declared_s:.2f} s, but only {found_s:.2f} s of sound are in it."
    )


def no_samples() -> MusicError:
    return MusicError(
        "TOO_SHORT",
        "The file contains no sound: it has 0 samples. Record or export it again, and send at least a fraction of a "
        "second.",
        ["a file with sound in it"],
    )


def too_short(duration_s: float, min_duration_s: float) -> MusicError:
    """Return the error for audio that is too short to analyze."""
    return MusicError(
        "TOO_SHORT",
        f"The audio lasts {duration_s:.2f} s, which is too short to analyze: at least {min_duration_s:g} s are needed. "
        "Record or upload a longer take.",
        ["a longer take"],
    )


def too_long(max_duration_s: float) -> MusicError:
    """Return the error for audio that is longer than the limit."""
    return MusicError(
        "TOO_LARGE",
        f"The audio is longer than {format_duration(max_duration_s)}, which is the limit. Send a shorter part of it.",
        [f"at most {max_duration_s:g} seconds"],
    )


def format_duration(seconds: float) -> str:
    """Return a duration for a message: `90 s`, `10 min`, `2 h`."""
    if seconds >= 3600 and seconds % 3600 == 0:
        return f"{seconds // 3600:g} h"
    if seconds >= 600 and seconds % 60 == 0:
        return f"{seconds // 60:g} min"
    return f"{seconds:g} s"
