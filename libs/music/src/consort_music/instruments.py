"""Find General MIDI instruments by number or name.

Programs are numbered from 0 to 127, as in the bytes of a program change (printed lists often count from 1). `DRUM_MAP`
has the names of the notes of the drum kit, which is played on channel 10.

A search tries these, in this order:

- a program number, a General MIDI name, or a common name (`_COMMON_NAMES`);
- some words of General MIDI names, if the noun is among the words and all matches belong to one family: "jazz guitar"
  is found, "jazz" alone is not;
- the same with typing errors of one letter corrected.

Any other name is an error with suggestions.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import TypeAlias

from consort_music.errors import MusicError, quoted

_FAMILIES = {
    "Piano": "Acoustic Grand Piano, Bright Acoustic Piano, Electric Grand Piano, Honky-tonk Piano, "
    "Electric Piano 1, Electric Piano 2, Harpsichord, Clavinet",
    "Chromatic Percussion": "Celesta, Glockenspiel, Music Box, Vibraphone, Marimba, Xylophone, Tubular Bells, Dulcimer",
    "Organ": "Drawbar Organ, Percussive Organ, Rock Organ, Church Organ, Reed Organ, Accordion, Harmonica, "
    "Tango Accordion",
    "Guitar": "Acoustic Guitar (nylon), Acoustic Guitar (steel), Electric Guitar (jazz), Electric Guitar (clean), "
    "Electric Guitar (muted), Overdriven Guitar, Distortion Guitar, Guitar Harmonics",
    "Bass": "Acoustic Bass, Electric Bass (finger), Electric Bass (pick), Fretless Bass, Slap Bass 1, Slap Bass 2, "
    "Synth Bass 1, Synth Bass 2",
    "Strings": "Violin, Viola, Cello, Contrabass, Tremolo Strings, Pizzicato Strings, Orchestral Harp, Timpani",
    "Ensemble": "String Ensemble 1, String Ensemble 2, Synth Strings 1, Synth Strings 2, Choir Aahs, Voice Oohs, "
    "Synth Voice, Orchestra Hit",
    "Brass": "Trumpet, Trombone, Tuba, Muted Trumpet, French Horn, Brass Section, Synth Brass 1, Synth Brass 2",
    "Reed": "Soprano Sax, Alto Sax, Tenor Sax, Baritone Sax, Oboe, English Horn, Bassoon, Clarinet",
    "Pipe": "Piccolo, Flute, Recorder, Pan Flute, Blown Bottle, Shakuhachi, Whistle, Ocarina",
    "Synth Lead": "Lead 1 (square), Lead 2 (sawtooth), Lead 3 (calliope), Lead 4 (chiff), Lead 5 (charang), "
    "Lead 6 (voice), Lead 7 (fifths), Lead 8 (bass + lead)",
    "Synth Pad": "Pad 1 (new age), Pad 2 (warm), Pad 3 (polysynth), Pad 4 (choir), Pad 5 (bowed), Pad 6 (metallic), "
    "Pad 7 (halo), Pad 8 (sweep)",
    "Synth Effects": "FX 1 (rain), FX 2 (soundtrack), FX 3 (crystal), FX 4 (atmosphere), FX 5 (brightness), "
    "FX 6 (goblins), FX 7 (echoes), FX 8 (sci-fi)",
    "Ethnic": "Sitar, Banjo, Shamisen, Koto, Kalimba, Bagpipe, Fiddle, Shanai",
    "Percussive": "Tinkle Bell, Agogo, Steel Drums, Woodblock, Taiko Drum, Melodic Tom, Synth Drum, Reverse Cymbal",
    "Sound Effects": "Guitar Fret Noise, Breath Noise, Seashore, Bird Tweet, Telephone Ring, Helicopter, Applause, "
    "Gunshot",
}
_DRUMS_FROM_35 = (
    "Acoustic Bass Drum, Bass Drum 1, Side Stick, Acoustic Snare, Hand Clap, Electric Snare, Low Floor Tom, "
    "Closed Hi-Hat, High Floor Tom, Pedal Hi-Hat, Low Tom, Open Hi-Hat, Low-Mid Tom, Hi-Mid Tom, Crash Cymbal 1, "
    "High Tom, Ride Cymbal 1, Chinese Cymbal, Ride Bell, Tambourine, Splash Cymbal, Cowbell, Crash Cymbal 2, "
    "Vibraslap, Ride Cymbal 2, Hi Bongo, Low Bongo, Mute Hi Conga, Open Hi Conga, Low Conga, High Timbale, "
    "Low Timbale, High Agogo, Low Agogo, Cabasa, Maracas, Short Whistle, Long Whistle, Short Guiro, Long Guiro, "
    "Claves, Hi Wood Block, Low Wood Block, Mute Cuica, Open Cuica, Mute Triangle, Open Triangle"
)


@dataclass(frozen=True, slots=True)
class Instrument:
    """A General MIDI program, or the drum kit. Any program on channel 10 is the drum kit."""

    program: int
    name: str
    family: str
    is_drums: bool = False


INSTRUMENTS = tuple(
    Instrument(8 * number + position, name, family)
    for number, (family, names) in enumerate(_FAMILIES.items())
    for position, name in enumerate(names.split(", "))
)
DRUMS = Instrument(0, "Drums", "Drums", is_drums=True)
DRUM_MAP = dict(enumerate(_DRUMS_FROM_35.split(", "), start=35))

_COMMON_NAMES = {
    0: "piano, grand, grand piano, concert piano, acoustic piano, upright piano, keyboard, keys",
    3: "honky tonk",
    4: "electric piano, e piano, epiano, rhodes, fender rhodes, wurlitzer",
    5: "dx7, fm piano",
    7: "clavi, clav",
    14: "chimes, church bells",
    16: "organ, hammond, hammond organ, electric organ, jazz organ",
    19: "pipe organ",
    22: "mouth organ, blues harp",
    23: "bandoneon",
    24: "guitar, classical guitar, spanish guitar",
    25: "folk guitar, western guitar",
    27: "electric guitar",
    29: "overdrive guitar",
    30: "distorted guitar",
    32: "upright bass",
    33: "bass, bass guitar, electric bass",
    43: "double bass, string bass",
    44: "tremolo",
    45: "pizzicato, pizz",
    47: "kettledrums",
    48: "strings, string section, string orchestra, string ensemble, orchestra",
    50: "synth strings",
    52: "choir, chorus, vocals",
    53: "voice, oohs",
    60: "horn",
    61: "brass, brass ensemble",
    65: "sax",
    81: "synth, synth lead, lead, saw lead, lead synth",
    89: "pad, synth pad",
    116: "taiko",
}
_DRUM_NAMES = (
    "drums, drum kit, drumkit, drum set, drumset, drum machine, percussion, kick, kick drum, bass drum, snare, "
    "snare drum, hi hat, cymbal"
)
_SYNONYMS = {
    "saxophone": "sax",
    "synthesizer": "synth",
    "synthesiser": "synth",
    "gtr": "guitar",
    "violoncello": "cello",
    "vibe": "vibraphone",
    "glock": "glockenspiel",
}
# Instruments that General MIDI does not have, with the programs to suggest. They are not corrected as typing errors.
_NOT_IN_GENERAL_MIDI = {
    "lute": (24, 46),
    "ukulele": (24, 105),
    "mandolin": (25, 105),
    "zither": (15, 46),
    "viol": (41, 42),
    "erhu": (40, 110),
    "cornet": (56,),
    "flugelhorn": (56, 60),
    "euphonium": (58, 57),
    "harmonium": (20, 21),
    "melodica": (22, 21),
    "woodwind": (73, 68, 71, 70),
}
_FILLERS = frozenset({"the", "a", "an", "gm", "midi", "instrument", "sound", "patch"})
_NUMERALS = frozenset({"i", "ii", "iii", "iv"})  # left out: "Violin II" is a violin
_NOT_NOUNS = frozenset({"box", "hit", "section", "ensemble", "noise", "ring", "tweet"})  # not instruments on their own
_LONGEST_NAME = 80
# Both are ratios of difflib. 0.84 allows one letter missing or extra in four, or one wrong in seven.
_MIN_RATIO_TO_CORRECT = 0.84
_MIN_RATIO_TO_SUGGEST = 0.7
_COMMON_FAMILIES = ("Piano", "Organ", "Guitar", "Bass", "Strings", "Choir", "Brass", "Sax", "Flute", "Synth", "Drums")
"""Names that are offered if none is similar. Each is found."""
_SHORTEST_CORRECTED = 4

_Words: TypeAlias = tuple[str, ...]


def find_instrument(name: str | int) -> Instrument:
    """Return the instrument of a name or a program number from 0 to 127. Raise UNKNOWN_INSTRUMENT if none matches."""
    if not isinstance(name, str):
        return _by_program(name)
    if re.fullmatch(r"[0-9]{1,3}", number := name.strip()):
        return _by_program(int(number))
    words = _words(name) if len(name) <= _LONGEST_NAME else ()
    unnumbered = tuple(word for word in words if not word.isdecimal() and word not in _NUMERALS)
    for attempt in (words, unnumbered, _corrected(unnumbered)):
        found = _match(attempt)
        if found:
            return found
    problem = f"{quoted(name)} is not a General MIDI instrument"
    if suggestions := _suggestions(unnumbered):
        raise _unknown(f"{problem}. Try {', '.join(suggestions)}.", suggestions)
    raise _unknown(
        f"{problem}, and no name is similar. Give an English name, for example one of these families: "
        f"{', '.join(_COMMON_FAMILIES)}.",
        list(_COMMON_FAMILIES),
    )


def known_instrument(name: str | None) -> Instrument | None:
    """Return the instrument of a part's name, or None if there is no name or no such instrument."""
    try:
        return find_instrument(name) if name else None
    except MusicError:
        return None


