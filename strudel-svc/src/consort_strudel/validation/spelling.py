"""Find the name that was probably meant."""

from collections.abc import Iterable

from consort_strudel.words import words

USUAL = words(
    "sound s note n stack cat seq scale chord voicing gain lpf hpf bpf room delay pan fast slow rev jux every off "
    "add sub bank speed cutoff resonance lpq attack decay sustain release adsr size roomsize delaytime "
    "delayfeedback crush coarse distort shape vowel fm fmh chop striate slice splice loopAt fit cut clip legato "
    "velocity orbit duck euclid euclidRot euclidLegato struct mask when sometimes sometimesBy often rarely "
    "degradeBy degrade ply segment range rangex sine saw square tri perlin rand irand choose iter palindrome "
    "superimpose layer echo stut arrange pick setcpm setcps samples early late swing swingBy transpose "
    "scaleTranspose arp mul div apply inside outside chunk hurry linger zoom compress bite sometimes pianoroll "
    "punchcard scope color phaser tremolo detune unison spread lpenv lpattack lpdecay hpenv bd sd hh oh cp rim lt "
    "mt ht cr rd cb tb sh perc misc sawtooth triangle supersaw pulse white pink brown piano"
)
"""Names that people use most: of equally near names the more usual one is meant."""
_LONGEST_NAME = 60
_RANK = {name: place for place, name in reversed(list(enumerate(USUAL)))}


def nearest(word: str, names: Iterable[str], count: int = 3) -> list[str]:
    """Return the names that are spelled most like a word, the nearest first; at most two or three letters differ."""
    if len(word) > _LONGEST_NAME:
        return []
    reach = 1 if len(word) <= 3 else 2 if len(word) <= 7 else 3
    lowered = word.lower()
    found = []
    for name in names:
        if abs(len(name) - len(word)) > reach:
            continue
        apart = edits(lowered, name.lower(), reach)
        if apart <= reach:
            found.append((apart, name[:1].lower() != lowered[:1], _RANK.get(name, len(_RANK)), len(name), name))
    return [name for *_, name in sorted(found)[:count]]


def edits(one: str, other: str, most: int) -> int:
    """Return the edit distance with swapped neighbours as one edit (optimal string alignment), or `most + 1`."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        now = [row]
        for column, there in enumerate(other, 1):
            best = min(last[column] + 1, now[column - 1] + 1, last[column - 1] + (letter != there))
            if row > 1 and column > 1 and letter == other[column - 2] and there == one[row - 2]:
                best = min(best, before[column - 2] + 1)
            now.append(best)
        if min(now) > most:
            return most + 1
        before, last = last, now
    return min(last[-1], most + 1)
