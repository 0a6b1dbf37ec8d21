"""The harmony tools, and their answers in words."""

from consort_compose.composer.harmony import models
from consort_compose.composer.harmony.analysis import Analysis
from consort_compose.composer.harmony.analysis import analyze_harmony as analyze
from consort_compose.composer.harmony.models import AnalyzeHarmony, HarmonyAnalysis, Reharmonize, Reharmonized
from consort_compose.composer.harmony.realization import Texture, with_chords
from consort_compose.composer.harmony.reharmonize import Option, Reharmonization
from consort_compose.composer.harmony.reharmonize import reharmonize as harmonisations
from consort_compose.composer.harmony.vocabulary import Style
from consort_compose.composer.models import Composed, ComposerWarning
from consort_compose.composer.service import TheComposer
from consort_compose.composer.tonality import harmonic_key, modal_key
from consort_kit.errors import NotFound
from consort_kit.tool import tool, tool_router
from consort_music.errors import MusicError, in_field
from consort_music.keys import Key, parse_key
from consort_music.notation.musicxml_writer import write_musicxml
from consort_music.score import Place, Score

router = tool_router()

MOST_BEATS = 2_000
MOST_NOTES = 20_000
_TEXTURES: dict[Style, Texture] = {"classical": "satb", "modal": "satb", "jazz": "keyboard", "pop": "keyboard"}


@tool(router, title="Harmonize a melody", toolset="compose", effect="write", heavy=True, errors=(NotFound,))
async def reharmonize(body: Reharmonize, composer: TheComposer) -> Composed[Reharmonized]:
    """Find chords for a melody: several different harmonisations in a style, best first, each with symbols, Roman
    numerals, scores, and music (four voices, piano, or a lead sheet) under its own score_id.

    A melody note on a strong beat is always a tone of its chord where the style has such a chord; a warning names the
    measures where none does. For the chords that music already has use analyze_harmony; to voice chords you have,
    realize_progression.

    Example: {"melody": "E4:q E4:q F4:q G4:q G4:q F4:q E4:q D4:q", "style": "jazz", "chord_rhythm": "per_half"}
    """
    source = await composer.read(body.melody, body.input_format, "melody")
    found = await composer.compose(find, source.score, body)
    options = found.options
    ids = [await composer.keep(option.score) for option in options[1:]]
    data = await composer.compose(describe, found, body)
    answer = await composer.answer(data, options[0].score, [*source.warnings, *_warnings(found)])
    for shown, score_id in zip(data.harmonizations, [answer.score_id, *ids], strict=True):
        shown.score_id = score_id
    return answer


@tool(router, title="Analyze harmony", toolset="compose", effect="write", heavy=True, errors=(NotFound,))
async def analyze_harmony(body: AnalyzeHarmony, composer: TheComposer) -> Composed[HarmonyAnalysis]:
    """Name the chords of given music: symbols, Roman numerals with inversions and applied dominants, functions, and the
    cadences at phrase ends. Of a melody alone it answers the likely chords and says so (implied).

    Use it to understand a piece before changing it; for new chords use reharmonize. The score_id is the music with the
    chords written above it.

    Example: {"music": "score_…", "chord_rhythm": "per_half"}
    """
    source = await composer.read(body.music, body.input_format, "music")
    data, score = await composer.compose(study, source.score, body)
    return await composer.answer(data, score, source.warnings)


def find(score: Score, body: Reharmonize) -> Reharmonization:
    with in_field("melody"):
        _check_size(score)
    return harmonisations(
        score,
        _key(score, body.key, modal=body.style == "modal"),
        body.style,
        rhythm=body.chord_rhythm,
        count=body.num_options,
        allow_extended=body.allow_extended,
        bass_motion=body.bass_motion,
        texture=body.texture or _TEXTURES[body.style],
        seed=body.seed,
    )


def describe(found: Reharmonization, body: Reharmonize) -> Reharmonized:
    return Reharmonized(
        detected_key=found.key.name,
        positions=[_position(place) for place in found.places],
        harmonizations=[
            _harmonization(rank, option, found, body.include_musicxml) for rank, option in enumerate(found.options, 1)
        ],
    )


def _harmonization(rank: int, option: Option, found: Reharmonization, include_musicxml: bool) -> models.Harmonization:
    chords = [setting.chord for setting in option.settings]
    scores = option.scores
    return models.Harmonization(
        rank=rank,
        chords=[symbol.name for _, _, symbol in option.chords],
        roman_numerals=[chord.numeral for chord in chords],
        inversions=[setting.chord.figure(setting.bass) for setting in option.settings],
        functions=[chord.function for chord in chords],
        substitutions=[
            f"measure {place.measure}: {symbol.name}, {chord.substitute}"
            for chord, (_, _, symbol), place in zip(chords, option.chords, found.places, strict=True)
            if chord.substitute is not None
        ],
        scores=models.HarmonyScores(
            voice_leading=round(scores.voice_leading, 3),
            chord_melody_fit=round(scores.chord_melody_fit, 3),
            style_adherence=round(scores.style_adherence, 3),
            overall=round(scores.overall, 3),
        ),
        musicxml=write_musicxml(option.score) if include_musicxml else None,
    )


def study(score: Score, body: AnalyzeHarmony) -> tuple[HarmonyAnalysis, Score]:
    with in_field("music"):
        _check_size(score)
    found = analyze(score, _key(score, body.key), body.chord_rhythm)
    return told(found), with_chords(score, [(chord.start, chord.end, chord.symbol) for chord in found.chords])


def told(found: Analysis) -> HarmonyAnalysis:
    return HarmonyAnalysis(
        key=found.key.name,
        implied=found.is_implied,
        chords=[
            models.AnalyzedChord(
                measure=chord.place.measure,
                beat=round(float(chord.place.beat), 4),
                beats=round(float(chord.end - chord.start), 4),
                chord=chord.symbol.name,
                roman_numeral=chord.numeral,
                function=chord.function,
            )
            for chord in found.chords
        ],
        cadences=[
            models.AnalyzedCadence(
                kind=cadence.kind,
                measure=cadence.place.measure,
                beat=round(float(cadence.place.beat), 4),
                roman_numerals=list(cadence.numerals),
            )
            for cadence in found.cadences
        ],
    )


def _key(score: Score, given: str | None, modal: bool = False) -> Key:
    if given:
        return parse_key(given)
    return modal_key(score) if modal else harmonic_key(score)


def _check_size(score: Score) -> None:
    beats = sum(len(bar.metre.beats) for bar in score.bars)
    if beats > MOST_BEATS or score.note_count > MOST_NOTES:
        raise MusicError(
            "TOO_LARGE",
            f"This music has {beats} beats and {score.note_count} notes; at most {MOST_BEATS} beats and {MOST_NOTES} "
            "notes are harmonised at once. Give a part of it.",
        )


def _position(place: Place) -> str:
    return f"{place.measure}:{round(float(place.beat), 3):g}"


def _warnings(found: Reharmonization) -> list[ComposerWarning]:
    return [
        ComposerWarning(code=remark.code, message=remark.message, measure=remark.measure) for remark in found.remarks
    ]
