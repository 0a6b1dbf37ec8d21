"""The work of a job, in a child process: read the music, write it as MusicXML and text, engrave it, store the pages.

The child writes pages into a folder as they are ready, which is how the service knows the progress. It imports only
the music library, verovio and fontTools.
"""

import base64
import contextlib
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from consort_compose.notation.engraving.page_layout import PageLayout
from consort_music.errors import MusicError, in_field
from consort_music.frets.chord_diagrams import ChordDiagram, chord_diagram
from consort_music.frets.fret_positions import FretHints
from consort_music.frets.fretboards import fretboard
from consort_music.instruments import known_instrument
from consort_music.key_finding.notes import rank_keys_of_score
from consort_music.keys import parse_key
from consort_music.metre import parse_metre
from consort_music.midi.key_signatures import keys_of
from consort_music.midi.model import MidiFile
from consort_music.midi.reader import read_midi
from consort_music.midi.rights import rights_notes
from consort_music.midi.track_names import find_tracks, track_names
from consort_music.notation.from_midi import printed_measures_of
from consort_music.notation.midi_lyrics import with_midi_lyrics
from consort_music.notation.musicxml.attribute_elements import PrintedPage
from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.notation.performance_to_score import ReadingOptions, read_performance
from consort_music.notation.performance_to_score.reading import notes_of
from consort_music.notation.read_music import read_music
from consort_music.notation.score_arranging import (
    choose_bars,
    fewer_tempos,
    hands_on_staves,
    join_keyboard_staves,
    with_short_names,
    with_whole_tempos,
)
from consort_music.notation.writing.bar_text import bar_texts
from consort_music.notation.writing.lyrics import with_lyrics
from consort_music.notation.writing.notated_score import NotatedPart, NotatedScore, notated_from_score
from consort_music.notation.writing.staff_voices import (
    drums_in_two_voices,
    with_closed_gaps,
    with_straight_lengths,
    with_tidy_voices,
)
from consort_music.notation.writing.tablature import TabOptions, with_tablature
from consort_music.pitch import Pitch
from consort_music.score import Score
from consort_music.score_json import score_from_json

MAX_PAGES = 400
SHEET, TABS = "sheet", "tabs"
_UNCERTAIN = 0.6
_MOST_DIAGRAMS = 24
_LEAST_PITCH_CLASSES = 3
_FOR_TABS = ("instrument", "tuning", "capo", "position", "open_strings", "pinned")
"""Options that only tabs use. The first three are for chord diagrams too."""
_FOR_PLAYED_FILES = ("swing", "voices", "grid", "beat_times")
"""Corrections that only the reading of a played file uses."""
_PLAYED = ("midi", "song")
"""Music whose notes may end a little early, so that they are separate."""
_OPEN_STRINGS: dict[str | None, Any] = {"prefer": True, "avoid": "avoid", "never": False, None: None}


@dataclass(frozen=True)
class NotationWork:
    """What a child needs: the music and the request as JSON, the folder for the pages, and the cache of fonts."""

    source: dict[str, Any]
    request: dict[str, Any]
    folder: Path
    font_cache: Path


def make_notation(work: NotationWork) -> dict[str, Any]:
    """Write the pages, and return what is known about the music. Raise MusicError if it cannot be written."""
    request = work.request
    score, warnings = _read(work)
    kind = work.source["kind"]
    score = _arranged(score, request, is_played=kind in _PLAYED, is_file=kind == "midi")
    warnings += _unused_tab_options(request)
    if request["chord_diagrams"] and not score.chords:
        warnings.append("No chord diagrams: the music has no chords, or chord_symbols is false.")
    layout = PageLayout(request["page_size"], request["landscape"], request["zoom"])
    pages: dict[str, int] = {}
    if request["format"] != "tabs":
        sheet = score
        if request["format"] == "both":
            sheet, found = _with_tabs(score, request, with_staff=True)
            warnings += found
        pages[SHEET] = _engrave(sheet, SHEET, layout, work)
    if request["format"] != "sheet_music":
        tabs, found = _with_tabs(score, request, with_staff=False)
        warnings += [warning for warning in found if warning not in warnings]
        pages[TABS] = _engrave(tabs, TABS, layout, work)
    return {"pages": pages, "warnings": warnings, **_facts(score)}


