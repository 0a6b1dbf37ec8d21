"""Engrave music as a job, keep its pages for 30 days, and return them to browsers.

An equal request (the same music and options) gets the same job and so the same pages. The job keeps the music itself,
not only its id: a song may be edited or deleted before the job runs.
"""

import asyncio
import contextlib
import hashlib
import json
import logging
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from consort_compose.notation.engraving.pdf import pages_to_pdf
from consort_compose.notation.make_notation import SHEET, TABS, NotationWork, make_notation
from consort_compose.notation.models import EngravedMusic, MidiToNotation
from consort_compose.notation.sources import NotationSources
from consort_compose.notation.store import NotationStore
from consort_kit.errors import NotFound, input_error
from consort_kit.http.signed_links import Links
from consort_kit.ids import new_id, prefix_of
from consort_kit.jobs.models import JobTicket
from consort_kit.jobs.service import JobProgress, JobService, job_ticket
from consort_kit.png import render_png
from consort_kit.processes.child_process import run_in_child
from consort_kit.processes.work_limits import ENGRAVE
from consort_kit.settings import Settings
from consort_kit.storage.blobs import Blobs
from consort_kit.tools.visible_fields import removal_message
from consort_music.errors import MusicError
from consort_music.music_ids import MUSIC_ID_FIELDS
from consort_music.texts.visible_text import note_removals

KIND = "engrave"
TOOL = "midi_to_notation"
_ENGINE = 4
"""The version of the engraving. Another version gives other pages, so it is part of a job's cache key."""
_PICTURE_SCALE = 1.5
_MOST_LINKS = 30
_SHORT_BARS = 24
_POLL_S = 0.5
_NOT_ENGRAVED = {"wait_s", "files", "bars_as_text", "midi_file_id", "music"}
"""Fields that do not change the pages."""
_log = logging.getLogger("consort")