def _by_program(program: int) -> Instrument:
    if isinstance(program, bool) or not 0 <= program < len(INSTRUMENTS):
        raise _unknown(
            f"{program} is not a General MIDI program. Give a number from 0 to 127, or a name such as Violin.",
            ["0", "Violin"],
        )
    return INSTRUMENTS[program]


def _unknown(message: str, suggestions: list[str]) -> MusicError:
    return MusicError("UNKNOWN_INSTRUMENT", message, suggestions)


def _words(name: str) -> _Words:
    """Return the words of a name for comparison: lower case, singular, without accents, punctuation and fillers."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    words = re.findall(r"[^\W_]+", "".join(char for char in plain if not unicodedata.combining(char)))
    singular = (
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in words
    )
    return tuple(_SYNONYMS.get(word, word) for word in singular if word not in _FILLERS)


def _names() -> dict[_Words, Instrument]:
    names = {_words(name): DRUMS for name in _DRUM_NAMES.split(", ")}
    names |= {_words(name): INSTRUMENTS[number] for number, text in _COMMON_NAMES.items() for name in text.split(", ")}
    return names | {_words(instrument.name): instrument for instrument in INSTRUMENTS}


_BY_NAME = _names()
_DRUM_NOTES = frozenset(_words(name) for name in DRUM_MAP.values())
_VOCABULARY = sorted({word for words in _BY_NAME for word in words if not word.isdecimal()} | set(_SYNONYMS))
_NOUN_AND_WORDS = [
    (instrument, _words(re.sub(r"[0-9]|\(.*", "", instrument.name))[-1], frozenset(_words(instrument.name)))
    for instrument in INSTRUMENTS
]


def _match(words: _Words) -> Instrument | None:
    if words in _BY_NAME:
        return _BY_NAME[words]
    if words in _DRUM_NOTES:
        return DRUMS
    asked = set(words)
    if asked <= _NOT_NOUNS:
        return None
    found = [instrument for instrument, noun, known in _NOUN_AND_WORDS if noun in asked and asked <= known]
    return found[0] if len({instrument.family for instrument in found}) == 1 else None


def _corrected(words: _Words) -> _Words:
    """Return the words with typing errors corrected, or no words if one is not similar to any known word."""
    from difflib import get_close_matches  # slow to import, and rarely needed

    corrected: list[str] = []
    for word in words:
        if word in _VOCABULARY:
            corrected.append(word)
            continue
        if word in _NOT_IN_GENERAL_MIDI or len(word) < _SHORTEST_CORRECTED:
            return ()
        same_initial = [known for known in _VOCABULARY if known[0] == word[0]]
        nearest = get_close_matches(word, same_initial, n=1, cutoff=_MIN_RATIO_TO_CORRECT)
        if not nearest:
            return ()
        corrected.append(_SYNONYMS.get(nearest[0], nearest[0]))
    return tuple(corrected)


def _suggestions(words: _Words) -> list[str]:
    """Return up to five similar names, the most similar first."""
    from difflib import SequenceMatcher, get_close_matches

    offered = [INSTRUMENTS[program] for word in words for program in _NOT_IN_GENERAL_MIDI.get(word, ())]
    likeness: dict[Instrument, float] = {}
    for word in words:
        close = get_close_matches(word, _VOCABULARY, 3, _MIN_RATIO_TO_SUGGEST)
        ratios = {known: SequenceMatcher(None, word, known).ratio() for known in close}
        best: dict[Instrument, float] = {}
        for known_words, instrument in _BY_NAME.items():
            ratio = max((ratios.get(known, 0) for known in known_words), default=0)
            best[instrument] = max(ratio, best.get(instrument, 0))
        for instrument, ratio in best.items():
            likeness[instrument] = likeness.get(instrument, 0) + ratio
    threshold = max(_MIN_RATIO_TO_SUGGEST, 0.75 * max(likeness.values(), default=0))
    alike = [instrument for instrument, total in likeness.items() if total >= threshold]
    offered += sorted(alike, key=lambda instrument: -likeness[instrument])
    return list(dict.fromkeys(instrument.name for instrument in offered))[:5]
