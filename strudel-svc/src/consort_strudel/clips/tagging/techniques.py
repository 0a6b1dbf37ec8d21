"""Which techniques a clip uses: a rule for each."""

import itertools
from collections.abc import Callable
from fractions import Fraction

from consort_strudel.clips.tagging.clip_reading import ClipReading

Rule = Callable[[ClipReading], bool]

_SIGNALS = r"\b(sine2?|saw2?|isaw2?|tri2?|square2?|cosine2?|perlin|rand|berlin)\b\s*\.\s*(range|rangex|slow|fast|seg)"


def techniques_of(reading: ClipReading) -> list[str]:
    return [name for name, rule in _RULES.items() if rule(reading)]


def _calls(*names: str) -> Rule:
    return lambda reading: reading.calls_any(*names)


def _controls(*names: str) -> Rule:
    return lambda reading: reading.whole.has(*names)


def _quarters(cycles: int, *places: int) -> set[Fraction]:
    return {cycle + Fraction(place, 4) for cycle in range(cycles) for place in places}


def _is_four_on_the_floor(reading: ClipReading) -> bool:
    kicks = reading.drum_onsets("kick")
    wanted = _quarters(reading.cycles, 0, 1, 2, 3)
    return len(kicks & wanted) >= 0.9 * len(wanted) and len(kicks) <= 1.5 * len(wanted)


def _is_backbeat(reading: ClipReading) -> bool:
    snares = reading.drum_onsets("snare", "clap", "rim")
    wanted = _quarters(reading.cycles, 1, 3)
    return len(snares & wanted) >= 0.9 * len(wanted) and not snares & _quarters(reading.cycles, 0)


def _is_half_time(reading: ClipReading) -> bool:
    snares = reading.drum_onsets("snare", "clap")
    on_third = snares & _quarters(reading.cycles, 2)
    return len(on_third) >= 0.9 * reading.cycles and not snares & _quarters(reading.cycles, 0, 1, 3)


def _is_off_beat(reading: ClipReading) -> bool:
    """Some voice, or the hi-hats, play only between the beats."""
    groups = [set(voice.onsets) for voice in reading.voices if not voice.is_drums]
    groups += [reading.drum_onsets(drum) for drum in ("hi-hat", "open hi-hat")]
    return any(len(group) >= reading.cycles * 2 and all(onset * 8 % 2 == 1 for onset in group) for group in groups)


def _is_triplets(reading: ClipReading) -> bool:
    onsets = reading.whole.onsets
    thirds = [onset for onset in onsets if onset.denominator % 3 == 0 and onset.denominator <= 24]
    return len(thirds) > 0.3 * len(onsets)


def _is_syncopated(reading: ClipReading) -> bool:
    """Many notes of a voice with few notes a beat begin between the beats, with none on the next beat."""
    for voice in reading.voices:
        onsets = set(voice.onsets)
        beats = reading.cycles * 4
        if not 2 * reading.cycles <= len(onsets) <= 3 * beats:
            continue
        tied = [
            onset
            for onset in onsets
            if (onset * 4).denominator in (2, 4)
            and Fraction((onset * 4).__ceil__(), 4) not in onsets
            and Fraction((onset * 4).__ceil__(), 4) < reading.cycles
        ]
        if len(tied) >= 0.25 * len(onsets):
            return True
    return False


def _has_ghost_notes(reading: ClipReading) -> bool:
    for voice in reading.voices:
        by_drum: dict[str | None, set[float]] = {}
        for drum, loudness in zip(voice.drums, voice.loudness, strict=True):
            by_drum.setdefault(drum, set()).add(round(loudness, 2))
        levels = by_drum.get("snare", set())
        if len(levels) > 1 and min(levels) < 0.5 * max(levels):
            return True
    return False


def _has_sweep(reading: ClipReading) -> bool:
    """A filter follows a signal, or takes several values."""
    values = {
        value.get(name)
        for value in reading.whole.values
        for name in ("cutoff", "hcutoff", "bandf", "djf")
        if value.get(name) is not None
    }
    return len(values) >= 4


def _moves_in_stereo(reading: ClipReading) -> bool:
    return len({str(value.get("pan")) for value in reading.whole.values if value.get("pan") is not None}) > 1


def _is_arpeggio(reading: ClipReading) -> bool:
    if reading.calls_any("arp", "arpWith"):
        return True
    return any(
        not voice.is_drums
        and voice.pitches
        and voice.chord_share == 0
        and len(voice.onsets) >= 6 * voice.cycles
        and _leaps(voice.pitches) > 0.6
        for voice in reading.voices
    )


def _leaps(pitches: list[float]) -> float:
    """Return the share of steps of three to five semitones, as between the notes of a chord."""
    steps = [abs(after - before) for before, after in itertools.pairwise(pitches)]
    return sum(3 <= step <= 5 for step in steps) / max(len(steps), 1)


def _is_drone(reading: ClipReading) -> bool:
    return any(
        not voice.is_drums and voice.pitches and voice.length_s >= 3.5 and len(set(voice.pitches)) <= 3
        for voice in reading.voices
    )


