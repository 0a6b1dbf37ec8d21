"""The words with which clips are tagged. One word for one thing, so that filters and the tagger agree."""

ELEMENTS = ("rhythm", "bass", "melody", "harmony", "texture", "fx")
COMPLEXITIES = ("beginner", "intermediate", "advanced")

FEELINGS = frozenset(
    [
        "aggressive",
        "bittersweet",
        "bouncy",
        "bright",
        "calm",
        "chaotic",
        "cold",
        "cool",
        "cosmic",
        "dark",
        "dirty",
        "dramatic",
        "dreamy",
        "driving",
        "eerie",
        "elegant",
        "energetic",
        "epic",
        "ethereal",
        "euphoric",
        "festive",
        "funky",
        "gentle",
        "gritty",
        "groovy",
        "happy",
        "heavy",
        "heroic",
        "hopeful",
        "hypnotic",
        "intense",
        "intimate",
        "joyful",
        "laid-back",
        "lonely",
        "lush",
        "majestic",
        "mechanical",
        "meditative",
        "melancholic",
        "mellow",
        "menacing",
        "minimal",
        "mysterious",
        "nervous",
        "nostalgic",
        "peaceful",
        "playful",
        "powerful",
        "quirky",
        "raw",
        "relaxed",
        "restless",
        "romantic",
        "sad",
        "serious",
        "sexy",
        "smooth",
        "soft",
        "solemn",
        "soulful",
        "spacious",
        "sparse",
        "spiritual",
        "spooky",
        "suspenseful",
        "sweet",
        "tense",
        "tribal",
        "triumphant",
        "uplifting",
        "urgent",
        "warm",
        "weird",
        "wild",
        "wistful",
    ]
)

TECHNIQUES = frozenset(
    line.strip()
    for line in """
    accents
    acid line
    arpeggio
    backbeat
    bitcrush
    blues scale
    breakbeat
    build-up
    call and response
    canon
    chopping
    chord progression
    chord stabs
    chromaticism
    clave
    comping
    counterpoint
    delay
    detune
    displacement
    distortion
    double-time
    drone
    drum fill
    euclidean rhythm
    extended chords
    filter envelope
    filter sweep
    fm synthesis
    four-on-the-floor
    gating
    ghost notes
    glide
    half-time
    humanized timing
    layering
    microtonal
    modal harmony
    noise
    octave doubling
    odd meter
    off-beat
    ostinato
    panning
    parallel chords
    pedal point
    pentatonic
    phaser
    phasing
    pitch envelope
    polymeter
    polyrhythm
    power chords
    randomness
    reverb
    reverse
    riff
    riser
    roll
    sequence
    sidechain
    strumming
    stutter
    sub bass
    swell
    swing
    syncopation
    tremolo
    tresillo
    triplets
    variation
    vibrato
    vowel filter
    walking bass
    wavetable
    """.strip().splitlines()
)

INSTRUMENTS = frozenset(
    line.strip()
    for line in """
    accordion
    acoustic guitar
    bagpipe
    banjo
    bass guitar
    bell
    brass
    break
    cello
    choir
    clap
    clarinet
    clavinet
    conga
    cowbell
    crash
    double bass
    dulcimer
    electric guitar
    electric piano
    english horn
    fiddle
    flute
    french horn
    glockenspiel
    guitar
    harmonica
    harp
    harpsichord
    hi-hat
    kalimba
    kick
    koto
    marimba
    music box
    noise
    oboe
    open hi-hat
    organ
    percussion
    piano
    ride
    rim
    sampler
    saxophone
    shaker
    shakuhachi
    shamisen
    sitar
    snare
    steel drums
    strings
    synth
    synth bass
    synth lead
    synth pad
    tabla
    tambourine
    timpani
    tom
    trombone
    trumpet
    tuba
    vibraphone
    viola
    violin
    voice
    whistle
    xylophone
    """.strip().splitlines()
)
