"""reharmonize and analyze_harmony: names read, the engines, their results put into words."""

from consort_compose.composer.harmony import models
from consort_compose.composer.harmony.analysis import Analysis, analyze_harmony
from consort_compose.composer.harmony.blues import blues_key
from consort_compose.composer.harmony.models import AnalyzeHarmony, HarmonyAnalysis, Reharmonize, Reharmonized
from consort_compose.composer.harmony.numerals import name_chords
from consort_compose.composer.harmony.part_writing import part_writing
from consort_compose.composer.harmony.realization import Texture, with_chords
from consort_compose.composer.harmony.reharmonize import Option, Reharmonization, reharmonize
from consort_compose.composer.harmony.vocabulary import Style
from consort_compose.composer.models import ComposerWarning
from consort_compose.composer.tonality import harmonic_key, modal_key
from consort_music.bars import Place
from consort_music.chords.layout import ChordSpan
from consort_music.errors import MusicError, in_field
from consort_music.keys import Key, parse_key
from consort_music.notation.musicxml_writer import write_musicxml
from consort_music.score import Score

MOST_BEATS = 2_000
MOST_NOTES = 20_000
_TEXTURES: dict[Style, Texture] = {"classical": "satb", "modal": "satb", "jazz": "keyboard", "pop": "keyboard"}


def find(score: Score, body: Reharmonize) -> Reharmonization:
    with in_field("melody"):
        _check_size(score)
    return reharmonize(
        score,
        _key(score, body.key, body.style),
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
    names = name_chords(found.key, [(setting.chord, setting.bass) for setting in option.settings])
    scores = option.scores
    return models.Harmonization(
        rank=rank,
        chords=[symbol.name for _, _, symbol in option.chords],
        roman_numerals=[name.numeral for name in names],
        functions=[name.function for name in names],
        substitutions=[
            f"measure {place.measure}: {symbol.name}, {setting.chord.substitute}"
            for setting, (_, _, symbol), place in zip(option.settings, option.chords, found.places, strict=True)
            if setting.chord.substitute is not None
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
    found = analyze_harmony(score, _key(score, body.key, None), body.chord_rhythm)
    return _told(found, part_writing(score)), with_chords(
        score, [ChordSpan(chord.start, chord.end, chord.symbol) for chord in found.chords]
    )


def _told(found: Analysis, faults: list[str] | None) -> HarmonyAnalysis:
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
        part_writing=faults,
    )


def _key(score: Score, given: str | None, style: Style | None) -> Key:
    """The key that is given, or the one of the music: a mode for the modal style, a blues for jazz and for analysis."""
    if given:
        return parse_key(given)
    if style == "modal":
        return modal_key(score)
    found = blues_key(score) if style in ("jazz", None) else None
    return found or harmonic_key(score)


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


def warnings_of(found: Reharmonization) -> list[ComposerWarning]:
    return [
        ComposerWarning(code=remark.code, message=remark.message, measure=remark.measure) for remark in found.remarks
    ]
