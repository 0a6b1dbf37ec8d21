"""Parameters with the values that make sense. Written from measuring the sound engine and from its source."""

from dataclasses import dataclass

from consort_strudel.words import words


@dataclass(frozen=True)
class Parameter:
    name: str
    least: float
    most: float
    unit: str = ""
    silent_at: float | None = None
    """A value that is legal and makes no sound."""
    unusable: bool = False
    """Whether the engine cannot use values outside the range; otherwise they are only doubtful."""


_ROWS: tuple[tuple[str, float, float, str, float | None, bool], ...] = (
    ("gain postgain", 0, 4, "1 is the level of the sound", 0, False),
    ("velocity vel", 0, 2, "1 is full", 0, False),
    ("pan", 0, 1, "0 is left, 1 is right", None, False),
    ("lpf cutoff ctf lp", 20, 24000, "Hz", None, False),
    ("hpf hcutoff hp", 0, 20000, "Hz", None, False),
    ("bpf bandf bp", 20, 20000, "Hz", None, False),
    ("lpq resonance hpq hresonance bpq bandq", 0, 50, "resonance", None, False),
    ("djf", 0, 1, "below 0.5 low pass, above high pass", None, False),
    ("room", 0, 10, "1 is as loud as the sound", None, False),
    ("roomsize size sz rsize", 0.01, 20, "seconds", None, True),
    ("delay", 0, 1, "1 is as loud as the sound", None, False),
    ("delayfeedback delayfb dfb", 0, 0.98, "from 1 on it never ends", None, False),
    ("delaytime delayt dt", 0.001, 10, "seconds", None, False),
    ("crush", 1, 16, "bits", 0, False),
    ("coarse", 1, 256, "1 is unchanged", None, False),
    ("distort dist", 0, 20, "amount", None, False),
    ("shape", 0, 0.99, "amount", None, False),
    ("attack att decay dec release rel", 0, 30, "seconds", None, True),
    ("sustain sus", 0, 1, "level", None, False),
    ("speed", -16, 16, "1 is the original speed", 0, False),
    ("begin end loopBegin loopEnd loopb loope", 0, 1, "share of the sample", None, True),
    ("clip legato", 0.001, 64, "1 is the length of the event", 0, False),
    ("orbit cut channels", 0, 64, "number", None, True),
    ("fm fmi", 0, 200, "index", None, False),
    ("fmh fmattack fmdecay fmrelease", 0, 100, "", None, False),
    ("phaser phaserrate phaserspeed", 0, 100, "Hz", None, False),
    ("vib vibrato v", 0, 50, "Hz", None, False),
    ("vibmod vmod", 0, 24, "semitones", None, False),
    ("unison", 1, 100, "voices", None, True),
    ("detune", 0, 100, "semitones", None, False),
    ("spread", 0, 1, "0 is mono", None, False),
    ("tremolo tremolosync", 0, 100, "Hz", None, False),
    ("squiz waveloss", 0, 100, "", None, False),
    ("noise", 0, 1, "share", None, False),
    ("lpenv hpenv bpenv lpe hpe bpe", -12, 12, "octaves", None, False),
    ("lpattack lpdecay lprelease hpattack hpdecay hprelease bpattack bpdecay bprelease", 0, 30, "seconds", None, True),
    ("lpsustain hpsustain bpsustain", 0, 1, "level", None, False),
    ("duckattack duckatt", 0, 30, "seconds", None, True),
    ("duckdepth", 0, 1, "1 is silence", None, False),
    ("degradeBy sometimesBy someCyclesBy undegradeBy", 0, 1, "probability", None, True),
    ("fast slow hurry ply segment seg chop striate inside outside iter iterBack", 0.001, 100000, "factor", 0, False),
    ("setcpm setCpm cpm", 0.1, 600, "cycles a minute: beats a minute / beats per cycle", 0, False),
    ("setcps setCps", 0.002, 10, "cycles a second", 0, False),
    ("loopAt fit", 0.001, 1024, "cycles", None, False),
    ("fanchor", 0, 1, "", None, False),
    ("dry", 0, 1, "level", None, False),
    ("partials", 0, 1, "levels", None, False),
)
PARAMETERS = {
    name: Parameter(name, least, most, unit, silent, unusable)
    for names, least, most, unit, silent, unusable in _ROWS
    for name in names.split()
}

FUNCTION_ARGUMENTS = {
    **dict.fromkeys(
        words("jux superimpose layer sometimes often rarely almostAlways almostNever always someCycles all each apply"),
        0,
    ),
    **dict.fromkeys(
        words(
            "every firstOf lastOf off when sometimesBy someCyclesBy juxBy chunk chunkBack fastChunk inside outside "
            "whenKey someCycleBy plyWith plyForEach"
        ),
        1,
    ),
    **dict.fromkeys(["within", "echoWith", "stutWith"], 2),
}
"""Functions of which one argument is a function, and which one."""

VOWELS = frozenset(words("a e i o u ae aa oe ue y uh un en an on"))
