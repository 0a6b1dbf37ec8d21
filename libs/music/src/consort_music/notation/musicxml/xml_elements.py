"""Read XML from untrusted senders safely, element by element, with the expat parser.

Documents that declare entities are rejected, and nothing outside of the text is fetched. Size, depth and number of
elements are limited. Only one element is in memory at a time.
"""

from collections.abc import Callable, Collection
from xml.parsers import expat

from consort_music.errors import MusicError

MAX_BYTES = 10_000_000
MAX_DEPTH = 40
MAX_ELEMENTS = 2_000_000
MAX_INSIDE = 10_000
_MAX_TEXT = 4096


class Element:
    __slots__ = ("attributes", "children", "line", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str], line: int) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[Element] = []
        self.text = ""
        self.line = line

    def find(self, tag: str) -> "Element | None":
        for child in self.children:
            if child.tag == tag:
                return child
        return None

    def all(self, tag: str) -> "list[Element]":
        return [child for child in self.children if child.tag == tag]

    def text_of(self, *path: str) -> str | None:
        """Return the stripped text of the first element on a path of tags, or None if there is no such element."""
        found: Element | None = self
        for tag in path:
            found = found.find(tag) if found else None
        return found.text.strip() if found else None


class ElementReader:
    """Reads a document and calls functions with its elements.

    `on_whole` gets each element whose tag is in `wanted`, with all its contents. Elements whose tag is in `skipped` are
    skipped with their contents. For all other elements `on_open` is called at the start tag and `on_close` at the end.
    """

    def __init__(
        self,
        wanted: Collection[str],
        skipped: Collection[str],
        on_open: Callable[[Element], None],
        on_close: Callable[[str], None],
        on_whole: Callable[[Element], None],
    ) -> None:
        self._wanted = frozenset(wanted)
        self._skipped = frozenset(skipped)
        self._on_open = on_open
        self._on_close = on_close
        self._on_whole = on_whole
        self._stack: list[Element] = []
        self._depth = 0
        self._count = 0
        self._skip_from = 0
        self._inside = 0

    def read(self, document: str | bytes) -> None:
        """Read a document. Raise PARSE_ERROR if it is not well-formed, and TOO_LARGE if it exceeds a limit."""
        data = document.encode("utf-8", "surrogatepass") if isinstance(document, str) else document
        if len(data) > MAX_BYTES:
            raise MusicError("TOO_LARGE", f"The MusicXML has {len(data):,} bytes. Send at most {MAX_BYTES:,}.")
        parser = expat.ParserCreate("utf-8" if isinstance(document, str) else None)
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._reject_entity
        self._parser = parser
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            raise MusicError(
                "PARSE_ERROR",
                f"The MusicXML is broken at line {error.lineno}, column {error.offset + 1}: "
                f"{expat.ErrorString(error.code)}. Send the whole document as it was written.",
            ) from None
        except MusicError:
            raise
        except (ValueError, LookupError):
            raise MusicError("PARSE_ERROR", "The encoding of the MusicXML is unknown. Use UTF-8.") from None

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._count += 1
        if self._depth > MAX_DEPTH or self._count > MAX_ELEMENTS:
            what = f"{MAX_DEPTH} levels" if self._depth > MAX_DEPTH else f"{MAX_ELEMENTS:,} elements"
            raise MusicError("TOO_LARGE", f"The MusicXML has more than {what}. Send a smaller score.")
        if self._skip_from:
            return
        if tag in self._skipped:
            self._skip_from = self._depth
            return
        stack = self._stack
        if stack:
            self._inside += 1
            if self._inside > MAX_INSIDE:
                raise MusicError(
                    "TOO_LARGE", f"<{stack[0].tag}> has more than {MAX_INSIDE:,} elements in it. Send a simpler score."
                )
            element = Element(tag, attributes, 0)
            stack[-1].children.append(element)
            stack.append(element)
        else:
            self._inside = 0
            element = Element(tag, attributes, self._parser.CurrentLineNumber)
            if tag in self._wanted:
                stack.append(element)
            else:
                self._on_open(element)

    def _end(self, tag: str) -> None:
        depth = self._depth
        self._depth = depth - 1
        if self._skip_from:
            if depth == self._skip_from:
                self._skip_from = 0
            return
        stack = self._stack
        if not stack:
            self._on_close(tag)
            return
        element = stack.pop()
        if not stack:
            self._on_whole(element)

    def _characters(self, text: str) -> None:
        if self._stack and not self._skip_from and len(self._stack[-1].text) < _MAX_TEXT:
            self._stack[-1].text += text

    def _reject_entity(self, name: str, *_: object) -> None:
        raise MusicError(
            "PARSE_ERROR",
            f"The MusicXML declares the entity {name[:40]!r}, which is not accepted. Write its text out instead.",
        )
