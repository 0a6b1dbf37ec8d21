"""Answer query_packs."""

from typing import Any

from consort_strudel.knowledge.packs.models import FoundPack, FoundPacks, QueryPacks
from consort_strudel.knowledge.packs.search import PackFilters, find_packs
from consort_strudel.packs.known_packs import KnownPack, known_packs
from consort_strudel.sounds.library import PACKS, SoundLibrary

CATEGORIES_LISTED = 12
_PITCHED_LISTED = 12


class PackKnowledge:
    def __init__(self, library: SoundLibrary) -> None:
        self._library = library
        self._fetched = {origin.folder for origin in library.origins}

    def query(self, request: QueryPacks) -> FoundPacks:
        """Return a page of the packs that meet the query. Raise INVALID_PATTERN or INVALID_INPUT."""
        found = find_packs(PackFilters(**request.query.model_dump()), "query")
        page = found[request.offset : request.offset + request.limit]
        message = None
        if not found:
            message = (
                f"None of the {len(known_packs())} known packs fits. Leave a filter out, or ask with 'text' alone."
            )
        return FoundPacks(
            packs=[self._answer(pack, request.all_categories) for pack in page],
            total_count=len(found),
            message=message,
        )

    def _answer(self, pack: KnownPack, all_categories: bool) -> FoundPack:
        listed = list(pack.sounds.items())[: None if all_categories else CATEGORIES_LISTED]
        is_fetched = f"{PACKS}/{pack.name}" in self._fetched
        return FoundPack(
            name=pack.name,
            github=f"github:{pack.repository}",
            description=pack.description,
            types=list(pack.types),
            character=list(pack.character),
            tags=list(pack.tags),
            categories=[name for name, _ in listed],
            sample_counts=[count for _, count in listed],
            category_count=len(pack.sounds),
            sample_count=pack.sample_count,
            license=pack.licence,
            loading_syntax=pack.loading_syntax,
            fetched=is_fetched,
            offline=self._offline(pack, is_fetched),
            data=_data(pack),
        )

    def _offline(self, pack: KnownPack, is_fetched: bool) -> str:
        """Return what can be heard without the network: the pack itself, or local sounds that replace it."""
        if is_fetched:
            return "all"
        replaced = sum(
            name.lower() in self._library.names or self._library.substitute(name) is not None for name in pack.sounds
        )
        if not replaced:
            return "nothing"
        return f"local sounds play for {replaced} of {len(pack.sounds)} names"


def _data(pack: KnownPack) -> dict[str, Any]:
    pitched = [*pack.pitched[:_PITCHED_LISTED]]
    found = {
        "branch": pack.branch,
        "commit": pack.commit,
        "commit_date": pack.commit_date,
        "upstream": pack.upstream,
        "pitched": "all" if pitched and len(pack.pitched) == len(pack.sounds) else pitched or None,
        "pitched_count": len(pack.pitched) or None,
        "in_public_repl": pack.in_public_repl or None,
        "problem": None if pack.is_loadable else "Its map is not valid JSON: Strudel cannot load it.",
    }
    return {name: value for name, value in found.items() if value is not None}
