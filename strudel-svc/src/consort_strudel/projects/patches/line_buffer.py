"""The lines of a script while it is edited. Each line knows its number before the call."""

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

from consort_kit.errors import InvalidInput


@dataclass(frozen=True)
class EditedLine:
    text: str
    number: int | None = None
    """Its number before the call; None if an instruction wrote it."""
    after: int | None = None
    """If it was inserted after a line: the number of that line."""


def split_lines(text: str) -> list[str]:
    """Return the lines of a text. A line end at the end of the text does not begin another line."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def block_of_lines(content: str) -> list[str]:
    """Return code as lines to insert. One line end before the code and one after it are ignored."""
    return content.removeprefix("\n").removesuffix("\n").split("\n")


class LineBuffer:
    """A script in the course of a call. Places are indexes of lines, from 0, or offsets into `text`."""

    def __init__(self, script: str) -> None:
        self._count_before = len(split_lines(script))
        self._lines = [EditedLine(text, number) for number, text in enumerate(split_lines(script), 1)]
        if script.endswith("\n") or not script:
            self._lines.append(EditedLine(""))  # what follows the last line end
        self._replaced: set[int] = set()

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self._lines)

    def append(self, lines: list[str]) -> None:
        """Add lines at the end, and keep a line end there if there is one."""
        has_empty_end = self._lines and not self._lines[-1].text
        self.insert(len(self._lines) - bool(has_empty_end), lines)

    def line_at(self, offset: int) -> int:
        """Return the index of the line that contains an offset; the line end belongs to its line."""
        return _line_at(self._begins(), offset)

    def _begins(self) -> list[int]:
        """Return the offset at which each line begins."""
        return [0, *accumulate(len(line.text) + 1 for line in self._lines[:-1])]

    def text_of(self, index: int) -> str:
        """Return a line; beyond the last one there is an empty line."""
        return self._lines[index].text if index < len(self._lines) else ""

    def find(self, number: int) -> int:
        """Return the index of the line that had this number before. Raise LINE_OUT_OF_RANGE or LINE_CHANGED."""
        if not 1 <= number <= self._count_before:
            allowed = f"from 1 to {self._count_before}" if self._count_before else "absent: the script is empty"
            raise InvalidInput(
                f"'line_number' must be {allowed}, not {number}. Use append or prepend to write at the end or start.",
                code="LINE_OUT_OF_RANGE",
                suggestions=["append", "prepend"],
                details={"line_count": self._count_before},
            )
        found = next((index for index, line in enumerate(self._lines) if line.number == number), None)
        if found is None:
            raise _changed_before(number)
        return found

    def insert(self, index: int, lines: list[str]) -> None:
        """Insert lines before the line at an index."""
        self._lines[index:index] = [EditedLine(text) for text in lines]

    def insert_at(self, offsets: list[int], lines: list[str], *, after: bool) -> None:
        """Insert the same lines at each of these offsets of `text`. A line is split if an offset is inside it.

        `after` says that an offset at the end of a line means after it; otherwise one at its start means before it.
        """
        begins = self._begins()
        for offset in sorted(offsets, reverse=True):
            index = _line_at(begins, offset)
            line, column = self._lines[index], offset - begins[index]
            if after and column >= len(line.text):
                index += 1
            elif after or column > 0:
                self._lines[index : index + 1] = [
                    EditedLine(line.text[:column].rstrip(), line.number),
                    EditedLine(line.text[column:]),
                ]
                index += 1
            self.insert(index, lines)

    def insert_after_number(self, number: int, lines: list[str]) -> None:
        """Insert lines after the line that had this number, and after what was inserted there before."""
        index = self.find(number) + 1
        while index < len(self._lines) and number in (self._lines[index].number, self._lines[index].after):
            index += 1
        self._lines[index:index] = [EditedLine(text, after=number) for text in lines]

    def replace_number(self, number: int, lines: list[str]) -> None:
        """Replace the line that had this number. No lines deletes it."""
        index = self.find(number)
        if number in self._replaced:
            raise _changed_before(number)
        self._replaced.add(number)
        self._lines[index : index + 1] = [EditedLine(text, number) for text in lines]

    def replace_lines(self, first: int, last: int, lines: list[str]) -> None:
        """Replace the lines with the indexes from `first` to `last`, both included."""
        self._lines[first : last + 1] = [EditedLine(text) for text in lines]

    def replace_ranges(self, ranges: list[tuple[int, int]], content: str) -> None:
        """Replace ranges of `text`, in order and without overlaps, by the same content.

        A line of which a part is replaced keeps its number if it stays one line.
        """
        begins = self._begins()
        for start, end in reversed(ranges):
            first, last = _line_at(begins, start), _line_at(begins, end)
            begin = self._lines[first]
            text = begin.text[: start - begins[first]] + content + self._lines[last].text[end - begins[last] :]
            lines = text.split("\n")
            is_one = first == last and len(lines) == 1
            self._lines[first : last + 1] = [
                EditedLine(line, begin.number if is_one else None, begin.after if is_one else None) for line in lines
            ]


def _changed_before(number: int) -> InvalidInput:
    return InvalidInput(
        f"Line {number} was replaced or deleted by an earlier instruction of this call. Line numbers are those before"
        " the call: change each line once.",
        code="LINE_CHANGED",
    )


def _line_at(begins: list[int], offset: int) -> int:
    return max(0, bisect_right(begins, offset) - 1)
