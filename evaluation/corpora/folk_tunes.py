"""Folk tunes of music21's corpus as plain numbers: pitches, onsets and durations, with their key and metre.

`folk_tunes.json` lists the tunes in four parts. `benchmarks.training.choose_folk_tunes` made it once, before anything
was tuned. The parts are:

- `learn`: `benchmarks.training.count_folk_statistics` and `fit_folk_likeness` learn from these.
- `reference`: generated melodies are compared with these.
- `requests`: their key, metre, length and density are the requests to the generator. They are also compared with
  `reference`, which shows how much real tunes differ from each other.
- `unseen`: tunes of two other collections (Northumbrian Minstrelsy of 1882, and fife tunes of the 18th and 19th
  century). Nothing is learned from these collections, and nothing is tuned with them.

The name of a tune consists of its file in the corpus and its X: number. Reading a tune with music21 takes about 30 ms,
so tunes are cached in the system's temporary folder.
"""

import json
import re
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

LIST = Path(__file__).with_name("folk_tunes.json")
COLLECTIONS = ("airdsAirs", "essenFolksong", "oneills1850", "ryansMammoth")
UNSEEN_COLLECTIONS = ("miscFolk",)
_KEY = re.compile(r"([A-G])([#b]?)\s*(\w*)")
_MODES = {
    "": "major", "maj": "major", "m": "minor", "min": "minor", "dor": "dorian", "phr": "phrygian", "lyd": "lydian",
    "mix": "mixolydian", "aeo": "minor", "ion": "major",
}  # fmt: skip
_TONICS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11, "#": 1, "b": -1, "": 0}
_METRES = {"C": "4/4", "C|": "2/2"}


@dataclass(frozen=True, slots=True)
class TuneNote:
    onset: Fraction
    """Quarters from the first full bar. Notes of a pickup have negative onsets."""
    duration: Fraction
    midi: int


@dataclass(frozen=True, slots=True)
class FolkTune:
    name: str
    metre: str
    tonic: int
    """Pitch class."""
    mode: str
    measures: int
    notes: tuple[TuneNote, ...]

    @property
    def bar(self) -> Fraction:
        return bar_length(self.metre)

    @property
    def beat(self) -> Fraction:
        return beat_length(self.metre)

    @property
    def density(self) -> float:
        """Notes per quarter."""
        return len(self.notes) / float(self.bar * self.measures)


def bar_length(metre: str) -> Fraction:
    """Return the quarters in a bar."""
    beats, unit = map(int, metre.split("/"))
    return Fraction(4 * beats, unit)


def beat_length(metre: str) -> Fraction:
    """Return the quarters in a beat: three units in 6/8, 9/8 and 12/8, otherwise one unit."""
    beats, unit = map(int, metre.split("/"))
    return Fraction(4, unit) * (3 if beats in (6, 9, 12) and unit >= 8 else 1)


def folk_tunes(part: str) -> list[FolkTune]:
    """Return the tunes of one part of the list. They come from the cache, or are read with music21."""
    names = json.loads(LIST.read_text())[part]
    cache = Path(tempfile.gettempdir()) / "consort-folk-tunes.json"
    known: dict[str, Any] = json.loads(cache.read_text()) if cache.exists() else {}
    missing = set(names) - known.keys()
    if missing:
        texts = {name: text for name, text in corpus_texts((*COLLECTIONS, *UNSEEN_COLLECTIONS)) if name in missing}
        for name in sorted(missing):
            tune = read_tune(name, texts[name])
            assert tune is not None, f"{name} is in the list and cannot be read"
            known[name] = _as_json(tune)
        cache.write_text(json.dumps(known))
    return [_from_json(name, known[name]) for name in names]


def corpus_texts(collections: Sequence[str] = COLLECTIONS) -> Iterator[tuple[str, str]]:
    """Yield the name and the ABC text of every tune in the collections, sorted by collection and file."""
    from music21 import corpus

    paths = [path for path in corpus.getCorePaths() if path.parent.name in collections]
    for path in sorted(paths, key=lambda path: (path.parent.name, path.name)):
        for text in re.split(r"(?m)^(?=X:)", path.read_text(encoding="utf-8", errors="replace")):
            if number := re.match(r"X:\s*(\d+)", text):
                yield f"{path.parent.name}/{path.stem}#{number[1]}", text


def header(text: str, field: str) -> str:
    """Return the content of a field of an ABC text, such as `K`, or an empty string if it is missing."""
    found = re.search(rf"(?m)^{field}:\s*(.*?)\s*$", text)
    return found[1] if found else ""


def read_tune(name: str, text: str) -> FolkTune | None:
    """Return the tune, or None if it is not one melody in one key and metre with whole bars."""
    metre = _METRES.get(header(text, "M"), header(text, "M"))
    key = _KEY.fullmatch(header(text, "K"))
    mode = _MODES.get(key[3].lower()[:3]) if key else None
    if not re.fullmatch(r"\d+/\d+", metre) or mode is None or key is None:
        return None
    if len(re.findall(r"(?m)^K:|\[K:", text)) > 1 or len(re.findall(r"(?m)^M:|\[M:", text)) > 1:
        return None
    bars = list(_bars(text))
    placed = _placed(bars, bar_length(metre))
    if placed is None:
        return None
    notes, measures = placed
    return FolkTune(name, metre, (_TONICS[key[1]] + _TONICS[key[2]]) % 12, mode, measures, tuple(notes))


def _bars(text: str) -> Iterator[tuple[Fraction, list[TuneNote]]]:
    """Yield each bar's length and its notes, with ties joined and without ornaments."""
    from music21 import converter

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        score = converter.parse(text, format="abc").stripTies()
    for measure in score.recurse().getElementsByClass("Measure"):
        notes = [
            TuneNote(Fraction(note.offset), Fraction(note.quarterLength), note.pitches[-1].midi)
            for note in measure.recurse().notes
            if note.quarterLength and note.pitches and "ChordSymbol" not in note.classes
        ]
        yield Fraction(measure.duration.quarterLength), notes


def _placed(bars: Iterable[tuple[Fraction, list[TuneNote]]], bar: Fraction) -> tuple[list[TuneNote], int] | None:
    """Return all notes with their onsets in the tune, and the number of bars. Return None if the bars do not add up.

    Time 0 is the start of the first whole bar. Two parts of a bar that a repeat sign divides count as one bar.
    """
    notes: list[TuneNote] = []
    time = Fraction(0)
    rows = [row for row in bars if row[0]]
    if len(rows) < 2:
        return None
    if rows[0][0] < bar:
        time = -rows[0][0]
    for index, (length, inside) in enumerate(rows):
        into = time % bar
        if index and into + length > bar:
            return None
        if index and index < len(rows) - 1 and length < bar and into == 0 and rows[index + 1][0] + length != bar:
            return None
        notes += [TuneNote(time + note.onset, note.duration, note.midi) for note in inside]
        time += length
    return (notes, int(-(-time // bar))) if notes else None


def _as_json(tune: FolkTune) -> list[Any]:
    notes = [[str(note.onset), str(note.duration), note.midi] for note in tune.notes]
    return [tune.metre, tune.tonic, tune.mode, tune.measures, notes]


def _from_json(name: str, row: list[Any]) -> FolkTune:
    metre, tonic, mode, measures, rows = row
    notes = tuple(TuneNote(Fraction(onset), Fraction(duration), midi) for onset, duration, midi in rows)
    return FolkTune(name, metre, tonic, mode, measures, notes)
