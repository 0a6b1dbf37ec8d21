"""Read the suffix of a chord symbol, between root and bass: quality, number and tail (see `grammar`)."""

import re
from typing import NoReturn

from consort_music.chords.formula import ChordFormula
from consort_music.chords.symbol import Degree
from consort_music.errors import quoted

_QUALITY = re.compile(
    r"(?P<half>ø|half-?dim(?:inished)?|hdim|h(?![a-z]))"
    r"|(?P<major>\^|[Mm]aj(?:or)?|MAJ|Mj|MJ|[Mm]a(?![ldu])|MA|M(?![Ii])|j(?=7|$))"
    r"|(?P<minor>[Mm]in(?:or)?|MIN|[Mm]i|MI|m|-)"
    r"|(?P<diminished>[Dd]im(?:inished)?|DIM|°|o(?![a-z])|0(?=7?(?:[(,/]|$)))"
    r"|(?P<augmented>[Aa]ug(?:mented)?|AUG|\+)"
    r"|(?P<dominant>[Dd]om(?:inant)?)"
)
_MAJOR_SEVENTH = re.compile(
    r"/?(?P<open>\(?)(?:\^(?P<mark>7|9|11|13)?|7M(?![ai])|(?:[Mm]aj(?:or)?|MAJ|[Mm]a|MA|M|j|#(?=7))(?P<number>7|9|11|13))"
)
_NUMBER = re.compile(r"6/9|69|6|7(?:M(?!a|i)|[Mm]aj|j|\^)|7|9|11|13|5|2(?!\d)|4(?!\d)")
_TAIL = re.compile(
    r"(?P<sus>(?:[Ss]us|SUS)(?P<which>2/4|4/2|24|42|2sus4|4sus2|[b#]?[24](?!\d)|\([24]\))?)"
    r"|(?P<add>[Aa]dd|ADD)(?P<add_sign>[b#+-]?)(?P<add_number>13|11|9|6|4|3|2)(?!\d)"
    r"|(?P<omit>(?:no|omit)(?P<omit_number>root|1(?!\d)|3|5|7|9|11)(?:rd|th|d)?)"
    r"|(?P<alt>[Aa]lt(?:ered)?|ALT)"
    r"|(?P<flat_seventh>b7)(?!\d)"
    r"|(?P<sign>[b#+-]|flat|sharp)(?P<altered>13|11|9(?=1[13](?!\d))|(?:9|6|5|4)(?!\d))"
    r"|(?P<postfixed>5|9|11|13)(?P<postfix>[+-](?!\d)|[b#](?=(?:(?:5|9|11|13)[b#])*(?:\)|$)))"
    r"|(?P<major_seventh>\^(?:7|9|11|13)?|(?:[Mm]aj|MAJ|[Mm]a|MA|M)(?:7|9|11|13))"
    r"|(?P<plain>13|11|9|7|6|4|2(?!\d))"
    r"|(?P<sharp_fifth>\+|aug)"
)
_RAISED_OR_LOWERED_FIFTH = re.compile(r"5([+-])(?!\d)")
_SIGNS_BEHIND = re.compile(r"9(?P<ninth>[b#]?)(?:11(?P<eleventh>#))?13(?P<thirteenth>b?)$")
"""What follows a 7 in charts that write each sign behind its number, where 13 is the last: the 9b13 of `79b13`."""
_SIGN = {"b": -1, "-": -1, "flat": -1, "#": 1, "+": 1, "sharp": 1, "": 0}


class ChordSyntaxError(Exception):
    """Raised for an unreadable symbol, with the reason and symbols that may have been meant."""

    def __init__(self, reason: str, *meant: str) -> None:
        self.reason = reason
        self.meant = meant


