"""Voices with the type and instrument that a musician would name, and songs put together from them."""

import random
from typing import NamedTuple


class LabelledVoice(NamedTuple):
    code: str
    type: str
    instrument: str
    """One of those that the voice has."""


VOICES = tuple(
    LabelledVoice(*row)
    for row in (
        ('s("bd*4").gain(.9)', "rhythm", "kick"),
        ('s("bd ~ ~ bd ~ bd ~ ~").bank("RolandTR808")', "rhythm", "kick"),
        ('s("~ sd ~ sd").room(.3)', "rhythm", "snare"),
        ('s("[~ sd]*2").bank("RolandTR909").gain(.8)', "rhythm", "snare"),
        ('s("hh*8").gain("[.4 .8]*4")', "rhythm", "hi-hat"),
        ('s("hh*16").degradeBy(.2).pan(rand)', "rhythm", "hi-hat"),
        ('s("[~ oh]*4").gain(.5)', "rhythm", "open hi-hat"),
        ('s("~ cp ~ cp").room(.4).size(2)', "rhythm", "clap"),
        ('sound("bd sd [~ bd] sd")', "rhythm", "snare"),
        ('s("bd*4, [~ sd]*2, hh*8").bank("tr909")', "rhythm", "snare"),
        ('s("rim(3,8)").gain(.6).delay(.25)', "rhythm", "rim"),
        ('s("cr").slow(8).gain(.4)', "rhythm", "crash"),
        ('s("rd*4").gain(.3).hpf(4000)', "rhythm", "ride"),
        ('s("lt mt ht ~").fast(2)', "rhythm", "tom"),
        ('s("sh*8").gain(.3)', "rhythm", "shaker"),
        ('s("cb(5,8)").gain(.3)', "rhythm", "cowbell"),
        ('s("misc*2").n("<0 1 2>").speed(1.2)', "rhythm", "percussion"),
        ('s("white*8").decay(.04).sustain(0).gain(.3)', "rhythm", "white noise"),
        ('note("c2 c2 eb2 g1").s("sawtooth").lpf(500)', "bass", "sawtooth synth"),
        ('note("<a1 f1 c2 g1>*8").s("square").lpf(400).lpq(6)', "bass", "square synth"),
        ('n("0 0 3 5").scale("A1:minor").s("triangle").gain(.9)', "bass", "triangle synth"),
        ('note("e1*8").s("supersaw").lpf(300).distort(1.5)', "bass", "supersaw"),
        ('note("c2 g1").s("gm_acoustic_bass").slow(2)', "bass", "acoustic bass"),
        ('note("<d2 bb1 f2 c2>").s("gm_synth_bass_1").struct("x*8")', "bass", "synth bass 1"),
        ('note("36 36 43 41").s("sine").clip(.9)', "bass", "sine synth"),
        ('note("g1(3,8)").s("gm_electric_bass_finger")', "bass", "electric bass finger"),
        ('note("c4 e4 g4 b4").s("piano")', "melody", "piano"),
        ('n("0 2 4 <7 9>").scale("C4:major").s("gm_flute").room(.4)', "melody", "flute"),
        ('note("<e4 d4 c4 b3>(5,8)").s("triangle").delay(.5)', "melody", "triangle synth"),
        ('n("<0 4 2 5>*4").scale("D4:dorian").s("gm_vibraphone")', "melody", "vibraphone"),
        ('note("a4 [c5 e5] a5 ~").s("square").lpf(2000).decay(.1).sustain(.2)', "melody", "square synth"),
        ('n("0 .. 7").scale("G4:mixolydian").s("gm_xylophone").slow(2)', "melody", "xylophone"),
        ('note("c5 ~ g4 ~").s("gm_music_box").room(.8)', "melody", "music box"),
        ('chord("<Am7 Dm7 G7 C^7>").voicing().s("gm_epiano1")', "melody", "epiano1"),
        ('chord("<C F G C>").voicing().s("piano").clip(.8)', "melody", "piano"),
        ('n("7 5 3 0").scale("E4:minor:pentatonic").s("gm_trumpet")', "melody", "trumpet"),
        (
            'note("<c4 eb4 g4 bb4>*2").s("sawtooth").jux(rev).lpf(sine.range(400, 2000).slow(4))',
            "melody",
            "sawtooth synth",
        ),
        ('note("e4 f#4 g#4 b4").s("gm_acoustic_guitar_nylon")', "melody", "acoustic guitar nylon"),
        ('chord("<Cm7 Fm7>/2").voicing().s("gm_pad_warm").attack(.8).release(2)', "texture", "pad warm"),
        ('note("<[c3,e3,g3] [a2,c3,e3]>/2").s("gm_string_ensemble_1").room(.9)', "texture", "string ensemble 1"),
        ('chord("<Dm9 Gm9>/4").voicing().s("gm_choir_aahs").gain(.4)', "texture", "choir aahs"),
        ('chord("<Em7 A7>/2").voicing().s("supersaw").attack(1).lpf(900)', "texture", "supersaw"),
        ('note("c3").s("gm_pad_halo").slow(4).room(1)', "texture", "pad halo"),
        ('s("white").slow(4).hpf(sine.range(200, 6000).slow(8)).attack(2).gain(.2)', "fx", "white noise"),
        ('s("pink").gain(.05).lpf(800)', "fx", "pink noise"),
        ('s("wind").slow(4).gain(.4)', "fx", "wind"),
        ('s("crow").slow(8).room(.9)', "fx", "crow"),
        ('s("space*2").n(irand(8)).delay(.6).gain(.3)', "fx", "space"),
    )
)


class LabelledSong(NamedTuple):
    script: str
    voices: list[LabelledVoice]


def songs(count: int, seed: int = 16) -> list[LabelledSong]:
    """Return songs of one to six voices each: labelled, or in a `stack`, or as variables in an `arrange`."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        voices = rng.sample(VOICES, rng.randint(1, 6))
        tempo = f"setcpm({rng.randint(80, 150)}/4)\n"
        kind = rng.choice(("labels", "labels", "stack", "arrange"))
        if kind == "labels":
            lines = [f"{rng.choice(('$', f'part{number}'))}: {voice.code}" for number, voice in enumerate(voices)]
            script = tempo + "\n".join(lines)
        elif kind == "stack" and len(voices) > 1:
            script = tempo + "stack(\n  " + ",\n  ".join(voice.code for voice in voices) + "\n)"
        elif len(voices) > 1:
            half = max(len(voices) // 2, 1)
            parts = [voices[:half], voices[half:]]
            lines = [
                f"const {name} = stack({', '.join(voice.code for voice in part)})"
                for name, part in zip(("intro", "verse"), parts, strict=True)
            ]
            script = tempo + "\n".join(lines) + "\narrange([4, intro], [8, verse])"
        else:
            script = tempo + voices[0].code
        found.append(LabelledSong(script, voices))
    return found
