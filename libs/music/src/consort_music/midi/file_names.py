"""Names and media type of MIDI files."""

MIDI_MEDIA_TYPE = "audio/midi"

MIDI_SUFFIXES = {".mid", ".midi", ".smf", ".rmi", ".kar"}


def title_from_name(name: str) -> str:
    """Return the name of a file. If it ends with one of `MIDI_SUFFIXES`, the suffix is removed."""
    stem, dot, suffix = name.rpartition(".")
    return stem if stem and f"{dot}{suffix}".lower() in MIDI_SUFFIXES else name
