"""Import real MIDI files as songs, export them again, and count the files whose notes and tempos are exactly the same.

The files are those of music21 and of the folder CONSORT_MIDI_FOLDER, if it is set. mido reads the original and the
exported file. Compared are the start, duration, pitch, velocity and program of each note in each part (a channel of a
track). Files that mido cannot read are not counted.
"""

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import music21

from benchmarks.support.report import Report, Requirement, Row
from consort_compose.songs.midi.export_midi import song_to_midi
from consort_compose.songs.midi.import_midi import song_from_midi
from consort_music.errors import MusicError
from evaluation.checkers.midi_parts import parts_of, tempo_map

FOLDER = "CONSORT_MIDI_FOLDER"
SUFFIXES = (".mid", ".midi", ".kar")
LEAST_EXACT = 0.95


def run() -> Report:
    with ProcessPoolExecutor(2) as pool:
        outcomes = Counter(pool.map(outcome, sorted(files()), chunksize=8))
    unreadable = outcomes.pop("unreadable to mido", 0)
    rows: list[Row] = [{"outcome": what, "files": count} for what, count in outcomes.most_common()]
    share = outcomes["exact"] / outcomes.total()
    return Report(
        title="MIDI files through songs",
        rows=rows,
        summary=f"{outcomes['exact']} of {outcomes.total()} files are exact; {unreadable} more are unreadable to mido.",
        requirements=[Requirement("share of files that are exact", share, LEAST_EXACT, more_is_better=True)],
    )


def files() -> Iterator[Path]:
    folders = [Path(music21.__file__).parent, *map(Path, filter(None, [os.environ.get(FOLDER)]))]
    for folder in folders:
        yield from (path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES)


def outcome(path: Path) -> str:
    content = path.read_bytes()
    try:
        wanted, tempos = parts_of(content), tempo_map(content)
    except Exception:  # mido raises many kinds of errors
        return "unreadable to mido"
    try:
        imported = song_from_midi(content)
    except MusicError as error:
        return f"rejected: {error.code}"
    again, _ = song_to_midi(imported.song, imported.notes)
    if parts_of(again) != wanted:
        return "notes differ"
    end = max((note.start + note.duration for part in wanted for note in part), default=0)
    return "exact" if tempo_map(again) == [each for each in tempos if each[0] < max(end, 1)] else "tempos differ"
