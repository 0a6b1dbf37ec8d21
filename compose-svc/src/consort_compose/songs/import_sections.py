"""The bars of a MIDI file, and the sections that a song needs for them.

A song changes metre and key at the bars where sections begin. So a section is made at each marker and wherever the
metre or key changes on a bar line. Where the metre changes inside a bar, that bar is cut off there and becomes a
separate section; keys and markers inside bars are left out and counted.
"""

from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Self

from consort_compose.songs.song import DEFAULT_TIME_SIGNATURE, MAX_MEASURE, MAX_SECTIONS, Section, Song
from consort_compose.songs.words import MAX_NAME, free_name
from consort_music.errors import MusicError
from consort_music.metre import Metre, parse_metre
from consort_music.midi.key_signatures import keys_of
from consort_music.midi.model import META, META_MARKER, META_TIME_SIGNATURE, MidiFile
from consort_music.midi.time_signatures import metre_of_payload
from consort_music.midi.timing import metas_in_order
from consort_music.midi.track_names import decode_name
from consort_music.wording import counted, were

_LOWER_FIGURES = (4, 8, 16, 32)


@dataclass(frozen=True)
class FileLayout:
    """What a file says of its bars, each by its beat; `odd_metres` are time signatures that a song cannot have."""

    metres: dict[Fraction, Metre]
    keys: dict[Fraction, str]
    markers: dict[Fraction, str]
    odd_metres: int
    end: Fraction

    @classmethod
    def of(cls, file: MidiFile, ppq: int, end: Fraction) -> Self:
        metres, odd = metas_in_order(file.tracks, META_TIME_SIGNATURE, _metre_of_payload)
        return cls(
            metres={Fraction(tick, ppq): metre for tick, metre in metres},
            keys={Fraction(tick, ppq): key.name for tick, key in keys_of(file.tracks)},
            markers=_markers(file, ppq),
            odd_metres=odd,
            end=end,
        )

    @property
    def first_metre(self) -> Metre:
        return self.metres.get(Fraction(0)) or parse_metre(DEFAULT_TIME_SIGNATURE)

    @property
    def first_key(self) -> str | None:
        return self.keys.get(Fraction(0))


class _Begin(NamedTuple):
    measure: int
    marker: str | None
    metre: str
    key: str | None


def sections_of(song: Song, layout: FileLayout, warnings: list[str]) -> list[Section]:
    """Bar by bar: what holds from each bar on, and a section wherever that changes or a marker is."""
    metres, keys, markers = dict(layout.metres), dict(layout.keys), dict(layout.markers)
    metre, key = layout.first_metre, song.key
    changes = sorted(metres) or [Fraction(0)]
    begins: list[_Begin] = []
    measure, beat = 1, Fraction(0)
    written = metre
    while beat < layout.end and measure <= MAX_MEASURE:
        before = (written, key)
        metre = metres.pop(beat, metre)
        key = keys.pop(beat, key)
        marker = markers.pop(beat, None)
        following = changes[min(bisect_right(changes, beat), len(changes) - 1)]
        is_cut = beat < following < min(beat + metre.bar, layout.end)
        written = (_metre_of(following - beat) if is_cut else None) or metre
        if marker or (written, key) != before:
            begins.append(_Begin(measure, marker, written.name, key))
        beat += written.bar
        measure += 1
    if layout.odd_metres:
        odd = counted(layout.odd_metres, "time signature")
        warnings.append(f"{odd} that a song cannot have {were(layout.odd_metres)} left out.")
    lost: list[tuple[str, Collection[Fraction]]] = [("metre change", metres)]
    lost += [("key signature", keys), ("marker", markers)]
    for what, left in lost:
        within = sum(at < layout.end for at in left)
        if within:
            warnings.append(f"{counted(within, what)} inside a bar {were(within)} left out.")
        if after := len(left) - within:
            warnings.append(f"{counted(after, what)} after the last note {were(after)} left out.")
    if len(begins) > MAX_SECTIONS:
        warnings.append(
            f"The file has {len(begins):,} metre changes, key changes and markers; only the first {MAX_SECTIONS} became"
            " sections."
        )
    return _named(song, begins[:MAX_SECTIONS], measure - 1)


def _named(song: Song, begins: list[_Begin], last_measure: int) -> list[Section]:
    sections: list[Section] = []
    ends = [*(each.measure - 1 for each in begins[1:]), last_measure]
    for begin, last in zip(begins, ends, strict=False):
        wanted = begin.marker or f"Part {len(sections) + 1}"
        sections.append(
            Section(
                name=free_name(wanted, (each.name for each in sections)),
                start_measure=begin.measure,
                end_measure=last,
                key=begin.key if begin.key != song.key else None,
                time_signature=begin.metre if begin.metre != song.time_signature else None,
            )
        )
    return sections


def _metre_of(length: Fraction) -> Metre | None:
    """The metre of a bar of this length in quarter notes, if a song can have it."""
    lower = next((lower for lower in _LOWER_FIGURES if (length * lower / 4).denominator == 1), None)
    return _metre(int(length * lower / 4), lower) if lower else None


def _metre_of_payload(payload: bytes) -> Metre | None:
    found = metre_of_payload(payload)
    return _metre(found.numerator, found.denominator) if found else None


def _metre(numerator: int, denominator: int) -> Metre | None:
    """Return the metre if users may write it: songs have no other."""
    try:
        return parse_metre(f"{numerator}/{denominator}")
    except MusicError:
        return None


def _markers(file: MidiFile, ppq: int) -> dict[Fraction, str]:
    """Of several on one beat the first."""
    found = sorted(
        (Fraction(tick, ppq), name)
        for track in file.tracks
        for tick, status, data in track
        if status == META and data[0] == META_MARKER and (name := decode_name(data[1:])[:MAX_NAME])
    )
    return dict(reversed(found))
