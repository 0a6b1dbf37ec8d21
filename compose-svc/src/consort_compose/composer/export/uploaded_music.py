"""Convert uploaded music that is not MIDI, such as MusicXML, ABC or Humdrum kern, for the MIDI store."""

import base64
from typing import Annotated

from fastapi import APIRouter, Body
from pydantic import BaseModel

from consort_compose.composer.service import TheComposer
from consort_kit.tools.tool_decorator import ERRORS
from consort_music.midi.writer import write_midi
from consort_music.notation.musicxml.mxl import is_mxl
from consort_music.notation.to_midi import score_to_midi
from consort_music.score import Score

router = APIRouter()
_BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")


class ConvertedMusic(BaseModel):
    base64: str
    """The MIDI file."""
    warnings: list[str]


@router.post("/uploaded-music", summary="Convert uploaded notation to MIDI", responses=ERRORS)
async def convert_uploaded_music(
    content: Annotated[bytes, Body(media_type="application/octet-stream")], composer: TheComposer
) -> ConvertedMusic:
    """Convert notation in any format that tools read to a MIDI file."""
    source = await composer.read(_as_text(content), None, "content")
    midi = await composer.compose(_write, source.score)
    return ConvertedMusic(base64=base64.b64encode(midi).decode(), warnings=source.warnings)


def _as_text(content: bytes) -> str:
    """Return the text of a file; base64 for a compressed one."""
    if is_mxl(content):
        return base64.b64encode(content).decode()
    encoding = "utf-16" if content.startswith(_BYTE_ORDER_MARKS) else "utf-8-sig"
    return content.decode(encoding, errors="replace")


def _write(score: Score) -> bytes:
    return write_midi(score_to_midi(score))
