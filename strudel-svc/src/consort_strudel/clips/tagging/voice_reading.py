"""What one voice of a clip plays, read from its events."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from statistics import mean, median
from typing import Any

from consort_strudel.engine import PlayedEvent
from consort_strudel.events.event_notes import loudness_of, sound_of
from consort_strudel.music_words import number_of, pitch_of
from consort_strudel.structure.instrument_names import FX_SOUNDS, NOISES, drum_of, is_bass, is_pad


@dataclass(frozen=True)
class VoiceReading:
    name: str
    text: str
    """Its code."""
    events: Sequence[PlayedEvent]
    """In the order of time."""
    cycles: int
    cps: float

    @cached_property
    def values(self) -> list[dict[str, Any]]:
        return [event.value for event in self.events]

    @cached_property
    def sounds(self) -> Counter[str]:
        """How often each sound plays, by its name with the bank."""
        return Counter(sound_of(value) for value in self.values)

    @cached_property
    def drums(self) -> list[str | None]:
        """The drum that each event plays, or None: `kick`, `hi-hat`."""
        return [drum_of(sound_of(value)) for value in self.values]

    @property
    def is_drums(self) -> bool:
        return sum(drum is not None for drum in self.drums) * 2 > len(self.drums)

    def _share(self, count: int) -> float:
        return count / max(len(self.events), 1)

    @property
    def noise_share(self) -> float:
        return self._share(sum(count for sound, count in self.sounds.items() if sound.lower() in NOISES))

    @property
    def fx_share(self) -> float:
        return self._share(sum(count for sound, count in self.sounds.items() if sound.lower() in FX_SOUNDS))

    @property
    def has_pad_sound(self) -> bool:
        return any(is_pad(sound) for sound in self.sounds)

    @property
    def has_bass_sound(self) -> bool:
        return any(is_bass(sound) for sound in self.sounds)

    @cached_property
    def pitches(self) -> list[float]:
        return [pitch for value in self.values if (pitch := pitch_of(value)) is not None]

    @property
    def register(self) -> float | None:
        """The middle pitch as a MIDI number."""
        return median(self.pitches) if self.pitches else None

    @cached_property
    def chords(self) -> dict[Fraction, set[float]]:
        """The pitches that begin together, by their time in cycles."""
        found: dict[Fraction, set[float]] = defaultdict(set)
        for event in self.events:
            pitch = pitch_of(event.value)
            if pitch is not None:
                found[event.begin].add(pitch)
        return dict(found)

    @property
    def chord_share(self) -> float:
        """The share of onsets at which three or more notes begin that are not all octaves."""
        full = sum(
            len(chord) >= 3 and len({round(pitch) % 12 for pitch in chord}) >= 2 for chord in self.chords.values()
        )
        return full / len(self.chords) if self.chords else 0.0

    @cached_property
    def onsets(self) -> list[Fraction]:
        return sorted({event.begin for event in self.events})

    @property
    def onsets_per_cycle(self) -> float:
        return len(self.onsets) / self.cycles

    @property
    def sounding_share(self) -> float:
        """The share of the time in which an event lasts."""
        lasting = {event.begin: max(event.duration, Fraction(0)) for event in self.events}
        return float(sum(lasting.values())) / self.cycles

    @property
    def growth(self) -> float:
        """How many times as many onsets a cycle has as an earlier one, if they become more in three cycles or more."""
        counts = [0] * self.cycles
        for onset in self.onsets:
            counts[min(int(onset), self.cycles - 1)] += 1
        rising = list(itertools.takewhile(lambda pair: 0 < pair[0] < pair[1], itertools.pairwise(counts)))
        return rising[-1][1] / rising[0][0] if len(rising) > 1 else 1.0

    @property
    def density(self) -> float:
        """Onsets a second."""
        return len(self.onsets) / self.cycles * self.cps

    @property
    def length_s(self) -> float:
        """The mean length of a note in seconds."""
        return mean(float(event.duration) for event in self.events) / self.cps if self.events else 0.0

    def largest(self, control: str) -> float:
        """Return the largest value of a control, 0 if no event has it."""
        return max((number_of(value.get(control)) or 0.0 for value in self.values), default=0.0)

    def smallest_size(self, control: str) -> float:
        """Return the value of a control that is nearest to 0, without its sign; 0 if an event does not have it."""
        return min((abs(number_of(value.get(control)) or 0.0) for value in self.values), default=0.0)

    def has(self, *controls: str) -> bool:
        """Return whether an event has one of these controls, and not as 0."""
        return any(value.get(control) not in (None, 0, 0.0, "0") for value in self.values for control in controls)

    @cached_property
    def loudness(self) -> list[float]:
        return [loudness_of(value) for value in self.values]
