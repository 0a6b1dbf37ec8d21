"""The words that the tags of clips have. Genres have no list: they cannot be told from code."""

from typing import Literal, get_args

ClipElement = Literal["rhythm", "melody", "bass", "harmony", "texture", "fx"]
ClipComplexity = Literal["beginner", "intermediate", "advanced"]

ELEMENTS: tuple[str, ...] = get_args(ClipElement)
COMPLEXITIES: tuple[str, ...] = get_args(ClipComplexity)

TECHNIQUES = (
    # rhythm
    "four on the floor",
    "backbeat",
    "breakbeat",
    "euclidean",
    "polyrhythm",
    "polymeter",
    "swing",
    "syncopation",
    "off-beat",
    "half-time",
    "triplets",
    "ghost notes",
    "rolls",
    # notes
    "arpeggio",
    "chords",
    "voicing",
    "scale",
    "walking bass",
    "ostinato",
    "drone",
    "octaves",
    "glide",
    # sound
    "filter sweep",
    "filter envelope",
    "resonance",
    "fm",
    "detune",
    "vibrato",
    "tremolo",
    "distortion",
    "bitcrush",
    "reverb",
    "delay",
    "echo",
    "phaser",
    "sidechain",
    "panning",
    "stereo",
    "vowel",
    "additive",
    "noise",
    # samples
    "chopping",
    "looping",
    "reverse",
    "stutter",
    # form
    "layering",
    "variation",
    "randomness",
    "masking",
)

FEELINGS = (
    "dark",
    "bright",
    "warm",
    "dreamy",
    "calm",
    "energetic",
    "driving",
    "aggressive",
    "groovy",
    "sparse",
    "busy",
    "happy",
    "melancholic",
    "mysterious",
    "hypnotic",
    "playful",
)
