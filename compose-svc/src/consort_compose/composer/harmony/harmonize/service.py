"""Run `reharmonize`: choose the key, run the engine, and fill the output models."""

from dataclasses import replace

from consort_compose.composer.harmony.blues_key import blues_key
from consort_compose.composer.harmony.harmonize import models
from consort_compose.composer.harmony.harmonize.models import Reharmonize, Reharmonized
from consort_compose.composer.harmony.harmonize.reharmonize import Option, Reharmonization, reharmonize
from consort_compose.composer.harmony.harmonize.styles.style_chords import HarmonyStyle
from consort_compose.composer.harmony.harmonize.writing.textures import Texture
from consort_compose.composer.harmony.limits import check_size
from consort_compose.composer.harmony.melody_grid import melody_of
from consort_compose.composer.harmony.numerals import name_chords
from consort_compose.composer.models import ComposerWarning
from consort_compose.composer.tonality import harmonic_key, modal_key
from consort_music.errors import in_field
from consort_music.keys import Key
from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.score import Score

_LEADING_TONE = 11
_TEXTURES: dict[HarmonyStyle, Texture] = {
    "classical": "satb",
    "modal": "keyboard",
    "jazz": "keyboard",
    "pop": "keyboard",
}


def find_harmonizations(score: Score, body: Reharmonize) -> Reharmonization:
    """Harmonize the melody of a score with the options of the body. Raise TOO_LARGE if the score is too large."""
    with in_field("melody"):
        check_size(score)
    return reharmonize(
        score,
        body.key or _key_for_style(score, body.style),
        body.style,
        rhythm=body.chord_rhythm,
        count=body.num_options,
        allow_extended=body.allow_extended,
        bass_motion=body.bass_motion,
        texture=body.texture or _TEXTURES[body.style],
        seed=body.seed,
    )


def _key_for_style(score: Score, style: HarmonyStyle) -> Key:
    """Return the key of the music: a church mode for modal style, a blues key for jazz style if it is a blues."""
    if style == "modal":
        return _gapped_mode(score, modal_key(score))
    blues = blues_key(score) if style == "jazz" else None
    return blues or harmonic_key(score)


def _gapped_mode(score: Score, key: Key) -> Key:
    """Return the mixolydian mode for a melody in major that has no seventh degree, otherwise the key."""
    sung = {(note.midi - key.tonic) % 12 for note in melody_of(score)}
    return replace(key, mode="mixolydian") if key.mode == "major" and _LEADING_TONE not in sung else key


def describe_harmonizations(found: Reharmonization, body: Reharmonize) -> Reharmonized:
    return Reharmonized(
        detected_key=found.key.name,
        harmonizations=[
            _harmonization(rank, option, found, body.include_musicxml) for rank, option in enumerate(found.options, 1)
        ],
    )


def _harmonization(rank: int, option: Option, found: Reharmonization, include_musicxml: bool) -> models.Harmonization:
    names = name_chords(found.key, [(choice.chord, choice.bass) for choice in option.choices])
    scores = option.scores
    return models.Harmonization(
        rank=rank,
        idea=option.idea,
        positions=[place.text for place in option.places],
        chords=[symbol.name for _, _, symbol in option.chords],
        roman_numerals=[name.numeral for name in names],
        functions=[name.function for name in names],
        substitutions=[
            f"measure {place.measure}: {symbol.name}, {choice.chord.substitute}"
            for choice, (_, _, symbol), place in zip(option.choices, option.chords, option.places, strict=True)
            if choice.chord.substitute is not None
        ],
        scores=models.HarmonyScores(
            voice_leading=round(scores.voice_leading, 3),
            chord_melody_fit=round(scores.chord_melody_fit, 3),
            style_adherence=round(scores.style_adherence, 3),
            overall=round(scores.overall, 3),
        ),
        musicxml=write_musicxml(option.score) if include_musicxml else None,
    )


def warnings_of(found: Reharmonization) -> list[ComposerWarning]:
    return [
        ComposerWarning(code=remark.code, message=remark.message, measure=remark.measure) for remark in found.remarks
    ]
