"""The parts of a composed score and the tracks of a song that they are for."""

from collections.abc import Mapping
from fractions import Fraction

from consort_compose.songs import tracks
from consort_compose.songs.note_text import MAX_NOTES_A_CALL, WrittenNotes, too_many_notes
from consort_compose.songs.song import Note, Song, Track
from consort_compose.songs.timeline import Timeline
from consort_music.errors import MusicError, quoted
from consort_music.instruments import known_instrument
from consort_music.score import Part, Score


def notes_of_score(score: Score, track: str | None, parts: Mapping[str, str] | None) -> dict[str, WrittenNotes]:
    """The notes by track: all parts to one track, each to the track named for it, or each to the track of its name."""
    if score.note_count > MAX_NOTES_A_CALL:
        raise too_many_notes()
    written: dict[str, WrittenNotes] = {}
    if parts is None:
        targets = [(part, track if track is not None else part.name, "track") for part in score.parts]
    else:
        targets = [(_part(score, key), name, f"parts.{key[:80]}") for key, name in parts.items()]
    for part, name, field in targets:
        notes = [
            Note(Fraction(note.start), note.pitch.midi, Fraction(note.duration), note.velocity) for note in part.notes
        ]
        known = written.setdefault(name, WrittenNotes([], field=field, instrument=part.instrument))
        known.notes.extend(notes)
    return written


def parts_left_out(score: Score, parts: Mapping[str, str] | None) -> list[str]:
    """The names of the parts that a mapping of parts to tracks does not name."""
    if parts is None:
        return []
    named = [_part(score, key) for key in parts]
    return [part.name for part in score.parts if not any(part is each for each in named)]


def with_tracks_for(song: Song, written: Mapping[str, WrittenNotes]) -> tuple[Song, list[Track]]:
    """The song with a track for each part: one that is missing is added if its name, or the part, says an instrument.

    Raises UNKNOWN_TRACK with all that are missing.
    """
    missing = {name: each for name, each in written.items() if song.track_named(name) is None}
    instruments = {name: known_instrument(name) or known_instrument(each.instrument) for name, each in missing.items()}
    unknown = [name for name, instrument in instruments.items() if instrument is None]
    if unknown:
        there = [track.name for track in song.tracks]
        example = ", ".join(f'"{name}": "{there[0] if there else "Flute"}"' for name in missing)
        raise MusicError(
            "UNKNOWN_TRACK",
            f"The song has no track {', '.join(map(quoted, missing))}"
            f" (there are: {', '.join(there[:10]) or 'none yet'}). Say with parts which track each part goes to;"
            " a missing track is added if it is named after an instrument.",
            [f"parts: {{{example}}}", "add_track"],
            written[unknown[0]].field,
        )
    before = len(song.tracks)
    for name, instrument in instruments.items():
        assert instrument is not None
        song = tracks.add(song, name, "drums" if instrument.is_drums else instrument.name)
    return song, list(song.tracks[before:])


def chords_in_the_way(song: Song, score: Score, origin: Fraction) -> list[str]:
    """The chords that a song has planned where a score has other ones, when it begins at a beat."""
    own = {(origin + mark.start, mark.symbol) for mark in score.chords}
    end = origin + score.length
    return [chord.symbol for chord in song.chords if origin <= chord.start < end and tuple(chord) not in own]


def measure_after_pickup(timeline: Timeline, measure: int, pickup: Fraction) -> int:
    """Where the first full bar goes: `measure`, or the first one with room for the pickup before it."""
    while timeline.start_of(measure) < pickup:
        measure += 1
    return measure


def _part(score: Score, key: str) -> Part:
    """A part by its name, or by its number from 1."""
    wanted = key.strip()
    named = [part for part in score.parts if part.name.strip() == wanted]
    named = named or [part for part in score.parts if part.name.strip().casefold() == wanted.casefold()]
    if not named and wanted.isdecimal() and 1 <= int(wanted[:6]) <= len(score.parts):
        named = [score.parts[int(wanted) - 1]]
    if not named:
        known = ", ".join(f"{number} {quoted(part.name)}" for number, part in enumerate(score.parts[:10], start=1))
        raise MusicError(
            "UNKNOWN_PART",
            f"The score has no part {quoted(key)}; its parts are {known}.",
            [part.name for part in score.parts[:5]],
            f"parts.{key[:80]}",
        )
    return named[0]
