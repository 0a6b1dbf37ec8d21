"""A kept score as bytes, for browsers and for the other services."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response

from consort_compose.scores.service import SCORE_ID, UNTITLED, ScoreService
from consort_kit.client import attachment
from consort_kit.tool import binary
from consort_music.midi.writer import write_midi
from consort_music.notation.musicxml_writer import write_musicxml
from consort_music.notation.to_midi import score_to_midi

router = APIRouter()

MIDI_TYPE = "audio/midi"
MUSICXML_TYPE = "application/vnd.recordare.musicxml+xml"


def _scores(request: Request) -> ScoreService:
    service: ScoreService = request.app.state.scores
    return service


Scores = Annotated[ScoreService, Depends(_scores)]
ScoreId = Annotated[str, Path(pattern=SCORE_ID, description="Id from a composer tool.")]


@router.get("/scores/{score_id}.mid", summary="A score as MIDI", response_class=Response, responses=binary(MIDI_TYPE))
async def score_midi(score_id: ScoreId, scores: Scores) -> Response:
    score = await scores.get(score_id)
    headers = attachment(f"{score.title or UNTITLED}.mid")
    return Response(write_midi(score_to_midi(score)), media_type=MIDI_TYPE, headers=headers)


@router.get(
    "/scores/{score_id}.musicxml",
    summary="A score as MusicXML",
    response_class=Response,
    responses=binary(MUSICXML_TYPE),
)
async def score_musicxml(score_id: ScoreId, scores: Scores) -> Response:
    return Response(write_musicxml(await scores.get(score_id)), media_type=MUSICXML_TYPE)
