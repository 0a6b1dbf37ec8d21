"""Answer the route `/measures`."""

from typing import Any

from consort_audio.analysis.listening_task import ListeningTask
from consort_audio.analysis.sound_measures.measure import measure_sound
from consort_audio.analysis.sound_measures.stereo import read_stereo


def answer(task: ListeningTask) -> dict[str, Any]:
    """Return the measures of a file; an empty dict if it is silent."""
    options = task.options
    recording = task.read(0)
    music_s = min(options["music_s"], recording.duration)
    found = measure_sound(recording, read_stereo(task.paths[0]), music_s, options["beat_s"])
    return {"measures": {} if found is None else {name: round(value, 3) for name, value in found._asdict().items()}}
