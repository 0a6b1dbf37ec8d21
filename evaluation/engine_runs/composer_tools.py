"""Run the composer's tools on one tune: transform it, harmonize it, add a voice, export two results."""

from dataclasses import replace

from consort_compose.composer.counterpoint.models import AddVoice
from consort_compose.composer.counterpoint.service import run_add_voice as add_voice
from consort_compose.composer.export.models import ComposeExportMidi
from consort_compose.composer.export.service import make_export
from consort_compose.composer.harmony.harmonize.models import Reharmonize
from consort_compose.composer.harmony.harmonize.service import find_harmonizations
from consort_compose.composer.music_reading import read_typed
from consort_compose.composer.phrases.models import TransformPhrase
from consort_compose.composer.phrases.service import run_transform_phrase
from consort_music.errors import MusicError
from consort_music.midi.reader import read_midi
from consort_music.score import Score
from evaluation.corpora.music21_tunes import CorpusTune

STYLES = ("classical", "jazz", "pop", "modal")


def run_composer_tools(tune: CorpusTune, turn: int) -> str | None:
    """Run the tools. Return the code of the MusicError that one of them raised, or None if all succeeded.

    `turn` chooses the style and the species.
    """
    try:
        score = melody_of(read_typed(tune.text(), None).score)
        _, transformed, _ = run_transform_phrase(
            score, TransformPhrase(input_stream="", transformation=["inversion"], append=False)
        )
        find_harmonizations(score, Reharmonize(melody="", style=STYLES[turn % 4], num_options=1, seed=turn))
        _, voiced, _ = add_voice(
            score,
            AddVoice(existing_voice="", new_voice_type="bass", species=turn % 6, seed=turn),
        )
        for made in (transformed, voiced):
            file = read_midi(make_export(made, ComposeExportMidi(stream="")).content)
            assert file.tracks
    except MusicError as error:
        return error.code
    return None


def melody_of(score: Score) -> Score:
    """Return the score with only its first part that has notes."""
    return replace(score, parts=next(((part,) for part in score.parts if part.notes), score.parts[:1]))
