"""The content of a chord suffix, which `suffix` collects, and the degrees and names that follow from it."""

from dataclasses import dataclass, field

from consort_music.chords.symbol import Degree

_ORDINALS = {
    1: "root", 2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh",
    9: "ninth", 11: "eleventh", 13: "thirteenth",
}  # fmt: skip
_SIGNS = {-1: "b", 0: "", 1: "#"}
_WORDS = {-1: "flat_", 0: "", 1: "sharp_"}
_FIFTHS = {"major": 0, "minor": 0, "power": 0, "diminished": -1, "augmented": 1}
_ALTERED_DOMINANT = ((1, 0), (3, 0), (7, -1), (9, -1), (9, 1), (11, 1), (13, -1))
# (triad, alteration of the seventh): start of the quality's name, suffix before the number, suffix after it
_SEVENTHS = {
    ("major", -1): ("dominant", "", ""),
    ("major", 0): ("major", "maj", ""),
    ("minor", -1): ("minor", "m", ""),
    ("minor", 0): ("minor_major", "m(maj", ")"),
    ("diminished", -2): ("diminished", "dim", ""),
    ("diminished", -1): ("half_diminished", "m", "b5"),
    ("diminished", 0): ("diminished_major", "dim(maj", ")"),
    ("augmented", -1): ("augmented", "", "#5"),
    ("augmented", 0): ("augmented_major", "maj", "#5"),
}
_TRIADS = {"major": "", "minor": "m", "diminished": "dim", "augmented": "aug", "power": "5"}


@dataclass
class ChordFormula:
    """The content of a suffix.

    `seventh` is its alteration relative to the major seventh, or None if there is none. `top` is the highest degree of
    the stack of thirds: 5 for a triad, otherwise 7, 9, 11 or 13.
    """

    triad: str = "major"
    sixth: bool = False
    seventh: int | None = None
    top: int = 5
    suspended: set[Degree] = field(default_factory=set)
    altered: set[Degree] = field(default_factory=set)
    added: set[Degree] = field(default_factory=set)
    omitted: set[int] = field(default_factory=set)
    is_altered_dominant: bool = False

    def normalize(self) -> None:
        """Give different ways to write one chord the same content: m(b5) becomes dim, and (#5) becomes aug."""
        if self.is_altered_dominant:
            return
        if self.seventh is not None:
            self.added = {(13 if number == 6 else number, alteration) for number, alteration in self.added}
            if self.sixth:
                self.sixth = False
                self.added.add((13, 0))
        fifths = self.altered & {(5, -1), (5, 1)}
        if self.triad == "major" and fifths == {(5, 1)} and not (self.suspended or self.sixth):
            self.triad = "augmented"
        if self.triad == "minor" and fifths == {(5, -1)} and not self.sixth:
            self.triad = "diminished"
        if self.triad in ("augmented", "diminished"):
            fifth = (5, _FIFTHS[self.triad])
            if self.suspended or self.sixth or (5, -fifth[1]) in self.altered:
                self.altered.add(fifth)
                self.triad = "major" if self.triad == "augmented" else "minor"
            else:
                self.altered.discard(fifth)
        if self.suspended:
            self.triad = "major"
        self.added -= self.altered | {(number, 0) for number in self._stack(self.top)}
        if self.seventh is not None:
            self._raise_top()

    def _raise_top(self) -> None:
        """Change 7 with an added 9 to 9, and 9 with an added 13 to 13 if that chord has no eleventh."""
        present = {(number, 0) for number in self._stack(self.top)} | self.added
        for top in (13, 11, 9):
            stack = {(number, 0) for number in self._stack(top)}
            if top > self.top and (top, 0) in stack and stack <= present:
                self.top = top
                self.added -= stack
                return

    def degrees(self) -> tuple[Degree, ...]:
        if self.is_altered_dominant:
            found = set(_ALTERED_DOMINANT)
        else:
            found = {(1, 0)} | self.suspended | self.altered | self.added
            if not self.suspended and self.triad != "power":
                found.add((3, -1 if self.triad in ("minor", "diminished") else 0))
            if not any(number == 5 for number, _ in self.altered):
                found.add((5, _FIFTHS[self.triad]))
            if self.sixth:
                found.add((6, 0))
            if self.seventh is not None:
                found.add((7, self.seventh))
            found |= {(number, 0) for number in self._stack(self.top)}
        return tuple(sorted(degree for degree in found if degree[0] not in self.omitted))

    def _stack(self, top: int) -> list[int]:
        """Return the unaltered tensions (9, 11, 13) up to `top`. With a major third, a thirteenth has no eleventh."""
        left_out = {number for number, _ in self.altered}
        if top == 13 and self.triad in ("major", "augmented") and not self.suspended:
            left_out.add(11)
        if (4, 0) in self.suspended:
            left_out.add(11)
        if (2, 0) in self.suspended:
            left_out.add(9)
        return [number for number in (9, 11, 13) if number <= top and number not in left_out]

    def suffix(self) -> str:
        """Return the suffix of the canonical name."""
        if self.is_altered_dominant:
            return "7alt" + self._omissions()
        altered = "".join(_SIGNS[alteration] + str(number) for number, alteration in sorted(self.altered))
        stem = self._written_stem()
        if altered and not stem:
            altered = f"({altered})"
        added = "".join(f"add{_SIGNS[alteration]}{number}" for number, alteration in sorted(self.added - {(9, 0)}))
        if (9, 0) in self.added and not self.sixth:
            added = "add9" + added
        return stem + altered + added + self._omissions()

    def _written_stem(self) -> str:
        sixth_ninth = "6/9" if (9, 0) in self.added else "6"
        if self.seventh is None:
            stem = _TRIADS[self.triad] + (sixth_ninth if self.sixth else "")
        else:
            _, before, after = _SEVENTHS[self.triad, self.seventh]
            stem = f"{before}{self.top}{after}"
        if self.suspended:
            stem += "sus" + "".join(_SIGNS[alteration] + str(number) for number, alteration in sorted(self.suspended))
        return stem

    def _omissions(self) -> str:
        return "".join(f"no{number}" for number in sorted(self.omitted))

    def quality(self) -> str:
        """Return the quality in words, such as `dominant_seventh_flat_ninth`."""
        if self.is_altered_dominant:
            return "altered_dominant"
        words = []
        added = set(self.added)
        if self.seventh is not None:
            words.append(f"{_SEVENTHS[self.triad, self.seventh][0]}_{_ORDINALS[self.top]}")
        elif self.sixth:
            words.append(f"{self.triad}_sixth" + ("_ninth" if (9, 0) in added else ""))
            added.discard((9, 0))
        elif not self.suspended:
            words.append(self.triad)
        if self.suspended:
            names = [_WORDS[alteration] + _ORDINALS[number] for number, alteration in sorted(self.suspended)]
            words.append("suspended_" + "_and_".join(names))
        words += [_WORDS[alteration] + _ORDINALS[number] for number, alteration in sorted(self.altered)]
        words += ["added_" + _WORDS[alteration] + _ORDINALS[number] for number, alteration in sorted(added)]
        words += ["no_" + _ORDINALS[number] for number in sorted(self.omitted)]
        return "_".join(words)
