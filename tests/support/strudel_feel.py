"""Apply words of feel to patterns, render both, and measure what changed for the ear, as compare_strudel does."""

import math
import tempfile
import wave
from pathlib import Path

from consort_audio.analysis.sound_measures.measure import SoundMeasures, measure_sound
from consort_audio.analysis.sound_measures.stereo import read_stereo
from consort_audio.signals.recording import read_recording
from consort_strudel.comparing.heard_change import direction_of
from consort_strudel.knowledge.vocabulary import Concept
from consort_strudel.rendering.renderer import CHANNELS, SAMPLE_RATE, ScriptSound
from tests.support.strudel_rendering import RenderRig

BASE_PATTERNS = {
    "saw bass": 'note("c2 c2 eb2 c2 g2 c2 bb1 c2").s("sawtooth").gain(.4)',
    "square arpeggio": 'note("a3 c4 e4 a4 e4 c4 a4 c4").s("square").decay(.2).sustain(.4).gain(.3)',
    "chord stabs": 'note("[c3,eb3,g3]*8").s("sawtooth").decay(.15).sustain(.3).gain(.2)',
    "piano": 'note("d4 f4 a4 c5 a4 f4 e4 c4").s("gm_piano").gain(.5)',
    "rock beat": 's("bd hh sd hh bd hh sd hh").gain(.5)',
    "hats and clap": 's("hh*8, ~ cp ~ cp").gain(.4)',
    "electric piano": 'n("[0,2,4] 2 4 [0,2,4] 5 4 [1,3,5] 2").scale("E3:minor").s("gm_epiano1").gain(.4)',
    "FM pluck": 'note("g3 bb3 d4 g4 f4 d4 bb3 c4").s("sine").fm(3).decay(.3).sustain(.2).gain(.4)',
    "strings": 'note("a3 a3 c4 d4 e4 e4 d4 c4").s("gm_string_ensemble_1").attack(.01).gain(.5)',
    "marimba": 'note("c4 e4 g4 e4 a4 g4 e4 d4").s("gm_marimba").gain(.6)',
}
"""Eighth notes of many sounds, chosen before any word was tried on them."""

_WIDE = ".jux(x => x.late(.01)).room(.4)"
PREPARED = {
    "straighter": ".swingBy(1/3, 4)",
    "less treble": '.superimpose(x => x.s("white").decay(.05).sustain(0))',
    "narrower": _WIDE,
    "mono": _WIDE,
    "drier": ".room(.6).delay(.3)",
}
"""By word: what a pattern gets first, if it has nothing of what the word takes away.

The line for "less treble" was added after the word had failed on two patterns without any highs, that for "drier" after
it had been tried on patterns that were wide for another reason than reverb. The code of some words was changed after
they had failed on these patterns, so the patterns are no longer independent of the words.
"""

_CYCLES = 2
_TAIL_S = 1.0
_BEATS_PER_CYCLE = 4


class FeelRig:
    """Renders and measures patterns; those without a word only once."""

    def __init__(self, rig: RenderRig) -> None:
        self._rig = rig
        self._known: dict[str, SoundMeasures | None] = {}

    def moves(self, word: Concept, code: str) -> bool:
        """Return whether the named measure moves in the named direction, so far that it can be heard."""
        assert word.moves is not None
        base = f"{code}{PREPARED.get(word.name, '')}"
        if base not in self._known:
            self._known[base] = self._measured(base)
        before, after = self._known[base], self._measured(f"{base}{word.code}")
        if before is None or after is None:
            return False
        measure = word.moves.measure
        return direction_of(measure, getattr(before, measure), getattr(after, measure)) == word.moves.direction

    def _measured(self, code: str) -> SoundMeasures | None:
        sound = self._rig.render(code, cycles=_CYCLES, tail=_TAIL_S)
        found = _measure_file(sound)
        if found is None:
            return None
        return found._replace(loudness=found.loudness - 20 * math.log10(sound.gain))  # as loud as before it was limited


def _measure_file(sound: ScriptSound) -> SoundMeasures | None:
    cycle_s = 1 / sound.cps
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sound.wav"
        with wave.open(str(path), "wb") as file:
            file.setnchannels(CHANNELS)
            file.setsampwidth(2)
            file.setframerate(SAMPLE_RATE)
            file.writeframes(sound.samples)
        return measure_sound(read_recording(path), read_stereo(path), _CYCLES * cycle_s, cycle_s / _BEATS_PER_CYCLE)
