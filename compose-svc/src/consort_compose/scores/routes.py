"""The stored scores, and a score as MIDI, MusicXML or text, for browsers, the gateway and the other services."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from consort_compose.scores.models import ScoreList
from consort_compose.scores.service import SCORE_ID, UNTITLED, ScoreService
from consort_kit.http.service_client import attachment
from consort_kit.tools.tool_decorator import binary_responses
from consort_music.midi.file_names import MIDI_MEDIA_TYPE
from consort_music.midi.writer import write_midi
from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.notation.note_list import format_note_list
from consort_music.notation.to_midi import score_to_midi

router = APIRouter()

MUSICXML_TYPE = "application/vnd.recordare.musicxml+xml"


def _scores(request: Request) -> ScoreService:
    service: ScoreService = request.app.state.scores
    return service


TheScores = Annotated[ScoreService, Depends(_scores)]
ScorePathId = Annotated[str, Path(pattern=SCORE_ID, description="Id from a composer tool.")]


@router.get("/scores", summary="The newest scores")
async def list_scores(
    scores: TheScores, limit: Annotated[int, Query(ge=1, le=100)] = 20, cursor: str | None = None
) -> ScoreList:
    return await scores.newest(limit, cursor)


@router.get(
    "/scores/{score_id}.txt",
    summary="A score as a note list",
    response_class=Response,
    responses=binary_responses("text/plain"),
)
async def score_text(score_id: ScorePathId, scores: TheScores) -> Response:
    score = await scores.get(score_id)
    facts = [score.title or UNTITLED, f"key {score.key.name}" if score.key else "", f"metre {score.metre.name}"]
    heading = ", ".join(filter(None, facts))
    return Response(f"{heading}\n\n{format_note_list(score)}\n", media_type="text/plain")


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
