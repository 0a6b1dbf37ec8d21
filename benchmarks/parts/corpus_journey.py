"""One tune through the composer, as an assistant would take it: transformed, harmonised, given a voice, exported."""

from dataclasses import replace

from benchmarks.parts.corpus_tunes import CorpusTune
from consort_compose.composer.counterpoint.models import AddVoice
from consort_compose.composer.counterpoint.service import write as add_voice
from consort_compose.composer.export.models import ComposeExportMidi
from consort_compose.composer.export.service import export
from consort_compose.composer.harmony.models import Reharmonize
from consort_compose.composer.harmony.service import find
from consort_compose.composer.phrases.models import TransformPhrase
from consort_compose.composer.phrases.service import develop
from consort_compose.composer.source import read_typed
from consort_music.errors import MusicError
from consort_music.midi.reader import read_midi
from consort_music.score import Score

STYLES = ("classical", "jazz", "pop", "modal")


def travel(tune: CorpusTune, turn: int) -> str | None:
    """The code of the refusal that ended the journey, if one did; `turn` varies style and species."""
    try:
        score = melody_of(read_typed(tune.text(), None).score)
        _, transformed, _ = develop(score, TransformPhrase(input_stream="", transformation=["inversion"], append=False))
        find(score, Reharmonize(melody="", style=STYLES[turn % 4], num_options=1, seed=turn))
        _, voiced, _ = add_voice(
            score,
            AddVoice(existing_voice="", new_voice_type="bass", species=turn % 6, seed=turn),
        )
        for made in (transformed, voiced):
            file = read_midi(export(made, ComposeExportMidi(stream="")).content)
            assert file.tracks
    except MusicError as error:
        return error.code
    return None


def melody_of(score: Score) -> Score:
    """The first part that has notes: what a caller who wants the tune would send."""
    return replace(score, parts=next(((part,) for part in score.parts if part.notes), score.parts[:1]))