class SuffixReader:
    """Reads a suffix from left to right into a `ChordFormula`. `root` is for suggestions in errors."""

    def __init__(self, root: str, rest: str) -> None:
        self._root = root
        self._rest = rest
        self._at = 0
        self._formula = ChordFormula()
        self._in_parentheses = False
        self._adding = False
        self._is_major = False

    def read(self) -> ChordFormula:
        self._read_quality()
        while self._at < len(self._rest):
            if not self._read_separator():
                self._read_tail()
        if self._in_parentheses:
            self._fail("a parenthesis is not closed")
        self._check_kind()
        self._formula.normalize()
        self._check_tensions()
        missing = self._formula.omitted - {number for number, _ in self._present()}
        if missing:
            self._fail(f"it leaves out the {min(missing)}, which the chord does not have", "no5", "")
        return self._formula

    def _present(self) -> tuple[Degree, ...]:
        """Return the degrees of the chord, including those that the suffix omits."""
        omitted, self._formula.omitted = self._formula.omitted, set()
        degrees = self._formula.degrees()
        self._formula.omitted = omitted
        return degrees

    def _fail(self, reason: str, *meant: str) -> NoReturn:
        raise ChordSyntaxError(reason, *(self._root + suffix for suffix in meant))

    def _read_quality(self) -> None:
        match = _QUALITY.match(self._rest)
        kind = match.lastgroup if match else None
        sign = match[0] if match else ""
        self._at = match.end() if match else 0
        self._is_major = kind == "major"
        formula = self._formula
        if kind in ("minor", "diminished", "augmented"):
            formula.triad = kind
            if self._read_major_seventh():
                return
        elif kind == "half":
            formula.triad, formula.seventh, formula.top = "diminished", -1, 7
        elif kind == "major" and sign in ("^", "j"):
            formula.seventh, formula.top = 0, 7
        if sign == "-" and re.match(r"5(?!\d)", self._rest[self._at :]):
            self._fail("'-' is minor, and a minor chord has no 5 to name", "(b5)", "m", "dim")
        if sign == "+" and re.match(r"11|13", self._rest[self._at :]):
            self._fail("'+' can belong to the chord or to the number", "7#11", "9#5", "13#5")
        if kind == "minor" and re.match(r"\+7|\(?7\+(?!\d)", self._rest[self._at :]):
            self._fail("a 7 with + can mean a raised fifth or a major seventh", "m(maj7)", "m7#5")
        fifth = None if kind else _RAISED_OR_LOWERED_FIFTH.match(self._rest)
        number = _NUMBER.match(self._rest, self._at)
        if fifth:
            self._at = fifth.end()
            formula.altered.add((5, _SIGN[fifth[1]]))
        elif number:
            self._at = number.end()
            self._take_number(kind, number[0])
        elif kind == "dominant":
            formula.seventh, formula.top = -1, 7

    def _read_major_seventh(self) -> bool:
        """Read the maj7 of m(maj7), dim(maj7) and aug(maj7). Its parenthesis may continue, as in m(maj7,9)."""
        match = _MAJOR_SEVENTH.match(self._rest, self._at)
        if match is None:
            return False
        self._in_parentheses = bool(match["open"])
        self._at = match.end()
        self._formula.seventh = 0
        self._formula.top = int(match["mark"] or match["number"] or 7)
        return True

    def _take_number(self, kind: str | None, number: str) -> None:
        formula = self._formula
        if number in ("6/9", "69"):
            number = "6"
            formula.added.add((9, 0))
        if number == "5":
            if kind is None:
                formula.triad = "power"
            elif kind != "augmented":
                self._fail("a 5 after the quality has no meaning", "5", "m", "")
        elif number == "6":
            if kind in ("diminished", "half"):
                self._fail("a diminished chord cannot have a sixth", "dim7", "m6")
            formula.sixth, formula.seventh, formula.top = True, None, 5
        elif number in ("2", "4"):
            if kind is not None:
                self._fail(f"{number} must stand alone or after sus or add", "add9", "sus2", "sus4", "madd9")
            if number == "2":
                formula.added.add((9, 0))
            else:
                formula.suspended.add((4, 0))
        elif number[0] == "7" and len(number) > 1:
            if kind is not None:
                self._fail("the seventh is named twice", "maj7", "m(maj7)")
            formula.seventh, formula.top = 0, 7
        else:
            formula.top = int(number)
            formula.seventh = {"major": 0, "diminished": -2}.get(kind or "", -1)
            self._read_signs_behind(number)

    def _read_signs_behind(self, number: str) -> None:
        """Read 79b13, 79#13b or 7911#13, where each sign belongs to the number before it. 79 alone is a ninth."""
        match = _SIGNS_BEHIND.match(self._rest, self._at)
        if number != "7" or match is None or not (match["ninth"] or match["eleventh"]):
            return
        self._at = match.end()
        for degree, sign in ((9, match["ninth"]), (11, match["eleventh"]), (13, match["thirteenth"])):
            if sign:
                self._alter(degree, _SIGN[sign])
            elif degree != 11:
                self._add(degree, 0)

    def _read_separator(self) -> bool:
        sign = self._rest[self._at]
        if sign == "(" and not self._in_parentheses:
            self._in_parentheses, self._adding = True, False
        elif sign == ")" and self._in_parentheses:
            self._in_parentheses, self._adding = False, False
        elif sign not in ",/" or not _TAIL.match(self._rest, self._at + 1):
            return False
        self._at += 1
        return True

    def _read_tail(self) -> None:
        match = _TAIL.match(self._rest, self._at)
        if match is None:
            left = self._rest[self._at :]
            if re.match(r"/[A-G]", left):
                self._fail("after the slash write one bass note, such as /E; a chord over a chord is not supported")
            if left.startswith("add7"):
                self._fail("a seventh is written without add", "7", "maj7", "m7")
            if re.match(r"[|,;-]*[A-G]", left):
                self._fail(f"{quoted(left)} looks like another chord or note; write one chord symbol")
            self._fail(f"{quoted(left)} is not a known ending")
        self._at = match.end()
        formula = self._formula
        if match["sus"]:
            self._suspend((match["which"] or "4").strip("()"))
        elif match["add"]:
            self._adding = True
            self._add(int(match["add_number"]), _SIGN[match["add_sign"]])
        elif match["omit"]:
            formula.omitted.add(1 if match["omit_number"] == "root" else int(match["omit_number"]))
        elif match["alt"]:
            if formula != ChordFormula() and formula != ChordFormula(seventh=-1, top=7):
                self._fail("alt can only follow a dominant seventh", "7alt")
            formula.is_altered_dominant, formula.seventh, formula.top = True, -1, 7
        elif match["flat_seventh"]:
            if formula.seventh is not None:
                self._fail("the seventh is named twice", "7", "maj7", "m7")
            if self._rest[self._at - len("/b7")] == "/":
                self._fail("after the slash write a note, not a degree", "7")
            formula.seventh, formula.top = -1, 7
        elif match["sign"]:
            self._alter(int(match["altered"]), _SIGN[match["sign"]])
        elif match["postfixed"]:
            if match["postfix"] in "+-" and self._rest[match.start() - 1] not in "(,/":
                self._fail("an accidental must stand before its number", *self._sign_before_number(match))
            self._alter(int(match["postfixed"]), _SIGN[match["postfix"]])
        elif match["major_seventh"]:
            if formula.seventh == -1 and formula.triad == "minor" and formula.top > 7:
                formula.seventh = 0  # m9(maj7)
                return
            if formula.seventh is not None:
                self._fail("the seventh is named twice", "maj7", "7")
            formula.seventh, formula.top = 0, int(match["major_seventh"].lstrip("^MmAaJj") or 7)
        elif match["plain"]:
            self._take_tension(int(match["plain"]))
        else:
            self._alter(5, 1)

    def _sign_before_number(self, match: re.Match[str]) -> tuple[str, ...]:
        sign = "b" if match["postfix"] == "-" else "#"
        return (f"{self._rest[: match.start()]}{sign}{match['postfixed']}{self._rest[match.end() :]}",)

    def _suspend(self, which: str) -> None:
        if self._formula.triad not in ("major", "minor", "augmented"):
            self._fail("this chord cannot be suspended", "sus4", "7sus4")
        signs = {"2": (2, 0), "4": (4, 0), "b2": (2, -1), "#4": (4, 1), "b4": (4, -1), "#2": (2, 1)}
        degrees = [signs[which]] if which in signs else [(2, 0), (4, 0)]
        if degrees[0] in ((4, -1), (2, 1)):
            self._fail("this suspension would be a third", "sus4", "sus2")
        self._formula.suspended.update(degrees)

    def _add(self, number: int, alteration: int) -> None:
        if number == 3:
            if not self._formula.suspended or alteration > 0:
                self._fail("the chord already has its third", "sus4add3")
            self._formula.added.add((3, alteration))
            return
        if number == 6 and alteration == 0 and self._formula.seventh is None and not self._formula.suspended:
            self._formula.sixth = True
            return
        seventh_is_there = self._formula.seventh is not None
        number = {2: 9, 4: 11, 6: 13 if seventh_is_there else 6}.get(number, number)
        if (number, alteration) in ((11, -1), (13, 1), (6, 1)):
            self._fail("this tone has a simpler name", "add9", "7b13", "add#11")
        self._formula.added.add((number, alteration))

    def _alter(self, number: int, alteration: int) -> None:
        formula = self._formula
        if (number, alteration) in formula.altered:
            self._fail(f"it alters the {number} twice", f"7{'b' if alteration < 0 else '#'}{number}")
        if number == 5:
            if formula.triad == "power" or (formula.triad == "diminished" and alteration > 0 and formula.seventh != -1):
                self._fail("the fifth of this chord cannot be altered", "(b5)", "aug", "m#5")
            formula.altered.add((5, alteration))
            return
        number = {4: 11, 6: 13 if formula.seventh is not None else 6}.get(number, number)
        if (number, alteration) in ((11, -1), (13, 1), (6, 1)):
            self._fail("this tone has a simpler name", "7", "7#11", "7b13")
        if number == 6 and formula.sixth:
            self._fail("it would have two sixths", "6", "7b13", "mb6")
        if formula.suspended and number == 9 and formula.seventh is None and not self._adding:
            formula.seventh, formula.top = -1, 7  # susb9, the Phrygian chord, is a seventh chord
        if number == 6 and formula.triad == "minor":
            formula.added.add((6, alteration))
        elif (formula.seventh is None and not formula.sixth) or self._adding:
            if not (self._in_parentheses or self._adding):
                tension = ("b" if alteration < 0 else "#") + str(number)
                triad = "m" if formula.triad == "minor" else ""
                meant = [f"{triad}{seventh}{tension}" for seventh in ("7", "maj7", "add") if seventh[0] != triad]
                self._fail(f"{tension} needs a seventh below it, or add", *meant)
            formula.added.add((number, alteration))
        else:
            formula.altered.add((number, alteration))

    def _take_tension(self, number: int) -> None:
        formula = self._formula
        before = self._rest[self._at - len(str(number)) - 1 : self._at - len(str(number))]
        set_apart = bool(before) and before in "(,/"
        if number == 2:
            if not set_apart or formula.suspended or formula.seventh is not None:
                self._fail("2 must stand alone or after sus or add", "add9", "sus2", "sus4")
            self._add(2, 0)
        elif number == 4 and set_apart and formula.triad == "minor" and formula.seventh == -1:
            self._add(4, 0)
        elif number == 4:
            if formula.seventh != -1 or not set_apart:
                self._fail("4 must stand alone or after sus or add", "sus4", "7sus4", "add11")
            self._suspend("4")
        elif number == 7 and before == "(" and formula.seventh is None and not formula.sixth:
            formula.seventh = 0 if self._is_major else -2 if formula.triad == "diminished" else -1
            formula.top = 7
        elif number == 7 or (formula.suspended and formula.seventh is None and not set_apart and number != 6):
            if formula.seventh is not None or not formula.suspended:
                self._fail("the 7 must stand before what is added to it", "7", "m7")
            formula.seventh, formula.top = -1, number
            self._read_signs_behind(str(number))
        elif number == formula.top and not (self._adding or set_apart):
            self._fail(f"it names the {number} twice", str(number))
        elif self._adding or set_apart or (formula.seventh is not None and number != 6):
            self._add(number, 0)
        elif formula.sixth and number == 9:
            formula.added.add((9, 0))
        else:
            self._fail(f"the {number} needs add or a seventh here", f"{number}", f"add{number}")

    def _check_kind(self) -> None:
        formula = self._formula
        if formula.is_altered_dominant:
            if formula != ChordFormula(seventh=-1, top=7, is_altered_dominant=True, omitted=formula.omitted):
                self._fail("alt can only follow a dominant seventh", "7alt")
            return
        if formula.triad == "power" and (
            formula.suspended or formula.sixth or formula.seventh is not None or formula.altered
        ):
            self._fail("a power chord can only have added tones", "5", "7no3", "sus4")

    def _check_tensions(self) -> None:
        formula = self._formula
        for number, alteration in sorted(formula.altered):
            if number > 5 and (number == formula.top or (number, 0) in formula.added):
                sign = "b" if alteration < 0 else "#"
                lower = {9: 7, 11: 9, 13: 9}[number]
                self._fail(
                    f"it has both {number} and {sign}{number}", f"{lower}{sign}{number}", f"m{lower}{sign}{number}"
                )
        if formula.seventh == -2 and (formula.sixth or (13, 0) in formula.added):
            self._fail("the sixth would be the same tone as the diminished seventh", "dim7")
