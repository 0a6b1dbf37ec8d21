"""Find the sections of a song that is imported from a MIDI file.

A song changes metre and key only where a section starts. So a section starts at each marker and wherever the metre or
key changes on a bar line. If the metre changes inside a bar, that bar ends there and becomes a separate section. Keys
and markers inside bars are left out and counted in a warning.
"""

from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Self

from consort_compose.songs.document.names import MAX_NAME, unused_name
from consort_compose.songs.document.song import DEFAULT_TIME_SIGNATURE, MAX_MEASURE, MAX_SECTIONS, Section, Song
from consort_music.errors import MusicError
from consort_music.keys import Key
from consort_music.metre import Metre, parse_metre
from consort_music.midi.key_signatures import keys_of
from consort_music.midi.model import META, META_MARKER, META_TIME_SIGNATURE, MidiFile
from consort_music.midi.tempo_map import metas_in_order
from consort_music.midi.time_signatures import metre_of_payload
from consort_music.midi.track_names import decode_name
from consort_music.texts.plurals import counted, were

_DENOMINATORS = (4, 8, 16, 32)


@dataclass(frozen=True)
class FileLayout:
    """Metres, keys and markers of a file by beat. `unsupported_metres` counts metres that a song cannot have."""

    metres: dict[Fraction, Metre]
    keys: dict[Fraction, Key]
    markers: dict[Fraction, str]
    unsupported_metres: int
    end: Fraction

    @classmethod
    def of(cls, file: MidiFile, ppq: int, end: Fraction) -> Self:
        """Return the layout of a file whose last note ends at the beat `end`."""
        metres, unsupported = metas_in_order(file.tracks, META_TIME_SIGNATURE, _metre_of_payload)
        return cls(
            metres={Fraction(tick, ppq): metre for tick, metre in metres},
            keys={Fraction(tick, ppq): key for tick, key in keys_of(file.tracks)},
            markers=_markers(file, ppq),
            unsupported_metres=unsupported,
            end=end,
        )

    @property
    def first_metre(self) -> Metre:
        return self.metres.get(Fraction(0)) or parse_metre(DEFAULT_TIME_SIGNATURE)

    @property
    def first_key(self) -> Key | None:
        return self.keys.get(Fraction(0))


class _SectionStart(NamedTuple):
    """The first measure of a section, its marker if there is one, and its metre and key."""

    measure: int
    marker: str | None
    metre: str
    key: Key | None


def import_sections(song: Song, layout: FileLayout, warnings: list[str]) -> list[Section]:
    """Return the sections of an imported song; append warnings about what was left out.

    The loop goes through the bars. A section starts at each bar with a marker, another metre or another key.
    """
    metres, keys, markers = dict(layout.metres), dict(layout.keys), dict(layout.markers)
    metre, key = layout.first_metre, layout.first_key
    changes = sorted(metres) or [Fraction(0)]
    starts: list[_SectionStart] = []
    measure, beat = 1, Fraction(0)
    bar_metre = metre
    while beat < layout.end and measure <= MAX_MEASURE:
        before = (bar_metre, key)
        metre = metres.pop(beat, metre)
        key = keys.pop(beat, key)
        marker = markers.pop(beat, None)
        following = changes[min(bisect_right(changes, beat), len(changes) - 1)]
        is_cut = beat < following < min(beat + metre.bar, layout.end)
        bar_metre = (_metre_of_length(following - beat) if is_cut else None) or metre
        if marker or (bar_metre, key) != before:
            starts.append(_SectionStart(measure, marker, bar_metre.name, key))
        beat += bar_metre.bar
        measure += 1
    if layout.unsupported_metres:
        odd = counted(layout.unsupported_metres, "time signature")
        warnings.append(f"{odd} that a song cannot have {were(layout.unsupported_metres)} left out.")
    lost: list[tuple[str, Collection[Fraction]]] = [("metre change", metres)]
    lost += [("key signature", keys), ("marker", markers)]
    for what, left in lost:
        within = sum(at < layout.end for at in left)
        if within:
            warnings.append(f"{counted(within, what)} inside a bar {were(within)} left out.")
        if after := len(left) - within:
            warnings.append(f"{counted(after, what)} after the last note {were(after)} left out.")
    if len(starts) > MAX_SECTIONS:
        warnings.append(
            f"The file has {len(starts):,} metre changes, key changes and markers; only the first {MAX_SECTIONS} became"
            " sections."
        )
    return _name_sections(song, starts[:MAX_SECTIONS], measure - 1)


def _name_sections(song: Song, starts: list[_SectionStart], last_measure: int) -> list[Section]:
    """Return the sections, named by their markers, otherwise Part 1, Part 2 …"""
    sections: list[Section] = []
    ends = [*(each.measure - 1 for each in starts[1:]), last_measure]
    for start, last in zip(starts, ends, strict=False):
        wanted = start.marker or f"Part {len(sections) + 1}"
        sections.append(
            Section(
                name=unused_name(wanted, (each.name for each in sections)),
                start_measure=start.measure,
                end_measure=last,
                key=start.key.name if start.key and start.key.name != song.key else None,
                time_signature=start.metre if start.metre != song.time_signature else None,
            )
        )
    return sections


def _metre_of_length(length: Fraction) -> Metre | None:
    """Return the metre of a bar of this length in quarter notes; None if a song cannot have it."""
    denominator = next((each for each in _DENOMINATORS if (length * each / 4).denominator == 1), None)
    return _metre(int(length * denominator / 4), denominator) if denominator else None


def _metre_of_payload(payload: bytes) -> Metre | None:
    found = metre_of_payload(payload)
    return _metre(found.numerator, found.denominator) if found else None


def _metre(numerator: int, denominator: int) -> Metre | None:
    """Return the metre; None if a song cannot have it."""
    try:
        return parse_metre(f"{numerator}/{denominator}")
    except MusicError:
        return None


def _markers(file: MidiFile, ppq: int) -> dict[Fraction, str]:
    """Return the markers by beat. Of several markers on one beat, the first in alphabetical order is kept."""
    found = sorted(
        (Fraction(tick, ppq), name)
        for track in file.tracks
        for tick, status, data in track
        if status == META and data[0] == META_MARKER and (name := decode_name(data[1:])[:MAX_NAME])
    )
    return dict(reversed(found))