def _is_walking(reading: ClipReading) -> bool:
    """A low voice plays a different note on each beat."""
    return any(
        voice.register is not None
        and voice.register < 50
        and len(voice.onsets) in range(4 * voice.cycles, 5 * voice.cycles + 1)
        and all((onset * 4).denominator == 1 for onset in voice.onsets[:4])
        and len(set(voice.pitches)) >= 5
        for voice in reading.voices
    )


def _has_octaves(reading: ClipReading) -> bool:
    for voice in reading.voices:
        steps = [abs(after - before) for before, after in zip(voice.pitches, voice.pitches[1:], strict=False)]
        if steps and sum(step == 12 for step in steps) >= 0.4 * len(steps):
            return True
    return False


def _is_layered(reading: ClipReading) -> bool:
    return len(reading.voices) >= 3 or (reading.calls_any("layer", "superimpose", "stack") and len(reading.voices) > 1)


_RULES: dict[str, Rule] = {
    "four-on-the-floor": _is_four_on_the_floor,
    "backbeat": _is_backbeat,
    "breakbeat": lambda reading: any(drum == "break" for voice in reading.voices for drum in voice.drums),
    "euclidean rhythm": lambda reading: (
        reading.calls_any("euclid", "euclidRot", "euclidLegato", "euclidLegatoRot", "euclidOff", "bjork")
        or reading.mini_has(r"\(\s*[\d<\[{-][^()]*,[^()]*\)")
    ),
    "polyrhythm": _calls("polyrhythm", "pr"),
    "polymeter": lambda reading: reading.calls_any("polymeter", "pm") or reading.mini_has(r"\{.*\}|%\d"),
    "swing": _calls("swing", "swingBy"),
    "syncopation": _is_syncopated,
    "off-beat": _is_off_beat,
    "half-time": _is_half_time,
    "triplets": _is_triplets,
    "ghost notes": _has_ghost_notes,
    "roll": _calls("ply"),
    "arpeggio": _is_arpeggio,
    "chords": lambda reading: any(voice.chord_share > 0.5 for voice in reading.voices),
    "voicing": _calls("voicing", "voicings", "dict", "anchor"),
    "scale": _calls("scale"),
    "walking bass": _is_walking,
    "drone": _is_drone,
    "octave doubling": _has_octaves,
    "glide": _controls("pattack", "pdecay", "penv", "slide"),
    "filter sweep": _has_sweep,
    "filter envelope": _controls("lpenv", "hpenv", "bpenv"),
    "resonance": lambda reading: max(reading.whole.largest(name) for name in ("resonance", "hresonance")) >= 5,
    "fm synthesis": _controls("fmi", "fm"),
    "detune": lambda reading: reading.whole.has("detune", "unison", "spread") or "supersaw" in reading.whole.sounds,
    "vibrato": _controls("vib", "vibmod"),
    "tremolo": _controls("tremolo", "tremolosync", "tremolodepth"),
    "distortion": _controls("distort", "shape", "drive"),
    "bitcrush": _controls("crush", "coarse"),
    "reverb": _controls("room"),
    "delay": _controls("delay"),
    "echo": _calls("echo", "echoWith", "stut", "plyWith"),
    "phaser": _controls("phaserrate", "phaser"),
    "sidechain": _controls("duckorbit", "duck"),
    "panning": _moves_in_stereo,
    "stereo": _calls("jux", "juxBy"),
    "vowel filter": _controls("vowel"),
    "additive": _controls("partials", "phases"),
    "noise": lambda reading: any(voice.noise_share > 0 for voice in reading.voices) or reading.whole.has("noise"),
    "chopping": _calls("chop", "striate", "slice", "splice", "bite"),
    "looping": _calls("loopAt", "loopAtCps", "loop", "fit"),
    "reverse": lambda reading: (
        reading.calls_any("rev", "palindrome") or any((value.get("speed") or 1) < 0 for value in _speeds(reading))
    ),
    "stutter": _calls("stutter", "ply", "stut"),
    "layering": _is_layered,
    "variation": _calls("every", "firstOf", "lastOf", "when", "iter", "chunk", "off", "while", "within", "inside"),
    "randomness": lambda reading: (
        reading.calls_any(
            *("sometimes", "sometimesBy", "often", "rarely", "almostAlways", "almostNever", "degrade", "degradeBy"),
            *("rand", "irand", "choose", "chooseCycles", "randcat", "wchoose", "shuffle", "scramble", "undegradeBy"),
            *("someCycles", "someCyclesBy", "wchooseCycles", "perlin", "brand"),
        )
        or reading.mini_has(r"\?|\|")
        or any(name.name in ("rand", "perlin", "brand", "irand") for name in reading.facts.free_names)
    ),
    "masking": _calls("mask", "struct", "bypass"),
}
"""By technique: those of rhythm, notes, sound, samples and form."""


def _speeds(reading: ClipReading) -> list[dict[str, float]]:
    return [value for value in reading.whole.values if isinstance(value.get("speed"), int | float)]
