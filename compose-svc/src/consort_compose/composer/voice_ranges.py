"""The default ranges of the four voices of a choir, from the highest voice down."""

from typing import NamedTuple

from consort_music.pitch import Pitch


class VoiceRange(NamedTuple):
    """The lowest and the highest note of a voice."""

    low: Pitch
    high: Pitch

    @property
    def midi(self) -> tuple[int, int]:
        return self.low.midi, self.high.midi

    @property
    def names(self) -> tuple[str, str]:
        return self.low.name, self.high.name


VOICE_RANGES = {
    voice: VoiceRange(Pitch.parse(low), Pitch.parse(high))
    for voice, low, high in (
        ("soprano", "C4", "A5"),
        ("alto", "F3", "D5"),
        ("tenor", "C3", "A4"),
        ("bass", "E2", "E4"),
    )
}
VOICES = tuple(VOICE_RANGES)
