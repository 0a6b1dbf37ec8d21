"""Bars and beats for the places in an answer, only where they are known well enough."""

from consort_audio.analysis.confidence_limits import SURE
from consort_audio.analysis.tempo.track import BeatTrack, track_beats
from consort_audio.signals.recording import Recording


class KnownBars:
    """The bars of a recording. Nothing is computed before a place is asked for."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    def bar_and_beat(self, seconds: float) -> dict[str, float]:
        """Return `bar` and `beat` of a time, or nothing if tempo or downbeats have a confidence below `SURE`."""
        track: BeatTrack = track_beats(self._recording)
        if min(track.confidence, track.metre_confidence) < SURE:
            return {}
        position = track.position(seconds)
        return {"bar": position[0], "beat": round(position[1], 2)} if position else {}

    def bar(self, seconds: float) -> dict[str, float]:
        """Return only the `bar` of a time, or nothing."""
        return {name: value for name, value in self.bar_and_beat(seconds).items() if name == "bar"}
