"""The tool `find_scores`, and pieces of the score library as MIDI files for the other services."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response

from consort_compose.score_library.models import FindScores, FoundScores
from consort_compose.score_library.references import PREFIX
from consort_compose.score_library.service import ScoreLibrary
from consort_kit.http.service_client import attachment
from consort_kit.ids import id_pattern
from consort_kit.tools.tool_decorator import binary_responses, tool, tool_router
from consort_music.midi.file_names import MIDI_MEDIA_TYPE
from consort_music.midi.rights import with_rights
from consort_music.midi.writer import write_midi
from consort_music.notation.to_midi import score_to_midi

router = tool_router()
files_router = APIRouter()


def _library(request: Request) -> ScoreLibrary:
    library: ScoreLibrary = request.app.state.score_library
    return library


TheLibrary = Annotated[ScoreLibrary, Depends(_library)]


@tool(router, title="Find scores", toolset="compose", effect="read")
async def find_scores(body: FindScores, library: TheLibrary) -> FoundScores:
    """Search a library (corpus, collection) of 15,000 pieces: Bach chorales, folk songs, Irish dances (jig, reel),
    Palestrina, Monteverdi, a string quartet by Haydn or Mozart to study, by title, composer, key, metre, voices.

    Give a result, corpus:bach/bwv66.6, or bars of it, corpus:bach/bwv66.6#1-4, where a tool takes music or a
    midi_file_id.

    Example: {"query": "bach", "key": "F# minor", "parts": 4}
    """
    return await library.find(body)


@files_router.get(
    "/library/{reference:path}.mid",
    summary="A piece of the score library as MIDI",
    response_class=Response,
    responses=binary_responses(MIDI_MEDIA_TYPE),
)
async def library_midi(
    reference: Annotated[str, Path(pattern=id_pattern("score", PREFIX), description="Such as corpus:bach/bwv66.6.")],
    library: TheLibrary,
) -> Response:
    piece = await library.read(reference, "midi_file_id")
    midi = score_to_midi(piece.score)
    headers = attachment(f"{piece.score.title or reference.rpartition('/')[2]}.mid")
    content = write_midi(with_rights(midi, piece.rights) if piece.rights else midi)
    return Response(content, media_type=MIDI_MEDIA_TYPE, headers=headers)
