"""The service that the routes of the listening tools use."""

from typing import Annotated

from fastapi import Depends, Request

from consort_audio.analysis.service import Analyses


def _analyses(request: Request) -> Analyses:
    service: Analyses = request.app.state.analyses
    return service


UsedAnalyses = Annotated[Analyses, Depends(_analyses)]
