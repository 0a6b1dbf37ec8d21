"""What stands between the root of a chord symbol and its bass: quality, number and tail."""

import re
from typing import NoReturn

from consort_music.chords.reading import Reading
from consort_music.chords.symbol import Degree
from consort_music.errors import quoted

_QUALITY = re.compile(
    r"(?P<half>ø|half-?dim(?:inished)?|hdim|h(?![a-z]))"
    r"|(?P<major>\^|[Mm]aj(?:or)?|MAJ|Mj|MJ|[Mm]a(?![ldu])|MA|M(?![Ii])|j(?=7|$))"
    r"|(?P<minor>[Mm]in(?:or)?|MIN|[Mm]i|MI|m|-)"
    r"|(?P<diminished>[Dd]im(?:inished)?|DIM|°|o(?![a-z]))"
    r"|(?P<augmented>[Aa]ug(?:mented)?|AUG|\+)"
    r"|(?P<dominant>[Dd]om(?:inant)?)"
)
_MAJOR_SEVENTH = re.compile(
    r"/?(?P<open>\(?)(?:\^(?P<mark>7|9|11|13)?|(?:[Mm]aj(?:or)?|MAJ|[Mm]a|MA|M|j|#(?=7))(?P<number>7|9|11|13))"
)
_NUMBER = re.compile(r"6/9|69|6|7(?:M(?!a|i)|maj|j|\^)|7|9|11|13|5|2(?!\d)|4(?!\d)")
_TAIL = re.compile(
    r"(?P<sus>(?:[Ss]us|SUS)(?P<which>2/4|4/2|24|42|2sus4|4sus2|[b#]?[24](?!\d))?)"
    r"|(?P<add>[Aa]dd|ADD)(?P<add_sign>[b#+-]?)(?P<add_number>13|11|9|6|4|3|2)(?!\d)"
    r"|(?P<omit>(?:no|omit)(?P<omit_number>root|1(?!\d)|3|5|7|9|11)(?:rd|th|d)?)"
    r"|(?P<alt>[Aa]lt(?:ered)?|ALT)"
    r"|(?P<sign>[b#+-]|flat|sharp)(?P<altered>13|11|9|6|5|4)(?!\d)"
    r"|(?P<postfixed>5|9|11|13)(?P<postfix>[+-])(?!\d)"
    r"|(?P<major_seventh>\^(?:7|9|11|13)?|(?:[Mm]aj|MAJ|[Mm]a|MA|M)(?:7|9|11|13))"
    r"|(?P<plain>13|11|9|7|6|4)"
    r"|(?P<sharp_fifth>\+|aug)"
)
_SIGN = {"b": -1, "-": -1, "flat": -1, "#": 1, "+": 1, "sharp": 1, "": 0}


class Refused(Exception):
    """A symbol that cannot be read: the reason, and what comes to mind instead."""

    def __init__(self, reason: str, *meant: str) -> None:
        self.reason = reason
        self.meant = meant


