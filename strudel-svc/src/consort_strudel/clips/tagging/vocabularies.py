"""The words that tags of clips have: those of the library, and those that the tagger finds in code.

One word for one thing, so that a filter finds all clips that have it. Users may give other words too. Genres have no
list: they cannot be found in code.
"""

from typing import Literal, get_args

ClipElement = Literal["rhythm", "melody", "bass", "harmony", "texture", "fx"]
ClipComplexity = Literal["beginner", "intermediate", "advanced"]

ELEMENTS: tuple[str, ...] = get_args(ClipElement)
COMPLEXITIES: tuple[str, ...] = get_args(ClipComplexity)


def _words(text: str) -> frozenset[str]:
    return frozenset(" ".join(word.split()) for word in text.split(","))


FEELINGS = _words(
    """
    aggressive, bittersweet, bouncy, bright, busy, calm, chaotic, cold, cool, cosmic, dark, dirty, dramatic,
    dreamy, driving, eerie, elegant, energetic, epic, ethereal, euphoric, festive, funky, gentle, gritty,
    groovy, happy, heavy, heroic, hopeful, hypnotic, intense, intimate, joyful, laid-back, lonely, lush,
    majestic, mechanical, meditative, melancholic, mellow, menacing, minimal, mysterious, nervous, nostalgic,
    peaceful, playful, powerful, quirky, raw, relaxed, restless, romantic, sad, serious, sexy, smooth, soft,
    solemn, soulful, spacious, sparse, spiritual, spooky, suspenseful, sweet, tense, tribal, triumphant,
    uplifting, urgent, warm, weird, wild, wistful
    """
)

TECHNIQUES = _words(
    """
    accents, acid line, additive, arpeggio, backbeat, bitcrush, blues scale, breakbeat, build-up,
    call and response, canon, chopping, chord progression, chord stabs, chords, chromaticism, clave, comping,
    counterpoint, delay, detune, displacement, distortion, double-time, drone, drum fill, echo,
    euclidean rhythm, extended chords, filter envelope, filter sweep, fm synthesis, four-on-the-floor, gating,
    ghost notes, glide, half-time, humanized timing, layering, looping, masking, microtonal, modal harmony,
    noise, octave doubling, odd meter, off-beat, ostinato, panning, parallel chords, pedal point, pentatonic,
    phaser, phasing, pitch envelope, polymeter, polyrhythm, power chords, randomness, resonance, reverb,
    reverse, riff, riser, roll, scale, sequence, sidechain, stereo, strumming, stutter, sub bass, swell, swing,
    syncopation, tremolo, tresillo, triplets, variation, vibrato, voicing, vowel filter, walking bass, wavetable
    """
)

INSTRUMENTS = _words(
    """
    accordion, acoustic guitar, bagpipe, banjo, bass guitar, bell, brass, break, cello, choir, clap, clarinet,
    clavinet, conga, cowbell, crash, double bass, dulcimer, electric guitar, electric piano, english horn,
    fiddle, flute, french horn, glockenspiel, guitar, harmonica, harp, harpsichord, hi-hat, kalimba, kick, koto,
    marimba, music box, noise, oboe, open hi-hat, organ, percussion, piano, ride, rim, sampler, saxophone,
    shaker, shakuhachi, shamisen, sitar, snare, steel drums, strings, synth, synth bass, synth lead, synth pad,
    tabla, tambourine, timpani, tom, trombone, trumpet, tuba, vibraphone, viola, violin, voice, whistle,
    xylophone
    """
)

_SHORT_FORMS = {
    "fm synthesis": {"fm"},
    "euclidean rhythm": {"euclid", "euclidean"},
    "octave doubling": {"octaves"},
    "roll": {"rolls"},
    "vowel filter": {"vowel"},
}
"""What else users call a technique."""


def _spellings(word: str) -> frozenset[str]:
    """Return a word with its other spellings: `hi-hat`, `hi hat`, `hihat`."""
    with_spaces = word.replace("-", " ")
    joined = {word.replace("-", "")} if "-" in word else set()
    return frozenset({word, with_spaces, with_spaces.replace(" ", "-")} | joined | _SHORT_FORMS.get(word, set()))


SPELLINGS: dict[str, tuple[frozenset[str], ...]] = {
    kind: tuple(spellings for word in sorted(words) if len(spellings := _spellings(word)) > 1)
    for kind, words in (("feeling", FEELINGS), ("technique", TECHNIQUES), ("instrument", INSTRUMENTS))
}
"""By the kind of tag: the spellings of each word that has several. A filter that matches one of them finds all."""
