"""Answer get_function_info: by name, by what a function does, or by category."""

from consort_kit.errors import InvalidInput, NotFound
from consort_strudel.engine import Engine
from consort_strudel.engine.source_functions import engine_sources
from consort_strudel.knowledge.functions.catalogue import Catalogue
from consort_strudel.knowledge.functions.describe import info_of, match_of
from consort_strudel.knowledge.functions.load import categories, described_functions
from consort_strudel.knowledge.functions.models import FunctionCategory, FunctionInfo, GetFunctionInfo
from consort_strudel.knowledge.functions.search import FunctionSearch
from consort_strudel.validation.spelling import edits, nearest


class FunctionKnowledge:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._catalogue: Catalogue | None = None
        self._search: FunctionSearch | None = None

    async def info(self, request: GetFunctionInfo) -> FunctionInfo:
        if request.category is not None:
            return await self._of_category(request.category)
        if request.function_name is None:
            return await self._all_categories()
        asked = _bare_name(request.function_name)
        catalogue = await self.catalogue()
        known = catalogue.find(asked)
        if known is not None:
            return info_of(known, asked)
        if " " not in asked:
            return self._unknown_name(asked, catalogue, request.limit)
        return self._for_words(asked, catalogue, request.limit)

    async def catalogue(self) -> Catalogue:
        """Return all functions. They are read once, because the engine does not change while it runs."""
        if self._catalogue is None:
            self._catalogue = Catalogue(described_functions(), engine_sources().functions, await self._engine.names())
        return self._catalogue

    def _searching(self, catalogue: Catalogue) -> FunctionSearch:
        if self._search is None:
            self._search = FunctionSearch(catalogue.entries.values())
        return self._search

    def _unknown_name(self, asked: str, catalogue: Catalogue, limit: int) -> FunctionInfo:
        """Answer a single word that is no function: functions that do that, or else names spelled like it."""
        near = catalogue.nearest(asked)
        is_typo = bool(near) and edits(asked.lower(), near[0].lower(), 1) <= 1
        does_that = [] if is_typo else self._searching(catalogue).best(asked, limit)
        if not does_that:
            hint = f"Did you mean '{near[0]}'?" if near else "Say in words what it should do: 'repeat each event'."
            raise NotFound(f"'{asked}' is not a function of Strudel. {hint}", field="function_name", suggestions=near)
        spelled = f" Names spelled like it: {', '.join(near)}." if near else ""
        return FunctionInfo(
            message=f"'{asked}' is not a function of Strudel; these have to do with it.{spelled}",
            matches=[match_of(entry) for entry, _ in does_that],
        )

    def _for_words(self, asked: str, catalogue: Catalogue, limit: int) -> FunctionInfo:
        found = self._searching(catalogue).best(asked, limit)
        if not found:
            raise NotFound(
                f"No function fits '{asked[:80]}'. Use other words, or list a category.",
                field="function_name",
                suggestions=list(categories()),
            )
        return FunctionInfo(matches=[match_of(entry) for entry, _ in found])

    async def _of_category(self, category: str) -> FunctionInfo:
        found = (await self.catalogue()).by_category().get(category.lower())
        if found is None:
            near = nearest(category, categories())
            hint = f"Did you mean '{near[0]}'?" if near else f"Categories: {', '.join(categories())}."
            raise InvalidInput(
                f"There is no category '{category}'. {hint}", field="category", suggestions=near or list(categories())
            )
        return FunctionInfo(
            category=category.lower(),
            description=categories()[category.lower()],
            functions=[entry.name for entry in found],
        )

    async def _all_categories(self) -> FunctionInfo:
        return FunctionInfo(
            message="Give function_name or category.",
            categories=[
                FunctionCategory(category=category, about=categories()[category], function_count=len(found))
                for category, found in (await self.catalogue()).by_category().items()
            ],
        )


def _bare_name(text: str) -> str:
    """Return `lpf` for `.lpf(600)`, and words without the spaces around them."""
    text = text.strip()
    return text.lstrip(".").partition("(")[0].strip() if " " not in text.partition("(")[0] else text
