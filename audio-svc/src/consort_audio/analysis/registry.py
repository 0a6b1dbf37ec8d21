"""Which function answers which tool. The service knows their names only: they import numpy, and run in a worker."""

ANSWER_OF_RECORDING: dict[str, str] = {
    "analyze_tempo": "consort_audio.analysis.tempo.answer",
    "analyze_rhythm": "consort_audio.analysis.rhythm.answer",
    "detect_pitch": "consort_audio.analysis.pitch.answer",
    "detect_key": "consort_audio.analysis.key.answer",
    "detect_chords": "consort_audio.analysis.chords.answer",
    "analyze_timbre": "consort_audio.analysis.timbre.answer",
    "segment_phrases": "consort_audio.analysis.phrases.answer",
    "analyze_dynamics": "consort_audio.analysis.dynamics.answer",
    "detect_articulation": "consort_audio.analysis.articulation.answer",
}
"""By tool: the module with `answer(recording, options) -> dict`."""

ANSWER_OF_TASK: dict[str, str] = {
    "analyze_audio": "consort_audio.analysis.summary.answer",
    "measure_sound": "consort_audio.analysis.sound_measures.answer",
    "transcribe_audio": "consort_audio.transcription.answer",
    "compare_audio": "consort_audio.comparison.answer",
    "compare_to_reference": "consort_audio.comparison.answer",
}
"""By tool: the module with `answer(task: ListeningTask) -> dict`, for tools with several files or with progress."""

BASELINE_TOOLS = ("analyze_tempo", "detect_pitch", "analyze_rhythm")
"""Every new recording or upload gets these, and analyze_audio answers them at once."""
