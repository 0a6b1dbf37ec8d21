"""Describe a render by what differs from a plain one, so that several renders of a piece can be told apart."""

from typing import Any

from consort_audio.synthesis.chosen_tracks import ChosenTracks
from consort_audio.synthesis.models import MidiToAudio

_SHOWN = {"first_bar", "last_bar", "count_in", "metronome", "loudness", "reverb", "tail"}


def shown_options(request: MidiToAudio, tracks: ChosenTracks) -> dict[str, Any]:
    """Return the options that are not the default, for get_audio_info."""
    options = {
        "instrument": request.instrument.name if request.instrument is not None else None,
        "solo": tracks.soloed_names,
        "mute": tracks.muted_names,
        **request.model_dump(include=_SHOWN, exclude_defaults=True),
    }
    return {name: value for name, value in options.items() if value not in (None, [])}


def default_name(title: str, request: MidiToAudio, tracks: ChosenTracks) -> str:
    """Return a name such as "Rain - Lead, bars 2-3"."""
    parts = [
        request.instrument.name if request.instrument is not None else "",
        " + ".join(tracks.soloed_names),
        f"without {' + '.join(tracks.muted_names)}" if tracks.muted_names else "",
        _bars(request.first_bar, request.last_bar),
        "count-in" if request.count_in else "",
        "metronome" if request.metronome else "",
    ]
    described = ", ".join(filter(None, parts))
    return f"{title} - {described}" if described else title


def _bars(first: int | None, last: int | None) -> str:
    if first is None:
        return "" if last is None else f"to bar {last}"
    if last is None:
        return f"from bar {first}"
    return f"bar {first}" if first == last else f"bars {first}-{last}"