def _read(work: NotationWork) -> tuple[NotatedScore, list[str]]:
    source, request = work.source, work.request
    if source["kind"] == "midi":
        content = zlib.decompress(base64.b64decode(source["content"]))
        with in_field("midi_file_id"):
            file = read_midi(content)
            reading = read_performance(file, _reading_options(request))
        score = with_midi_lyrics(reading, file)
        score = replace(
            score,
            title=score.title or source["title"],
            printed_measures=printed_measures_of(file, score.bars, score.bar_lines),
        )
        if request["tracks"] is not None:
            score = _with_tracks(score, file, request["tracks"])
        if not request["tempo"]:
            score = with_whole_tempos(score)
        if not (request["key"] or keys_of(file.tracks)) and _has_few_pitches(
            pitch.midi for part in score.parts for chord in part.chords for pitch in chord.pitches
        ):
            score = replace(score, keys=())
        return score, [*score.warnings, *rights_notes(file.tracks)]
    warnings: list[str] = list(source.get("warnings", ()))
    if source["kind"] == "text":
        with in_field("music"):
            plain, warnings = read_music(source["text"])
    else:
        plain = score_from_json(source["score"])
    if not plain.note_count:
        message = "The music has no notes. Give music with at least one note."
        raise MusicError("EMPTY_INPUT", message, field="music" if source["kind"] == "text" else "midi_file_id")
    if given := [name for name in _FOR_PLAYED_FILES if request[name] is not None]:
        warnings = [*warnings, f"Without effect, because the music has note values: {', '.join(given)}."]
    plain = _corrected(plain, request)
    split = request["split_point"]
    plain = hands_on_staves(plain, Pitch.parse(split).midi if split else None)
    score = join_keyboard_staves(notated_from_score(plain))
    marks = tuple((Fraction(at), mark) for at, mark in source.get("marks", ()))
    return replace(score, rehearsal_marks=marks), warnings


def _with_tracks(score: NotatedScore, file: MidiFile, wanted: Sequence[int | str]) -> NotatedScore:
    """Return the parts of some tracks, which are numbered as in the file: a part is a track and channel with notes."""
    names = [name or f"Track {number}" for number, name in enumerate(track_names(file.tracks))]
    chosen = find_tracks(names, wanted)
    tracks = [track for track, _ in sorted({(note.track, note.channel) for note in notes_of(file)})]
    parts = tuple(part for part, track in zip(score.parts, tracks, strict=True) if track in chosen)
    if not parts:
        raise MusicError(
            "EMPTY_INPUT",
            "The chosen tracks have no notes. Choose others.",
            [names[track] for track in dict.fromkeys(tracks)][:5],
            "tracks",
        )
    return replace(score, parts=parts)


def _unused_tab_options(request: dict[str, Any]) -> list[str]:
    if request["format"] != "sheet_music":
        return []
    options = _FOR_TABS[3:] if request["chord_diagrams"] else _FOR_TABS
    given = [name for name in options if request[name]]
    return [f"Without effect on sheet music: {', '.join(given)}. Use format tabs or both."] if given else []


def _reading_options(request: dict[str, Any]) -> ReadingOptions:
    split = request["split_point"]
    pickup = request["pickup"]
    return ReadingOptions(
        metre=parse_metre(request["time_signature"]) if request["time_signature"] else None,
        key=parse_key(request["key"]) if request["key"] else None,
        pickup=None if pickup is None else Fraction(pickup).limit_denominator(16),
        swing=request["swing"],
        voices_per_staff=request["voices"] or 2,
        split_pitch=Pitch.parse(split).midi if split else None,
        finest_grid=request["grid"],
        bpm=request["tempo"],
        beat_times=tuple(request["beat_times"] or ()),
    )


def _corrected(score: Score, request: dict[str, Any]) -> Score:
    """Apply metre, key, pickup and tempo to music that has note values, and find the key if there is none."""
    if request["time_signature"]:
        score = replace(score, metres=((Fraction(0), parse_metre(request["time_signature"])),))
    if request["pickup"] is not None:
        score = replace(score, pickup=Fraction(request["pickup"]).limit_denominator(16))
    if request["tempo"]:
        score = replace(score, tempos=((Fraction(0), Fraction(request["tempo"]).limit_denominator(1000)),))
    if request["key"]:
        score = replace(score, keys=((Fraction(0), parse_key(request["key"])),))
    elif not score.keys:
        pitches = [
            note.midi
            for part in score.parts
            if not ((found := known_instrument(part.instrument)) and found.is_drums)
            for note in part.notes
        ]
        if not _has_few_pitches(pitches):
            score = replace(score, keys=((Fraction(0), rank_keys_of_score(score)[0].key),))
    return score


