"""The routers of the listening tools, in the order in which the tools are listed."""

from consort_audio.analysis.summary.routes import router as summary_router
from consort_audio.comparison.routes import router as comparison_router

LISTENING_ROUTERS = [
    summary_router,
    comparison_router,
]
