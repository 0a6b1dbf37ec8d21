"""The tools `realize_chord` and `realize_progression`."""

from consort_compose.composer.models import Composed
from consort_compose.composer.service import TheComposer
from consort_compose.composer.voicings.models import (
    RealizeChord,
    RealizedChord,
    RealizedProgression,
    RealizeProgression,
)
from consort_compose.composer.voicings.service import voice_chord, voice_progression
from consort_kit.errors import NotFound
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Voice a chord", toolset="compose", effect="write")
async def realize_chord(body: RealizeChord, composer: TheComposer) -> Composed[RealizedChord]:
    """Voice one chord: show how to play a symbol such as Fmaj7#11 or Bm7b5 on guitar (frets, finger), piano keys, for
    choir or strings, and which notes make it up; open, drop 2 or inverted. For several use realize_progression.

    Example: {"chord_symbol": "Cmaj7", "voicing_style": "drop2", "inversion": 1}
    """
    data, score, warnings = await composer.compose(voice_chord, body)
    return await composer.answer(data, score, warnings)


@tool(router, title="Voice a progression", toolset="compose", effect="write", heavy=True, errors=(NotFound,))
async def realize_progression(body: RealizeProgression, composer: TheComposer) -> Composed[RealizedProgression]:
    """Voice a chord progression (sequence) with smooth voice leading: arrange symbols (Dm7, G7) as actual notes for
    piano, guitar (fingerings, shapes), choir (SATB) or string quartet, without parallels. Also for those planned in a
    song.

    Example: {"chords": "Dm7 G7 | Cmaj7", "instrument": "satb"}
    """
    plan = await composer.chord_plan(body.song_id, body.section) if body.song_id and not body.chords else None
    data, score, warnings = await composer.compose(voice_progression, body, plan)
    return await composer.answer(data, score, warnings)
