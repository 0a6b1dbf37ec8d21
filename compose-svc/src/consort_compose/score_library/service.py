"""Find pieces of the score library, and read them and the formats that only music21 reads."""

import asyncio
from collections import OrderedDict

from consort_compose.score_library.catalogue import CataloguedScore, ScoreFilter, the_catalogue
from consort_compose.score_library.models import FindScores, FoundScore, FoundScores
from consort_compose.score_library.other_formats import NAMES, read_other_format
from consort_compose.score_library.piece_reading import CORPUS, KERN, LibraryPiece, read_piece
from consort_compose.score_library.references import EXAMPLE, PREFIX, parse_reference
from consort_kit.errors import NotFound, ServiceDown
from consort_kit.processes.child_process import run_in_child
from consort_kit.processes.function_workers import FunctionWorkers
from consort_kit.processes.work_limits import READ_SCORE, READ_WITH_MUSIC21
from consort_kit.score_library_folder import score_library_folder
from consort_music.errors import in_field, quoted
from consort_music.measure_ranges import parse_measure_range

_KEPT = 16
"""The pieces that stay in memory, because an assistant uses a piece several times."""


class ScoreLibrary:
    def __init__(self, workers: FunctionWorkers) -> None:
        self._workers = workers
        self._folder = score_library_folder()
        self._recent: OrderedDict[str, LibraryPiece] = OrderedDict()

    async def find(self, request: FindScores) -> FoundScores:
        wanted = ScoreFilter(
            request.key.name if request.key else None,
            request.metre.name if request.metre else None,
            request.parts,
            parse_measure_range(request.bars) if request.bars else None,
        )
        found, lacking = await asyncio.to_thread(lambda: the_catalogue().search(request.query, wanted))
        return FoundScores(
            items=[_shown(piece) for piece in found[: request.limit]],
            total=len(found),
            note=_note(request, found, lacking),
        )

    async def read(self, reference: str, field: str) -> LibraryPiece:
        """Read a piece, or the bars that the reference names.

        Raise NotFound if there is no such piece, ServiceDown if the library is not installed, and INVALID_BARS if the
        piece does not have the bars. Errors name `field`.
        """
        with in_field(field):
            asked = parse_reference(reference)
            if known := self._recent.get(asked.text):
                self._recent.move_to_end(asked.text)
                return known
            piece = await asyncio.to_thread(lambda: the_catalogue().find(asked.name))
            if piece is None:
                raise await asyncio.to_thread(_no_such_piece, asked.name, field)
            self._check_installed(field)
            if piece.file.endswith(KERN):
                result = await run_in_child(READ_WITH_MUSIC21, read_piece, piece, asked.bars, self._folder)
            else:
                result = await self._workers.run(READ_SCORE.cpu_s, read_piece, piece, asked.bars, self._folder)
        self._recent[asked.text] = result
        if len(self._recent) > _KEPT:
            self._recent.popitem(last=False)
        return result

    async def read_typed(self, text: str, form: str, field: str) -> LibraryPiece:
        """Read typed music in one of the formats of `other_formats`. Raise the errors of `read_other_format`."""
        with in_field(field):
            self._check_installed(field, f"{NAMES[form]} cannot be read")
            return LibraryPiece(*await run_in_child(READ_WITH_MUSIC21, read_other_format, text, form, self._folder))

    def _check_installed(self, field: str, what: str = "Pieces of the score library cannot be read") -> None:
        if not (self._folder / CORPUS).is_dir():
            raise ServiceDown(
                f"{what}, because music21 is not installed. `consort up` installs it if it can download.",
                field=field,
                suggestions=["Run `consort up` with a network connection.", "Give MusicXML, ABC or a note list."],
            )


def _no_such_piece(name: str, field: str) -> NotFound:
    alike = the_catalogue().search(name.replace("/", " "), ScoreFilter())[0][:3]
    suggestions = [f"{PREFIX}{piece.name}" for piece in alike] or ["find_scores"]
    return NotFound(
        f"The score library has no piece {quoted(name)}. find_scores lists names such as {EXAMPLE}.",
        field=field,
        suggestions=suggestions,
    )


def _shown(piece: CataloguedScore) -> FoundScore:
    return FoundScore(
        score=f"{PREFIX}{piece.name}",
        title=piece.title or None,
        composer=piece.composer or None,
        key=piece.key or None,
        metre=piece.metre or None,
        parts=piece.parts,
        bars=piece.bars,
    )


def _note(request: FindScores, found: list[CataloguedScore], lacking: list[str]) -> str | None:
    if not found:
        return "Nothing was found. Give fewer words or conditions, or another spelling."
    if lacking:
        return f"No piece has all the words; these lack: {', '.join(lacking)}."
    return None
