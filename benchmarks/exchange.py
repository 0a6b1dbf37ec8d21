"""Real MIDI files -> songs -> files: in how many every note and tempo arrives exactly, and why not in the others.

The files are those of music21, and of the folder that CONSORT_MIDI_FOLDER names, if it does. mido says what is in the
file and in what comes back: for each part (a channel in a track) start, duration, pitch, velocity and program of each
note. Files that mido cannot read do not count.
"""

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import music21

from benchmarks.parts.midi_parts import parts_of, tempo_map
from benchmarks.report import Floor, Report, Row
from consort_compose.songs.export import midi_bytes
from consort_compose.songs.importing import song_of
from consort_music.errors import MusicError

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
        floors=[Floor("share of files that are exact", share, LEAST_EXACT, more_is_better=True)],
    )


def files() -> Iterator[Path]:
    folders = [Path(music21.__file__).parent, *map(Path, filter(None, [os.environ.get(FOLDER)]))]
    for folder in folders:
        yield from (path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES)


def outcome(path: Path) -> str:
    content = path.read_bytes()
    try:
        wanted, tempos = parts_of(content), tempo_map(content)
    except Exception:  # mido raises whatever happens to fail
        return "unreadable to mido"
    try:
        imported = song_of(content)
    except MusicError as refusal:
        return f"refused: {refusal.code}"
    again, _ = midi_bytes(imported.song, imported.notes)
    if parts_of(again) != wanted:
        return "notes differ"
    end = max((note.start + note.duration for part in wanted for note in part), default=0)
    return "exact" if tempo_map(again) == [each for each in tempos if each[0] < max(end, 1)] else "tempos differ"
