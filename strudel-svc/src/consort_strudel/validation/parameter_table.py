"""Parameters with the values that make sense. Written from measuring the sound engine and from its source."""

from dataclasses import dataclass

from consort_strudel.words import words


@dataclass(frozen=True)
class Parameter:
    name: str
    """The name that is used most: `lpf`."""
    least: float
    most: float
    unit: str
    usual: float
    """A value for examples."""
    silent_at: float | None = None
    """A value that is legal and makes no sound."""
    fails_below: bool = False
    """Whether the engine cannot use values below the range. Others outside are only doubtful."""


_FAILS = True
_ROWS: tuple[tuple[str, float, float, str, float, float | None, bool], ...] = (
    ("gain postgain", 0, 4, "1 is the level of the sound", 0.8, 0, False),
    ("velocity vel", 0, 2, "1 is full", 0.8, 0, False),
    ("pan", 0, 1, "0 is left, 1 is right", 0.5, None, False),
    ("lpf cutoff ctf lp", 20, 24000, "Hz", 800, None, False),
    ("hpf hcutoff hp", 0, 20000, "Hz", 200, None, False),
    ("bpf bandf bp", 20, 20000, "Hz", 1000, None, False),
    ("lpq resonance hpq hresonance bpq bandq", 0, 50, "resonance", 5, None, False),
    ("djf", 0, 1, "below 0.5 low pass, above high pass", 0.3, None, False),
    ("room", 0, 10, "1 is as loud as the sound", 0.3, None, False),
    ("roomsize size sz rsize", 0.01, 20, "seconds", 2, None, _FAILS),
    ("delay", 0, 1, "1 is as loud as the sound", 0.3, None, False),
    ("delayfeedback delayfb dfb", 0, 0.98, "from 1 on it never ends", 0.5, None, False),
    ("delaytime delayt dt", 0.001, 10, "seconds", 0.25, None, False),
    ("crush", 1, 16, "bits", 8, 0, False),
    ("coarse", 1, 256, "1 is unchanged", 4, None, False),
    ("distort dist", 0, 20, "amount", 1, None, False),
    ("shape", 0, 0.99, "amount", 0.3, None, False),
    ("attack att decay dec release rel", 0, 30, "seconds", 0.1, None, _FAILS),
    ("sustain sus", 0, 1, "level", 0.5, None, False),
    ("speed", -16, 16, "1 is the original speed", 1, 0, False),
    ("begin end loopBegin loopEnd loopb loope", 0, 1, "share of the sample", 0.5, None, _FAILS),
    ("clip legato", 0.001, 64, "1 is the length of the event", 0.5, 0, False),
    ("orbit cut channels", 0, 64, "number", 2, None, _FAILS),
    ("fm fmi", 0, 200, "index", 2, None, False),
    ("fmh fmattack fmdecay fmrelease", 0, 100, "", 1, None, False),
    ("phaser phaserrate phaserspeed", 0, 100, "Hz", 2, None, False),
    ("vib vibrato v", 0, 50, "Hz", 4, None, False),
    ("vibmod vmod", 0, 24, "semitones", 0.5, None, False),
    ("unison", 1, 100, "voices", 3, None, _FAILS),
    ("detune", 0, 100, "semitones", 0.2, None, False),
    ("spread", 0, 1, "0 is mono", 0.5, None, False),
    ("tremolo tremolosync", 0, 100, "Hz", 4, None, False),
    ("squiz waveloss", 0, 100, "", 2, None, False),
    ("noise", 0, 1, "share", 0.2, None, False),
    ("lpenv hpenv bpenv lpe hpe bpe", -12, 12, "octaves", 4, None, False),
    *(
        (name, 0, 30, "seconds", 0.1, None, _FAILS)
        for name in words(
            "lpattack lpdecay lprelease hpattack hpdecay hprelease bpattack bpdecay bprelease duckattack duckatt"
        )
    ),
    ("lpsustain hpsustain bpsustain", 0, 1, "level", 0.5, None, False),
    ("duckdepth", 0, 1, "1 is silence", 0.8, None, False),
    ("degradeBy sometimesBy someCyclesBy undegradeBy", 0, 1, "probability", 0.3, None, False),
    ("fast slow hurry ply segment seg chop striate inside outside iter iterBack", 0.001, 2000, "factor", 2, 0, False),
    ("cpm", 0.1, 600, "cycles a minute: beats a minute / beats per cycle", 30, 0, False),
    ("loopAt fit", 0.001, 1024, "cycles", 2, None, False),
    ("fanchor", 0, 1, "", 0.5, None, False),
    ("dry", 0, 1, "level", 0.5, None, False),
    ("partials", 0, 1, "levels", 0.5, None, False),
)
PARAMETERS = {
    name: Parameter(names.split()[0], least, most, unit, usual, silent, fails)
    for names, least, most, unit, usual, silent, fails in _ROWS
    for name in names.split()
}

TEMPO_FUNCTIONS = {"setcpm": "120/4", "setCpm": "120/4", "setcps": "0.5", "setCps": "0.5"}
"""Functions that need a plain number, not a pattern, with an example. The tempo itself is judged as a whole."""

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
