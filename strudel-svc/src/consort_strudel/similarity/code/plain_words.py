"""Put a snippet into words that a musician would use, for the sentence model and for the search of words."""

import re

from consort_strudel.similarity.code.mini_shape import WORDS as SIGN_WORDS
from consort_strudel.similarity.code.mini_shape import signs_of
from consort_strudel.similarity.code.reading import Snippet
from consort_strudel.similarity.code.same_functions import one_name
from consort_strudel.structure.instrument_names import instrument_of

_MEANINGS = {
    "s": "", "n": "", "note": "notes", "setcpm": "tempo", "setcps": "tempo",
    "lpf": "low-pass filter, darker", "hpf": "high-pass filter, thinner", "bpf": "band-pass filter",
    "lpq": "filter resonance", "hpq": "high-pass resonance", "vowel": "vowel filter, talking",
    "lpenv": "filter envelope", "lpattack": "filter attack", "lpdecay": "filter decay", "ftype": "filter type",
    "attack": "attack, fade in", "decay": "decay", "sustain": "sustain level", "release": "release, fade out",
    "adsr": "envelope", "room": "reverb, space", "roomsize": "reverb size", "delay": "delay, echo effect",
    "delaytime": "delay time", "delayfeedback": "delay feedback", "phaser": "phaser", "gain": "volume",
    "postgain": "volume", "velocity": "velocity", "pan": "stereo position", "jux": "stereo, changed on the right side",
    "juxBy": "stereo width", "speed": "sample speed", "legato": "note length", "cat": "one after another, cycles",
    "seq": "sequence", "stack": "layers", "arrange": "song arrangement", "rev": "reversed", "off": "delayed copy",
    "add": "transposed or added", "sub": "subtracted", "mul": "multiplied", "euclid": "euclidean rhythm",
    "euclidRot": "rotated euclidean rhythm", "degradeBy": "randomly removed notes", "degrade": "randomly removed notes",
    "sometimes": "sometimes changed", "sometimesBy": "sometimes changed", "often": "often changed",
    "rarely": "rarely changed", "fast": "faster", "slow": "slower", "vibrato": "vibrato", "fm": "FM synthesis",
    "fmh": "FM harmonicity", "crush": "bit crusher, lo-fi", "coarse": "sample rate reduction, lo-fi",
    "distort": "distortion", "shape": "wave shaping distortion", "every": "every few cycles",
    "lastOf": "every few cycles", "late": "delayed in time, swing", "early": "earlier in time, rushed",
    "iter": "rotated every cycle", "ply": "repeated steps, roll", "segment": "sampled in steps",
    "chop": "chopped sample", "striate": "granular", "slice": "sliced sample, chopped break",
    "splice": "sliced sample in time", "loopAt": "loop fitted to cycles", "fit": "sample fitted to its event",
    "transpose": "transposed", "scaleTranspose": "transposed in the scale", "scale": "scale", "chord": "chords",
    "voicing": "chord voicings", "voicings": "chord voicings", "rootNotes": "bass notes of chords",
    "arp": "arpeggio", "mask": "masked, muted parts", "struct": "rhythm structure", "swing": "swing",
    "swingBy": "swing", "superimpose": "doubled with a copy", "layer": "layered variations", "echo": "echo, repeats",
    "echoWith": "repeats with changes", "range": "range of values", "orbit": "effect bus", "duckorbit": "sidechain",
    "tremolo": "tremolo", "penv": "pitch envelope", "noise": "noise", "perlin": "smooth random", "rand": "random",
    "irand": "random numbers", "choose": "random choice", "chooseCycles": "random choice", "shuffle": "random order",
    "scramble": "random order", "bank": "drum machine", "unison": "unison voices", "detune": "detuned",
    "spread": "stereo spread", "hurry": "faster and higher", "ribbon": "looped random part", "compressor": "compressor",
    "sine": "sine LFO, slow movement", "saw": "ramp", "tri": "triangle LFO", "square": "square LFO", "cosine": "LFO",
    "begin": "sample start", "end": "sample end", "cut": "cut group, choke", "inside": "inside", "outside": "outside",
    "linger": "first part repeated", "chunk": "part of the cycle changed", "palindrome": "forwards and backwards",
    "brak": "breakbeat rhythm", "press": "syncopated", "pressBy": "syncopated", "ghost": "ghost notes",
    "sustainpedal": "pedal", "tremolosync": "tremolo in time", "polymeter": "polymetre", "steps": "polymetre",
}  # fmt: skip
_MOST_WORDS = 60
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def words_of(snippet: Snippet) -> str:
    """Return a snippet in words: its sounds, what is done to them, and what the mini-notation does."""
    parts = [*_sounds(snippet), *_functions(snippet), *_signs(snippet)]
    return ", ".join(list(dict.fromkeys(part for part in parts if part))[:_MOST_WORDS])


def meaning_of(function: str) -> str:
    """Return a function in words."""
    name = one_name(function)
    return _MEANINGS[name] if name in _MEANINGS else _CAPITAL.sub(" ", name).lower()


def _sounds(snippet: Snippet) -> list[str]:
    found = []
    for string in snippet.strings:
        outer = snippet.facts.calls[string.parent].name if string.parent is not None else None
        name = one_name(outer) if outer else None
        for _, _, leaf in string.leaves:
            if name == "s" and leaf[:1].isalpha():
                found.append(instrument_of(leaf))
            elif name == "bank" and leaf[:1].isalpha():
                found.append(f"{leaf} drum machine")
            elif name == "scale" and ":" in leaf:
                found.append(leaf.replace(":", " ") + " scale")
    return found


def _functions(snippet: Snippet) -> list[str]:
    ordered = sorted(snippet.calls, key=lambda call: call.name_start)
    found = [meaning_of(call.name) for call in ordered if call.name]
    return found + [meaning_of(name) for name in snippet.free_names]


def _signs(snippet: Snippet) -> list[str]:
    return [
        SIGN_WORDS[sign]
        for string in snippet.strings
        if string.is_mini
        for sign in signs_of(string.value)
        if sign in SIGN_WORDS
    ]
