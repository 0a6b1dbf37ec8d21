"""All functions of the engine under all their names, each with its description if there is one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from consort_strudel.engine import EngineNames
from consort_strudel.engine.source_functions import SourceFunction
from consort_strudel.knowledge.functions.entry import FunctionEntry
from consort_strudel.knowledge.functions.name_families import family_member
from consort_strudel.validation import spelling


@dataclass(frozen=True)
class KnownFunction:
    name: str
    entry: FunctionEntry | None
    """None for what is not described."""
    source: SourceFunction | None
    """None if its source is not one of the pinned packages: stand-ins, and what the REPL adds."""
    aliases: tuple[str, ...]
    is_method: bool
    is_global: bool
    difference: str | None = None
    """How it differs from what is described, for a member of a family."""


class Catalogue:
    def __init__(self, entries: Iterable[FunctionEntry], sources: Iterable[SourceFunction], names: EngineNames) -> None:
        self.entries = {entry.name: entry for entry in entries}
        self._globals = names.functions | names.values
        self._methods = names.methods
        self.names = self._globals | self._methods
        """Everything that a script can name."""
        self._source = {name: source for source in sources for name in (*source.aliases, source.name)}
        self._described_as = self._resolve()
        self._lowered = {name.lower(): name for name in sorted(self.names, key=self._rank, reverse=True)}

    def _resolve(self) -> dict[str, str]:
        """Return the described name of each name: that of its entry, or of the entry of its alias."""
        found: dict[str, str] = {}
        for entry in self.entries.values():
            source = self._source.get(entry.name)
            names = (*entry.aliases, *((source.name, *source.aliases) if source else ()))
            found |= {name: found.get(name, entry.name) for name in names if name not in self.entries}
        return found | {name: name for name in self.entries}

    def _rank(self, name: str) -> int:
        return (name in self.entries) * 2 + (name in self._described_as)

    def find(self, name: str) -> KnownFunction | None:
        """Return a function by its name, an alias, or a name with another case; None if the engine has none."""
        if name not in self.names:
            name = self._lowered.get(name.lower(), name)
        if name not in self.names:
            return None
        described = self._described_as.get(name)
        difference = None
        member = family_member(name) if described is None else None
        if member is not None and member.base in self.names:
            described, difference = self._described_as.get(member.base), member.difference
        if described is None:
            return self._known(name, None, None)
        return self._known(described, self.entries[described], difference)

    def _known(self, name: str, entry: FunctionEntry | None, difference: str | None) -> KnownFunction:
        source = self._source.get(name)
        aliases = [other for other, described in self._described_as.items() if described == name != other]
        return KnownFunction(
            name,
            entry,
            source,
            tuple(sorted(alias for alias in aliases if alias in self.names)),
            name in self._methods,
            name in self._globals,
            difference,
        )

    def nearest(self, name: str, count: int = 4) -> list[str]:
        """Return the names that are spelled most like a name; only described ones, unless there is none."""
        described = spelling.nearest(name, (known for known in self._described_as if known in self.names), count)
        return described or spelling.nearest(name, (known for known in self.names if known[:1] != "_"), count)

    def by_category(self) -> Mapping[str, list[FunctionEntry]]:
        found: dict[str, list[FunctionEntry]] = {}
        for entry in self.entries.values():
            found.setdefault(entry.category, []).append(entry)
        return found
