"""The tool `compose_export_midi`."""

from consort_compose.composer.export.models import ComposeExportMidi, ExportedScore
from consort_compose.composer.export.service import describe_export, make_export, store_export
from consort_compose.composer.models import Composed
from consort_compose.composer.service import TheComposer
from consort_kit.errors import AlreadyExists, NotFound
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(
    router,
    title="Export composed music as MIDI",
    toolset="compose",
    effect="write",
    heavy=True,
    errors=(NotFound, AlreadyExists),
)
async def compose_export_midi(body: ComposeExportMidi, composer: TheComposer) -> Composed[ExportedScore]:
    """Convert composed music to a MIDI file: save (keep) notes, or the score, melody, tune or counterpoint that was
    generated, as .mid: plain, with a crescendo or with human timing. For a song use song_export_midi.

    Example: {"stream": "score_4r0c…", "tempo": 96, "velocity_curve": "dynamic"}
    """
    source = await composer.read(body.stream, body.input_format, "stream")
    made = await composer.compose(make_export, source.score, body)
    stored = await store_export(composer.client, made, body.name)
    data = describe_export(made, stored, include_base64=body.include_base64)
    return await composer.answer(data, source.score, source.warnings, is_new=False)