def _has_few_pitches(pitches: Iterable[int]) -> bool:
    """Return whether there are too few different notes to guess a key from them."""
    return len({pitch % 12 for pitch in pitches}) < _LEAST_PITCH_CLASSES


def _arranged(score: NotatedScore, request: dict[str, Any], *, is_played: bool, is_file: bool) -> NotatedScore:
    if request["tracks"] is not None and not is_file:
        chosen = find_tracks([part.name for part in score.parts], request["tracks"])
        score = replace(score, parts=tuple(score.parts[index] for index in chosen))
    if request["lyrics"]:
        score = with_lyrics(score, request["lyrics"])
    if request["first_bar"] is not None or request["last_bar"] is not None:
        score = choose_bars(score, request["first_bar"] or 1, request["last_bar"])
    score = with_straight_lengths(drums_in_two_voices(fewer_tempos(score)))
    score = with_tidy_voices(with_closed_gaps(score) if is_played else score)
    score = replace(
        score,
        title=request["title"] or score.title,
        composer=request["composer"] or score.composer,
        chords=score.chords if request["chord_symbols"] else (),
    )
    if request["concert_pitch"]:
        score = replace(score, parts=tuple(replace(part, is_concert=True) for part in score.parts))
    return score


def _with_tabs(score: NotatedScore, request: dict[str, Any], *, with_staff: bool) -> tuple[NotatedScore, list[str]]:
    hints = FretHints(request["position"], _OPEN_STRINGS[request["open_strings"]])
    options = TabOptions(
        request["instrument"], request["tuning"], request["capo"], hints, tuple(request["pinned"]), with_staff
    )
    made = with_tablature(score, options)
    return made.score, made.warnings


def _engrave(score: NotatedScore, name: str, layout: PageLayout, work: NotationWork) -> int:
    from consort_compose.notation.engraving.engrave import engrave_to_folder  # not for the service: it loads verovio

    staves = max(sum(len(part.staves) for part in score.parts), 1)
    layout = layout.fitting(staves)
    musicxml = write_musicxml(with_short_names(score), PrintedPage(*layout.size_mm, layout.staff_mm(staves)))
    (work.folder / f"{name}.musicxml").write_text(musicxml, encoding="utf-8")
    diagrams = _diagrams(score, work.request) if work.request["chord_diagrams"] else []
    count, log = engrave_to_folder(musicxml, layout, work.font_cache, work.folder, name, MAX_PAGES, diagrams)
    if log:
        (work.folder / "log.txt").write_text(log, encoding="utf-8")
    return count


def _diagrams(score: NotatedScore, request: dict[str, Any]) -> list[tuple[str, ChordDiagram]]:
    """Return the shapes of the first different chords. Chords that no hand can play are left out."""
    board = fretboard(request["instrument"] or "guitar", request["tuning"], request["capo"])
    found = []
    for symbol in list(dict.fromkeys(mark.symbol for mark in score.chords))[:_MOST_DIAGRAMS]:
        with contextlib.suppress(MusicError):
            found.append((symbol, chord_diagram(symbol, board)))
    return found


def _facts(score: NotatedScore) -> dict[str, Any]:
    sure = dict(score.bar_confidences)
    others: dict[int, list[str]] = {}
    for other in score.bar_alternatives:
        others.setdefault(other.bar, []).append(other.description)
    bars = [
        {"bar": number, "written": text, "confidence": _rounded(sure.get(number)), "alternatives": others.get(number)}
        for number, text in bar_texts(score)
    ]
    return {
        "title": score.title,
        "key": score.keys[0][1].name if score.keys else None,
        "time_signature": score.metres[0][1].name if score.metres else "4/4",
        "bar_count": len(bars),
        "parts": [part.name or _instrument_name(part) for part in score.parts],
        "bars": [{name: value for name, value in bar.items() if value is not None} for bar in bars],
        "uncertain_bars": [number for number, certainty in score.bar_confidences if certainty < _UNCERTAIN],
    }


def _instrument_name(part: NotatedPart) -> str:
    return part.instrument or "part"


def _rounded(certainty: float | None) -> float | None:
    return None if certainty is None else round(certainty, 2)
