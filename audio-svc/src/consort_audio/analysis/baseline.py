"""Queue the analyses that every new recording or upload gets.

A baseline analysis is a job kind whose parameters are an audio_file_id and the hash of its bytes, so that equal bytes
are analysed once. `BASELINE_KINDS` names them. Renders and segments are analysed only on request.
"""

from typing import Any

from consort_audio.jobs.service import JobService

BASELINE_KINDS: tuple[str, ...] = ()
"""The job kinds of the baseline analyses. They come with the analysis tools."""


class BaselineAnalyses:
    def __init__(self, jobs: JobService, kinds: tuple[str, ...] = BASELINE_KINDS) -> None:
        self._jobs = jobs
        self._kinds = kinds

    async def queue(self, audio_file_id: str, sha256: str) -> None:
        """Queue all baseline analyses of a file. Analyses that are already queued or done are not repeated."""
        for kind in self._kinds:
            await self._jobs.submit(kind, {"audio_file_id": audio_file_id}, _cache_key(kind, sha256))

    async def finished(self, sha256: str) -> dict[str, Any]:
        """Return the results that are ready, by the name of the analysis."""
        return {
            kind: result for kind in self._kinds if (result := await self._jobs.cached_result(_cache_key(kind, sha256)))
        }


def _cache_key(kind: str, sha256: str) -> str:
    return f"{kind}:{sha256}"
