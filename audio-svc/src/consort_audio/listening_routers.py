"""The routers of the listening tools, in the order in which the tools are listed."""

from consort_audio.analysis.articulation.routes import router as articulation_router
from consort_audio.analysis.chords.routes import router as chords_router
from consort_audio.analysis.dynamics.routes import router as dynamics_router
from consort_audio.analysis.key.routes import router as key_router
from consort_audio.analysis.phrases.routes import router as phrases_router
from consort_audio.analysis.pitch.routes import router as pitch_router
from consort_audio.analysis.rhythm.routes import router as rhythm_router
from consort_audio.analysis.sound_measures.routes import router as sound_measures_router
from consort_audio.analysis.summary.routes import router as summary_router
from consort_audio.analysis.tempo.routes import router as tempo_router
from consort_audio.analysis.timbre.routes import router as timbre_router
from consort_audio.comparison.routes import router as comparison_router
from consort_audio.transcription.routes import router as transcription_router

LISTENING_ROUTERS = [
    summary_router,
    tempo_router,
    pitch_router,
    rhythm_router,
    key_router,
    chords_router,
    timbre_router,
    phrases_router,
    dynamics_router,
    articulation_router,
    sound_measures_router,
    transcription_router,
    comparison_router,
]