class NotationService:
    def __init__(
        self,
        store: NotationStore,
        sources: NotationSources,
        jobs: JobService,
        blobs: Blobs,
        links: Links,
        settings: Settings,
    ) -> None:
        self._store = store
        self._sources = sources
        self._jobs = jobs
        self._blobs = blobs
        self._links = links
        self._cache = settings.data.absolute() / "cache"
        self._heavy = asyncio.Semaphore(settings.heavy_at_once)
        jobs.register(KIND, self._run, self._answer, TOOL)

    async def notate(self, request: MidiToNotation) -> EngravedMusic | JobTicket:
        """Engrave music, or return the ticket of a job that is not finished in time."""
        source = await self._sources.read(request)
        options = request.model_dump(mode="json", exclude=_NOT_ENGRAVED)
        shown = {"files": request.files, "bars_as_text": request.bars_as_text, **_source_id(request)}
        key = _cache_key(source, options)
        parameters = {"notation_id": new_id("notation"), "source": source, "options": options, "shown": shown}
        job = await self._jobs.submit(KIND, parameters, key)
        if job.result is not None and await self._store.facts(job.result["notation_id"]) is None:
            await self._jobs.forget(job)  # the pages have expired, so engrave them again
            job = await self._jobs.submit(KIND, parameters, key)
        row = await self._jobs.wait(job.id, request.wait_s)
        if row.result is None:
            await self._jobs.outcome(row, 0)  # raises the error of a job that failed
            return job_ticket(row)
        return await self._notation({**row.result, "shown": shown})

    async def page(self, notation_id: str, name: str, kind: str) -> bytes:
        """Return a page (`sheet-1`) as SVG or PNG, or a document (`sheet`) as MusicXML or PDF."""
        facts = await self._known(notation_id)
        document, _, number = name.partition("-")
        count = facts["pages"].get(document, 0)
        is_page = kind in ("svg", "png")
        if is_page != bool(number) or not count or (is_page and int(number) > count):
            raise NotFound(f"There is no page {name}.{kind} in {notation_id}. Call {TOOL} again.")
        if kind == "pdf":
            pages = [await self._text(notation_id, f"{document}-{page}.svg") for page in range(1, count + 1)]
            return await asyncio.to_thread(pages_to_pdf, pages)
        if kind == "png":
            svg = await self._text(notation_id, f"{name}.svg")
            async with self._heavy:
                return await asyncio.to_thread(render_png, svg, _PICTURE_SCALE)
        return await self._blobs.get(_blob(notation_id, f"{name}.{kind}"))

    async def delete_expired(self) -> None:
        for notation_id in await self._store.delete_expired():
            await self._blobs.delete_all(_blob(notation_id, ""))

    async def _known(self, notation_id: str) -> dict[str, Any]:
        facts = await self._store.facts(notation_id)
        if facts is None:
            raise NotFound(f"There are no pages {notation_id}. They are kept for 30 days; call {TOOL} again.")
        return facts

    async def _text(self, notation_id: str, name: str) -> str:
        return (await self._blobs.get(_blob(notation_id, name))).decode()

    async def _run(self, parameters: dict[str, Any], progress: JobProgress) -> dict[str, Any]:
        """Do the work of a job and return its result. If the job was done before, return the same result."""
        notation_id: str = parameters["notation_id"]
        if await self._store.facts(notation_id) is None:
            with _temporary_folder(self._cache) as folder:
                facts = await self._engrave(parameters, folder, progress)
                for file in sorted(folder.iterdir()):
                    if file.suffix in (".svg", ".musicxml"):
                        await self._blobs.put(_blob(notation_id, file.name), file.read_bytes())
                await self._store.add(notation_id, facts)
        return {"notation_id": notation_id, "shown": parameters["shown"]}

    async def _engrave(self, parameters: dict[str, Any], folder: Path, progress: JobProgress) -> dict[str, Any]:
        work = NotationWork(parameters["source"], parameters["options"], folder, self._cache / "fonts")
        watching = asyncio.create_task(_report_progress(folder, progress))
        try:
            with note_removals() as removals:
                facts = await run_in_child(ENGRAVE, make_notation, work)
        except MusicError as error:
            raise input_error(error) from error
        finally:
            watching.cancel()
        log = folder / "log.txt"
        if log.exists():
            _log.warning("verovio warned", extra={"fields": {"log": log.read_text("utf-8")[:500]}})
        warnings = [*facts["warnings"], *([removal_message(removals)] if removals else [])]
        return {**facts, "format": parameters["options"]["format"], "warnings": warnings}

    async def _answer(self, result: dict[str, Any]) -> dict[str, Any]:
        return (await self._notation(result)).model_dump(exclude_none=True)

    async def _notation(self, result: dict[str, Any]) -> EngravedMusic:
        notation_id: str = result["notation_id"]
        facts, shown = await self._known(notation_id), result["shown"]
        pages: dict[str, int] = facts["pages"]
        names = [f"{document}-{page}" for document, count in pages.items() for page in range(1, count + 1)]
        first = next(iter(pages))
        files, bars = shown["files"], facts["bars"]
        most = {"all": len(bars), "none": 0, "short": _SHORT_BARS}[shown["bars_as_text"]]
        return EngravedMusic(
            **{field: shown[field] for field in MUSIC_ID_FIELDS.values() if field in shown},
            format=facts["format"],
            notation_id=notation_id,
            title=facts["title"],
            sheet_music_url=self._url(notation_id, f"{SHEET}-1.png") if SHEET in pages else None,
            tabs_url=self._url(notation_id, f"{TABS}-1.png") if TABS in pages else None,
            page_count=sum(pages.values()),
            page_urls=[self._url(notation_id, f"{name}.png") for name in names[:_MOST_LINKS]]
            if len(names) > len(pages)
            else None,
            svg_urls=[self._url(notation_id, f"{name}.svg") for name in names[:_MOST_LINKS]]
            if "svg" in files
            else None,
            musicxml_url=self._url(notation_id, f"{first}.musicxml") if "musicxml" in files else None,
            pdf_url=self._url(notation_id, f"{first}.pdf") if "pdf" in files else None,
            key=facts["key"],
            time_signature=facts["time_signature"],
            bar_count=facts["bar_count"],
            parts=facts["parts"],
            bars=bars[:most] or None,
            bars_left_out=max(len(bars) - most, 0) or None,
            uncertain_bars=facts["uncertain_bars"][:50] or None,
            warnings=facts["warnings"] or None,
        )

    def _url(self, notation_id: str, name: str) -> str:
        return self._links.make("compose", f"/notation/{notation_id}/{name}").url


def first_page_path(notation: EngravedMusic) -> str:
    """Return the path of the first page, which the gateway shows beside the answer."""
    document = SHEET if notation.sheet_music_url else TABS
    return f"/notation/{notation.notation_id}/{document}-1.png"


async def _report_progress(folder: Path, progress: JobProgress) -> None:
    """Report how many of the pages are in the folder, again and again."""
    while True:
        await asyncio.sleep(_POLL_S)
        counts = [int(file.read_text() or 0) for file in folder.glob("*.count")]
        if total := sum(counts):
            await progress(len(list(folder.glob("*.svg"))) / total)


@contextlib.contextmanager
def _temporary_folder(inside: Path) -> Iterator[Path]:
    inside.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="notation-", dir=inside))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _blob(notation_id: str, name: str) -> str:
    return f"notation/{notation_id}/{name}"


def _source_id(request: MidiToNotation) -> dict[str, str]:
    return (
        {} if request.midi_file_id is None else {MUSIC_ID_FIELDS[prefix_of(request.midi_file_id)]: request.midi_file_id}
    )


def _cache_key(source: dict[str, Any], options: dict[str, Any]) -> str:
    facts = json.dumps([_ENGINE, source, options], sort_keys=True)
    return f"{KIND}:{hashlib.sha256(facts.encode()).hexdigest()}"
