"""Make the catalogue of the score library from music21's corpus. Takes some minutes of CPU.

Run `.venv/bin/python -m benchmarks.training.make_score_catalogue` after a new version of music21. Titles, composers
and numbers of parts of kern files come from music21's own index, everything else from reading each piece.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import music21
from music21.corpus import chorales as chorale_lists

from consort_compose.composer.tonality import harmonic_key
from consort_compose.score_library.catalogue import FILE, CataloguedScore, write_catalogue
from consort_compose.score_library.piece_reading import KERN, tune_of
from consort_music.errors import MusicError
from consort_music.notation.abc.reader import read_abc
from consort_music.notation.musicxml.reader import read_musicxml
from consort_music.score import Score

CORPUS = Path(music21.__file__).parent / "corpus"
COLLECTIONS = {
    "airdsAirs": "Aird's Airs Scottish dance tunes",
    "bach": "Johann Sebastian Bach baroque",
    "beethoven": "Ludwig van Beethoven string quartet",
    "haydn": "Joseph Haydn string quartet",
    "joplin": "Scott Joplin ragtime piano",
    "mozart": "Wolfgang Amadeus Mozart string quartet",
    "schoenberg": "Arnold Schoenberg piano",
    "schumann_clara": "Clara Schumann song Lied",
    "schumann_robert": "Robert Schumann song Lied",
    "essenFolksong": "Essen folk song collection folksong Volkslied",
    "josquin": "Josquin des Prez renaissance",
    "leadSheet": "lead sheet with chords",
    "miscFolk": "folk tunes",
    "monteverdi": "Claudio Monteverdi madrigal",
    "nottingham-dataset": "Nottingham folk tunes with chords reels",
    "oneills1850": "O'Neill's Music of Ireland Irish traditional folk tunes",
    "palestrina": "Giovanni Pierluigi da Palestrina mass renaissance",
    "ryansMammoth": "Ryan's Mammoth Collection fiddle tunes reels jigs American Irish",
    "trecento": "Italian fourteenth century trecento",
    "theoryExercises": "exercises",
}
FOLK = ("airdsAirs", "essenFolksong", "miscFolk", "nottingham-dataset", "oneills1850", "ryansMammoth")
ESSEN_FILES = {"han": "Chinese China", "irl": "Irish Ireland", "kinder": "children German", "lux": "Luxembourg",
               "lot": "Lorraine", "ballad": "ballad German", "altdeu": "old German", "zuccal": "German"}  # fmt: skip
_TUNE = re.compile(r"^X:[ \t]{0,9}(\S{1,20})", re.MULTILINE)
_BAR = re.compile(r"^=(\d+)", re.MULTILINE)
_KERN_KEY = re.compile(r"^\*([A-Ga-g][#-]?):", re.MULTILINE)


def main() -> None:
    known = {(str(entry.sourcePath), str(entry.number or "")): entry.metadata for entry in _core_index()}
    lists: Any = chorale_lists
    chorales = {f"bach/bwv{each['bwv']}": each["title"] for each in lists.ChoraleListRKBWV().byRiemenschneider.values()}
    pieces: dict[str, CataloguedScore] = {}
    failures: Counter[str] = Counter()
    for path, tune in _files():
        file = path.relative_to(CORPUS).as_posix()
        try:
            piece = _describe(path, file, tune, known.get((file, tune)), chorales)
        except MusicError as error:
            failures[error.code] += 1
            continue
        if piece.name not in pieces:
            pieces[piece.name] = piece
    FILE.write_bytes(write_catalogue(list(pieces.values())))
    print(f"{FILE.name}: {len(pieces)} pieces, {FILE.stat().st_size} bytes; not read: {dict(failures)}")


def _core_index() -> Any:
    return music21.corpus.corpora.CoreCorpus().metadataBundle


def _files() -> Iterator[tuple[Path, str]]:
    """Yield each file and, for files with several tunes, each tune. MusicXML comes before kern of the same name."""
    order = (".mxl", ".xml", ".musicxml", ".abc", KERN)
    paths = [path for path in CORPUS.glob("*/**/*") if path.suffix in order and "demos" not in path.parts]
    for path in sorted(paths, key=lambda path: (path.with_suffix("").as_posix(), order.index(path.suffix))):
        tunes = _TUNE.findall(path.read_text(errors="replace")) if path.suffix == ".abc" else []
        if len(tunes) > 1:
            yield from ((path, tune) for tune in dict.fromkeys(tunes))
        else:
            yield path, ""


class _Music(NamedTuple):
    """What a file itself says."""

    title: str
    composer: str
    key: str
    metre: str
    parts: int
    bars: int


def _describe(path: Path, file: str, tune: str, known: Any, chorales: dict[str, str]) -> CataloguedScore:
    base = file.rpartition(".")[0].replace(" ", "_")
    folder = file.partition("/")[0]
    text = "" if path.suffix == ".mxl" else path.read_text(errors="replace")
    if path.suffix == ".abc":
        text = tune_of(text, tune)
    music = _music_of_kern(text, known) if path.suffix == KERN else _music_of_score(path, text)
    title = _clean((known.title or known.movementName or "") if known else "") or music.title
    composer = (_clean(known.composer or "") if known else "") or music.composer
    if re.search(r"\.(mxl|xml|krn|abc)$", title):
        title = ""
    facts = [COLLECTIONS.get(folder, ""), _kern_field(text, "OPR")]
    facts += re.findall(r"^[OR]:\s*(.+)$", text, re.MULTILINE)[:2]
    facts += [_essen(path.stem)] if folder == "essenFolksong" else []
    about = " ".join(filter(None, facts))
    if folder in FOLK:
        composer = "" if composer.lower() in ("", "anon", "anonymous") else composer
        about += " folk song tune melody"
    if base in chorales:
        title = chorales[base]
        about += " chorale"
    composer = composer or {"bach": "J.S. Bach"}.get(folder, "" if folder in FOLK else folder.split("_")[0].title())
    if not title and folder not in FOLK:
        title = path.stem.replace("bwv", "BWV ") if folder == "bach" else path.stem.replace("_", " ")
    name = f"{base}/{tune}" if tune else base
    return CataloguedScore(name, file, tune, title, composer, _clean(about), *music[2:])


def _music_of_kern(text: str, known: Any) -> _Music:
    return _Music(
        title=_kern_field(text, "OTL"),
        composer=_kern_field(text, "COM"),
        key=_kern_key(text),
        metre=str(known.timeSignatureFirst or "") if known else "",
        parts=text.count("**kern", 0, 4000) if known is None else int(known.numberOfParts),
        bars=max([int(number) for number in _BAR.findall(text)], default=0),
    )


def _music_of_score(path: Path, text: str) -> _Music:
    score, _ = read_abc(text) if path.suffix == ".abc" else read_musicxml(path.read_bytes())
    return _Music(
        title=_clean(score.title or ""),
        composer="",
        key=harmonic_key(score).name,
        metre=score.metre.name,
        parts=len(score.parts),
        bars=_full_bars(score),
    )


def _full_bars(score: Score) -> int:
    return sum(1 for bar in score.bars if bar.number > 0)


def _kern_key(text: str) -> str:
    found = _KERN_KEY.search(text)
    if not found:
        return ""
    letter = found[1]
    return f"{letter[0].upper()}{letter[1:].replace('-', 'b')} {'major' if letter[0].isupper() else 'minor'}"


def _kern_field(text: str, name: str) -> str:
    found = re.search(rf"^!!!{name}[^:\n]*:\s*(.+)$", text, re.MULTILINE)
    return _clean(found[1]) if found else ""


def _essen(stem: str) -> str:
    return next((words for begin, words in ESSEN_FILES.items() if stem.startswith(begin)), "German")


def _clean(text: str) -> str:
    return " ".join(text.split())[:120]


if __name__ == "__main__":
    main()
