"""Run `analyze_harmony`: find the key, name the chords, check the voices, and fill the output models."""

from typing import TypedDict

from consort_compose.composer.harmony.analyze import models
from consort_compose.composer.harmony.analyze.analysis import Analysis, analyze_harmony
from consort_compose.composer.harmony.analyze.models import AnalyzeHarmony, HarmonyAnalysis
from consort_compose.composer.harmony.analyze.part_writing import part_writing_faults
from consort_compose.composer.harmony.blues_key import blues_key
from consort_compose.composer.harmony.limits import check_size
from consort_compose.composer.harmony.score_chord_symbols import with_chord_symbols
from consort_compose.composer.models import ComposerWarning
from consort_compose.composer.species_marking.mark_exercise import mark_exercise
from consort_compose.composer.tonality import harmonic_key
from consort_music.bars import BarPosition
from consort_music.chords.timed_chords import ChordSpan
from consort_music.errors import in_field
from consort_music.keys import Key
from consort_music.score import Score

MOST_FAULTS = 100


def analyze(score: Score, body: AnalyzeHarmony) -> tuple[HarmonyAnalysis, Score, list[ComposerWarning]]:
    """Return the answer's data, the music with its chord symbols, and the warnings."""
    with in_field("music"):
        check_size(score)
    warnings: list[ComposerWarning] = []
    if body.species is not None:
        key, data, warnings = _mark_species(score, body.species, body.key)
        wants_chords = bool(body.include_chords)
    else:
        key = body.key or blues_key(score) or harmonic_key(score)
        data = HarmonyAnalysis(key=key.name, part_writing=part_writing_faults(score))
        wants_chords = body.include_chords is not False
    if wants_chords:
        changes_key = body.key is None and body.species is None
        found = analyze_harmony(score, key, body.chord_rhythm, changes_key=changes_key)
        data = data.model_copy(update=_chord_fields(found))
        score = with_chord_symbols(score, [ChordSpan(chord.start, chord.end, chord.symbol) for chord in found.chords])
    return data, score, warnings


def _mark_species(score: Score, species: int, key: Key | None) -> tuple[Key, HarmonyAnalysis, list[ComposerWarning]]:
    """Mark an exercise in species counterpoint; return its key, its faults, and the warnings."""
    exercise, faults = mark_exercise(score, species, key)
    warnings = []
    if not exercise.has_equal_units:
        text = f"{exercise.cantus_name} is not in even notes; each bar was taken as one cantus note."
        warnings.append(ComposerWarning(code="INPUT", message=text))
    if len(faults) > MOST_FAULTS:
        text = f"There are {len(faults)} faults; the first {MOST_FAULTS} are listed."
        warnings.append(ComposerWarning(code="TRUNCATED", message=text))
    listed = [
        models.SpeciesFault(
            **_measure_and_beat(score.position_at(fault.moment)), kind=fault.kind, message=fault.message
        )
        for fault in faults[:MOST_FAULTS]
    ]
    data = HarmonyAnalysis(key=exercise.key.name, cantus=exercise.cantus_name, faults=listed)
    return exercise.key, data, warnings


def _chord_fields(found: Analysis) -> dict[str, object]:
    """Return the fields of `HarmonyAnalysis` that are about chords. A numeral says its key where the key changes."""
    keys = [found.key, *(chord.key for chord in found.chords)][:-1]
    return {
        "implied": found.is_implied,
        "chords": [
            models.AnalyzedChord(
                **_measure_and_beat(chord.place),
                beats=round(float(chord.end - chord.start), 4),
                chord=chord.symbol.name,
                roman_numeral=chord.numeral if chord.key == key else chord.numeral_with_key,
                function=chord.function,
            )
            for chord, key in zip(found.chords, keys, strict=True)
        ],
        "cadences": [
            models.AnalyzedCadence(
                **_measure_and_beat(cadence.place), kind=cadence.kind, roman_numerals=list(cadence.numerals)
            )
            for cadence in found.cadences
        ],
    }


class _MeasureAndBeat(TypedDict):
    measure: int
    beat: float


def _measure_and_beat(place: BarPosition) -> _MeasureAndBeat:
    return {"measure": place.measure, "beat": round(float(place.beat), 4)}
