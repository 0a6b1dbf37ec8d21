"""Draw the picture of a stored audio file in a child process."""

from pathlib import PurePosixPath
from typing import NamedTuple

from consort_audio.files.children import AudioChildren
from consort_audio.files.library import AudioLibrary
from consort_audio.files.store import AudioRow
from consort_audio.files.time_ranges import frame_range
from consort_audio.pictures.child_calls import draw_in_child
from consort_audio.pictures.known_analyses import AnalysisFinder
from consort_audio.pictures.known_music import MusicFinder, MusicOfAudio, cannot_be_read
from consort_audio.pictures.models import RenderWaveform
from consort_audio.pictures.overlay.model import ALL_LAYERS, Layer
from consort_audio.pictures.picture_request import PictureRequest

RENDERED = "the music that it was rendered from"


class DrawnPicture(NamedTuple):
    row: AudioRow
    content: bytes
    layers: list[Layer]
    """What is drawn in."""
    drawn_from: dict[Layer, str]
    """Where each layer comes from."""
    warnings: list[str]


class PictureService:
    def __init__(
        self, library: AudioLibrary, children: AudioChildren, known: MusicFinder, heard: AnalysisFinder
    ) -> None:
        self._library = library
        self._children = children
        self._known = known
        self._heard = heard

    async def draw(self, request: RenderWaveform) -> DrawnPicture:
        """Draw a picture. Raise NotFound, or InvalidInput (INVALID_TIME_RANGE, INVALID_AUDIO)."""
        row = await self._library.row(request.audio_file_id)
        first, end = frame_range(request.start_time, request.end_time, row)
        wanted = list(dict.fromkeys(ALL_LAYERS if request.layers is None else request.layers))
        music, warnings = await self._known.find(row) if wanted else MusicOfAudio(None, [])
        if request.spectrogram == "none" and "notes" in wanted:
            wanted.remove("notes")
            warnings += ["Notes are drawn over the spectrogram, so there are none here."] if request.layers else []
        of_music: list[Layer] = ["notes", "beats"] if music is not None else []
        unknown = [layer for layer in wanted if layer not in of_music]
        heard = await self._heard.find(row, unknown, may_listen=request.layers is not None)
        warnings += heard.warnings
        drawing = PictureRequest(
            frames=row.frames,
            first=first,
            end=end,
            width=request.width,
            height=request.height,
            spectrogram=request.spectrogram,
            format=request.format,
            title=request.title or PurePosixPath(row.name).stem,
            overlay=heard.overlay.within(first / row.sample_rate, end / row.sample_rate),
        )
        async with self._library.local_file(row) as path:
            drawn = await self._children.run(draw_in_child, path, drawing, row.sample_rate, music, wanted)
        if drawn.problem is not None:
            warnings.append(cannot_be_read(drawn.problem))
        missing = [layer for layer in wanted if layer not in drawn.layers]
        if request.layers and missing and not warnings:
            warnings.append(f"No {' and no '.join(missing)} are known for this part of the file.{_hint(missing)}")
        sources = {layer: heard.sources.get(layer, RENDERED) for layer in drawn.layers}
        return DrawnPicture(row, drawn.content, drawn.layers, sources, warnings)


def _hint(missing: list[Layer]) -> str:
    return " Faults are known after compare_to_reference." if "faults" in missing else ""