class SuffixReader:
    """Reads what stands between root and bass, from left to right, into a `Reading`."""

    def __init__(self, root: str, rest: str) -> None:
        self._root = root
        self._rest = rest
        self._at = 0
        self._reading = Reading()
        self._in_parentheses = False
        self._adding = False

    def read(self) -> Reading:
        self._read_quality()
        while self._at < len(self._rest):
            if not self._read_separator():
                self._read_tail()
        if self._in_parentheses:
            self._refuse("a parenthesis is not closed")
        self._check_kind()
        self._reading.settle()
        self._check_tensions()
        missing = self._reading.omitted - {number for number, _ in self._present()}
        if missing:
            self._refuse(f"it leaves out the {min(missing)}, which the chord does not have", "no5", "")
        return self._reading

    def _present(self) -> tuple[Degree, ...]:
        omitted, self._reading.omitted = self._reading.omitted, set()
        degrees = self._reading.degrees()
        self._reading.omitted = omitted
        return degrees

    def _refuse(self, reason: str, *meant: str) -> NoReturn:
        raise Refused(reason, *(self._root + suffix for suffix in meant))

    # --- the quality and its number

    def _read_quality(self) -> None:
        match = _QUALITY.match(self._rest)
        kind = match.lastgroup if match else None
        sign = match[0] if match else ""
        self._at = match.end() if match else 0
        reading = self._reading
        if kind in ("minor", "diminished", "augmented"):
            reading.triad = kind
            if self._read_major_seventh():
                return
        elif kind == "half":
            reading.triad, reading.seventh, reading.top = "diminished", -1, 7
        elif kind == "major" and sign in ("^", "j"):
            reading.seventh, reading.top = 0, 7
        if sign == "-" and re.match(r"5(?!\d)", self._rest[self._at :]):
            self._refuse("'-' is minor, and a minor chord has no 5 to name", "(b5)", "m", "dim")
        if sign == "+" and re.match(r"11|13", self._rest[self._at :]):
            self._refuse("'+' can belong to the chord or to the number", "7#11", "9#5", "13#5")
        if kind == "minor" and re.match(r"\+7", self._rest[self._at :]):
            self._refuse("'+7' can mean a raised fifth or a major seventh", "m(maj7)", "m7#5")
        number = _NUMBER.match(self._rest, self._at)
        if number:
            self._at = number.end()
            self._take_number(kind, number[0])
        elif kind == "dominant":
            reading.seventh, reading.top = -1, 7

    def _read_major_seventh(self) -> bool:
        """The maj7 of m(maj7), dim(maj7) and aug(maj7); its parenthesis may go on, as in m(maj7,9)."""
        match = _MAJOR_SEVENTH.match(self._rest, self._at)
        if match is None:
            return False
        self._in_parentheses = bool(match["open"])
        self._at = match.end()
        self._reading.seventh = 0
        self._reading.top = int(match["mark"] or match["number"] or 7)
        return True

    def _take_number(self, kind: str | None, number: str) -> None:
        reading = self._reading
        if number in ("6/9", "69"):
            number = "6"
            reading.added.add((9, 0))
        if number == "5":
            if kind is None:
                reading.triad = "power"
            elif kind != "augmented":
                self._refuse("a 5 after the quality has no meaning", "5", "m", "")
        elif number == "6":
            if kind in ("diminished", "half"):
                self._refuse("a diminished chord cannot have a sixth", "dim7", "m6")
            reading.sixth, reading.seventh, reading.top = True, None, 5
        elif number in ("2", "4"):
            if kind is not None:
                self._refuse(f"{number} must stand alone or after sus or add", "add9", "sus2", "sus4", "madd9")
            if number == "2":
                reading.added.add((9, 0))
            else:
                reading.suspended.add((4, 0))
        elif number[0] == "7" and len(number) > 1:
            if kind is not None:
                self._refuse("the seventh is named twice", "maj7", "m(maj7)")
            reading.seventh, reading.top = 0, 7
        else:
            reading.top = int(number)
            reading.seventh = {"major": 0, "diminished": -2}.get(kind or "", -1)

    # --- what comes after it

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
                self._refuse("after the slash write one bass note, such as /E; a chord over a chord is not supported")
            if left.startswith("add7"):
                self._refuse("a seventh is written without add", "7", "maj7", "m7")
            if re.match(r"[|,;-]*[A-G]", left):
                self._refuse(f"{quoted(left)} looks like another chord or note; write one chord symbol")
            self._refuse(f"{quoted(left)} is not a known ending")
        self._at = match.end()
        reading = self._reading
        if match["sus"]:
            self._suspend(match["which"] or "4")
        elif match["add"]:
            self._adding = True
            self._add(int(match["add_number"]), _SIGN[match["add_sign"]])
        elif match["omit"]:
            reading.omitted.add(1 if match["omit_number"] == "root" else int(match["omit_number"]))
        elif match["alt"]:
            if reading != Reading() and reading != Reading(seventh=-1, top=7):
                self._refuse("alt can only follow a dominant seventh", "7alt")
            reading.is_altered_dominant, reading.seventh, reading.top = True, -1, 7
        elif match["sign"]:
            self._alter(int(match["altered"]), _SIGN[match["sign"]])
        elif match["postfixed"]:
            if self._rest[match.start() - 1] not in "(,/":
                self._refuse("an accidental must stand before its number", *self._turned(match))
            self._alter(int(match["postfixed"]), _SIGN[match["postfix"]])
        elif match["major_seventh"]:
            if reading.seventh is not None:
                self._refuse("the seventh is named twice", "maj7", "7")
            reading.seventh, reading.top = 0, int(match["major_seventh"].lstrip("^MmAaJj") or 7)
        elif match["plain"]:
            self._take_tension(int(match["plain"]))
        else:
            self._alter(5, 1)

    def _turned(self, match: re.Match[str]) -> tuple[str, ...]:
        sign = "b" if match["postfix"] == "-" else "#"
        return (f"{self._rest[: match.start()]}{sign}{match['postfixed']}{self._rest[match.end() :]}",)

    def _suspend(self, which: str) -> None:
        if self._reading.triad not in ("major", "minor", "augmented") or self._reading.sixth:
            self._refuse("this chord cannot be suspended", "sus4", "7sus4")
        signs = {"2": (2, 0), "4": (4, 0), "b2": (2, -1), "#4": (4, 1), "b4": (4, -1), "#2": (2, 1)}
        degrees = [signs[which]] if which in signs else [(2, 0), (4, 0)]
        if degrees[0] in ((4, -1), (2, 1)):
            self._refuse("this suspension would be a third", "sus4", "sus2")
        self._reading.suspended.update(degrees)

    def _add(self, number: int, alteration: int) -> None:
        if number == 3:
            if not self._reading.suspended or alteration > 0:
                self._refuse("the chord already has its third", "sus4add3")
            self._reading.added.add((3, alteration))
            return
        if number == 6 and alteration == 0 and self._reading.seventh is None and not self._reading.suspended:
            self._reading.sixth = True
            return
        seventh_is_there = self._reading.seventh is not None
        number = {2: 9, 4: 11, 6: 13 if seventh_is_there else 6}.get(number, number)
        if (number, alteration) in ((11, -1), (13, 1), (6, 1)):
            self._refuse("this tone has a simpler name", "add9", "7b13", "add#11")
        self._reading.added.add((number, alteration))

    def _alter(self, number: int, alteration: int) -> None:
        reading = self._reading
        if number == 5:
            if reading.triad == "power" or (reading.triad == "diminished" and alteration > 0 and reading.seventh != -1):
                self._refuse("the fifth of this chord cannot be altered", "(b5)", "aug", "m#5")
            reading.altered.add((5, alteration))
            return
        number = {4: 11, 6: 13 if reading.seventh is not None else 6}.get(number, number)
        if (number, alteration) in ((11, -1), (13, 1), (6, 1)):
            self._refuse("this tone has a simpler name", "7", "7#11", "7b13")
        if number == 6 and reading.sixth:
            self._refuse("it would have two sixths", "6", "7b13", "mb6")
        if reading.suspended and number == 9 and reading.seventh is None and not self._adding:
            reading.seventh, reading.top = -1, 7  # susb9, the Phrygian chord, is a seventh chord
        if number == 6 and reading.triad == "minor":
            reading.added.add((6, alteration))
        elif (reading.seventh is None and not reading.sixth) or self._adding:
            if not (self._in_parentheses or self._adding):
                tension = ("b" if alteration < 0 else "#") + str(number)
                triad = "m" if reading.triad == "minor" else ""
                meant = [f"{triad}{seventh}{tension}" for seventh in ("7", "maj7", "add") if seventh[0] != triad]
                self._refuse(f"{tension} needs a seventh below it, or add", *meant)
            reading.added.add((number, alteration))
        else:
            reading.altered.add((number, alteration))

    def _take_tension(self, number: int) -> None:
        reading = self._reading
        before = self._rest[self._at - len(str(number)) - 1 : self._at - len(str(number))]
        set_apart = bool(before) and before in "(,/"
        if number == 4:
            if reading.seventh != -1 or not set_apart:
                self._refuse("4 must stand alone or after sus or add", "sus4", "7sus4", "add11")
            self._suspend("4")
        elif number == 7 or (reading.suspended and reading.seventh is None and not set_apart and number != 6):
            if reading.seventh is not None or not reading.suspended:
                self._refuse("the 7 must stand before what is added to it", "7", "m7")
            reading.seventh, reading.top = -1, number
        elif self._adding or set_apart or (reading.seventh is not None and number != 6):
            self._add(number, 0)
        elif reading.sixth and number == 9:
            reading.added.add((9, 0))
        else:
            self._refuse(f"the {number} needs add or a seventh here", f"{number}", f"add{number}")

    def _check_kind(self) -> None:
        reading = self._reading
        if reading.is_altered_dominant:
            if reading != Reading(seventh=-1, top=7, is_altered_dominant=True, omitted=reading.omitted):
                self._refuse("alt can only follow a dominant seventh", "7alt")
            return
        if reading.triad == "power" and (
            reading.suspended or reading.sixth or reading.seventh is not None or reading.altered
        ):
            self._refuse("a power chord can only have added tones", "5", "7no3", "sus4")

    def _check_tensions(self) -> None:
        reading = self._reading
        for number, alteration in sorted(reading.altered):
            if number > 5 and (number == reading.top or (number, 0) in reading.added):
                sign = "b" if alteration < 0 else "#"
                lower = {9: 7, 11: 9, 13: 9}[number]
                self._refuse(
                    f"it has both {number} and {sign}{number}", f"{lower}{sign}{number}", f"m{lower}{sign}{number}"
                )
        if reading.seventh == -2 and (reading.sixth or (13, 0) in reading.added):
            self._refuse("the sixth would be the same tone as the diminished seventh", "dim7")
