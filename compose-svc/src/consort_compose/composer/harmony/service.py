"""reharmonize and analyze_harmony: names read, the engines, their results put into words."""

from typing import TypedDict

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
from consort_compose.composer.species.mark import mark
from consort_compose.composer.tonality import harmonic_key, modal_key
from consort_music.bars import Place
from consort_music.chords.layout import ChordSpan
from consort_music.errors import MusicError, in_field
from consort_music.keys import Key, parse_key
from consort_music.notation.musicxml_writer import write_musicxml
from consort_music.score import Score

MOST_BEATS = 2_000
MOST_NOTES = 20_000
MOST_FAULTS = 100
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


def study(score: Score, body: AnalyzeHarmony) -> tuple[HarmonyAnalysis, Score, list[ComposerWarning]]:
    with in_field("music"):
        _check_size(score)
    warnings: list[ComposerWarning] = []
    if body.species is not None:
        told, warnings = _marked(score, body.species, body.key)
        wants_chords = bool(body.include_chords)
    else:
        told = HarmonyAnalysis(key=_key(score, body.key, None).name, part_writing=part_writing(score))
        wants_chords = body.include_chords is not False
    if wants_chords:
        found = analyze_harmony(score, parse_key(told.key), body.chord_rhythm)
        told = told.model_copy(update=_chord_table(found))
        score = with_chords(score, [ChordSpan(chord.start, chord.end, chord.symbol) for chord in found.chords])
    return told, score, warnings


def _marked(score: Score, species: int, key: str | None) -> tuple[HarmonyAnalysis, list[ComposerWarning]]:
    """The faults of an exercise in species counterpoint."""
    exercise, faults = mark(score, species, parse_key(key) if key else None)
    warnings = []
    if not exercise.is_even:
        text = f"{exercise.cantus_name} is not in even notes; each bar was taken as one cantus note."
        warnings.append(ComposerWarning(code="INPUT", message=text))
    if len(faults) > MOST_FAULTS:
        text = f"There are {len(faults)} faults; the first {MOST_FAULTS} are listed."
        warnings.append(ComposerWarning(code="TRUNCATED", message=text))
    listed = [
        models.SpeciesFault(**_where(score.place(fault.moment)), kind=fault.kind, message=fault.message)
        for fault in faults[:MOST_FAULTS]
    ]
    return HarmonyAnalysis(key=exercise.key.name, cantus=exercise.cantus_name, faults=listed), warnings


def _chord_table(found: Analysis) -> dict[str, object]:
    """Fields of the answer."""
    return {
        "implied": found.is_implied,
        "chords": [
            models.AnalyzedChord(
                **_where(chord.place),
                beats=round(float(chord.end - chord.start), 4),
                chord=chord.symbol.name,
                roman_numeral=chord.numeral,
                function=chord.function,
            )
            for chord in found.chords
        ],
        "cadences": [
            models.AnalyzedCadence(**_where(cadence.place), kind=cadence.kind, roman_numerals=list(cadence.numerals))
            for cadence in found.cadences
        ],
    }


class _Where(TypedDict):
    measure: int
    beat: float


def _where(place: Place) -> _Where:
    return {"measure": place.measure, "beat": round(float(place.beat), 4)}


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
            f"The music has {beats} beats and {score.note_count} notes. Give at most {MOST_BEATS} beats and "
            f"{MOST_NOTES} "
            "notes at once, such as one section.",
        )


def _position(place: Place) -> str:
    return f"{place.measure}:{round(float(place.beat), 3):g}"


def warnings_of(found: Reharmonization) -> list[ComposerWarning]:
    return [
        ComposerWarning(code=remark.code, message=remark.message, measure=remark.measure) for remark in found.remarks
    ]
