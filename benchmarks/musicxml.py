"""Check that other programs read the MusicXML of midi_to_notation.

50 pieces of many kinds (`musicxml_files.pieces`) are written and engraved. verovio must not warn; MuseScore must open
each without a complaint, and the notes must be the same when it writes them again. Without MuseScore (`apt install
musescore3`) only verovio is asked. `--limit N`: the first N pieces.
"""

import tempfile
from collections import defaultdict
from pathlib import Path

from benchmarks.musicxml_files.musescore import OpenedFile, musescore_program, open_with_musescore
from benchmarks.musicxml_files.pieces import MusicPiece, all_pieces
from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report, Requirement, Row
from consort_compose.notation.make_notation import NotationWork, make_notation
from consort_compose.notation.models import MidiToNotation
from consort_music.notation.musicxml.reader import read_musicxml
from consort_music.score import Part

_DOCUMENT = "sheet.musicxml"
_ROUNDING = 0.13


def run(options: BenchOptions) -> Report:
    pieces = all_pieces()[: options.limit]
    program = musescore_program()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files, warnings = _write(pieces, folder)
        opened = open_with_musescore(program, files, folder) if program else {}
        complaints = {file: _complaints(file, found) for file, found in opened.items()}
    rows: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for piece, file, warned in zip(pieces, files, warnings, strict=True):
        row = rows[piece.kind]
        row["files"] += 1
        row["warnings of verovio"] += bool(warned)
        if program:
            row["opened by MuseScore without complaint"] += not complaints[file]
    said = [f"{piece.name}: verovio: {text}" for piece, text in zip(pieces, warnings, strict=True) if text]
    said += [
        f"{piece.name}: {text}" for piece, file in zip(pieces, files, strict=True) for text in complaints.get(file, ())
    ]
    shown: list[Row] = [{"kind": kind, **row} for kind, row in rows.items()]
    requirements = [Requirement("files about which verovio warns", sum(map(bool, warnings)), 0)]
    if program:
        good = sum(not found for found in complaints.values())
        requirements.append(Requirement("files without complaint of MuseScore", good, len(files), more_is_better=True))
    other = f"MuseScore opened {len(opened)}." if program else "MuseScore is not installed."
    return Report(
        title="MusicXML in other programs",
        rows=shown,
        summary="\n".join([*said, f"{len(files)} files. {other}"]),
        requirements=requirements,
    )


def _write(pieces: list[MusicPiece], folder: Path) -> tuple[list[Path], list[str]]:
    """Write the pieces, and return their files and what verovio says about each."""
    files, warnings = [], []
    for number, piece in enumerate(pieces):
        made = folder / str(number)
        made.mkdir()
        request = MidiToNotation(music="-", **piece.options).model_dump(mode="json")
        make_notation(NotationWork(piece.source, request, made, folder / "fonts"))
        log = made / "log.txt"
        warnings.append(log.read_text("utf-8").strip() if log.exists() else "")
        files.append((made / _DOCUMENT).rename(folder / f"{number}.musicxml"))
    return files, warnings


def _complaints(file: Path, opened: OpenedFile) -> list[str]:
    if opened.again is None:
        return [*opened.complaints, "MuseScore wrote nothing."]
    same = _same_notes(file, opened.again)
    return [*opened.complaints, *([] if same else ["The notes differ when MuseScore writes them again."])]


def _same_notes(one: Path, other: Path) -> bool:
    """Return whether two files have the same notes. MuseScore rounds times to 1/480 of a quarter note, in every bar."""
    found = [read_musicxml(file.read_bytes())[0] for file in (one, other)]
    notes = [[_sorted_notes(part) for part in score.parts] for score in found]
    return len(notes[0]) == len(notes[1]) and all(
        len(ours) == len(theirs)
        and all(
            note[1] == copy[1] and all(abs(note[place] - copy[place]) < _ROUNDING for place in (0, 2))
            for note, copy in zip(ours, theirs, strict=True)
        )
        for ours, theirs in zip(*notes, strict=True)
    )


def _sorted_notes(part: Part) -> list[tuple[float, int, float]]:
    return sorted((round(float(note.start) * 8) / 8, note.midi, float(note.duration)) for note in part.notes)
