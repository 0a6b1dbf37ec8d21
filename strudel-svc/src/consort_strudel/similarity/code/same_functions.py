"""One name for functions that have several, and how much the use of a function says about a snippet."""

from consort_strudel.words import words

_NAMES = """
s sound
lpf cutoff ctf lp
hpf hcutoff hp
bpf bandf bp
lpq resonance
hpq hresonance
bpq bandq
attack att
decay dec
sustain sus
release rel
room rm
roomsize size sz rsize
delay delayamt
delaytime delayt dt
delayfeedback delayfb dfb
gain
velocity vel
pan panning
speed
legato clip
cat slowcat
seq sequence fastcat
stack polyrhythm pr
rev reverse
off
add
euclid bjork
euclidRot euclidrot
degradeBy
sometimesBy
fast density
slow sparsity
vibrato vib v
vibmod vmod
fm fmi
fmh
crush
coarse
distort dist
phaser ph
lpenv lpe
lpattack lpa
lpdecay lpd
lpsustain lps
lprelease lpr
every firstOf
lastOf
early
late
iter
iterBack iterback
ply
segment seg
chop
striate
slice
splice
loopAt loopat
loop
transpose trans
scaleTranspose scaleTrans strans
chord
voicing
mask
struct
swing
swingBy
jux
juxBy juxby
superimpose
layer apply
echo
stut
echoWith stutWith echowith stutwith
range
orbit o
duckorbit duck
tremolo trem
tremolosync tremsync
color colour
penv
noise
setcpm setCpm
setcps setCps
"""
_FIRST = {name: line.split()[0] for line in _NAMES.strip().splitlines() for name in line.split()}

_EVERYWHERE = frozenset(words("s n note stack setcpm setcps samples"))
_COMMON = frozenset(words("gain scale bank cat seq fast slow room lpf range release"))


def one_name(function: str) -> str:
    """Return the name that stands for a function and its other names."""
    return _FIRST.get(function, function)


def weight_of(function: str) -> float:
    """Return how much the use of a function says: little if nearly every snippet uses it."""
    if function in _EVERYWHERE:
        return 0.25
    return 0.55 if function in _COMMON else 1.0
