"""A stored score as MIDI or MusicXML, for browsers and for the other services."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response

from consort_compose.scores.service import SCORE_ID, UNTITLED, ScoreService
from consort_kit.http.service_client import attachment
from consort_kit.tools.tool_decorator import binary_responses
from consort_music.midi.file_names import MIDI_MEDIA_TYPE
from consort_music.midi.writer import write_midi
from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.notation.to_midi import score_to_midi

router = APIRouter()

MUSICXML_TYPE = "application/vnd.recordare.musicxml+xml"


def _scores(request: Request) -> ScoreService:
    service: ScoreService = request.app.state.scores
    return service


TheScores = Annotated[ScoreService, Depends(_scores)]
ScorePathId = Annotated[str, Path(pattern=SCORE_ID, description="Id from a composer tool.")]


@router.get(
    "/scores/{score_id}.mid",
    summary="A score as MIDI",
    response_class=Response,
    responses=binary_responses(MIDI_MEDIA_TYPE),
)
async def score_midi(score_id: ScorePathId, scores: TheScores) -> Response:
    score = await scores.get(score_id)
    headers = attachment(f"{score.title or UNTITLED}.mid")
    return Response(write_midi(score_to_midi(score)), media_type=MIDI_MEDIA_TYPE, headers=headers)


@router.get(
    "/scores/{score_id}.musicxml",
    summary="A score as MusicXML",
    response_class=Response,
    responses=binary_responses(MUSICXML_TYPE),
)
async def score_musicxml(score_id: ScorePathId, scores: TheScores) -> Response:
    return Response(write_musicxml(await scores.get(score_id)), media_type=MUSICXML_TYPE)
