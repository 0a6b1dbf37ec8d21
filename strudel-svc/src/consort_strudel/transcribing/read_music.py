"""Read a MIDI file as music on a grid: tracks of notes in quarter notes, bars, tempos and key."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from consort_music.bars import Bar
from consort_music.errors import MusicError
from consort_music.key_finding.pitch_classes import contradicts, pitch_class_weights, rank_keys
from consort_music.keys import MODES, Key
from consort_music.midi.reader import ReaderLimits, read_midi
from consort_music.midi.track_names import find_tracks
from consort_music.notation.from_midi import score_from_midi
from consort_music.notation.performance_to_score.beats.file_beats import was_performed
from consort_music.score import Score
from consort_strudel.transcribing.grid import StartEndGrid, choose_grid, seems_played
from consort_strudel.transcribing.pitch_text import LEAST_SHARE, share_in_key
from consort_strudel.transcribing.place_notes import GridTrack, NoteOnGrid, changes_of, instrument_of, place_parts
from consort_strudel.transcribing.read_performance import read_played_music

__all__ = ["GridMusic", "GridTrack", "MusicChoice", "NoteOnGrid", "clear_key", "read_grid_music"]

MAX_NOTES = 20_000
MAX_BARS = 1000
DEFAULT_BPM = Fraction(120)
_LEAST_LEAD = 0.05
"""By how much the correlation of a key must be better than that of every other one."""
_LEAST_SIGNATURE_LEAD = 0.03
"""The same for the share of the notes that its signature contains."""


@dataclass(frozen=True)
class GridMusic:
    """Music whose notes are on a grid. Times are in quarter notes from the first bar line."""

    tracks: tuple[GridTrack, ...]
    bars: tuple[Bar, ...]
    tempos: tuple[tuple[Fraction, Fraction], ...]
    key: Key | None
    """Only if it is clear."""
    grid: StartEndGrid
    title: str | None = None
    shift: Fraction = Fraction(0)
    """How much later the notes are than in the file: a pickup fills the end of a whole bar."""
    moved: int = 0
    """Notes that were not on the grid."""
    warnings: tuple[str, ...] = field(default_factory=tuple)

    @property
    def cycle(self) -> Fraction:
        """The quarter notes of a cycle: a bar, or four if bars have different lengths."""
        lengths = {bar.length for bar in self.bars}
        return lengths.pop() if len(lengths) == 1 else Fraction(4)

    @property
    def end(self) -> Fraction:
        return self.bars[-1].end

    @property
    def note_count(self) -> int:
        return sum(len(track.notes) for track in self.tracks)


@dataclass(frozen=True)
class MusicChoice:
    """What of a file is wanted."""

    tracks: tuple[int | str, ...] | None = None
    first_bar: int | None = None
    last_bar: int | None = None
    grid: str | None = None
    title: str | None = None


def read_grid_music(content: bytes, max_bytes: int, choice: MusicChoice) -> GridMusic:
    """Return the chosen music of a MIDI file. Raise MusicError if there is none."""
    file = read_midi(content, ReaderLimits(max_bytes=max_bytes))
    score, remarks = score_from_midi(file, quantize=False)
    starts = [note.start for part in score.parts for note in part.notes]
    played = None
    if was_performed(starts) or (choice.grid is None and seems_played(starts, choose_grid(starts, []))):
        played = read_played_music(file)
        score = played.score
    if choice.title:
        score = replace(score, title=choice.title)
    key = clear_key(score)
    parts = list(score.parts)
    if choice.tracks is not None:
        parts = [parts[index] for index in find_tracks([part.name for part in parts], choice.tracks)]
    shift = score.metre.bar - score.pickup if score.pickup else Fraction(0)
    score = _shifted(score.with_parts(parts), shift)
    bars = _chosen_bars(score, choice)
    begin, end = bars[0].start, bars[-1].end
    score = _between(score, begin, end)
    bars = tuple(bar._replace(start=bar.start - begin) for bar in bars)
    notes = [note for part in score.parts for note in part.notes]
    if not notes:
        raise MusicError("EMPTY_INPUT", "There are no notes in these tracks and bars. Choose others.", field="tracks")
    if len(notes) > MAX_NOTES or len(bars) > MAX_BARS:
        raise MusicError(
            "TOO_LARGE",
            f"The music has {len(notes):,} notes in {len(bars):,} bars; at most {MAX_NOTES:,} in {MAX_BARS:,} bars"
            " become code. Choose tracks, first_bar and last_bar.",
        )
    parts = [part for part in score.parts if part.notes]
    placed = place_parts(parts, choice.grid, is_played=played is not None)
    changes = changes_of(parts, placed, played, shift - begin)
    return GridMusic(
        tracks=tuple(placed.tracks),
        bars=_covering(bars, max(note.start for track in placed.tracks for note in track.notes)),
        tempos=_tempos(score),
        key=key,
        grid=placed.grid,
        title=score.title,
        shift=shift - begin,
        moved=changes.moved,
        warnings=(*remarks, *changes.warnings),
    )


def clear_key(score: Score) -> Key | None:
    """Return the key that the file or its notes say, if nearly all notes are in its scale and no other key fits.

    Notes that several signatures contain (such as C D E F G A) do not make a key clear. Neither does C major that the
    file states then, because many programs write it by default.
    """
    notes = [note for part in score.parts if not instrument_of(part).is_drums for note in part.notes]
    if not notes or len(score.keys) > 1:
        return None
    weights = pitch_class_weights([(note.midi, float(note.duration)) for note in notes])
    is_one = _has_one_signature(weights)
    key = score.key
    if key is None or contradicts(weights, key) or not (is_one or key.sharps):
        if not is_one:
            return None
        ordered = sorted(notes, key=lambda note: (note.start, note.midi))
        best, second = rank_keys(weights, ordered[0].midi % 12, ordered[-1].midi % 12)[:2]
        if best.score - second.score < _LEAST_LEAD:
            return None
        key = best.key
    return key if share_in_key(key, [note.midi for note in notes]) >= LEAST_SHARE else None


def _has_one_signature(weights: Sequence[float]) -> bool:
    """Return whether one signature contains clearly more of the notes than every other one."""
    total = sum(weights)
    shares = sorted(sum(weights[(tonic + tone) % 12] for _, tone in MODES["major"]) / total for tonic in range(12))
    return shares[-1] - shares[-2] >= _LEAST_SIGNATURE_LEAD


def _shifted(score: Score, by: Fraction) -> Score:
    """Return the score with a whole first bar instead of a pickup."""
    if not by:
        return score
    return replace(
        score,
        parts=tuple(
            replace(part, notes=tuple(note._replace(start=note.start + by) for note in part.notes), lyrics=())
            for part in score.parts
        ),
        metres=tuple((at + by if at else at, metre) for at, metre in score.metres),
        tempos=tuple((at + by if at else at, bpm) for at, bpm in score.tempos),
        keys=tuple((at + by if at else at, key) for at, key in score.keys),
        rest_to=Fraction(0),
        chords=(),
        fermatas=(),
        pickup=Fraction(0),
    )


def _chosen_bars(score: Score, choice: MusicChoice) -> tuple[Bar, ...]:
    bars = score.bars
    first, last = choice.first_bar or 1, choice.last_bar or len(bars)
    if first > len(bars) or last < first:
        raise MusicError(
            "INVALID_BARS",
            f"The music has the bars 1 to {len(bars)}, not {first} to {last}.",
            [f"1 to {len(bars)}"],
            field="first_bar" if first > len(bars) or choice.last_bar is None else "last_bar",
        )
    return bars[first - 1 : last]


def _between(score: Score, begin: Fraction, end: Fraction) -> Score:
    """Return what starts in a stretch of a score, which then begins at 0."""
    parts = tuple(
        replace(
            part,
            notes=tuple(note._replace(start=note.start - begin) for note in part.notes if begin <= note.start < end),
        )
        for part in score.parts
    )
    tempos = [(max(at - begin, Fraction(0)), bpm) for at, bpm in score.tempos if at < end]
    return replace(score, parts=parts, tempos=tuple(dict(tempos).items()))


def _tempos(score: Score) -> tuple[tuple[Fraction, Fraction], ...]:
    found: list[tuple[Fraction, Fraction]] = []
    for at, bpm in score.tempos or ((Fraction(0), DEFAULT_BPM),):
        if not found or found[-1][1] != bpm:
            found.append((at if found else Fraction(0), bpm))
    return tuple(found)


def _covering(bars: Sequence[Bar], last_start: Fraction) -> tuple[Bar, ...]:
    """Return the bars up to the last one in which a note starts: a note may ring on after it."""
    if last_start >= bars[-1].end:  # it was moved to the end
        last = bars[-1]
        return (*bars, Bar(last.number + 1, last.end, last.metre.bar, last.metre))
    return tuple(bar for bar in bars if bar.start <= last_start)
